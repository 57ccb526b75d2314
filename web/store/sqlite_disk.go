package store

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// A disk watches the files of a database by their paths, without SQLite's cache.
type disk struct {
	path string
	file *os.File    // the same file as SQLite's
	wal  os.FileInfo // of the write-ahead log; nil: not there yet

	looked time.Time
	unfit  error // why the store adds nothing; nil: it does
}

const (
	betweenLooks = time.Second
	maxWAL       = 16 << 20 // bytes of the write-ahead log; above it the store adds nothing until SQLite has emptied it
	trialBytes   = 64 << 10 // written by a ping: the disk must have room for them
)

// errUnfit refuses an entry that the store would lose.
var errUnfit = errors.New("the store takes no entry")

// look checks, at most once a second, whether the store can add entries. It cannot if
// somebody has removed or replaced the file, or if the write-ahead log cannot be emptied.
func (k *disk) look(empty func() error) {
	if time.Since(k.looked) < betweenLooks {
		return
	}
	k.looked = time.Now()
	if k.unfit = k.there(); k.unfit != nil {
		return
	}
	if info, err := os.Stat(k.path + "-wal"); err == nil && info.Size() > maxWAL {
		if err := empty(); err != nil {
			k.unfit = fmt.Errorf("%w: the write-ahead log has %d bytes: %w", errUnfit, info.Size(), err)
		}
	}
}

// lost returns why entries that were just written are lost, or nil: somebody may have removed the file since the last look.
// No entry is acknowledged before.
func (k *disk) lost(written []job) error {
	if !slices.ContainsFunc(written, func(j job) bool { return j.size > 0 }) {
		return nil
	}
	if err := k.there(); err != nil {
		k.looked, k.unfit = time.Now(), err
		return err
	}
	return nil
}

// there checks that the file and the write-ahead log are still at their paths.
func (k *disk) there() error {
	gone := func(because, path string) error { return &Failure{because, fmt.Errorf("%w: %s", errUnfit, path)} }
	file, err := k.file.Stat()
	if err != nil {
		return fmt.Errorf("%w: %w", errUnfit, err)
	}
	if k.wal == nil {
		k.wal, _ = os.Stat(k.path + "-wal") // SQLite creates it with the first write
	}
	for path, as := range map[string]os.FileInfo{k.path: file, k.path + "-wal": k.wal} {
		now, err := os.Stat(path)
		switch {
		case as == nil:
		case errors.Is(err, fs.ErrNotExist):
			if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
				return gone("the directory is gone", filepath.Dir(path))
			}
			return gone("the file is gone", path)
		case err != nil:
			return fmt.Errorf("%w: %w", errUnfit, err)
		case !os.SameFile(now, as):
			return gone("the file was replaced", path)
		}
	}
	return nil
}

// writable checks whether somebody has made the directory or a file read-only. A server
// that has the file open can still write, but not after a restart.
func (k *disk) writable() error {
	for path, because := range map[string]string{filepath.Dir(k.path): "the directory is read-only", k.path: "the file is read-only", k.path + "-wal": "the file is read-only"} {
		info, err := os.Stat(path)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o222 == 0 {
			return &Failure{because, fmt.Errorf("%s has the mode %s", path, info.Mode())}
		}
	}
	return nil
}

// header checks that the file begins with SQLite's header and has all its pages.
func (k *disk) header() error {
	var header [100]byte
	if _, err := k.file.ReadAt(header[:], 0); err != nil {
		return &Failure{"the file is damaged", err}
	}
	info, err := k.file.Stat()
	if err != nil {
		return err
	}
	size, pages := binary.BigEndian.Uint16(header[16:]), int64(binary.BigEndian.Uint32(header[28:]))
	if !bytes.HasPrefix(header[:], []byte("SQLite format 3\x00")) || size != pageBytes || info.Size() < pages*pageBytes {
		return &Failure{"the file is damaged", fmt.Errorf("%s begins with %q and has %d bytes", k.path, header[:32], info.Size())}
	}
	return nil
}

// try writes a trial file, reads it back and removes it.
func (k *disk) try() (err error) {
	path := filepath.Join(filepath.Dir(k.path), "lockstep.health")
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(path)) }()
	wrote := bytes.Repeat([]byte("lockstep"), trialBytes/8)
	if _, err := file.Write(wrote); err != nil {
		return err
	}
	if err := file.Sync(); err != nil {
		return err
	}
	read := make([]byte, len(wrote))
	if _, err := file.ReadAt(read, 0); err != nil {
		return err
	}
	if !bytes.Equal(read, wrote) {
		return fmt.Errorf("%w: %s is not what was written", ErrDamaged, path)
	}
	return nil
}

package store

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// SQLite takes the first changed frame of the write-ahead log for its end, and silently
// forgets every frame after it. After a power cut this is right: the cut leaves an
// unacknowledged transaction. But SQLite writes the last frame of a transaction last. If such
// a frame stands at the break or after it, the log was whole once, and acknowledged entries
// are lost. The store then keeps a copy of the log before SQLite overwrites it, and Ping fails
// until somebody moves the copy away. (A disk may write the end of a transaction before its
// beginning. A power cut in between looks the same, but loses nothing.)
//
// The store copies the log into the file within a second (settle), so there is little to lose.

const betweenSettles = time.Second

// The log begins with a header of walHeader bytes. A frame is a header and a page.
// https://www.sqlite.org/fileformat2.html#walformat
const (
	walMagic       = 0x377f0682 // 1 more if the checksums are over big-endian words
	walHeader      = 32
	walFrameHeader = 24
)

// A walSum is a checksum over the log so far.
type walSum struct {
	order  binary.ByteOrder
	s0, s1 uint32
}

func (w *walSum) add(words []byte) {
	for ; len(words) >= 8; words = words[8:] {
		w.s0 += w.order.Uint32(words) + w.s1
		w.s1 += w.order.Uint32(words[4:]) + w.s0
	}
}

// is reports whether the checksum equals the one in the log.
func (w *walSum) is(there []byte) bool {
	return w.s0 == binary.BigEndian.Uint32(there) && w.s1 == binary.BigEndian.Uint32(there[4:])
}

// verifyWAL returns the number of frames before the break, and ErrDamaged if the write-ahead
// log has lost a whole transaction.
func verifyWAL(from io.Reader) (whole int, err error) {
	r := bufio.NewReaderSize(from, 64<<10)
	var header [walHeader]byte
	if _, err := io.ReadFull(r, header[:]); err != nil {
		return 0, ended(err)
	}
	sum := walSum{order: binary.LittleEndian}
	magic := binary.BigEndian.Uint32(header[:])
	if magic == walMagic+1 {
		sum.order = binary.BigEndian
	}
	sum.add(header[:24])
	headed := magic&^1 == walMagic && binary.BigEndian.Uint32(header[8:]) == pageBytes && sum.is(header[24:])
	var frame [walFrameHeader + pageBytes]byte
	for intact, frames := headed, 0; ; frames++ {
		if _, err := io.ReadFull(r, frame[:]); err != nil {
			return whole, ended(err)
		}
		ours := !headed || bytes.Equal(frame[8:16], header[16:24]) // false: an older log left the frame
		page, commit := binary.BigEndian.Uint32(frame[:]), binary.BigEndian.Uint32(frame[4:])
		sum.add(frame[:8])
		sum.add(frame[walFrameHeader:])
		if intact = intact && ours && page > 0 && sum.is(frame[16:]); intact {
			whole++
		} else if ours && commit > 0 {
			return whole, fmt.Errorf("%w: frame %d of the write-ahead log is not the one that was written, and %d was the end of a transaction", ErrDamaged, whole+1, frames+1)
		}
	}
}

// ended returns nil if the error is the end of the log.
func ended(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return nil
	}
	return err
}

// orphanedWAL returns an error if an empty file has a write-ahead log. SQLite would take the log
// for a leftover and remove it.
func orphanedWAL(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Size() > 0 {
		return err
	}
	if wal, err := os.Stat(file.Name() + "-wal"); err == nil && wal.Size() > walHeader {
		return fmt.Errorf("store: %s is damaged: it is empty, and %s-wal has %d bytes; move that away to begin with none", file.Name(), filepath.Base(file.Name()), wal.Size())
	}
	return nil
}

// saveWAL keeps a copy of a damaged write-ahead log. SQLite has opened the file but has
// written nothing yet.
func (d *database) saveWAL() error {
	path := d.path + "-wal"
	wal, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer wal.Close()
	whole, damage := verifyWAL(wal)
	if !errors.Is(damage, ErrDamaged) {
		return damage
	}
	if _, err := wal.Seek(0, io.SeekStart); err != nil {
		return err
	}
	copied, err := keepCopy(wal, path+savedWAL)
	if err != nil {
		return fmt.Errorf("%w; there must be room for a copy of it: %w", damage, err)
	}
	_ = d.broken(&entryLog{name: filepath.Base(path)}, whole, fmt.Errorf("%w; the entries after it are lost, and a copy is %s", damage, copied))
	return nil
}

// savedWAL ends the name of a copy of a damaged write-ahead log. Further copies have a number.
const savedWAL = ".damaged"

// keepCopy copies to a new file whose name begins with path, and returns the name.
func keepCopy(from io.Reader, path string) (name string, err error) {
	name = path
	to, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	for i := 2; errors.Is(err, fs.ErrExist); i++ {
		name = fmt.Sprintf("%s.%d", path, i)
		to, err = os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	}
	if err != nil {
		return "", err
	}
	_, err = io.Copy(to, from)
	if err = errors.Join(err, to.Sync(), to.Close()); err != nil {
		return "", errors.Join(err, os.Remove(name))
	}
	return name, nil
}

// saved returns a Failure while a copy of a damaged write-ahead log is there.
func (k *disk) saved() error {
	files, err := os.ReadDir(filepath.Dir(k.path))
	if err != nil {
		return nil // there() returns the reason
	}
	for _, file := range files {
		if strings.HasPrefix(file.Name(), filepath.Base(k.path)+"-wal"+savedWAL) {
			return &Failure{"the write-ahead log is damaged", fmt.Errorf("%w: a copy is %s", ErrDamaged, filepath.Join(filepath.Dir(k.path), file.Name()))}
		}
	}
	return nil
}

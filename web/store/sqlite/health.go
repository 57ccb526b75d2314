package sqlite

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"lockstep/web/store"
)

// recently is the time for which a ping reports a failure of the disk, unless something was written since.
const recently = 10 * time.Second

// Ping writes to the file and reads that back. It also reports damage that anybody has met, and a write that failed
// within the last seconds.
func (d *database) Ping(ctx context.Context) error {
	done := make(chan error, 1)
	go d.Survives(func() { done <- d.read(ctx, d.ping) })() // the disk may hang
	select {
	case err := <-done:
		return failure(err)
	case <-ctx.Done():
		return failure(ctx.Err())
	}
}

func (d *database) ping() error {
	if err := d.inPlace(); err != nil {
		return err
	}
	switch {
	case store.NearlyFull(d.taken, d.MaxBytes):
		return &store.Failure{Because: "it is full", Err: store.ErrFull}
	case time.Since(d.failedAt) < recently:
		return d.failed
	case d.damage != nil:
		return d.damage
	}
	wrote, read := d.now(), int64(0)
	err := d.empty() // so that what is written next needs room on the disk
	if err == nil {
		err = d.keepTime()
	}
	if err == nil {
		err = d.get(`SELECT time FROM clock`, nil, &read)
	}
	if err == nil && read < wrote {
		err = fmt.Errorf("%w: the clock is not what was written", store.ErrDamaged)
	}
	return err
}

// inPlace checks that the file and the write-ahead log are still at their paths.
func (d *database) inPlace() error {
	for path, opened := range d.files {
		now, err := os.Stat(path)
		because := ""
		if errors.Is(err, fs.ErrNotExist) {
			because = "the file is gone"
			if _, err := os.Stat(filepath.Dir(path)); errors.Is(err, fs.ErrNotExist) {
				because = "the directory is gone"
			}
		} else if err == nil && !os.SameFile(now, opened) {
			because = "the file was replaced"
		}
		if because != "" {
			return &store.Failure{Because: because, Err: errors.New(path)}
		}
	}
	return nil
}

// note keeps a failure of the disk for the next ping.
func (d *database) note(err error) {
	if err != nil {
		d.failed, d.failedAt = err, time.Now()
	}
}

// measure counts the pages of the file that are in use.
func (d *database) measure() {
	var pages int64
	if d.get(`SELECT page_count - freelist_count FROM pragma_page_count, pragma_freelist_count`, nil, &pages) == nil {
		d.taken = pages * pageBytes
		d.Takes(d.taken, d.MaxBytes)
	}
}

// notice returns ErrDamaged for an error that means damage to an entry of a log with n entries before it. Other
// errors, such as those of a full disk, stay as they are.
func (d *database) notice(log string, n int, err error) error {
	if errors.Is(err, store.ErrDamaged) || code(err) != sqlite3.SQLITE_OK && reasons[code(err)] != damaged {
		return err
	}
	err = d.Damage(log, n, err)
	d.damage = cmp.Or(d.damage, err)
	return err
}

// explain returns an error as Append returns it.
func (d *database) explain(err error) error {
	switch {
	case err == nil, store.Refused(err):
		return err
	case code(err) == sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %s: %w", store.ErrFull, d.path, err)
	}
	return fmt.Errorf("store: %s: %w", d.path, err)
}

// reasons say in a few words what an error of SQLite means. A constraint that fails, such as two rows with one key,
// and tables that are others are nothing that this program writes.
var reasons = map[int]string{
	sqlite3.SQLITE_FULL:       "the disk is full",
	sqlite3.SQLITE_READONLY:   "the disk is read-only",
	sqlite3.SQLITE_IOERR:      "the disk cannot be read or written",
	sqlite3.SQLITE_CORRUPT:    damaged,
	sqlite3.SQLITE_NOTADB:     damaged,
	sqlite3.SQLITE_CONSTRAINT: damaged,
	sqlite3.SQLITE_ERROR:      damaged,
}

const damaged = "the file is damaged"

// failure returns the Failure for an error, and nil for nil.
func failure(err error) error {
	if _, known := errors.AsType[*store.Failure](err); err == nil || known {
		return err
	}
	because := cmp.Or(reasons[code(err)], "it does not work")
	switch {
	case errors.Is(err, store.ErrDamaged):
		because = damaged
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		because = "it does not answer"
	case errors.Is(err, errClosed):
		because = "it is closed"
	}
	return &store.Failure{Because: because, Err: err}
}

// code returns SQLite's code of an error without its extended part, or SQLITE_OK for an error from elsewhere.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff
	}
	return sqlite3.SQLITE_OK
}

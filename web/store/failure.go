package store

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	sqlite3 "modernc.org/sqlite/lib"
)

// A Failure says why a store does not work.
type Failure struct {
	because string
	Err     error
}

func (f *Failure) Error() string { return fmt.Sprintf("store: %s: %v", f.because, f.Err) }
func (f *Failure) Unwrap() error { return f.Err }

// Reason returns a few English words without names, such as "the disk is full".
func (f *Failure) Reason() string { return f.because }

// failure returns the Failure for an error of a file, and nil for nil.
func failure(err error) error {
	because := "it does not work"
	if f := (*Failure)(nil); err == nil || errors.As(err, &f) {
		return err
	}
	switch code := code(err); {
	case code == sqlite3.SQLITE_FULL, errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT), errors.Is(err, syscall.EFBIG):
		because = "the disk is full"
	case code == sqlite3.SQLITE_READONLY, errors.Is(err, syscall.EROFS), errors.Is(err, fs.ErrPermission):
		because = "the disk is read-only"
	case code == sqlite3.SQLITE_CORRUPT, code == sqlite3.SQLITE_NOTADB, errors.Is(err, ErrDamaged):
		because = "the file is damaged"
	case code == sqlite3.SQLITE_IOERR, errors.Is(err, syscall.EIO):
		because = "the disk cannot be read or written"
	case errors.Is(err, fs.ErrNotExist):
		because = "the directory is gone"
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled):
		because = "it does not answer"
	case errors.Is(err, errClosed), errors.Is(err, fs.ErrClosed):
		because = "it is closed"
	}
	return &Failure{because, err}
}

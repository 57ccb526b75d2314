package store

import (
	"context"
	"errors"
	"log/slog"
	"time"
)

// A Store keeps logs by name. A name has no blanks. Its methods may be called
// from several goroutines.
type Store interface {
	// Append adds an entry to a log that has n of them; a log that nobody has
	// added to has none. When it returns nil, the entry is kept. ErrBehind, ErrLost,
	// ErrFull, ErrShare and ErrLong: it is not. Any other error leaves that open.
	Append(ctx context.Context, log string, n int, entry []byte) error

	// Read returns the entries after the first n, which the caller does not
	// change; none: there are no more, or no such log. ErrDamaged: one of them is
	// not what was added, and none is returned.
	Read(ctx context.Context, log string, n int) ([][]byte, error)

	// Delete forgets a log.
	Delete(ctx context.Context, log string) error

	// Tell sends a message about a log to the other servers that follow. Nobody
	// keeps it, and it may be lost.
	Tell(ctx context.Context, log string, message []byte) error

	// Follow calls back, one call at a time, with what other servers of the same
	// store do, until Close. It is called at most once.
	Follow(func(News))

	// Ping writes something and reads it back. It returns a *Failure that says why
	// the store does not work.
	Ping(ctx context.Context) error

	// Stats says how much there is, as far as it is known without asking anybody.
	Stats() Stats

	// Close ends what the store does. It waits for what Follow calls, and nothing
	// is called after it.
	Close() error
}

// News is what another server has done: with a message, it has told it; without,
// it has added to the log. An empty Log: anything may have been missed, as the
// connection was lost; all logs have to be looked at again.
type News struct {
	Log     string
	Message []byte
}

// Why an entry is not added, or not read.
var (
	// ErrBehind: the log has more entries; somebody was faster.
	ErrBehind = errors.New("store: the log has more entries")

	// ErrLost: the log has fewer entries, or some are missing. It was forgotten, or
	// the store has lost what it had acknowledged.
	ErrLost = errors.New("store: the log has fewer entries")

	// ErrFull: there is no room for a new log, or, when the reserve is used up too,
	// for anything.
	ErrFull = errors.New("store: there is no room left")

	// ErrShare: the log's owner has as much as one owner may have.
	ErrShare = errors.New("store: the owner has used up its share")

	// ErrLong: the log has as many entries, or bytes, as a log may have.
	ErrLong = errors.New("store: the log is as long as one may be")

	// ErrDamaged: a record is not what was written. The error that wraps it names
	// the log and the number of the entry, the first being 1.
	ErrDamaged = errors.New("store: damaged")
)

// Options say how much is kept. The zero value works.
type Options struct {
	Keep     time.Duration // logs that nobody has added to for so long are forgotten; 0: 30 days
	MaxLogs  int           // of Memory and SQLite; 0: 10,000 and 100,000
	MaxBytes int64         // of Memory and SQLite: of all logs, with what each entry takes beside its bytes; of SQLite, also of the file; 0: 128 MiB and 2 GiB

	Logger *slog.Logger // is told of damaged records, by name, and when the store is nearly full; nil: nobody is
}

func (o Options) withDefaults(maxLogs int, maxBytes int64) Options {
	if o.Keep == 0 {
		o.Keep = 30 * 24 * time.Hour
	}
	if o.MaxLogs == 0 {
		o.MaxLogs = maxLogs
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = maxBytes
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o
}

// Stats say how much there is.
type Stats struct {
	Bytes    int64 // taken
	MaxBytes int64 // above which new logs are refused; 0: there is no bound, or it is not known yet
	Damaged  int64 // records that were found damaged since the store was opened
}

type ownerKey struct{}

// WithOwner says whose a log is that Append begins with the context. An owner is any
// short text without blanks; the store compares it and does not read it. One owner
// may have a part of the store and not all of it. A log that was begun without an
// owner counts for nobody.
func WithOwner(ctx context.Context, owner string) context.Context {
	return context.WithValue(ctx, ownerKey{}, owner)
}

func ownerOf(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}

// compare says whether an entry may be added to a log that has entries of them by
// somebody who has seen n.
func compare(entries, n int) error {
	switch {
	case entries > n:
		return ErrBehind
	case entries < n:
		return ErrLost
	}
	return nil
}

// alone is what a store has to say to other servers when there are none.
type alone struct{}

func (alone) Tell(context.Context, string, []byte) error { return nil }
func (alone) Follow(func(News))                          {}

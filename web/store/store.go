package store

import (
	"context"
	"errors"
	"time"
)

// A Store keeps logs by name. A name has no blanks. Its methods may be called
// from several goroutines.
type Store interface {
	// Append adds an entry to a log that has n of them; a log that nobody has
	// added to has none. When it returns nil, the entry is kept. ErrBehind and
	// ErrLost: it is not. Any other error leaves that open.
	Append(ctx context.Context, log string, n int, entry []byte) error

	// Read returns the entries after the first n, which the caller does not
	// change; none: there are no more, or no such log.
	Read(ctx context.Context, log string, n int) ([][]byte, error)

	// Delete forgets a log.
	Delete(ctx context.Context, log string) error

	// Tell sends a message about a log to the other servers that follow. Nobody
	// keeps it, and it may be lost.
	Tell(ctx context.Context, log string, message []byte) error

	// Follow calls back, one call at a time, with what other servers of the same
	// store do, until Close. It is called at most once.
	Follow(func(News))

	// Ping says whether the store can be reached.
	Ping(ctx context.Context) error

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

// What a log's number of entries may be, other than what the caller has seen.
var (
	// ErrBehind: the log has more entries; somebody was faster.
	ErrBehind = errors.New("store: the log has more entries")

	// ErrLost: the log has fewer entries, or some are missing. It was forgotten, or
	// the store has lost what it had acknowledged.
	ErrLost = errors.New("store: the log has fewer entries")
)

// Options say how much is kept. The zero value works.
type Options struct {
	Keep     time.Duration // logs that nobody has added to for so long are forgotten; 0: 30 days
	MaxLogs  int           // of Memory and SQLite: when there are more, the one that nobody has added to for the longest time is forgotten; 0: 10,000 and 100,000
	MaxBytes int64         // of Memory: the same for the size of all entries; 0: 256 MB
}

func (o Options) withDefaults(maxLogs int) Options {
	if o.Keep == 0 {
		o.Keep = 30 * 24 * time.Hour
	}
	if o.MaxLogs == 0 {
		o.MaxLogs = maxLogs
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = 256 << 20
	}
	return o
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

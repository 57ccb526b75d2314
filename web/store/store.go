package store

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"
)

// A Store keeps logs by name. A name has no blanks. Its methods may be called
// from several goroutines.
type Store interface {
	// Append adds an entry to a log that has n of them; a new log has none. When it
	// returns nil, the store has kept the entry. With ErrBehind, ErrLost, ErrFull,
	// ErrShare and ErrLong it has not. Any other error leaves that open.
	Append(ctx context.Context, log string, n int, entry []byte) error

	// Read returns the entries after the first n; the caller must not change them. It
	// returns none if there are no more, or no such log. If one of them is damaged, it
	// returns ErrDamaged and no entry.
	Read(ctx context.Context, log string, n int) ([][]byte, error)

	// Delete forgets a log. If it cannot tell which records are the log's, it returns
	// ErrDamaged.
	Delete(ctx context.Context, log string) error

	// Tell sends a message about a log to the other servers that follow. The store
	// does not keep it, and it may be lost.
	Tell(ctx context.Context, log string, message []byte) error

	// Follow calls back, one call at a time, with what other servers of the same
	// store do, until Close. It is called at most once.
	Follow(func(News))

	// Ping writes to the store and reads back what it wrote. The error is a *Failure.
	Ping(ctx context.Context) error

	// Stats returns the last known figures. It never waits for a disk or a network.
	Stats() Stats

	// Close ends what the store does. It waits for what Follow calls, and nothing
	// is called after it.
	Close() error
}

// News reports what another server did: it told a Message, or, if Message is nil, it
// added to the log. If Log is empty, the connection was lost and news may be missing:
// the follower reads all its logs again.
type News struct {
	Log     string
	Message []byte
}

// Why Append or Read refuses.
var (
	// ErrBehind: the log has more entries; somebody was faster.
	ErrBehind = errors.New("store: the log has more entries")

	// ErrLost: the log has fewer entries, or some are missing. It was forgotten, or
	// the store has lost what it had acknowledged.
	ErrLost = errors.New("store: the log has fewer entries")

	// ErrFull: the store has no room for a new log or, once the reserve is used up,
	// for any entry.
	ErrFull = errors.New("store: there is no room left")

	// ErrShare: the log's owner has used up its share of the store.
	ErrShare = errors.New("store: the owner has used up its share")

	// ErrLong: the log has as many entries or bytes as a log may have.
	ErrLong = errors.New("store: the log is full")

	// ErrDamaged: a record is not the one that was written. The error that wraps
	// ErrDamaged names the log and the entry; the first entry is 1.
	ErrDamaged = errors.New("store: damaged")

	// ErrUnavailable: the store does not answer a Log. It may have kept the entry all the
	// same; the next Read finds out.
	ErrUnavailable = errors.New("store: it does not answer")
)

// Options bound a store. The zero value works.
type Options struct {
	Keep     time.Duration // how long the store keeps an idle log; 0: 30 days
	MaxLogs  int           // logs in Memory and SQLite; 0: 40,000 and 100,000
	MaxBytes int64         // bytes of all logs with their overhead in Memory, and of the file in SQLite, above which new logs are refused; 0: 64 MiB and 2 GiB

	Logger *slog.Logger // gets the names of damaged logs, and a warning when the store is nearly full; nil: nothing is logged
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

// Stats are the figures of a store.
type Stats struct {
	Bytes    int64 // that the store takes
	MaxBytes int64 // above which the store refuses new logs; 0: no bound, or none known yet
	Damaged  int64 // damaged records found since the store was opened
	Panics   int64 // mistakes of the program that ended a job and nothing else
}

// Lasting begins the names of the few small logs that a server keeps for itself. The store
// never forgets one by itself, neither for its age nor to make room, and takes a new one into
// the reserve. Nobody outside chooses such a name.
const Lasting = "k/"

func lasting(log string) bool { return strings.HasPrefix(log, Lasting) }

type ownerKey struct{}

// WithOwner names the owner of a log that Append begins with the context. An owner is
// a short opaque text without blanks, such as a hash. Each owner has a share of the
// store. A log without an owner counts towards no share.
func WithOwner(ctx context.Context, owner string) context.Context {
	return context.WithValue(ctx, ownerKey{}, owner)
}

func ownerOf(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}

// compare returns why somebody who has seen n entries may not add to a log that has
// so many; nil: they may.
func compare(entries, n int) error {
	switch {
	case entries > n:
		return ErrBehind
	case entries < n:
		return ErrLost
	}
	return nil
}

// alone implements the messages between servers for a store with a single server.
type alone struct{}

func (alone) Tell(context.Context, string, []byte) error { return nil }
func (alone) Follow(func(News))                          {}

package store

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"time"

	"lockstep/engine/lang"
)

// A Store keeps logs by name. A name has no blanks. Several goroutines may call its
// methods.
type Store interface {
	// Append adds an entry to a log that has n entries; a new log has none. If it
	// returns nil, the store has kept the entry. If it returns ErrBehind, ErrLost,
	// ErrFull, ErrShare, ErrLong or ErrGone, the store has not. After any other error, either
	// is possible.
	Append(ctx context.Context, log string, n int, entry []byte) error

	// Read returns the entries after the first n; the caller must not change them. It
	// returns none if there are no more, or if there is no such log. If one of them is
	// damaged, it returns ErrDamaged and no entry.
	Read(ctx context.Context, log string, n int) ([][]byte, error)

	// Delete forgets a log. If it cannot tell which records belong to the log, it
	// returns ErrDamaged.
	Delete(ctx context.Context, log string) error

	// Forget deletes logs for good: no byte of their entries is left in what the store keeps, and no server brings
	// one back. From then on Append and Read of these logs return ErrGone, with Redis for Options.Keep, and
	// otherwise until the store is closed, for the last 100,000 of them.
	Forget(ctx context.Context, logs []string) error

	// Names returns the names of all logs but the lasting ones, in no order.
	Names(ctx context.Context) ([]string, error)

	// Tell sends a message about a log to the other servers that follow. The store
	// does not keep it, and it may be lost.
	Tell(ctx context.Context, log string, message []byte) error

	// Follow calls back, one call at a time, with the news of other servers of the same
	// store, until Close. The caller calls it at most once.
	Follow(func(News))

	// Ping writes to the store and reads back what it wrote. The error is a *Failure.
	Ping(ctx context.Context) error

	// Stats returns the last known figures. It never waits for a disk or a network.
	Stats() Stats

	// Close ends all work of the store. It waits for the function that Follow calls,
	// and Follow calls nothing after it.
	Close() error
}

// News describes the act of another server: it sent a Message or, if Message is nil, added
// to the log. If Log is empty, the connection was lost and news may be missing: the
// follower reads all its logs again.
type News struct {
	Log     string
	Message []byte
}

// Append and Read return these errors.
var (
	// ErrBehind: the log has more entries; another server was faster.
	ErrBehind = errors.New("store: the log has more entries")

	// ErrLost: the log has fewer entries, or some are missing. The store has forgotten
	// the log, or has lost acknowledged entries.
	ErrLost = errors.New("store: the log has fewer entries")

	// ErrFull: the store has no room for a new log or, once the reserve is used up,
	// for any entry.
	ErrFull = lang.NewFault("store: there is no room left", lang.Fault{Code: "limit", Next: lang.AskLater, Key: "error.store-full"})

	// ErrShare: the log's owner has used up its share of the store.
	ErrShare = lang.NewFault("store: the owner has used up its share", lang.Fault{Code: "limit", Next: lang.AskLess, Key: "error.store-share"})

	// ErrLong: the log has reached the bound on its entries or bytes.
	ErrLong = lang.NewFault("store: the log is full", lang.Fault{Code: "limit", Key: "error.store-long"})

	// ErrGone: somebody has had the log forgotten.
	ErrGone = lang.NewFault("store: the log was forgotten", lang.Fault{Next: lang.AskNever, Key: "error.gone"})

	// ErrDamaged: a record has changed since the store wrote it. The wrapping error
	// names the log and the entry; the first entry is 1.
	ErrDamaged = lang.NewFault("store: damaged", lang.Fault{Next: lang.Mend, Key: "error.damaged"})

	// ErrUnavailable: the store does not answer a Log. It may still have kept the entry;
	// the next Read finds out.
	ErrUnavailable = lang.NewFault("store: it does not answer", lang.Fault{Code: "store", Next: lang.AskLater, Key: "error.store"})
)

// Options bound a store. The zero value works.
type Options struct {
	Keep     time.Duration // how long the store keeps an idle log; 0: 30 days
	MaxLogs  int           // logs in Memory and SQLite; 0: 40,000 and 100,000
	MaxBytes int64         // new logs are refused above it: bytes of all logs with their overhead in Memory, of the file in SQLite; 0: 64 MiB and 2 GiB

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
	Bytes    int64 // taken by the store
	MaxBytes int64 // the store refuses new logs above it; 0: no bound, or none known yet
	Damaged  int64 // damaged records found since the store was opened
	Panics   int64 // panics that ended a job
}

// Lasting begins the names of the few small logs that a server keeps for itself. The store
// never forgets one by itself, neither for its age nor to make room, and puts a new one into
// the reserve. No user chooses such a name.
const Lasting = "k/"

func lasting(log string) bool { return strings.HasPrefix(log, Lasting) }

type ownerKey struct{}

// WithOwner returns a context that names the owner of any log that Append begins with it.
// An owner is a short opaque text without blanks, such as a hash. Each owner has a share of
// the store. A log without an owner counts towards no share.
func WithOwner(ctx context.Context, owner string) context.Context {
	return context.WithValue(ctx, ownerKey{}, owner)
}

func ownerOf(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}

// compare returns nil if a server that has seen n entries may add to a log that has so many
// entries. Otherwise it returns the reason.
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

package store

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	"lockstep/engine/lang"
)

// A Store keeps logs by name. A name has no blanks. Several goroutines may call its methods.
type Store interface {
	// Append adds an entry to a log that has n entries; a new log has none. If it returns nil, the store has kept the
	// entry. If it returns an error that Refused knows, the store has not. After any other error, either is possible.
	Append(ctx context.Context, log string, n int, entry []byte) error

	// Read returns the entries after the first n; the caller must not change them. It returns none if there are no
	// more, or if there is no such log. If one of them is damaged, it returns ErrDamaged and no entry.
	Read(ctx context.Context, log string, n int) ([][]byte, error)

	// Delete forgets a log.
	Delete(ctx context.Context, log string) error

	// Forget deletes logs for good: no byte of their entries is left in what the store keeps, and no server brings
	// one back. From then on Append and Read of these logs return ErrGone, with Redis for Options.Keep, and otherwise
	// until the store is closed, for 100,000 of them.
	Forget(ctx context.Context, logs []string) error

	// Names returns the names of all logs but the lasting ones, in no order.
	Names(ctx context.Context) ([]string, error)

	// Tell sends a message about a log to the other servers that follow. The store does not keep it, and it may be
	// lost.
	Tell(ctx context.Context, log string, message []byte) error

	// Follow calls back, one call at a time, with the news of other servers of the same store, until Close. The
	// caller calls it at most once.
	Follow(func(News))

	// Ping writes to the store and reads back what it wrote. The error is a *Failure.
	Ping(ctx context.Context) error

	// Stats returns the last known figures. It never waits for a disk or a network.
	Stats() Stats

	// Close ends all work of the store. It waits for the function that Follow calls, and Follow calls nothing after
	// it.
	Close() error
}

// News describes the act of another server: it sent a Message or, if Message is nil, added to the log. If Log is
// empty, the connection was lost and news may be missing: the follower reads all its logs again.
type News struct {
	Log     string
	Message []byte
}

// Append and Read return these errors.
var (
	// ErrBehind: the log has more entries; another server was faster.
	ErrBehind = errors.New("store: the log has more entries")

	// ErrLost: the log has fewer entries, or some are missing. The store has forgotten the log, or has lost
	// acknowledged entries.
	ErrLost = errors.New("store: the log has fewer entries")

	// ErrFull: the store has no room for a new log or, once the reserve is used up, for any entry.
	ErrFull = lang.NewFault("store: there is no room left", lang.Fault{Code: "limit", Next: lang.AskLater, Key: "error.store-full"})

	// ErrShare: the log's owner has used up its share of the store.
	ErrShare = lang.NewFault("store: the owner has used up its share", lang.Fault{Code: "limit", Next: lang.AskLess, Key: "error.store-share"})

	// ErrLong: the log has reached the bound on its entries or bytes.
	ErrLong = lang.NewFault("store: the log is full", lang.Fault{Code: "limit", Key: "error.store-long"})

	// ErrGone: somebody has had the log forgotten.
	ErrGone = lang.NewFault("store: the log was forgotten", lang.Fault{Next: lang.AskNever, Key: "error.gone"})

	// ErrDamaged: something has changed since the store wrote it. The wrapping error names the log and the entry; the
	// first entry is 1.
	ErrDamaged = lang.NewFault("store: damaged", lang.Fault{Next: lang.Mend, Key: "error.damaged"})

	// ErrUnavailable: the store does not answer a Log. It may still have kept the entry; the next Read finds out.
	ErrUnavailable = lang.NewFault("store: it does not answer", lang.Fault{Code: "store", Next: lang.AskLater, Key: "error.store"})

	// ErrInUse: another process has the store open, and only one may.
	ErrInUse = errors.New("each server needs a directory of its own")
)

// Refused reports whether an error of Append says that the store has not kept the entry.
func Refused(err error) bool {
	for _, refusal := range []error{ErrBehind, ErrLost, ErrFull, ErrShare, ErrLong, ErrGone, ErrDamaged} {
		if errors.Is(err, refusal) {
			return true
		}
	}
	return false
}

// A Failure says why a store does not work.
type Failure struct {
	Because string // a few English words without names, such as "the disk is full"
	Err     error
}

func (f *Failure) Error() string { return fmt.Sprintf("store: %s: %v", f.Because, f.Err) }
func (f *Failure) Unwrap() error { return f.Err }

// Reason returns Because.
func (f *Failure) Reason() string { return f.Because }

// Options bound a store. The zero value works.
type Options struct {
	Keep      time.Duration // how long the store keeps an idle log; 0: 30 days
	MaxBytes  int64         // new logs are refused above it; 0: 64 MiB in memory, 2 GiB in SQLite; Redis has its maxmemory
	MustExist bool          // a store that is none yet does not open, and the error is fs.ErrNotExist
	Logger    *slog.Logger  // gets the names of damaged logs, and a warning when the store is nearly full; nil: nothing is logged
}

// Stats are the figures of a store.
type Stats struct {
	Bytes    int64 // taken by the store
	MaxBytes int64 // the store refuses new logs above it; 0: no bound, or none known yet
	Damaged  int64 // damaged records found since the store was opened
	Panics   int64 // panics that the store has survived
}

// Lasting begins the names of the few small logs that a server keeps for itself. The store never forgets one by
// itself, neither for its age nor to make room, and puts a new one into the reserve. No user chooses such a name.
const Lasting = "k/"

// Lasts reports whether a log is lasting.
func Lasts(log string) bool { return strings.HasPrefix(log, Lasting) }

type ownerKey struct{}

// WithOwner returns a context that names the owner of any log that Append begins with it. An owner is a short opaque
// text without blanks, such as a hash. Each owner has a share of the store. A log without an owner counts towards no
// share.
func WithOwner(ctx context.Context, owner string) context.Context {
	return context.WithValue(ctx, ownerKey{}, owner)
}

// OwnerIn returns the owner that a context names.
func OwnerIn(ctx context.Context) string {
	owner, _ := ctx.Value(ownerKey{}).(string)
	return owner
}

// Alone is a part of each driver whose stores have a single server: it has nobody to talk to.
type Alone struct{}

// Tell does nothing.
func (Alone) Tell(context.Context, string, []byte) error { return nil }

// Follow does nothing.
func (Alone) Follow(func(News)) {}

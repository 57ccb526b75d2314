package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"
)

// A Log is this server's copy of a log, with entries of type E. It keeps each entry as
// JSON, and it knows which requests the entries carry out. NewLog makes one; the zero value
// does not work. The caller guards it with a lock.
//
// Other servers may add to the same log. Append then returns ErrBehind, and the caller
// calls Read and decides again.
//
// A store may forget acknowledged entries, for example when a Redis restarts before it has
// written everything to disk. The Log then adds its own entries again, one by one. Every
// other server does the same, so nothing is lost.
type Log[E Entry] struct {
	Owner string // of a log that an append begins, as in WithOwner; empty: none

	store    Store
	name     string
	entries  [][]byte
	bytes    int64
	requests []string // ids of the last requests, a ring buffer once it is full
	oldest   int      // index in the ring buffer for the next id
}

// An Entry is plain data, which JSON can carry.
type Entry interface {
	// RequestID returns the id of the request that the entry carries out; empty: none.
	RequestID() string
}

const (
	// timeout bounds one call of the store. Everybody who acts on the same log waits.
	timeout = 5 * time.Second

	// maxRequests is the number of requests that a Log remembers.
	maxRequests = 1000
)

// errReplaced means that a lost log has begun again with other entries.
var errReplaced = errors.New("store: the log has been replaced")

// NewLog returns a copy of the named log. It has no entries yet.
func NewLog[E Entry](in Store, name string) *Log[E] { return &Log[E]{store: in, name: name} }

// Len returns the number of entries in the copy.
func (l *Log[E]) Len() int { return len(l.entries) }

// Bytes returns the size of the entries in the copy.
func (l *Log[E]) Bytes() int64 { return l.bytes }

// Has reports whether an entry of the copy carries out the request with that id. A request
// that is sent twice is done once. A Log remembers the last 1,000 requests.
func (l *Log[E]) Has(request string) bool {
	return request != "" && slices.Contains(l.requests, request)
}

// Append adds an entry. Its errors are ErrBehind, ErrFull, ErrShare, ErrLong, ErrGone,
// ErrDamaged and ErrUnavailable.
func (l *Log[E]) Append(e E) error {
	text := encode(e)
	ctx, cancel := context.WithTimeout(WithOwner(context.Background(), l.Owner), timeout)
	defer cancel()
	err := l.store.Append(ctx, l.name, len(l.entries), text)
	if errors.Is(err, ErrLost) {
		if err = l.restore(ctx); err == nil {
			err = l.store.Append(ctx, l.name, len(l.entries), text)
		}
	}
	switch {
	case err == nil:
		l.add(e, text)
		return nil
	case errors.Is(err, errReplaced):
		return ErrBehind // Read finds out what the log has become
	case Refused(err) && !errors.Is(err, ErrLost):
		return err
	default:
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
}

// Read passes the new entries to fold, in order. If the log has been replaced, Read calls
// restart first and passes all entries. Its errors are ErrFull, ErrGone, ErrUnavailable and ErrDamaged.
// If fold fails, Read returns ErrDamaged.
func (l *Log[E]) Read(restart func(), fold func(E) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	texts, err := l.unread(ctx)
	if errors.Is(err, errReplaced) {
		l.entries, l.bytes, l.requests, l.oldest = nil, 0, nil, 0
		restart()
		texts, err = l.unread(ctx)
	}
	switch {
	case errors.Is(err, ErrGone):
		return err
	case errors.Is(err, ErrLost), errors.Is(err, ErrDamaged):
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	case errors.Is(err, ErrFull), errors.Is(err, ErrShare): // restore found no room
		return fmt.Errorf("%w: %w", ErrFull, err)
	case err != nil:
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	for _, text := range texts {
		var e E
		err := json.Unmarshal(text, &e)
		if err == nil {
			err = fold(e)
		}
		if err != nil {
			return fmt.Errorf("%w: entry %d of %s: %w", ErrDamaged, len(l.entries)+1, l.name, err)
		}
		l.add(e, text)
	}
	return nil
}

// Entries passes all entries of the copy to a function, as Read does.
func (l *Log[E]) Entries(each func(E)) {
	for _, text := range l.entries {
		var e E
		if json.Unmarshal(text, &e) == nil { // Read has read it before
			each(e)
		}
	}
}

// Tell sends a message to the other servers. The message may be lost.
func (l *Log[E]) Tell(message any) {
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	_ = l.store.Tell(ctx, l.name, encode(message)) // the next heartbeat says it again
}

// add appends an entry to the copy.
func (l *Log[E]) add(e E, text []byte) {
	l.entries, l.bytes = append(l.entries, text), l.bytes+int64(len(text))
	switch id := e.RequestID(); {
	case id == "":
	case len(l.requests) < maxRequests:
		l.requests = append(l.requests, id)
	default:
		l.requests[l.oldest] = id
		l.oldest = (l.oldest + 1) % maxRequests
	}
}

// unread returns the entries that are new to the copy. It also reads the last known entry
// again: if that entry is missing, the store has forgotten something.
func (l *Log[E]) unread(ctx context.Context) ([][]byte, error) {
	last := len(l.entries) - 1
	if last < 0 {
		return l.store.Read(ctx, l.name, 0)
	}
	for {
		texts, err := l.store.Read(ctx, l.name, last)
		if err != nil {
			return nil, err
		}
		if len(texts) > 0 && bytes.Equal(texts[0], l.entries[last]) {
			return texts[1:], nil
		}
		if err := l.restore(ctx); err != nil {
			return nil, err
		}
	}
}

// restore adds forgotten entries to the store again.
func (l *Log[E]) restore(ctx context.Context) error {
	kept, err := l.store.Read(ctx, l.name, 0)
	if err != nil {
		return err
	}
	for i, entry := range l.entries {
		if i < len(kept) {
			if !bytes.Equal(kept[i], entry) {
				return errReplaced
			}
			continue
		}
		switch err := l.store.Append(ctx, l.name, i, entry); {
		case errors.Is(err, ErrBehind):
			return l.restore(ctx) // another server does the same
		case err != nil:
			return err
		}
	}
	return nil
}

// encode returns the JSON of an entry or a message. The JSON never reaches a browser, so
// < > and & need no escape, and take one byte each instead of six.
func encode(v any) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Errorf("encoding %T: %w", v, err)) // entries and messages are plain data
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

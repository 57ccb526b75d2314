package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"lockstep/web/refusal"
	"lockstep/web/store"
)

// A replica is what this server has folded of a log. Other servers may
// fold the same log: an append is refused when there is more of it, and what is
// there must be read and folded first. Its user's lock guards it.
//
// A store may forget what it had acknowledged, as a Redis does that was started
// again and had not written everything down. What this server knows of the log it
// then adds again, entry by entry; so does every other, and all is there as before.
type replica struct {
	store   store.Store
	log     string
	owner   string   // of the log if an append begins it, as in store.WithOwner; empty: nobody
	entries [][]byte // those that were folded
}

// storeTime is how long the store may take. Whoever acts waits for it, and so
// do all who act on the same run.
const storeTime = 5 * time.Second

// errStore says that the store does not answer, so that nothing has been done. It
// may have kept the entry all the same, and then it is done when that is found out.
var errStore = refusal.Declare(refusal.Unavailable, refusal.Store, "error.store")

// The store has no room and has kept nothing.
var (
	errStoreFull  = refusal.Declare(refusal.Unavailable, refusal.Limit, "error.store-full")
	errStoreShare = refusal.Declare(refusal.TooMany, refusal.Limit, "error.store-share")      // for logs of this owner
	errStoreLong  = refusal.Declare(refusal.Unprocessable, refusal.Limit, "error.store-long") // in this log
)

// errAnother says that a log which was lost has begun anew with other entries.
var errAnother = errors.New("the log is another one")

// append adds an entry: store.ErrBehind, an errStore, or that there is no room.
func (p *replica) append(entry any) error {
	text := encode(entry)
	ctx, cancel := context.WithTimeout(store.WithOwner(context.Background(), p.owner), storeTime)
	defer cancel()
	err := p.store.Append(ctx, p.log, len(p.entries), text)
	if errors.Is(err, store.ErrLost) {
		if err = p.remind(ctx); err == nil {
			err = p.store.Append(ctx, p.log, len(p.entries), text)
		}
	}
	switch {
	case err == nil:
		p.entries = append(p.entries, text)
		return nil
	case errors.Is(err, store.ErrBehind):
		return err
	case errors.Is(err, errAnother):
		return store.ErrBehind // as read will find out
	case errors.Is(err, store.ErrFull):
		return fmt.Errorf("%w: %w", errStoreFull, err)
	case errors.Is(err, store.ErrShare):
		return fmt.Errorf("%w: %w", errStoreShare, err)
	case errors.Is(err, store.ErrLong):
		return fmt.Errorf("%w: %w", errStoreLong, err)
	case errors.Is(err, store.ErrDamaged):
		return fmt.Errorf("%w: %w", errDamaged, err)
	default:
		return fmt.Errorf("%w: %w", errStore, err)
	}
}

// read hands over the entries that are new to this server, one after the other. When
// the log is another one, they are those from its beginning, and anew comes first.
func (p *replica) read(anew func(), fold func(entry []byte) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	entries, err := p.news(ctx)
	if errors.Is(err, errAnother) {
		p.entries = nil
		anew()
		entries, err = p.news(ctx)
	}
	switch {
	case errors.Is(err, store.ErrLost), errors.Is(err, store.ErrDamaged):
		return fmt.Errorf("%w: %w", errDamaged, err)
	case errors.Is(err, store.ErrFull), errors.Is(err, store.ErrShare): // remind found no room
		return fmt.Errorf("%w: %w", errStoreFull, err)
	case err != nil:
		return fmt.Errorf("%w: %w", errStore, err)
	}
	for _, entry := range entries {
		if err := fold(entry); err != nil {
			return fmt.Errorf("%w: entry %d of %s: %w", errDamaged, len(p.entries)+1, p.log, err)
		}
		p.entries = append(p.entries, entry)
	}
	return nil
}

// news are the entries that are new to this server. The last one that it knows is
// read once more: if it is not there any more, the store has forgotten something.
func (p *replica) news(ctx context.Context) ([][]byte, error) {
	last := len(p.entries) - 1
	if last < 0 {
		return p.store.Read(ctx, p.log, 0)
	}
	for {
		entries, err := p.store.Read(ctx, p.log, last)
		if err != nil {
			return nil, err
		}
		if len(entries) > 0 && bytes.Equal(entries[0], p.entries[last]) {
			return entries[1:], nil
		}
		if err := p.remind(ctx); err != nil {
			return nil, err
		}
	}
}

// remind adds again what the store has forgotten of the log.
func (p *replica) remind(ctx context.Context) error {
	there, err := p.store.Read(ctx, p.log, 0)
	if err != nil {
		return err
	}
	for i, entry := range p.entries {
		if i < len(there) {
			if !bytes.Equal(there[i], entry) {
				return errAnother
			}
			continue
		}
		switch err := p.store.Append(ctx, p.log, i, entry); {
		case errors.Is(err, store.ErrBehind):
			return p.remind(ctx) // another server does the same
		case err != nil:
			return err
		}
	}
	return nil
}

// tell lets the other servers know something that nobody keeps. It may be lost.
func (p *replica) tell(message any) {
	text := encode(message)
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	_ = p.store.Tell(ctx, p.log, text) // it is said again with the next heartbeat
}

// encode returns the JSON of an entry or a message. No browser gets it as it is, so < >
// and & need no escape: they take one byte each instead of six.
func encode(v any) []byte {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Errorf("encoding %T: %w", v, err)) // entries and messages are plain data
	}
	return bytes.TrimSuffix(text.Bytes(), []byte("\n"))
}

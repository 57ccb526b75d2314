package web

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"lockstep/web/store"
)

// A replica says how much of a log this server has folded. Other servers may
// fold the same log: an append is refused when there is more of it, and what is
// there must be read and folded first. Its user's lock guards it.
type replica struct {
	store store.Store
	log   string
	n     int // entries
}

// storeTime is how long the store may take. Whoever acts waits for it, and so
// do all who act on the same run.
const storeTime = 5 * time.Second

// errStore says that the store does not answer, so that nothing has been done.
var errStore = errors.New("error.store")

// append adds an entry: store.ErrBehind, store.ErrLost, or an errStore.
func (p *replica) append(entry any) error {
	text, err := json.Marshal(entry)
	if err != nil {
		panic(fmt.Errorf("encoding an entry: %w", err)) // all of them are plain data
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	switch err := p.store.Append(ctx, p.log, p.n, text); {
	case err == nil:
		p.n++
		return nil
	case errors.Is(err, store.ErrBehind), errors.Is(err, store.ErrLost):
		return err
	default:
		return fmt.Errorf("%w: %w", errStore, err)
	}
}

// read hands over the entries that are new to this server, one after the other.
func (p *replica) read(fold func(entry []byte) error) error {
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	entries, err := p.store.Read(ctx, p.log, p.n)
	if err != nil {
		return fmt.Errorf("%w: %w", errStore, err)
	}
	for _, entry := range entries {
		p.n++
		if err := fold(entry); err != nil {
			return fmt.Errorf("%w: entry %d of %s: %w", errDamaged, p.n, p.log, err)
		}
	}
	return nil
}

// tell lets the other servers know something that nobody keeps. It may be lost.
func (p *replica) tell(message any) {
	text, err := json.Marshal(message)
	if err != nil {
		panic(fmt.Errorf("encoding a message: %w", err)) // all of them are plain data
	}
	ctx, cancel := context.WithTimeout(context.Background(), storeTime)
	defer cancel()
	_ = p.store.Tell(ctx, p.log, text) // it is said again with the next heartbeat
}

// Package hub keeps in memory what logs fold into, runs and rooms, while somebody uses it and a while longer.
package hub

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"

	"lockstep/web/limit"
	"lockstep/web/store"
)

// A Hub has the runs, or the rooms, that are in memory. Each is the fold of a log. It stays while a request or socket uses it,
// and a while longer. Then it gives up its place, and only its log remains until its next use. One without entries is an
// address and takes no place.
//
// Everything in a Hub is bounded: the number of those that have begun, the bytes in use for each network (Ledger), and the
// number and bytes of those that nobody uses.
type Hub[T Folded] struct {
	Options
	make func(id string) T

	mu    sync.Mutex // no lock of a T is taken under it
	all   map[string]*slot[T]
	begun int        // how many of all have begun
	idle  *list.List // of *slot[T], the unused ones, the longest unused first
	spare int64      // bytes of idle
	swept bool       // a sweep is due
}

// Options bound a Hub.
type Options struct {
	Most      int           // that have begun
	IdleMost  int           // unused
	IdleBytes int64         // of the unused ones
	IdleTime  time.Duration // that an unused one stays; 0: until others need its place
	ErrFull   error         // every place is taken
	ErrBytes  error         // no ledger has room
	Survives  func(do, after func()) func()
}

// Folded is a run or a room. Its methods size and Ledgers take no lock.
type Folded interface {
	comparable

	Fill(context.Context) error // reads the log, before anybody sees the thing
	Load(context.Context) error // reads what is new in the log
	Size() (begun bool, bytes int64)
	Ledgers() []Ledger // that may count it: the first with room does
	Stop()             // ends its own work, because it leaves memory
}

// A Ledger counts what networks hold. Before and now are the bytes of one thing; 0: it is not held.
type Ledger interface {
	Take(network, person string, before, now int64) bool // reports whether there is room
	Force(network, person string, before, now int64)
}

// A slot is the place of one thing in a hub. It counts the requests and sockets that use the thing.
type slot[T Folded] struct {
	id    string
	it    T
	users int
	ready chan struct{} // closes when the thing is filled, or err says why not
	err   error
	news  bool          // others have appended to its log while it was filled
	begun bool          // it is one of hub.begun
	idle  *list.Element // its place in hub.idle; nil: it is in use or has not begun
	since time.Time     // when it became idle

	// A thing in use counts for the network and person of its first user.
	network, person string
	by              Ledger // nil: it does not count
	bytes           int64  // that count: in by or, of an unused one, in hub.spare; 0: it has not begun, or nobody counts it
}

// New returns an empty Hub. make returns a thing that its log has not filled yet.
func New[T Folded](o Options, make func(id string) T) *Hub[T] {
	return &Hub[T]{Options: o, make: make, all: map[string]*slot[T]{}, idle: list.New()}
}

// Use returns the thing of an id as it is now. It keeps its place until done is called. If it counts, it does so for the
// asker.
func (g *Hub[T]) Use(ctx context.Context, id string, counts bool) (it T, done func(), err error) {
	for {
		p, first := g.take(id)
		if first {
			g.fill(ctx, p)
		}
		err := p.wait(ctx)
		if err != nil && !first && hasLeft(err) && ctx.Err() == nil {
			g.done(p)
			continue // the request that was filling it has gone, and another fills it
		}
		if err == nil {
			err = g.admit(ctx, p, counts)
		}
		if err == nil && (!first || p.news) {
			err = p.it.Load(ctx)
		}
		if err != nil {
			g.done(p)
			return it, nil, err
		}
		return p.it, sync.OnceFunc(func() { g.done(p) }), nil
	}
}

// hasLeft reports whether a request has ended because its person has left or it got no turn.
func hasLeft(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, limit.ErrFull) || errors.Is(err, limit.ErrTooMuch)
}

// take takes a place, and reports whether the place is new and the caller fills it.
func (g *Hub[T]) take(id string) (p *slot[T], first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p = g.all[id]
	if first = p == nil; first {
		p = &slot[T]{id: id, it: g.make(id), ready: make(chan struct{})}
		g.all[id] = p
	}
	g.wake(p)
	p.users++
	return p, first
}

// wake takes a place out of the unused ones.
func (g *Hub[T]) wake(p *slot[T]) {
	if p.idle != nil {
		g.idle.Remove(p.idle)
		g.spare -= p.bytes
		p.idle, p.bytes = nil, 0
	}
}

// fill reads a thing from its log.
func (g *Hub[T]) fill(ctx context.Context, p *slot[T]) {
	p.err = store.ErrDamaged
	defer func() {
		if p.err != nil { // a request that waits for it, and goes on, takes a new place
			g.mu.Lock()
			g.forget(p)
			g.mu.Unlock()
		}
		close(p.ready)
		if mistake := recover(); mistake != nil {
			g.done(p)
			panic(mistake)
		}
	}()
	p.err = p.it.Fill(ctx)
}

// wait waits until another request has filled the place, and returns the outcome.
func (p *slot[T]) wait(ctx context.Context) error {
	select {
	case <-p.ready:
		return p.err
	default:
	}
	limit.Rest(ctx)
	select {
	case <-p.ready:
	case <-ctx.Done():
	}
	if err := limit.Begin(ctx); err != nil {
		return err
	}
	return p.err
}

// isReady reports whether the place is filled.
func (p *slot[T]) isReady() bool {
	select {
	case <-p.ready:
		return p.err == nil
	default:
		return false
	}
}

// admit gives a thing that has begun its place, and counts it for its first user, or refuses it where there is no room.
func (g *Hub[T]) admit(ctx context.Context, p *slot[T], counts bool) error {
	begun, bytes := p.it.Size()
	g.mu.Lock()
	defer g.mu.Unlock()
	counts = counts && p.bytes == 0 // nobody else counts it
	if !begun {
		if counts {
			p.network, p.person, p.by = limit.NetworkOf(ctx), limit.PersonOf(ctx), p.it.Ledgers()[0]
		}
		return nil
	}
	if err := g.begin(p); err != nil {
		return err
	}
	if counts && !g.hold(ctx, p, bytes) {
		return g.ErrBytes
	}
	return nil
}

// begin gives a thing a place among those that have begun.
func (g *Hub[T]) begin(p *slot[T]) error {
	if p.begun {
		return nil
	}
	if g.begun >= g.Most && !g.dropOldest() {
		return g.ErrFull
	}
	p.begun = true
	g.begun++
	return nil
}

// hold counts a thing for an asker in the first Ledger that has room for it, and reports whether one has.
func (g *Hub[T]) hold(ctx context.Context, p *slot[T], bytes int64) bool {
	for _, by := range p.it.Ledgers() {
		if by.Take(limit.NetworkOf(ctx), limit.PersonOf(ctx), 0, bytes) {
			p.network, p.person, p.by, p.bytes = limit.NetworkOf(ctx), limit.PersonOf(ctx), by, bytes
			return true
		}
	}
	return false
}

// count counts a thing that counts already with another size, whether or not there is room: the size is a fact.
func (p *slot[T]) count(bytes int64) {
	if p.by != nil {
		p.by.Force(p.network, p.person, p.bytes, bytes)
		p.bytes = bytes
	}
}

// Recount counts a thing as it is now: it has gone on at another server, or its last entry was refused. The caller holds
// the thing's lock.
func (g *Hub[T]) Recount(id string, it T) {
	begun, bytes := it.Size()
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.all[id]
	switch {
	case p == nil || p.it != it || !p.isReady(): // the hub does not have it, or not yet
	case p.idle != nil:
		g.spare += bytes - p.bytes
		p.bytes = bytes
		g.dropSpare()
	default:
		if begun != p.begun {
			if p.begun = begun; begun {
				g.begun++
			} else {
				g.begun--
			}
		}
		p.count(bytes)
	}
}

// Grow counts a thing that grows to its size now, or refuses it. It may always grow to a free size. The caller holds the
// thing's lock.
func (g *Hub[T]) Grow(ctx context.Context, id string, it T, free int64) error {
	_, bytes := it.Size()
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.all[id]
	if p == nil || p.it != it {
		return nil // the hub does not have it
	}
	if err := g.begin(p); err != nil {
		return err
	}
	if p.bytes == 0 {
		p.network, p.person, p.by = limit.NetworkOf(ctx), limit.PersonOf(ctx), it.Ledgers()[0]
	}
	switch {
	case bytes <= max(p.bytes, free):
		p.count(bytes)
	case p.by.Take(p.network, p.person, p.bytes, bytes):
		p.bytes = bytes
	default:
		return g.ErrBytes
	}
	return nil
}

// Leave forgets a thing that is torn or was forgotten: its next use builds it from its log. The caller may hold the thing's
// lock.
func (g *Hub[T]) Leave(id string, it T) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.all[id]; p != nil && p.it == it {
		g.forget(p)
	}
}

// Of returns the thing of an id if it is in memory; the zero T: it is not.
func (g *Hub[T]) Of(id string) (it T) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.all[id]; p != nil && p.isReady() {
		return p.it
	}
	return it
}

// Ready returns what is in memory and filled. If there is news of a log, what is being filled reads its log once more.
func (g *Hub[T]) Ready(news bool) []T {
	g.mu.Lock()
	defer g.mu.Unlock()
	all := make([]T, 0, len(g.all))
	for _, p := range g.all {
		if p.isReady() {
			all = append(all, p.it)
		} else if news {
			p.news = true
		}
	}
	return all
}

// NetworkOf returns the network for which a thing counts; empty: none.
func (g *Hub[T]) NetworkOf(id string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.all[id]; p != nil {
		return p.network
	}
	return ""
}

// Has reports whether the thing of an id is in memory, filled or not.
func (g *Hub[T]) Has(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.all[id] != nil
}

// Figures count what a Hub has in memory.
type Figures struct {
	All, Begun int   // one that has begun is more than an address
	Used       int   // of All
	UsedBytes  int64 // of these
	Idle       int   // the unused ones
	IdleBytes  int64 // of these
	Stray      bool  // an unused one still counts for a network
}

// Figures counts what is in memory now.
func (g *Hub[T]) Figures() Figures {
	g.mu.Lock()
	defer g.mu.Unlock()
	f := Figures{All: len(g.all), Begun: g.begun, Idle: g.idle.Len(), IdleBytes: g.spare}
	for _, p := range g.all {
		if p.users > 0 {
			f.Used++
			f.UsedBytes += p.bytes
		} else if p.by != nil || p.idle == nil {
			f.Stray = true
		}
	}
	return f
}

package session

import (
	"container/list"
	"context"
	"errors"
	"sync"
	"time"

	"lockstep/web/limit"
	"lockstep/web/store"
)

// A hub has the runs, or the rooms, that are in memory. Each is the fold of a log. It stays while a request or socket uses it,
// and a while longer. Then it gives up its place, and only its log remains until its next use. One without entries is an
// address and takes no place.
//
// Everything in a hub is bounded: the number of those that have begun, the bytes in use for each network (ledger), and the
// number and bytes of those that nobody uses.
type hub[T folded] struct {
	hubOptions
	make func(id string) T // returns one that its log has not filled yet

	mu    sync.Mutex // no lock of a T is taken under it
	all   map[string]*slot[T]
	begun int        // how many of all have begun
	idle  *list.List // of *slot[T], the unused ones, the longest unused first
	spare int64      // bytes of idle
	swept bool       // a sweep is due
}

type hubOptions struct {
	most              int           // that have begun
	idleMost          int           // unused
	idleBytes         int64         // of the unused ones
	idleTime          time.Duration // that an unused one stays; 0: until others need its place
	survives          func(do, after func()) func()
	errFull, errBytes error
}

// folded is a run or a room. Its methods size and ledgers take no lock.
type folded interface {
	comparable

	fill(*limit.Asker) error // reads the log, before anybody sees the thing
	load(*limit.Asker) error // reads what is new in the log
	size() (begun bool, bytes int64)
	ledgers() []ledger // that may count it, the first with room first
	stop()             // ends its own work, because it leaves memory
}

// A ledger counts what networks hold. Before and now are the bytes of one thing; 0: it is not held.
type ledger interface {
	take(network, person string, before, now int64) bool // reports whether there is room
	force(network, person string, before, now int64)
}

// A slot is the place of one thing in a hub. It counts the requests and sockets that use the thing.
type slot[T folded] struct {
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
	by              ledger // nil: it does not count
	bytes           int64  // that count: in by or, of an unused one, in hub.spare; 0: it has not begun, or nobody counts it
}

func newHub[T folded](o hubOptions, make func(id string) T) *hub[T] {
	return &hub[T]{hubOptions: o, make: make, all: map[string]*slot[T]{}, idle: list.New()}
}

// use returns the thing of an id as it is now. It keeps its place until done is called. If it counts, it does so for the
// asker.
func (g *hub[T]) use(a *limit.Asker, id string, counts bool) (it T, done func(), err error) {
	for {
		p, first := g.take(id)
		if first {
			g.fill(a, p)
		}
		err := p.wait(a)
		if err != nil && !first && hasLeft(err) && a.Context().Err() == nil {
			g.done(p)
			continue // the request that was filling it has gone, and another fills it
		}
		if err == nil {
			err = g.admit(a, p, counts)
		}
		if err == nil && (!first || p.news) {
			err = p.it.load(a)
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
func (g *hub[T]) take(id string) (p *slot[T], first bool) {
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
func (g *hub[T]) wake(p *slot[T]) {
	if p.idle != nil {
		g.idle.Remove(p.idle)
		g.spare -= p.bytes
		p.idle, p.bytes = nil, 0
	}
}

// fill reads a thing from its log.
func (g *hub[T]) fill(a *limit.Asker, p *slot[T]) {
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
	p.err = p.it.fill(a)
}

// wait waits until another request has filled the place, and returns the outcome.
func (p *slot[T]) wait(a *limit.Asker) error {
	select {
	case <-p.ready:
		return p.err
	default:
	}
	a.Rest()
	select {
	case <-p.ready:
	case <-a.Context().Done():
	}
	if err := a.Begin(); err != nil {
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
func (g *hub[T]) admit(a *limit.Asker, p *slot[T], counts bool) error {
	begun, bytes := p.it.size()
	g.mu.Lock()
	defer g.mu.Unlock()
	counts = counts && p.bytes == 0 // nobody else counts it
	if !begun {
		if counts {
			p.network, p.person, p.by = a.Network(), a.Person(), p.it.ledgers()[0]
		}
		return nil
	}
	if err := g.begin(p); err != nil {
		return err
	}
	if counts && !g.hold(a, p, bytes) {
		return g.errBytes
	}
	return nil
}

// begin gives a thing a place among those that have begun.
func (g *hub[T]) begin(p *slot[T]) error {
	if p.begun {
		return nil
	}
	if g.begun >= g.most && !g.dropOldest() {
		return g.errFull
	}
	p.begun = true
	g.begun++
	return nil
}

// hold counts a thing for an asker in the first ledger that has room for it, and reports whether one has.
func (g *hub[T]) hold(a *limit.Asker, p *slot[T], bytes int64) bool {
	for _, by := range p.it.ledgers() {
		if by.take(a.Network(), a.Person(), 0, bytes) {
			p.network, p.person, p.by, p.bytes = a.Network(), a.Person(), by, bytes
			return true
		}
	}
	return false
}

// count counts a thing that counts already with another size, whether or not there is room: the size is a fact.
func (p *slot[T]) count(bytes int64) {
	if p.by != nil {
		p.by.force(p.network, p.person, p.bytes, bytes)
		p.bytes = bytes
	}
}

// recount counts a thing as it is now: it has gone on at another server, or its last entry was refused. The caller holds
// the thing's lock.
func (g *hub[T]) recount(id string, it T) {
	begun, bytes := it.size()
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

// grow counts a thing that grows to its size now, or refuses it. It may always grow to a free size. The caller holds the
// thing's lock.
func (g *hub[T]) grow(a *limit.Asker, id string, it T, free int64) error {
	_, bytes := it.size()
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
		p.network, p.person, p.by = a.Network(), a.Person(), it.ledgers()[0]
	}
	switch {
	case bytes <= max(p.bytes, free):
		p.count(bytes)
	case p.by.take(p.network, p.person, p.bytes, bytes):
		p.bytes = bytes
	default:
		return g.errBytes
	}
	return nil
}

func (g *hub[T]) done(p *slot[T]) {
	begun, bytes := p.it.size()
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.users--; p.users > 0 {
		return
	}
	p.count(0)
	p.network, p.person, p.by = "", "", nil
	if !begun || !p.begun || g.all[p.id] != p {
		g.forget(p)
		return
	}
	p.bytes, p.since = bytes, time.Now()
	p.idle, g.spare = g.idle.PushBack(p), g.spare+bytes
	g.dropSpare()
	g.sweepLater()
}

// dropSpare forgets unused things until no more than the most are left.
func (g *hub[T]) dropSpare() {
	for g.idle.Len() > g.idleMost || g.spare > g.idleBytes {
		g.dropOldest()
	}
}

// dropOldest forgets the thing that has been unused for the longest time, if there is one.
func (g *hub[T]) dropOldest() bool {
	oldest := g.idle.Front()
	if oldest == nil {
		return false
	}
	g.forget(oldest.Value.(*slot[T]))
	return true
}

func (g *hub[T]) sweepLater() {
	if g.idleTime > 0 && !g.swept && g.idle.Len() > 0 {
		g.swept = true
		time.AfterFunc(g.idleTime, g.survives(g.sweep, func() {}))
	}
}

// sweep forgets what has been unused for idleTime.
func (g *hub[T]) sweep() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for oldest := g.idle.Front(); oldest != nil && time.Since(oldest.Value.(*slot[T]).since) >= g.idleTime; oldest = g.idle.Front() {
		g.dropOldest()
	}
	g.swept = false
	g.sweepLater()
}

// forget removes a place from memory.
func (g *hub[T]) forget(p *slot[T]) {
	if g.all[p.id] == p {
		delete(g.all, p.id)
	}
	g.wake(p)
	if p.begun {
		p.begun = false
		g.begun--
	}
	p.it.stop()
}

// leave forgets a thing that is torn or was forgotten: its next use builds it from its log. The caller may hold the thing's
// lock.
func (g *hub[T]) leave(id string, it T) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.all[id]; p != nil && p.it == it {
		g.forget(p)
	}
}

// Of returns the thing of an id if it is in memory; the zero T: it is not.
func (g *hub[T]) Of(id string) (it T) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.all[id]; p != nil && p.isReady() {
		return p.it
	}
	return it
}

// ready returns what is in memory and filled. If there is news of a log, what is being filled reads its log once more.
func (g *hub[T]) ready(news bool) []T {
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

// networkOf returns the network for which a thing counts; empty: none.
func (g *hub[T]) networkOf(id string) string {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.all[id]; p != nil {
		return p.network
	}
	return ""
}

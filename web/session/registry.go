package session

import (
	"container/list"
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"time"

	"lockstep/engine"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/store"
)

// A Registry has the runs in memory. Their number is bounded, and so are the bytes for each network that uses them. A run
// stays while a request or socket uses it, and a while longer. Then it gives up its place, and only its log remains until
// its next use. A run that has not begun is an address and takes no place.
type Registry struct {
	manager *Manager

	mu    sync.Mutex // no run's lock is taken under it
	max   int
	runs  map[string]*slot
	begun int        // how many of runs have begun
	idle  *list.List // of *slot, the unused runs, the longest unused first
	spare int64      // bytes of idle
}

// The most unused runs that stay in memory, and their bytes: a page comes first, and then its socket.
const (
	MostIdle      = 64
	MostIdleBytes = 24 << 20
)

// roomBytes is how large a room's own run may grow, however much its network has in memory.
const roomBytes = 2 << 20

// A slot keeps a run, and counts the requests and sockets that use it.
type slot struct {
	run   *Run
	users int
	ready chan struct{} // closes when the run is as its log tells, or err tells why not
	err   error
	begun bool
	idle  *list.Element // its place in idle; nil: the run is in use or has not begun

	// A run in use counts for the network and person of its first user.
	network, person string
	ofRoom          bool  // it counts as a room's run, where each network has a share for itself
	bytes           int64 // 0: it does not count
}

var (
	errFull   = refusal.Declare(refusal.Unavailable, refusal.Refused, "error.full")
	errMemory = refusal.Declare(refusal.TooMany, refusal.Limit, "error.memory") // one network has too much in memory, or all networks together
)

func newRegistry(m *Manager) *Registry {
	return &Registry{manager: m, max: m.MaxRuns, runs: map[string]*slot{}, idle: list.New()}
}

// NewID returns an id for a run: 50 random bits, so nobody guesses it.
func NewID() string { return strings.ToLower(rand.Text()[:10]) }

// Use returns the run of an id as it is now. The run keeps its place until done is called.
func (g *Registry) Use(a *limit.Asker, id string) (r *Run, done func(), err error) {
	for {
		p, first := g.take(id)
		if first {
			g.fill(a, p)
		}
		err := p.wait(a)
		if err == nil {
			err = g.admit(a, p)
		} else if !first && hasLeft(err) && a.Context().Err() == nil {
			g.done(p)
			continue // the request that was filling the run has gone, and another fills it
		}
		if err == nil && !first {
			err = p.run.load(a)
		}
		if err == nil {
			p.run.seek()
		}
		if err != nil {
			g.done(p)
			return nil, nil, err
		}
		return p.run, sync.OnceFunc(func() { g.done(p) }), nil
	}
}

// wait waits until another request has filled the run, and returns the outcome.
func (p *slot) wait(a *limit.Asker) error {
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

// hasLeft reports whether a request has ended because its person has left or it got no turn.
func hasLeft(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, limit.ErrFull) || errors.Is(err, limit.ErrTooMuch)
}

// take takes a place for a run, and reports whether the place is new and the caller fills it.
func (g *Registry) take(id string) (p *slot, first bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p = g.runs[id]
	if first = p == nil; first {
		p = &slot{run: newRun(id, g), ready: make(chan struct{})}
		g.runs[id] = p
	}
	if p.idle != nil {
		g.idle.Remove(p.idle)
		p.idle, g.spare = nil, g.spare-p.bytes
		p.bytes = 0
	}
	p.users++
	return p, first
}

// fill reads a run from its log.
func (g *Registry) fill(a *limit.Asker, p *slot) {
	p.err = store.ErrDamaged
	defer func() {
		if p.err != nil { // a request that waits for the run, and goes on, takes a new place
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
	p.err = p.run.fill(a.Spend)
}

// admit counts a run for its first user, or refuses it where there is no room.
func (g *Registry) admit(a *limit.Asker, p *slot) error {
	begun, bytes := p.run.size()
	of := p.run.Place()
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.bytes == 0 {
		p.network, p.person, p.ofRoom = a.Network(), a.Person(), of.isRoom()
	}
	if !begun {
		return nil
	}
	if !p.begun {
		if err := g.begin(p); err != nil {
			return err
		}
	}
	if p.bytes > 0 || g.hold(p, bytes) {
		return nil
	}
	if p.ofRoom = false; !of.isRoom() || !g.hold(p, bytes) { // a room's run may also count as any other run
		return errMemory
	}
	return nil
}

// hold counts a run in use with a size, and reports whether the shares have room for it.
func (g *Registry) hold(p *slot, bytes int64) bool {
	switch n := bytes - p.bytes; {
	case p.ofRoom && !g.manager.Limits.RoomRuns.Take(p.network, n), !p.ofRoom && !g.manager.Limits.Runs.Take(p.network, p.person, n):
		return false
	}
	p.bytes = bytes
	return true
}

// note is hold for a size that is a fact, and for one that gives room back.
func (g *Registry) note(p *slot, bytes int64) {
	if n := bytes - p.bytes; p.ofRoom {
		g.manager.Limits.RoomRuns.Force(p.network, n)
	} else {
		g.manager.Limits.Runs.Force(p.network, p.person, n)
	}
	p.bytes = bytes
}

// begin counts a run that has begun.
func (g *Registry) begin(p *slot) error {
	if g.begun >= g.max && !g.dropOldest() {
		return errFull
	}
	p.begun = true
	g.begun++
	return nil
}

// recount counts a run as it is now: it has gone on at another server, or its last entry was refused. The caller holds
// the run's lock.
func (g *Registry) recount(r *Run) {
	begun, bytes := r.size()
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.runs[r.id]
	switch {
	case p == nil || p.run != r || !p.isReady(): // the registry does not have it, or not yet
	case p.idle != nil:
		g.spare += bytes - p.bytes
		p.bytes = bytes
		g.makeRoom()
	default:
		if p.begun && !begun {
			g.begun--
		} else if begun && !p.begun {
			g.begun++
		}
		p.begun = begun
		g.note(p, bytes)
	}
}

// grow counts a run that grows to its size now, or refuses it. The caller holds the run's lock.
func (g *Registry) grow(a *limit.Asker, r *Run) error {
	_, bytes := r.size()
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.runs[r.id]
	if p == nil || p.run != r {
		return nil // the registry does not have it
	}
	if !p.begun {
		if err := g.begin(p); err != nil {
			return err
		}
	}
	if p.bytes == 0 {
		p.network, p.person, p.ofRoom = a.Network(), a.Person(), r.Place().isRoom()
	}
	switch {
	case bytes <= p.bytes, r.Place().isRoom() && bytes <= roomBytes:
		g.note(p, bytes)
	case !g.hold(p, bytes):
		return errMemory
	}
	return nil
}

// Look returns the run of an id to read it. When every place is taken, Look reads the run from its log and keeps it
// nowhere.
func (g *Registry) Look(a *limit.Asker, id string) (r *Run, done func(), err error) {
	if r, done, err = g.Use(a, id); !errors.Is(err, errFull) {
		return r, done, err
	}
	r = newRun(id, g)
	if err := r.fill(a.Spend); err != nil {
		return nil, nil, err
	}
	_, bytes := r.size()
	if !g.manager.Limits.Runs.Take(a.Network(), a.Person(), bytes) {
		return nil, nil, errMemory
	}
	return r, sync.OnceFunc(func() { g.manager.Limits.Runs.Force(a.Network(), a.Person(), -bytes) }), nil
}

func (g *Registry) done(p *slot) {
	begun, bytes := p.run.size()
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.users--; p.users > 0 {
		return
	}
	g.note(p, 0)
	p.network, p.person = "", ""
	if !begun || !p.begun || g.runs[p.run.id] != p {
		g.forget(p)
		return
	}
	p.bytes = bytes
	p.idle, g.spare = g.idle.PushBack(p), g.spare+bytes
	g.makeRoom()
}

// makeRoom forgets unused runs until no more than the most are left.
func (g *Registry) makeRoom() {
	for g.idle.Len() > MostIdle || g.spare > MostIdleBytes {
		g.dropOldest()
	}
}

// forget removes a run from memory.
func (g *Registry) forget(p *slot) {
	if g.runs[p.run.id] == p {
		delete(g.runs, p.run.id)
	}
	if p.begun {
		p.begun = false
		g.begun--
	}
}

// leave forgets a torn run: its next use builds it from its log. The caller holds the run's lock.
func (g *Registry) leave(r *Run) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.runs[r.id]; p != nil && p.run == r {
		g.forget(p)
	}
}

// Count returns how many runs are in memory.
func (g *Registry) Count() float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return float64(len(g.runs))
}

// dropOldest forgets the run that has been unused for the longest time, if there is one.
func (g *Registry) dropOldest() bool {
	oldest := g.idle.Front()
	if oldest == nil {
		return false
	}
	p := g.idle.Remove(oldest).(*slot)
	g.spare -= p.bytes
	p.idle, p.bytes = nil, 0
	g.forget(p)
	return true
}

// Add makes a run that begins as an engine's run.
func (g *Registry) Add(a *limit.Asker, e *engine.Run, how Beginning) (*Run, error) {
	r := newRun(NewID(), g)
	r.engine, r.given, r.remarks = e, how.Given, how.Remarks
	r.place.Store(&how.Place)
	r.rerunOf = present.Schedule{Of: how.Of, Omitted: how.Omitted}
	if how.Family == "" {
		how.Family = r.id
	}
	r.family.begin(how.Family, g.manager.Task(how.Task))
	if err := r.write(a, Entry{}); err != nil {
		return nil, err
	}
	r.weigh() // it has begun now
	return r, nil
}

// discard deletes a run that was made for an entry which a log has refused. Nothing else names the run: it would outlive a room that is
// forgotten meanwhile. If the store does not say whether it has the entry, the run stays.
func (g *Registry) discard(run string, refused error) {
	if errors.Is(refused, store.ErrUnavailable) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), discardTime)
	defer cancel()
	if err := g.manager.Store.Delete(ctx, RunLog(run)); err != nil {
		g.manager.Debug("discarding a run", err) // it stays as long as any other
	}
}

// discardTime is how long a refused request waits for that.
const discardTime = time.Second

// branch makes a run beside another one for a request, with a tab on its page.
func (g *Registry) branch(a *limit.Asker, beside *Run, e *engine.Run, id, name string, how Beginning) (*Run, error) {
	if err := beside.family.full(); err != nil {
		return nil, err
	}
	family, task := beside.family.is()
	how.Family, how.Task, how.Place = family, task.Name(), beside.Place()
	beside.mu.Lock() // another server may begin it at this moment
	how.Given = min(beside.given, len(e.Actions()))
	beside.mu.Unlock()
	r, err := g.Add(a, e, how)
	if err != nil {
		return nil, err
	}
	made, err := beside.family.add(Branch{Run: r.id, Name: name, ID: id}, g.manager.Owner(a))
	if err != nil {
		g.discard(r.id, err)
		return nil, err
	}
	g.refresh(a, family)
	return g.Read(a, made)
}

// Read returns a run as it is now, for a short look.
func (g *Registry) Read(a *limit.Asker, id string) (*Run, error) {
	r, done, err := g.Look(a, id)
	if err == nil {
		done()
	}
	return r, err
}

// refresh tells the viewers of a family's runs that the family has grown.
func (g *Registry) refresh(a *limit.Asker, family string) {
	for _, r := range g.inMemory() {
		if id, _ := r.family.is(); id == family {
			_ = r.load(a) // load asks again after a failure
		}
	}
}

// Of returns the run of an id if it is in memory; nil: it is not.
func (g *Registry) Of(id string) *Run {
	for _, r := range g.inMemory() {
		if r.id == id {
			return r
		}
	}
	return nil
}

func (g *Registry) inMemory() []*Run {
	g.mu.Lock()
	defer g.mu.Unlock()
	runs := make([]*Run, 0, len(g.runs))
	for _, p := range g.runs {
		if p.isReady() {
			runs = append(runs, p.run)
		}
	}
	return runs
}

// isReady reports whether the run is as its log tells.
func (p *slot) isReady() bool {
	select {
	case <-p.ready:
		return p.err == nil
	default:
		return false
	}
}

// news reads what another server has added to a log; an empty name stands for any log.
func (g *Registry) news(log string) error {
	kind, id, _ := strings.Cut(log, "/")
	var failed error
	for _, r := range g.inMemory() {
		family, _ := r.family.is()
		if log == "" || kind == "t" && r.id == id || kind == "f" && family == id {
			failed = errors.Join(failed, r.load(nil))
		}
	}
	return failed
}

// Has reports whether the run of an id is in memory, ready or not.
func (g *Registry) Has(id string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.runs[id] != nil
}

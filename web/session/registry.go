package session

import (
	"container/list"
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"

	"lockstep/engine"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/store"
)

// A Registry has the runs that are in memory: a bounded number of them, and of bytes for each network that uses
// them. A run is there while somebody uses it, and a while longer; then it gives up its
// place, and is its log and nothing else until it is used again. A run that has not begun is an address and takes no
// place.
type Registry struct {
	manager *Manager

	mu    sync.Mutex // a lock under which no run's is taken
	max   int
	runs  map[string]*slot
	begun int        // of them that have begun
	idle  *list.List // of *slot, those that nobody uses, the longest unused first
	spare int64      // bytes of these
}

// So many runs stay that nobody uses, and so many bytes of them: a page is asked for, and then its socket.
const (
	MostIdle      = 64
	MostIdleBytes = 24 << 20
)

// roomBytes is what a room's own run may grow to, whatever else its network has in memory.
const roomBytes = 2 << 20

// A slot is where a run is kept, and by how many requests and sockets it is used.
type slot struct {
	run   *Run
	users int
	ready chan struct{} // is closed when the run is as its log says, or err says why it is not
	err   error
	begun bool
	idle  *list.Element // where in idle it stands; nil: it is used, or has not begun

	// While it is used it is counted for whoever has brought it here.
	network, person string
	ofRoom          bool  // among what rooms show, of which each network has a share for itself
	bytes           int64 // 0: it is not counted
}

var (
	errFull   = refusal.Declare(refusal.Unavailable, refusal.Refused, "error.full")
	errMemory = refusal.Declare(refusal.TooMany, refusal.Limit, "error.memory") // a network has too much in memory, or all of them have
)

func newRegistry(m *Manager) *Registry {
	return &Registry{manager: m, max: m.MaxRuns, runs: map[string]*slot{}, idle: list.New()}
}

// NewID returns an id for a run: 50 random bits, so that it cannot be guessed.
func NewID() string { return strings.ToLower(rand.Text()[:10]) }

// use returns the run of that id as it is now, which keeps its place until done is called.
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
			continue // somebody who waited for the run has gone, and it is for another to go on
		}
		if err == nil && !first {
			err = p.run.load(a)
		}
		if err != nil {
			g.done(p)
			return nil, nil, err
		}
		return p.run, sync.OnceFunc(func() { g.done(p) }), nil
	}
}

// wait waits until somebody has filled the run, and says what has come of it.
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

// hasLeft reports that something has ended because nobody waited for it any more, or had no turn.
func hasLeft(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, limit.ErrFull) || errors.Is(err, limit.ErrTooMuch)
}

// take gives the place of a run, and reports whether it is a new one that is to be filled.
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

// fill makes a run what its log says.
func (g *Registry) fill(a *limit.Asker, p *slot) {
	p.err = store.ErrDamaged
	defer func() {
		if p.err != nil { // whoever waits for it, and goes on, is to find another place
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

// admit counts a run for whoever uses it first, or refuses it where there is no room.
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
	if p.ofRoom = false; !of.isRoom() || !g.hold(p, bytes) { // what a room shows may also be as any other run
		return errMemory
	}
	return nil
}

// hold counts that a run in use takes so many bytes, or reports that there is no room for it.
func (g *Registry) hold(p *slot, bytes int64) bool {
	switch n := bytes - p.bytes; {
	case p.ofRoom && !g.manager.Limits.RoomRuns.Take(p.network, n), !p.ofRoom && !g.manager.Limits.Runs.Take(p.network, p.person, n):
		return false
	}
	p.bytes = bytes
	return true
}

// note is hold for what is there anyway, and for what gives room back.
func (g *Registry) note(p *slot, bytes int64) {
	if n := bytes - p.bytes; p.ofRoom {
		g.manager.Limits.RoomRuns.Force(p.network, n)
	} else {
		g.manager.Limits.Runs.Force(p.network, p.person, n)
	}
	p.bytes = bytes
}

// begin counts a run that is more than an address.
func (g *Registry) begin(p *slot) error {
	if g.begun >= g.max && !g.dropOldest() {
		return errFull
	}
	p.begun = true
	g.begun++
	return nil
}

// recount counts a run as it is now: it has gone on at another server, or it has not gone on after all. Its lock is held.
func (g *Registry) recount(r *Run) {
	begun, bytes := r.size()
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.runs[r.id]
	switch {
	case p == nil || p.run != r || !p.isReady(): // it is not kept here, or not yet
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

// grow makes room for a run that has become so large, or refuses it. Its lock is held.
func (g *Registry) grow(a *limit.Asker, r *Run) error {
	_, bytes := r.size()
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.runs[r.id]
	if p == nil || p.run != r {
		return nil // it is not kept here
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

// look returns the run of that id to read it. When every place is taken, it has
// none: it is read from its log and forgotten.
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

// makeRoom forgets runs that nobody uses, as far as there are too many.
func (g *Registry) makeRoom() {
	for g.idle.Len() > MostIdle || g.spare > MostIdleBytes {
		g.dropOldest()
	}
}

// forget takes a run out of memory.
func (g *Registry) forget(p *slot) {
	if g.runs[p.run.id] == p {
		delete(g.runs, p.run.id)
	}
	if p.begun {
		p.begun = false
		g.begun--
	}
}

// leave forgets a run that cannot go on as it is in memory: from now on it is built from its log. Its lock is held.
func (g *Registry) leave(r *Run) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p := g.runs[r.id]; p != nil && p.run == r {
		g.forget(p)
	}
}

// count is how many runs there are.
func (g *Registry) Count() float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return float64(len(g.runs))
}

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

// add makes a run that begins as the engine's run says.
func (g *Registry) Add(a *limit.Asker, e *engine.Run, how Beginning) (*Run, error) {
	r := newRun(NewID(), g)
	r.engine, r.given = e, how.Given
	r.place.Store(&how.Place)
	r.rerunOf = present.Schedule{Of: how.Of, Omitted: how.Omitted}
	if how.Family == "" {
		how.Family = r.id
	}
	r.family.begin(how.Family, g.manager.Task(how.Task))
	if err := r.write(a, Record{}); err != nil {
		return nil, err
	}
	r.weigh() // it has begun
	return r, nil
}

// branch makes a run beside another one for the request of an id, with a tab on its page.
func (g *Registry) branch(a *limit.Asker, beside *Run, e *engine.Run, id, name string, how Beginning) (*Run, error) {
	if beside.family.full() {
		return nil, errBranches
	}
	family, task := beside.family.is()
	how.Family, how.Task, how.Place = family, task.Name(), beside.Place()
	how.Given = min(beside.given, len(e.Actions()))
	r, err := g.Add(a, e, how)
	if err != nil {
		return nil, err
	}
	made, err := beside.family.add(Branch{Run: r.id, Name: name, ID: id}, g.manager.Owner(a))
	if err != nil {
		return nil, err
	}
	g.refresh(a, family)
	return g.Read(a, made)
}

// read is a run as it is now, for whoever only looks at it.
func (g *Registry) Read(a *limit.Asker, id string) (*Run, error) {
	r, done, err := g.Look(a, id)
	if err == nil {
		done()
	}
	return r, err
}

// refresh tells those who watch a run of a family that it has grown.
func (g *Registry) refresh(a *limit.Asker, family string) {
	for _, r := range g.inMemory() {
		if id, _ := r.family.is(); id == family {
			_ = r.load(a) // which asks again
		}
	}
}

// of is the run of an id if it is in memory; nil: it is not.
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

// isReady reports a run that is as its log says.
func (p *slot) isReady() bool {
	select {
	case <-p.ready:
		return p.err == nil
	default:
		return false
	}
}

// news is what another server has done: it has added to a log, or, where no log
// is named, to any of them.
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

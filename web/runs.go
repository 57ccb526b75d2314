package web

import (
	"container/list"
	"crypto/rand"
	"errors"
	"strings"
	"sync"

	"lockstep/engine"
	"lockstep/views"
)

// A registry holds the runs by id, at most a given number of them. A run takes
// a place with its first action or viewer. When every place is taken, the run
// that nobody uses for the longest time gives up its own; its scenario text,
// which a reader can keep, brings it back.
type registry struct {
	mu   sync.Mutex
	max  int
	site func(views.Language) views.Site
	runs map[string]*place
	idle *list.List // of *place, those that nobody uses, the longest unused first
}

// A place is where a run is kept, and by how many requests and sockets it is used.
type place struct {
	run   *run
	users int
	idle  *list.Element // where in idle it stands; nil: it is used
}

var errFull = errors.New("error.full")

func newRegistry(most int, site func(views.Language) views.Site) *registry {
	return &registry{max: most, site: site, runs: map[string]*place{}, idle: list.New()}
}

// newID returns an id for a run: 50 random bits, so that it cannot be guessed.
func newID() string { return strings.ToLower(rand.Text()[:10]) }

// use returns the run of that id, which keeps its place until done is called.
func (g *registry) use(id string) (r *run, done func(), err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.runs[id]
	if p == nil {
		if len(g.runs) >= g.max && !g.dropOldest() {
			return nil, nil, errFull
		}
		p = &place{run: newRun(id, g.site)}
		g.runs[id] = p
	}
	if p.idle != nil {
		g.idle.Remove(p.idle)
		p.idle = nil
	}
	p.users++
	return p.run, sync.OnceFunc(func() { g.done(p) }), nil
}

// look returns the run of that id to read it. A run that nobody has touched is
// empty and takes no place, so that a crawler creates nothing.
func (g *registry) look(id string) (r *run, done func()) {
	g.mu.Lock()
	_, ok := g.runs[id]
	g.mu.Unlock()
	if ok {
		if r, done, err := g.use(id); err == nil {
			return r, done
		}
	}
	return newRun(id, g.site), func() {}
}

func (g *registry) done(p *place) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.users--; p.users > 0 {
		return
	}
	if p.run.untouched() {
		g.drop(p.run)
		return
	}
	p.idle = g.idle.PushBack(p)
}

// count is how many runs there are.
func (g *registry) count() float64 {
	g.mu.Lock()
	defer g.mu.Unlock()
	return float64(len(g.runs))
}

func (g *registry) dropOldest() bool {
	oldest := g.idle.Front()
	if oldest == nil {
		return false
	}
	g.drop(g.idle.Remove(oldest).(*place).run)
	return true
}

// drop takes a run's place, and its tab on the pages of its family.
func (g *registry) drop(r *run) {
	delete(g.runs, r.id)
	r.family.remove(r)
}

// add gives a place to a new run that begins as the engine's run says, in a
// family if it is a branch of one.
func (g *registry) add(e *engine.Run, f *family, name string) (*run, error) {
	r := newRun(newID(), g.site)
	r.engine = e
	if f != nil {
		r.family = f // before anybody can find it there
		if !f.add(r, name) {
			return nil, errBranches
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.runs) >= g.max && !g.dropOldest() {
		r.family.remove(r)
		return nil, errFull
	}
	p := &place{run: r}
	g.runs[r.id] = p
	p.idle = g.idle.PushBack(p)
	return r, nil
}

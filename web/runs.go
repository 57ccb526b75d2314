package web

import (
	"container/list"
	"crypto/rand"
	"errors"
	"strings"
	"sync"

	"lockstep/engine"
	"lockstep/views"
	"lockstep/web/store"
)

// A registry has the runs that are in memory, at most a given number of them. A
// run is there while somebody uses it, and a while longer; then it gives up its
// place, and is its log and nothing else until it is used again.
type registry struct {
	store   store.Store
	site    func(views.Language) views.Site
	task    func(name string) task
	changed func(*run) // is told of every change, with the run's lock held

	mu   sync.Mutex
	max  int
	runs map[string]*place
	idle *list.List // of *place, those that nobody uses, the longest unused first
}

// maxIdle is how many runs stay that nobody uses: a page is asked for, and then
// its socket.
const maxIdle = 64

// A place is where a run is kept, and by how many requests and sockets it is used.
type place struct {
	run   *run
	users int
	idle  *list.Element // where in idle it stands; nil: it is used
}

var errFull = errors.New("error.full")

func newRegistry(most int, s *Server) *registry {
	return &registry{
		max: most, store: s.store, site: s.site, task: s.task, changed: s.changed,
		runs: map[string]*place{}, idle: list.New(),
	}
}

// newID returns an id for a run: 50 random bits, so that it cannot be guessed.
func newID() string { return strings.ToLower(rand.Text()[:10]) }

// use returns the run of that id as it is now, which keeps its place until done is called.
func (g *registry) use(id string) (r *run, done func(), err error) {
	p, err := g.take(id)
	if err != nil {
		return nil, nil, err
	}
	done = sync.OnceFunc(func() { g.done(p) })
	if err := p.run.load(); err != nil {
		done()
		return nil, nil, err
	}
	return p.run, done, nil
}

func (g *registry) take(id string) (*place, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.runs[id]
	if p == nil {
		if len(g.runs) >= g.max && !g.dropOldest() {
			return nil, errFull
		}
		p = &place{run: newRun(id, g)}
		g.runs[id] = p
	}
	if p.idle != nil {
		g.idle.Remove(p.idle)
		p.idle = nil
	}
	p.users++
	return p, nil
}

// look returns the run of that id to read it. When every place is taken, it has
// none: it is read from its log and forgotten.
func (g *registry) look(id string) (r *run, done func(), err error) {
	if r, done, err = g.use(id); !errors.Is(err, errFull) {
		return r, done, err
	}
	r = newRun(id, g)
	return r, func() {}, r.load()
}

func (g *registry) done(p *place) {
	untouched := p.run.untouched()
	g.mu.Lock()
	defer g.mu.Unlock()
	if p.users--; p.users > 0 {
		return
	}
	if untouched {
		delete(g.runs, p.run.id)
		return
	}
	p.idle = g.idle.PushBack(p)
	if g.idle.Len() > maxIdle {
		g.dropOldest()
	}
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
	delete(g.runs, g.idle.Remove(oldest).(*place).run.id)
	return true
}

// add makes a run that begins as the engine's run says.
func (g *registry) add(e *engine.Run, how beginning) (*run, error) {
	r := newRun(newID(), g)
	r.engine, r.place, r.given = e, how.Place, how.Given
	r.rerunOf = schedule{of: how.Of, omitted: how.Omitted}
	if how.Family == "" {
		how.Family = r.id
	}
	r.family.begin(how.Family, g.task(how.Task))
	if err := r.write(record{}); err != nil {
		return nil, err
	}
	return r, nil
}

// branch makes a run beside another one for the request of an id, with a tab on its page.
func (g *registry) branch(beside *run, e *engine.Run, id, name string, how beginning) (*run, error) {
	if beside.family.full() {
		return nil, errBranches
	}
	family, task := beside.family.is()
	how.Family, how.Task, how.Place = family, task.name(), beside.place
	how.Given = min(beside.given, len(e.Actions()))
	r, err := g.add(e, how)
	if err != nil {
		return nil, err
	}
	made, err := beside.family.add(branch{Run: r.id, Name: name, ID: id})
	if err != nil {
		return nil, err
	}
	g.refresh(family)
	return g.read(made)
}

// read is a run as it is now, for whoever only looks at it.
func (g *registry) read(id string) (*run, error) {
	r, done, err := g.look(id)
	if err == nil {
		done()
	}
	return r, err
}

// refresh tells those who watch a run of a family that it has grown.
func (g *registry) refresh(family string) {
	for _, r := range g.inMemory() {
		if id, _ := r.family.is(); id == family {
			_ = r.load() // which asks again
			r.refresh()
		}
	}
}

func (g *registry) inMemory() []*run {
	g.mu.Lock()
	defer g.mu.Unlock()
	runs := make([]*run, 0, len(g.runs))
	for _, p := range g.runs {
		runs = append(runs, p.run)
	}
	return runs
}

// news is what another server has done: it has added to a log, or, where no log
// is named, to any of them.
func (g *registry) news(log string) error {
	kind, id, _ := strings.Cut(log, "/")
	var failed error
	for _, r := range g.inMemory() {
		family, _ := r.family.is()
		if log == "" || kind == "t" && r.id == id || kind == "f" && family == id {
			failed = errors.Join(failed, r.load())
		}
	}
	return failed
}

package live

import (
	"context"
	"slices"
	"time"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

// A Learner runs the real programs behind recordings, to learn what a recording does not tell. A server has none: only
// lockstep attach gives one to its sessions, for the programs that its command line names. Its methods are safe for
// concurrent use.
type Learner interface {
	// Knows reports whether the Learner can go on with a recording.
	Knows(p *program.Program) bool

	// ByHand reports whether somebody has started the program by hand: its next command takes as long as it likes.
	ByHand(p *program.Program) bool

	// Learn returns the recording with what follows the histories of those gaps, at which it ends. With an error it returns what it has
	// learned until then.
	Learn(p *program.Program, gaps []explore.Gap) (*program.Program, error)

	// Grant lets a run execute the scripts that the real programs have sent.
	Grant(e *engine.Run)
}

// How long a press and a page wait for a program that runs, and how long a command is held before the page says so.
const (
	learnTime = 3 * time.Second
	heldTime  = 5 * time.Second
)

// A gap is what is being learned about one program of a run, or the reason why it could not be learned.
type gap struct {
	clients []string // that stand where the recording ends
	done    chan struct{}
	byHand  bool
	err     error // nil: it is being learned
}

// A learned is a recording that has grown, in a run's log.
type learned struct {
	Program string `json:"program"`
	Source  string `json:"source"`
	Epoch   string `json:"epoch"` // what pages have seen of the run may be no beginning of its events now
}

// learn finds the clients of the run whose recording ends where they stand, and begins to learn what they do. It tries again
// about a client that the caller names. The caller holds the run's lock, and learn reports whether there is news for viewers.
func (r *Run) learn(again string) (news bool) {
	l := r.home.Learner
	if l == nil {
		return false
	}
	found := map[string]*gap{}
	gaps := map[string][]explore.Gap{}
	for _, c := range r.engine.World().Clients() {
		if !c.Missing {
			continue
		}
		name := c.Program.Name
		if g := r.gaps[name]; g != nil && (g.err == nil || again != c.Name && slices.Contains(g.clients, c.Name)) || !l.Knows(c.Program) {
			continue
		}
		if found[name] == nil {
			found[name] = &gap{done: make(chan struct{}), byHand: l.ByHand(c.Program)}
		}
		found[name].clients = append(found[name].clients, c.Name)
		gaps[name] = append(gaps[name], explore.Gap{Program: c.Program, History: c.History(), Clock: c.Came})
	}
	for name, g := range found {
		if r.gaps == nil {
			r.gaps = map[string]*gap{}
		}
		r.gaps[name] = g
		go r.home.Survives(func() {
			r.learnOf(g, gaps[name])
			close(g.done)
		}, func() { r.giveUp(g, name) })()
	}
	return len(found) > 0
}

// seek learns what a run that comes into use lacks.
func (r *Run) seek() {
	if r.home.Learner != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		if r.learn("") {
			r.viewers.tellAgain()
		}
	}
}

// errLearner says that the Learner has a bug.
var errLearner = refusal.New(refusal.Unprocessable, refusal.Refused, "real.bug")

// giveUp ends a gap that a panic has left as it was, and then lets those go on who wait for it: they find the reason.
func (r *Run) giveUp(g *gap, name string) {
	defer close(g.done)
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.gaps[name] == g {
		g.err = errLearner
	}
}

// learnOf learns what follows in some gaps of a program, and lets the run go on with it.
func (r *Run) learnOf(g *gap, gaps []explore.Gap) {
	p := gaps[0].Program
	now, done, err := r.home.Use(context.Background(), r.id) // it keeps its place meanwhile
	if err == nil {
		defer done()
	}
	larger, problem := r.home.Learner.Learn(p, gaps)
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.leaveTorn()
	delete(r.gaps, p.Name)
	if err != nil || now != r || r.gone {
		return // the next use of the run learns again
	}
	if r.lacks(g.clients) {
		if err := r.extend(larger); err != nil {
			problem = err
		}
	}
	if problem != nil && r.lacks(g.clients) {
		g.err = problem
		r.gaps[p.Name] = g
		r.viewers.tellAgain()
		return
	}
	if r.learn("") { // of those who have come to a gap meanwhile
		r.viewers.tellAgain()
	}
	r.hold()
}

// Further returns a run in which real programs have told more of what they do than the run of here has in its recordings;
// nil: there is none. The run itself stays as it is, and learns the same in no time when it comes there.
func (r *Run) Further(here *engine.Run, gaps []explore.Gap) *engine.Run {
	l := r.home.Learner
	if l == nil || r.stuck.Load() {
		return nil
	}
	known := map[*program.Program][]explore.Gap{}
	for _, g := range gaps {
		if l.Knows(g.Program) && !l.ByHand(g.Program) { // a program runs once for whoever started it by hand
			known[g.Program] = append(known[g.Program], g)
		}
	}
	further := here
	for p, all := range known {
		larger, err := l.Learn(p, all)
		if err == nil {
			before := further
			l.Grant(before)
			further, err = before.Extended(larger)
			if before != here {
				before.World().Close()
			}
		}
		if err != nil {
			r.stuck.Store(true)
			return nil
		}
	}
	if further == here {
		return nil
	}
	return further
}

// lacks reports whether one of these clients still stands where its recording ends.
func (r *Run) lacks(clients []string) bool {
	return slices.ContainsFunc(clients, func(name string) bool {
		c := r.engine.World().Client(name)
		return c != nil && c.Missing
	})
}

// extend lets the run go on with a larger recording, and tells the viewers. The caller holds the run's lock.
func (r *Run) extend(p *program.Program) error {
	before, epoch := r.engine, r.epoch
	for _, own := range before.Own() {
		if own.Name == p.Name && own.Source == p.Source {
			return nil
		}
	}
	if _, err := program.Parse(p.Name, p.Source); err != nil { // it is too long for a log
		return err
	}
	r.home.Learner.Grant(r.engine)
	larger, err := r.engine.Extended(p)
	if err != nil {
		return err
	}
	r.engine, r.epoch = larger, NewID()
	if err := r.keep(context.Background(), Entry{Learned: &learned{p.Name, p.Source, r.epoch}}); err != nil {
		larger.World().Close()
		r.engine, r.epoch = before, epoch
		r.weigh()
		return r.overtaken("", err)
	}
	before.World().Close()
	r.forget()
	r.stuck.Store(false)
	r.viewers.greetAll()
	return nil
}

// extended does what a record about a larger recording tells.
func (r *Run) extended(l *learned) error {
	p, err := program.Parse(l.Program, l.Source)
	if err != nil {
		return err
	}
	r.grant(r.engine)
	larger, err := r.engine.Extended(p)
	if err != nil {
		return err
	}
	r.engine.World().Close()
	r.engine, r.epoch = larger, l.Epoch
	r.forget()
	r.viewers.greetAll()
	return nil
}

// grant lets a run execute the scripts of real programs, where there are any.
func (r *Run) grant(e *engine.Run) {
	if l := r.home.Learner; l != nil {
		l.Grant(e)
	}
}

// AwaitPrograms waits a moment for the real programs that run now for this run, so that a page or a press finds it complete. It
// asks once more about a client that is to take a step, and returns why that is unknown.
func (r *Run) AwaitPrograms(ctx context.Context, actions ...engine.Action) error {
	if r.home.Learner == nil {
		return nil
	}
	r.mu.Lock()
	for _, next := range actions {
		if next.Verb == engine.VerbStep && r.learn(next.Client) {
			r.viewers.tellAgain()
		}
	}
	r.mu.Unlock()
	if err := r.wait(ctx); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, next := range actions {
		for _, g := range r.gaps {
			if next.Verb == engine.VerbStep && g.err != nil && slices.Contains(g.clients, next.Client) && r.lacks([]string{next.Client}) {
				return g.err
			}
		}
	}
	return nil
}

// wait waits until no real program runs for the run, a moment at most.
func (r *Run) wait(ctx context.Context) error {
	runs := func() *gap {
		r.mu.Lock()
		defer r.mu.Unlock()
		for _, g := range r.gaps {
			if g.err == nil && !g.byHand {
				return g
			}
		}
		return nil
	}
	g := runs()
	if g == nil {
		return nil
	}
	limit.Rest(ctx)
	for late := time.After(learnTime); g != nil; {
		select {
		case <-g.done:
			g = runs()
			continue
		case <-late:
		case <-ctx.Done():
		}
		break
	}
	return limit.Begin(ctx)
}

// hold says after a while that commands of programs that were started by hand wait here. The caller holds the run's lock.
func (r *Run) hold() {
	l, at := r.home.Learner, len(r.engine.Actions())
	if r.held = false; !slices.ContainsFunc(r.engine.World().Clients(), func(c *engine.Client) bool { return c.Program != nil && l.ByHand(c.Program) }) {
		return
	}
	time.AfterFunc(heldTime, r.home.Survives(func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		if !r.held && len(r.engine.Actions()) == at && len(r.viewers.all) > 0 {
			r.held = true
			r.viewers.tellAgain()
		}
	}, func() {}))
}

// live returns what a page says about real programs; nil: there are none behind this server. The caller holds the run's lock.
func (r *Run) live() *present.Live {
	l := r.home.Learner
	if l == nil {
		return nil
	}
	live := &present.Live{Knows: l.Knows, Hand: l.ByHand, Held: r.held, Failed: map[string]*refusal.Error{}}
	for _, g := range r.gaps {
		for _, c := range g.clients {
			switch {
			case g.err != nil:
				live.Failed[c] = refusal.Of(g.err)
			case g.byHand:
				live.ByHand = append(live.ByHand, c)
			default:
				live.Runs = append(live.Runs, c)
			}
		}
	}
	slices.Sort(live.ByHand)
	slices.Sort(live.Runs)
	return live
}

package session

import (
	"errors"
	"sync"
	"sync/atomic"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/search"
	"lockstep/web/store"
)

// A Run is an engine's run and those who watch it. Its lock orders the actions
// and what the viewers are told, so that all of them see the same in the same order.
type Run struct {
	id   string
	home *Registry

	mu      sync.Mutex
	log     *store.Log[Record]
	epoch   string // another one when the log was lost: what was seen before is not here
	engine  *engine.Run
	given   int              // of somebody's own: how many of its actions they have not done
	rerunOf present.Schedule // of no run: its actions are its own
	family  *family
	tabs    int // of the family, as the viewers were told
	viewers viewers
	asking  bool          // for what has become of an entry
	claimed *search.Proof // what came of the claim that its challenge cannot be broken; nil: nobody has made it
	full    error         // why its log goes on, and it does not; nil: it is as its log says
	gone    bool          // it has left the registry, and is not to be acted on

	lookaheads

	weight atomic.Int64          // bytes that it takes in memory, about; 0: it has not begun
	place  atomic.Pointer[Place] // whose it is, in a room
}

// runBytes is what a run takes beside its events.
const runBytes = 16 << 10

// size says whether a run has begun, and about how many bytes it takes in memory. It takes no lock.
func (r *Run) size() (begun bool, bytes int64) {
	bytes = r.weight.Load()
	return bytes > 0, bytes
}

// weigh notes what the run takes now, and counts it so. The events of a run take about as much in memory as on the wire.
func (r *Run) weigh() {
	bytes := int64(0)
	if r.log.Len() > 0 {
		bytes = runBytes + r.engine.World().Bytes()
	}
	r.weight.Store(bytes)
	r.home.recount(r)
}

func newRun(id string, home *Registry) *Run {
	r := &Run{
		id: id, home: home, log: store.NewLog[Record](home.manager.Store, "t/"+id), epoch: NewID(),
		engine: engine.NewRun(engine.Header{}, check.All()...), family: newFamily(id, home.manager.Store),
	}
	r.viewers = newViewers(r)
	return r
}

// Path is where the run is, within the site.
func (r *Run) Path() string { return present.RunPath(r.id) }

// Untouched reports whether the run is as a new one. It takes no lock.
func (r *Run) Untouched() bool {
	begun, _ := r.size()
	return !begun
}

func (r *Run) empty() bool { return len(r.engine.Actions()) == 0 && len(r.engine.Own()) == 0 }

// Requests that cannot be met.
var (
	errEmpty       = refusal.Declare(refusal.Unprocessable, refusal.Syntax, "error.empty")
	errExpectation = refusal.Declare(refusal.Unprocessable, refusal.Syntax, "error.expectation")
	errEnd         = refusal.Declare(refusal.Unprocessable, refusal.Refused, "error.end")
	errPosition    = refusal.Declare(refusal.Unprocessable, refusal.Refused, "error.position")
	errBranches    = refusal.Declare(refusal.Unprocessable, refusal.Limit, "error.branches", MaxBranches)
	errTouched     = refusal.Declare(refusal.Unprocessable, refusal.Refused, "error.touched")
	errNoViolation = refusal.Declare(refusal.Unprocessable, refusal.Refused, "script.harmless") // the page says the same
)

// errDone says that a request has been carried out before.
var errDone = errors.New("done")

// leaveTorn is deferred where a run is changed. Should that go wrong in the middle, nobody sees what is left: those who
// watch are let go, and the next one who asks for the run has it built from its log.
func (r *Run) leaveTorn() {
	mistake := recover()
	if mistake == nil {
		return
	}
	r.gone = true
	r.home.leave(r)
	for v := range r.viewers.all {
		v.drop()
	}
	panic(mistake)
}

// Prefix is the run as it was at a position. It is replayed without the lock, as
// a long run takes its time: the log that is there is never written again.
func (r *Run) Prefix(a *limit.Asker, position int) (*engine.Run, error) {
	return r.PrefixAt(a.Spend, position)
}

func (r *Run) PrefixAt(pace engine.Pace, position int) (*engine.Run, error) {
	r.mu.Lock()
	now := *r.engine
	r.mu.Unlock()
	if position < 0 || position > len(now.Actions()) {
		return nil, errPosition
	}
	return now.PrefixAt(pace, position)
}

// become makes a run that nobody has touched what another one is.
func (r *Run) become(a *limit.Asker, id string, e *engine.Run, t course.Task) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.leaveTorn()
	if r.log.Has(id) {
		return errDone
	}
	if r.gone {
		return r.stale()
	}
	if !r.empty() || r.log.Len() > 0 {
		return errTouched
	}
	before := r.engine
	r.engine = e
	r.family.begin(r.id, t)
	if err := r.keep(a, Record{ID: id}); err != nil {
		r.engine = before
		r.weigh()
		return r.overtaken(id, err)
	}
	r.forget()
	a.Charge(r.viewers.greetAll())
	return nil
}

// Task is what the run is for.
func (r *Run) Task() course.Task {
	_, t := r.family.is()
	return t
}

// Bytes is about how much it takes to write the run down.
func (r *Run) Bytes() int64 {
	_, n := r.size()
	return n
}

// Lines are actions as scenario text.
func Lines(actions []engine.Action) []string {
	texts := make([]string, len(actions))
	for i, a := range actions {
		texts[i] = a.String()
	}
	return texts
}

// hasDone reports whether the run has carried out the request of an id.
func (r *Run) hasDone(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.Has(id)
}

// Length is how many actions the run has.
func (r *Run) Length() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.engine.Actions())
}

// HasClaimed reports that whoever watches has been told what came of the claim.
func (r *Run) HasClaimed(p *search.Proof) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.claimed == p
}

// Claim keeps what came of the claim, and tells whoever watches.
func (r *Run) Claim(a *limit.Asker, p *search.Proof) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.claimed = p
	a.Charge(r.viewers.tellAnew())
}

// ID returns the id of the run.
func (r *Run) ID() string { return r.id }

// Full returns why the log of the run goes on, and the run does not; nil: it is as its log says.
func (r *Run) Full() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.full
}

// RunLog returns the name of a run's log in the store.
func RunLog(id string) string { return "t/" + id }

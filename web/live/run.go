package live

import (
	"context"
	"errors"
	"slices"
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

// A Run is an engine's run with its log and its viewers. Its lock orders the actions and what the viewers are told, so
// all viewers see the same in the same order.
type Run struct {
	id   string
	home *Runs

	mu      sync.Mutex
	log     *store.Log[Entry]
	epoch   string // changes when the log is lost, and with it everything that pages have seen
	engine  *engine.Run
	given   int              // how many of its actions the owner of a sandbox has not done
	remarks []string         // of the import that made it; nil: it was not imported
	rerunOf present.Schedule // the schedule that it repeats; the zero Schedule: its actions are its own
	family  *family
	tabs    int // as the viewers were told
	viewers viewers
	asking  bool          // askAgain is under way
	claimed *search.Proof // the proof about the claim that its challenge cannot be broken; nil: nobody has claimed it
	reason  string        // that was given for the claim
	draft   string        // the query with which the server begins it, if only its page has it; empty: the server has it
	full    error         // why the log goes on and the run does not; nil: the run is as its log tells
	gone    bool          // the run has left the registry, and nobody acts on it

	gaps map[string]*gap // by program: what is being learned, or could not be
	held bool            // the page says which commands wait here

	stuck atomic.Bool // a lookahead has met a program that cannot be learned

	lookaheads

	weight atomic.Int64          // about how many bytes of memory it takes; 0: it has not begun
	place  atomic.Pointer[Place] // in a room
}

// runBytes is how many bytes of memory a run takes beside its events.
const runBytes = 16 << 10

// Size reports whether a run has begun, and returns about how many bytes of memory it takes. It takes no lock.
func (r *Run) Size() (begun bool, bytes int64) {
	bytes = r.weight.Load()
	return bytes > 0, bytes
}

// weigh counts the memory that the run takes now. The events of a run take about as much in memory as on the wire.
func (r *Run) weigh() {
	bytes := int64(0)
	if r.log.Len() > 0 {
		bytes = runBytes + r.engine.World().Meter().Bytes()
	}
	r.weight.Store(bytes)
	r.home.Recount(r.id, r)
}

func newRun(id string, home *Runs) *Run {
	r := &Run{
		id: id, home: home, log: store.NewLog[Entry](home.Store, RunLog(id)), epoch: NewID(),
		engine: engine.NewRun(engine.Header{}, check.All()...), family: newFamily(id, home.Store),
	}
	r.viewers = newViewers(r)
	return r
}

// Path returns the path of the run within the site.
func (r *Run) Path() string { return present.RunPath(r.id) }

// Untouched reports whether the run is as a new one. It takes no lock.
func (r *Run) Untouched() bool {
	begun, _ := r.Size()
	return !begun
}

// Stop ends nothing: a run does no work of its own.
func (r *Run) Stop() {}

func (r *Run) empty() bool { return len(r.engine.Actions()) == 0 && len(r.engine.Own()) == 0 }

// The refusals of requests that the run cannot meet.
var (
	errEmpty       = refusal.Declare(refusal.Unprocessable, refusal.Syntax, "error.empty")
	errExpectation = refusal.Declare(refusal.Unprocessable, refusal.Syntax, "error.expectation")
	errEnd         = refusal.Declare(refusal.Unprocessable, refusal.Refused, "error.end")
	errPosition    = refusal.Declare(refusal.Unprocessable, refusal.Refused, "error.position")
	errBranches    = refusal.Declare(refusal.Unprocessable, refusal.Limit, "error.branches", MaxBranches)
	errTries       = refusal.Declare(refusal.Unprocessable, refusal.Limit, "error.tries", MaxTries)
	errTouched     = refusal.Declare(refusal.Unprocessable, refusal.Refused, "error.touched")
	errNoViolation = refusal.Declare(refusal.Unprocessable, refusal.Refused, "script.harmless") // the page says the same
)

// ErrDone says that the run has done the request before.
var ErrDone = errors.New("done")

// leaveTorn runs deferred wherever a run changes. After a panic in the middle nobody sees the torn run: leaveTorn drops
// its viewers, and the next request builds the run from its log.
func (r *Run) leaveTorn() {
	mistake := recover()
	if mistake == nil {
		return
	}
	r.gone = true
	r.home.Leave(r.id, r)
	for v := range r.viewers.all {
		v.drop()
	}
	panic(mistake)
}

// Prefix returns the run as it was at a position. It replays without the lock, because a long run takes its time and the
// log behind a position never changes.
func (r *Run) Prefix(ctx context.Context, position int) (*engine.Run, error) {
	return r.PrefixAt(limit.PaceOf(ctx), position)
}

// PrefixAt is Prefix at a pace.
func (r *Run) PrefixAt(pace engine.Pace, position int) (*engine.Run, error) {
	r.mu.Lock()
	now := *r.engine
	r.mu.Unlock()
	if position < 0 || position > len(now.Actions()) {
		return nil, errPosition
	}
	return now.PrefixAt(pace, position)
}

// become makes an untouched run the same as another one.
func (r *Run) become(ctx context.Context, id string, e *engine.Run, t course.Task) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.leaveTorn()
	if r.log.Has(id) {
		return ErrDone
	}
	if r.gone {
		return r.stale()
	}
	if !r.empty() || r.log.Len() > 0 {
		return errTouched
	}
	before := r.engine
	_, free := r.family.is()
	r.engine = e
	r.family.begin(r.id, t)
	if err := r.keep(ctx, Entry{ID: id}); err != nil {
		r.engine = before
		r.family.begin(r.id, free)
		r.weigh()
		return r.overtaken(id, err)
	}
	r.forget()
	limit.Charge(ctx, r.viewers.greetAll())
	return nil
}

// Task returns the run's task.
func (r *Run) Task() course.Task {
	_, t := r.family.is()
	return t
}

// Bytes returns about how many bytes the run takes when it is written.
func (r *Run) Bytes() int64 {
	_, n := r.Size()
	return n
}

// Lines returns actions as scenario text.
func Lines(actions []engine.Action) []string {
	texts := make([]string, len(actions))
	for i, a := range actions {
		texts[i] = a.String()
	}
	return texts
}

// HasDone reports whether the run has done the request of an id.
func (r *Run) HasDone(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.log.Has(id)
}

// Length returns how many actions the run has.
func (r *Run) Length() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.engine.Actions())
}

// Opening returns the position at which the run is ready to be played: its first clients stand on their lanes.
func (r *Run) Opening() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	actions := r.engine.Actions()
	if i := slices.IndexFunc(actions, func(a engine.Action) bool { return a.Verb != engine.VerbSpawn }); i >= 0 {
		return i
	}
	return len(actions)
}

// HasClaimed reports whether the viewers know the proof about the claim, and the reason that was given.
func (r *Run) HasClaimed(p *search.Proof, reason string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.claimed == p && r.reason == reason
}

// Claim keeps the proof about the claim and the reason that was given, and tells the viewers.
func (r *Run) Claim(ctx context.Context, p *search.Proof, reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.claimed, r.reason = p, reason
	limit.Charge(ctx, r.viewers.tellAgain())
}

// ID returns the id of the run.
func (r *Run) ID() string { return r.id }

// Full returns why the log of the run goes on and the run does not; nil: the run is as its log tells.
func (r *Run) Full() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.full
}

// MadeBy returns the run that a request has opened beside this one; empty: it has opened none.
func (r *Run) MadeBy(id string) (run string) { return r.family.madeBy(id) }

// presented returns what a page shows of the run. The caller holds the run's lock.
func (r *Run) presented() present.Run {
	p, place := present.Run{ID: r.id, Epoch: r.epoch, Engine: r.engine, Task: r.Task(), Claimed: r.claimed, Exercise: r.Place().Seat > 0, Reason: r.reason, Branches: r.family.all(), Repeats: r.rerunOf, Remarks: r.remarks, Draft: r.draft, Live: r.live()}, r.Place()
	if place.IsRoom() {
		p.Room = present.RoomPath(place.Room)
	}
	return p
}

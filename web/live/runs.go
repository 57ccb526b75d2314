package live

import (
	"context"
	"crypto/rand"
	"errors"
	"strings"
	"sync"
	"time"

	"lockstep/engine"
	"lockstep/web/hub"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/store"
)

// Runs has the runs in memory, and the sockets of those who watch them.
type Runs struct {
	*hub.Hub[*Run]
	Environment
	Sockets Sockets

	changed func(Place, Standing) // hears of every change of a run in a room; it takes no run's lock
}

// The most unused runs that stay in memory, and their bytes: a page comes first, and then its socket.
const (
	MostIdle      = 64
	MostIdleBytes = 24 << 20
)

// roomBytes is how large a room's own run may grow, however much its network has in memory.
const roomBytes = 2 << 20

var (
	errFull   = refusal.Declare(refusal.Unavailable, refusal.Refused, "error.full")
	errMemory = refusal.Declare(refusal.TooMany, refusal.Limit, "error.memory") // one network has too much in memory, or all networks together
)

// New returns Runs that have nothing in memory. changed hears of every change of a run in a room; it takes no run's lock.
func New(e Environment, changed func(Place, Standing)) *Runs {
	g := &Runs{Environment: e, changed: changed}
	g.Hub = hub.New(hub.Options{Most: e.MaxRuns, IdleMost: MostIdle, IdleBytes: MostIdleBytes, ErrFull: errFull, ErrBytes: errMemory, Survives: e.Survives},
		func(id string) *Run { return newRun(id, g) })
	return g
}

// RunLog returns the name of a run's log in the store.
func RunLog(id string) string { return "t/" + id }

// NewID returns an id for a run: 50 random bits, so nobody guesses it.
func NewID() string { return strings.ToLower(rand.Text()[:10]) }

// Use returns the run of an id as it is now. The run keeps its place until done is called.
func (g *Runs) Use(ctx context.Context, id string) (r *Run, done func(), err error) {
	if r, done, err = g.Hub.Use(ctx, id, true); err == nil {
		r.seek()
	}
	return r, done, err
}

// Look returns the run of an id to read it. When every place is taken, Look reads the run from its log and keeps it
// nowhere.
func (g *Runs) Look(ctx context.Context, id string) (r *Run, done func(), err error) {
	if r, done, err = g.Use(ctx, id); !errors.Is(err, errFull) {
		return r, done, err
	}
	r = newRun(id, g)
	if err := r.Fill(ctx); err != nil {
		return nil, nil, err
	}
	_, bytes := r.Size()
	if !g.Limits.Runs.Take(limit.NetworkOf(ctx), limit.PersonOf(ctx), bytes) {
		return nil, nil, errMemory
	}
	return r, sync.OnceFunc(func() { g.Limits.Runs.Force(limit.NetworkOf(ctx), limit.PersonOf(ctx), -bytes) }), nil
}

// Read returns a run as it is now, for a short look.
func (g *Runs) Read(ctx context.Context, id string) (*Run, error) {
	r, done, err := g.Look(ctx, id)
	if err == nil {
		done()
	}
	return r, err
}

// Ledgers returns what counts the run. Strangers with long runs shut no presenter out: a room's run has a share of its own,
// and may also count as any other run.
func (r *Run) Ledgers() []hub.Ledger {
	limits := r.home.Limits
	if r.Place().IsRoom() {
		return []hub.Ledger{roomRuns{limits.RoomRuns}, personRuns{limits.Runs}}
	}
	return []hub.Ledger{personRuns{limits.Runs}}
}

type roomRuns struct{ *limit.Shares }

func (l roomRuns) Take(network, _ string, before, now int64) bool {
	return l.Shares.Take(network, now-before)
}
func (l roomRuns) Force(network, _ string, before, now int64) { l.Shares.Force(network, now-before) }

type personRuns struct{ *limit.PersonShares }

func (l personRuns) Take(network, person string, before, now int64) bool {
	return l.PersonShares.Take(network, person, now-before)
}
func (l personRuns) Force(network, person string, before, now int64) {
	l.PersonShares.Force(network, person, now-before)
}

// Add makes a run that begins as an engine's run.
func (g *Runs) Add(ctx context.Context, e *engine.Run, how Beginning) (*Run, error) {
	r := newRun(NewID(), g)
	r.engine, r.given, r.remarks = e, how.Given, how.Remarks
	r.place.Store(&how.Place)
	r.rerunOf = present.Schedule{Of: how.Of, Omitted: how.Omitted}
	if how.Family == "" {
		how.Family = r.id
	}
	r.family.begin(how.Family, g.Task(how.Task))
	if err := r.write(ctx, Entry{}); err != nil {
		return nil, err
	}
	r.weigh() // it has begun now
	return r, nil
}

// Discard deletes a run that was made for an entry which a log has refused. Nothing else names the run: it would outlive a room that is
// forgotten meanwhile. If the store does not say whether it has the entry, the run stays.
func (g *Runs) Discard(run string, refused error) {
	if errors.Is(refused, store.ErrUnavailable) {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), discardTime)
	defer cancel()
	if err := g.Store.Delete(ctx, RunLog(run)); err != nil {
		g.Debug("discarding a run", err) // it stays as long as any other
	}
}

// discardTime is how long a refused request waits for that.
const discardTime = time.Second

// branch makes a run beside another one for a request, with a tab on its page.
func (g *Runs) branch(ctx context.Context, beside *Run, e *engine.Run, as Branch, how Beginning) (*Run, error) {
	if err := beside.family.full(); err != nil {
		return nil, err
	}
	family, task := beside.family.is()
	how.Family, how.Task, how.Place = family, task.Name(), beside.Place()
	beside.mu.Lock() // another server may begin it at this moment
	how.Given = min(beside.given, len(e.Actions()))
	beside.mu.Unlock()
	r, err := g.Add(ctx, e, how)
	if err != nil {
		return nil, err
	}
	as.Run = r.id
	made, err := beside.family.add(as, g.Owner(ctx))
	if err != nil {
		g.Discard(r.id, err)
		return nil, err
	}
	g.refresh(ctx, family)
	return g.Read(ctx, made)
}

// refresh tells the viewers of a family's runs that the family has grown.
func (g *Runs) refresh(ctx context.Context, family string) {
	for _, r := range g.Ready(false) {
		if id, _ := r.family.is(); id == family {
			_ = r.Load(ctx) // Load asks again after a failure
		}
	}
}

// News reads what another server has added to a log; an empty name stands for any log.
func (g *Runs) News(log string) error {
	kind, id, _ := strings.Cut(log, "/")
	var failed error
	for _, r := range g.Ready(true) {
		family, _ := r.family.is()
		if log == "" || kind == "t" && r.id == id || kind == "f" && family == id {
			failed = errors.Join(failed, r.Load(context.Background()))
		}
	}
	return failed
}

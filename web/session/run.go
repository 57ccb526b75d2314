package session

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
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

	mu       sync.Mutex
	log      *store.Log[Record]
	epoch    string // another one when the log was lost: what was seen before is not here
	engine   *engine.Run
	given    int              // of somebody's own: how many of its actions they have not done
	rerunOf  present.Schedule // of no run: its actions are its own
	family   *family
	tabs     int // of the family, as the viewers were told
	viewers  map[*Viewer]struct{}
	sent     map[Audience]map[string]string // what tells the panels that those of an audience have, by id
	foreseen map[search.Lookahead]search.Foresight
	greeted  map[Audience]greeting // what the last ones who came were told, while it holds
	asking   bool                  // for what has become of an entry
	claimed  *search.Proof         // what came of the claim that its challenge cannot be broken; nil: nobody has made it
	full     error                 // why its log goes on, and it does not; nil: it is as its log says
	gone     bool                  // it has left the registry, and is not to be acted on

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
	return &Run{
		id: id, home: home, log: store.NewLog[Record](home.manager.Store, "t/"+id), epoch: NewID(),
		engine: engine.NewRun(engine.Header{}, check.All()...), family: newFamily(id, home.manager.Store),
		viewers: map[*Viewer]struct{}{}, sent: map[Audience]map[string]string{},
	}
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

// at refuses whoever has not seen the state that is there now.
func (r *Run) at(position int) error {
	if r.gone {
		return r.stale()
	}
	if position > len(r.engine.Actions()) { // it was seen at another server
		if err := r.catchUp(nil); err != nil {
			return err
		}
	}
	if position == len(r.engine.Actions()) {
		return nil
	}
	return r.stale()
}

// stale refuses an action on a state that has passed. It tells who was faster, and what is shown instead.
func (r *Run) stale() error {
	log := r.engine.Actions()
	stale := refusal.New(refusal.Unprocessable, refusal.Stale, "stale.other", len(log))
	if len(log) > 0 {
		switch last := log[len(log)-1]; {
		case last.Client != "":
			stale.Key, stale.Args = "stale.client", []any{last.Client, len(log)}
		case last.Verb == engine.VerbTick:
			stale.Key = "stale.time"
		}
	}
	return stale
}

// parseLine reads one line of scenario text that is one action or, as spawn C1 C2, several.
func parseLine(line string) ([]engine.Action, error) {
	scenario, err := engine.Parse("action", line, nil)
	if err != nil {
		return nil, err
	}
	actions := scenario.Actions()
	switch {
	case len(scenario.Lines) == 0 && scenario.Header.Program == "":
		return nil, errEmpty
	case len(scenario.Lines) != 1 || len(actions) == 0 || scenario.Header.String() != "":
		return nil, errExpectation
	}
	return actions, nil
}

// A press is what somebody does at the end of a run, read once.
type press struct {
	id    string       // of the request, as ownID gives it; empty: it has none
	at    int          // the position that they have seen
	admit func() error // counts the press, or refuses it; the run's lock is held, under which no room's is taken. nil: nothing
}

// act does what one line of scenario text says: spawn C1 C2 is two actions, and
// the run does both or neither. It does not repeat a request that has been answered.
func (r *Run) act(a *limit.Asker, p press, actions ...engine.Action) error {
	return r.perform(a, p, func() ([]engine.Action, error) { return actions, nil })
}

// schedule does what the run's lesson does next or, where it has none, what a
// scheduler chooses.
func (r *Run) schedule(a *limit.Asker, p press, s engine.Scheduler) error {
	return r.perform(a, p, func() ([]engine.Action, error) {
		if err := r.engine.World().Full(); err != nil {
			return nil, err
		}
		next, ok := r.Task().Next(r.engine)
		if !ok {
			next, ok = s.Next(r.engine.World())
		}
		if !ok {
			return nil, errEnd
		}
		return []engine.Action{next}, nil
	})
}

// shortWork is what an action may take without a turn, in units: 10 ms, for which those wait who act on the same run.
const shortWork = 1_000_000

// perform does what is chosen, in one critical section. What takes long has a turn first, for which nobody waits but
// whoever asks, and then a critical section of its own.
func (r *Run) perform(a *limit.Asker, p press, choose func() ([]engine.Action, error)) error {
	err := r.performWithin(a, p, choose, shortWork)
	if !errors.Is(err, engine.ErrLonger) {
		return err
	}
	if err := a.Turn(); err != nil {
		return err
	}
	p.admit = nil // it has been counted
	return r.performWithin(a, p, choose, engine.MaxActionWork)
}

func (r *Run) performWithin(a *limit.Asker, p press, choose func() ([]engine.Action, error), patience int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.leaveTorn()
	if r.log.Has(p.id) {
		return errDone
	}
	if p.admit != nil {
		if err := p.admit(); err != nil {
			return err
		}
	}
	if err := r.at(p.at); err != nil {
		return err
	}
	actions, err := choose()
	if err != nil {
		return err
	}
	if r.full != nil {
		return r.full
	}
	before, seen, effort := len(r.engine.Actions()), len(r.engine.World().Events()), r.engine.World().Effort()
	takeBack, err := r.engine.Attempt(actions, patience)
	a.Charge(r.engine.World().Effort() - effort)
	if err != nil {
		return err
	}
	if err = r.keep(a, Record{ID: p.id, Lines: Lines(actions)}); err != nil {
		takeBack()
		r.weigh()
		return r.overtaken(p.id, err)
	}
	a.Charge(r.tell(p.id, present.Extent{Actions: before, Events: seen}))
	return nil
}

// keep writes what a request has done, if there is room for it in memory.
func (r *Run) keep(a *limit.Asker, rec Record) error {
	r.weight.Store(runBytes + r.engine.World().Bytes())
	if err := r.home.grow(a, r); err != nil {
		return err
	}
	return r.write(a, rec)
}

// leaveTorn is deferred where a run is changed. Should that go wrong in the middle, nobody sees what is left: those who
// watch are let go, and the next one who asks for the run has it built from its log.
func (r *Run) leaveTorn() {
	mistake := recover()
	if mistake == nil {
		return
	}
	r.gone = true
	r.home.leave(r)
	for v := range r.viewers {
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

// branch acts in the past: a run of its own that shares the first actions, and
// then does others. The name says where it parted and how.
func (r *Run) branch(a *limit.Asker, position int, actions []engine.Action) (past *engine.Run, name string, err error) {
	if past, err = r.Prefix(a, position); err != nil {
		return nil, "", err
	}
	effort := past.World().Effort()
	if _, err := past.Attempt(actions, engine.MaxActionWork); err != nil {
		return nil, "", err
	}
	if err := a.Spend(past.World().Effort() - effort); err != nil {
		return nil, "", err
	}
	// As the engine writes it: a line may bring blanks and a comment of any length.
	return past, strconv.Itoa(position) + ": " + engine.Line{Actions: actions}.String(), nil
}

// repeats reports a line that is what the run did next at that position: to do
// it again is to go on, and needs no branch.
func (r *Run) repeats(position int, line string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	log := r.engine.Actions()
	return position >= 0 && position < len(log) && log[position].String() == line
}

// rerun is the schedule up to a position under another program, for the clients
// of the program named from, or for all.
func (r *Run) rerun(a *limit.Asker, position int, from string, with *program.Program) (*engine.Run, []engine.Omission, error) {
	r.mu.Lock()
	if position < 0 || position > len(r.engine.Actions()) {
		r.mu.Unlock()
		return nil, nil, errPosition
	}
	schedule := r.engine.Schedule(position)
	r.mu.Unlock()
	return schedule.Under(a.Spend, from, with)
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
	r.foreseen = nil
	a.Charge(r.greetAll())
	return nil
}

// join lets a viewer watch: it is told the state, and from then on every change.
// Of the log it is told what comes after the part that it has.
func (r *Run) join(a *limit.Asker, v *Viewer, most int, has present.Extent) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.viewers) >= most {
		return false
	}
	r.viewers[v] = struct{}{}
	a.Charge(r.greet(v, has))
	return true
}

// A greeting is what those of an audience are told who come one after the other:
// all of a class at once, when a server begins again. It holds until anybody is
// told anything else, and is not kept for a handful of viewers.
type greeting struct {
	has   present.Extent // of the log, by those who come
	frame Frame
}

const handful = 8

// greet tells a viewer how everything is, and returns how much work that was.
func (r *Run) greet(v *Viewer, has present.Extent) (work int64) {
	to, log := v.audience(), r.presented().Log()
	has = log.Known(has)
	if g, ok := r.greeted[to]; ok && g.has == has {
		v.welcome(g.frame)
		return 0
	}
	if r.sent[to] == nil {
		r.sent[to] = map[string]string{}
	}
	h := hello{
		Type: "hello", Version: present.ProtocolVersion, Run: r.id, Epoch: r.epoch, Actions: len(r.engine.Actions()),
		Panels: r.panels(r.shown(to.Language), to, true),
	}
	if to.draws() {
		h.Stretch = log.News(has, to.Language)
	}
	g := greeting{has, Encode(h)}
	if len(r.viewers) > handful {
		if r.greeted == nil {
			r.greeted = map[Audience]greeting{}
		}
		r.greeted[to] = g
	}
	v.welcome(g.frame)
	return presenting(r.engine.World()) + Drawing(g.frame.Size())
}

// greetAll tells all viewers everything, as the run has become another one.
func (r *Run) greetAll() (work int64) {
	r.greeted = nil
	for v := range r.viewers {
		work += r.greet(v, present.Extent{})
	}
	return work
}

func (r *Run) leave(v *Viewer) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.viewers, v)
	for other := range r.viewers {
		if other.audience() == v.audience() {
			return
		}
	}
	delete(r.sent, v.audience())
	delete(r.greeted, v.audience())
}

// admit lets a viewer watch, or watch no more: a room that was shown what somebody does
// alone looks away again, and is told nothing of what follows there. It returns how much work that was.
func (r *Run) admit(v *Viewer, may bool) (work int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch _, watches := r.viewers[v]; {
	case !may:
		delete(r.viewers, v)
	case !watches:
		r.viewers[v] = struct{}{}
		work = r.greet(v, present.Extent{})
	}
	return work
}

// Task is what the run is for.
func (r *Run) Task() course.Task {
	_, t := r.family.is()
	return t
}

// show tells a viewer everything anew, as it has become another client. It returns how much work that was.
func (r *Run) show(v *Viewer) (work int64) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if _, here := r.viewers[v]; !here {
		return 0
	}
	f := Encode(update{Type: "events", Actions: len(r.engine.Actions()), Panels: r.panels(r.shown(v.language), v.audience(), true)})
	v.Send(f)
	return presenting(r.engine.World()) + Drawing(f.Size())
}

// now is all of the log.
func (r *Run) now() present.Extent {
	return present.Extent{Epoch: r.epoch, Actions: len(r.engine.Actions()), Events: len(r.engine.World().Events())}
}

// inOrder are the viewers, those who take part before those who only watch: of these there may be thousands more.
func (r *Run) inOrder() iter.Seq[*Viewer] {
	return func(yield func(*Viewer) bool) {
		for _, takesPart := range []bool{true, false} {
			for v := range r.viewers {
				if (v.key != "") == takesPart && !yield(v) {
					return
				}
			}
		}
	}
}

// tell sends every viewer an update, made once for each audience: what has come after a part of
// the log. It returns how much work that was. The request's id is for whoever has sent it.
func (r *Run) tell(id string, had present.Extent) (work int64) {
	r.greeted = nil
	type heard struct {
		Audience
		asked bool
	}
	frames, panels := map[heard]Frame{}, map[Audience]map[string]string{}
	pages := map[lang.Language]views.Page{} // a class of phones has many audiences, and one page in each language
	news := map[lang.Language]*present.Stretch{}
	for v := range r.inOrder() {
		to := heard{v.audience(), v.asked(id)}
		f, ok := frames[to]
		if !ok {
			u := update{Type: "events", Actions: len(r.engine.Actions())}
			if panels[to.Audience] == nil {
				page, ok := pages[to.Language]
				if !ok {
					page = r.shown(to.Language)
					pages[to.Language] = page
					work += presenting(r.engine.World())
				}
				panels[to.Audience] = r.panels(page, to.Audience, false)
			}
			u.Panels = panels[to.Audience]
			if to.asked {
				u.ID = sentID(id)
			}
			if to.draws() {
				if news[to.Language] == nil {
					news[to.Language] = r.presented().Log().News(had, to.Language)
				}
				u.Stretch = news[to.Language]
			}
			f = Encode(u)
			frames[to] = f
			work += Drawing(f.Size())
		}
		v.Send(f)
	}
	r.home.manager.changed(r)
	return work
}

// What it takes to draw something, in units of the engine's work: to look through the events of a run, and to write
// what is seen.
func presenting(w *engine.World) int64 { return 10 * int64(len(w.Events())) }
func Drawing(bytes int64) int64        { return 3 * bytes }

// presented returns what a page shows of the run. The caller holds the run's lock.
func (r *Run) presented() present.Run {
	return present.Run{ID: r.id, Epoch: r.epoch, Engine: r.engine, Task: r.Task(), Claimed: r.claimed, Branches: r.family.all(), Repeats: r.rerunOf}
}

// shown returns the run at its end, as those who read a language are shown it.
func (r *Run) shown(l lang.Language) views.Page {
	return r.presented().Panels(r.engine, r.home.manager.Site(l))
}

// panels renders what an audience does not have yet, or everything. The panels
// of all programs, which are large, stay as they are: a run gets no program after
// its first action.
func (r *Run) panels(page views.Page, to Audience, everything bool) map[string]string {
	contents, sent := map[string]string{}, r.sent[to]
	if sent == nil { // it has lately become one, as with a viewer who got another lane
		sent, everything = map[string]string{}, true
		r.sent[to] = sent
	}
	for _, panel := range to.panels(page) {
		if panel.Programs && !everything {
			continue
		}
		content, key := "", panel.Key
		if key == "" {
			content = present.Markup(panel.Content)
			key = content
		}
		if everything || sent[panel.ID] != key {
			if content == "" {
				content = present.Markup(panel.Content)
			}
			contents[panel.ID] = content
		}
		sent[panel.ID] = key
	}
	return contents
}

// Look renders what an audience is shown at a position, but for the texts of
// programs that no client of the run has.
func (r *Run) Look(a *limit.Asker, position int, to Audience) (map[string]string, error) {
	past, err := r.Prefix(a, position)
	if err != nil {
		return nil, err
	}
	defer past.World().Close()
	page, used := r.presentPast(past, to.Language)
	a.Charge(presenting(past.World()))
	contents := map[string]string{}
	for _, panel := range to.panels(page) {
		if panel.Programs || panel.Program != "" && !slices.Contains(used, panel.Program) {
			continue
		}
		contents[panel.ID] = present.Markup(panel.Content)
		if err := a.Spend(Drawing(int64(len(contents[panel.ID])))); err != nil {
			return nil, err
		}
	}
	return contents, nil
}

func (r *Run) presentPast(past *engine.Run, l lang.Language) (page views.Page, used []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	page = r.presented().Panels(past, r.home.manager.Site(l))
	page.Tip = len(r.engine.Actions())
	return page, r.presented().UsedPrograms()
}

// Bytes is about how much it takes to write the run down.
func (r *Run) Bytes() int64 {
	_, n := r.size()
	return n
}

// Trace is what an exporter makes of the run.
func (r *Run) Trace(write func(*engine.Trace) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return write(&engine.Trace{Scenario: r.engine.Scenario(), Run: r.engine})
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

// NextViolation returns the next position at which a property begins to be violated.
func (r *Run) NextViolation(at int) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := views.NextBreak(r.engine.World().Breaks(), at)
	if next < 0 {
		return 0, errNoViolation
	}
	return next, nil
}

// Length is how many actions the run has.
func (r *Run) Length() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.engine.Actions())
}

// Side returns the run as one of two.
func (r *Run) Side(l lang.Language) present.Side {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.presented().Side(l)
}

// Begins returns what a page has of the log.
func (r *Run) Begins(a *limit.Asker, l lang.Language) *present.Piece {
	r.mu.Lock()
	defer r.mu.Unlock()
	log := r.presented().Log().Begin(l)
	a.Charge(Drawing(int64(log.Size)))
	return log
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
	a.Charge(r.tell("", r.now()))
}

// LookaheadsKept is how many answers a run keeps.
const LookaheadsKept = 64

// Foreseen returns the answer that the run keeps. The log only grows, so the answer stays true.
func (r *Run) Foreseen(what search.Lookahead) (search.Foresight, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f, ok := r.foreseen[what]
	return f, ok
}

// Foresee keeps an answer.
func (r *Run) Foresee(what search.Lookahead, f search.Foresight) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.foreseen == nil || len(r.foreseen) >= LookaheadsKept {
		r.foreseen = map[search.Lookahead]search.Foresight{}
	}
	r.foreseen[what] = f
}

// ID returns the id of the run.
func (r *Run) ID() string { return r.id }

// Log returns the log as it is now.
func (r *Run) Log() present.Log {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.presented().Log()
}

// Page makes the view model of the whole page of a run at a position, with the rows of the list that are wanted.
// The error is that of the pace.
func (r *Run) Page(a *limit.Asker, position int, want present.Rows, site views.Site) (views.Page, error) {
	var past *engine.Run
	if position != Anywhere && position < r.Length() {
		var err error
		if past, err = r.Prefix(a, position); err != nil {
			return views.Page{}, err
		}
		defer past.World().Close()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	a.Charge(presenting(r.engine.World()))
	if past == nil {
		past = r.engine
	}
	page, encoded := r.presented().Page(past, want, site)
	a.Charge(Drawing(int64(encoded)))
	return page, nil
}

// Full returns why the log of the run goes on, and the run does not; nil: it is as its log says.
func (r *Run) Full() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.full
}

// RunLog returns the name of a run's log in the store.
func RunLog(id string) string { return "t/" + id }

package explore

import (
	"cmp"
	"slices"

	"lockstep/engine"
	"lockstep/engine/check"
)

// A finding is a violation or a failure, in a state or by a transition from it.
type finding[K packed] struct {
	state  K
	depth  int
	byMove bool
	failed bool
	rank   uint64 // decides which finding the answer shows, in whatever order the search met them
}

// length returns how many actions lead to the finding.
func (f *finding[K]) length() int {
	if f.byMove {
		return f.depth + 1
	}
	return f.depth
}

// maxFindings is how many findings of one level are kept.
const maxFindings = 32

// least keeps the findings of least rank; failures only where there is nothing else.
func least[K packed](findings []finding[K]) []finding[K] {
	slices.SortFunc(findings, func(a, b finding[K]) int {
		if a.failed != b.failed {
			if a.failed {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.rank, b.rank)
	})
	findings = slices.CompactFunc(findings, func(a, b finding[K]) bool { return a.state == b.state && a.byMove == b.byMove })
	if i := slices.IndexFunc(findings, func(f finding[K]) bool { return f.failed }); i > 0 {
		findings = findings[:i]
	}
	return findings[:min(len(findings), maxFindings)]
}

// A link is a state on a shortest path to a finding, with the rest of the path.
type link[K packed] struct {
	state K
	find  int32
	cost  int32 // cost of reading: how often the actor changes, and how unusual the action is
	next  int32 // the next link; end: none
	other int32 // at the same state, on the path to another finding; end: none
	who   uint8
}

const end = -1

// A tracer finds the paths to the findings.
type tracer[K packed] struct {
	*search[K]
	w        *worker[K]
	findings []finding[K]
	links    list[link[K]]
}

// A path is a shortest path to a finding, by its first link.
type path struct{ first, length, cost, find int }

// trace finds a shortest path to each finding, of all those the easiest to read, and shows one for each cause, at most that many.
// The search keeps no paths. trace looks once more at the states of each level, from the last to the first, for those from
// which the next are reached. It leaves out the paths that the budget does not suffice for.
func (s *search[K]) trace(findings []finding[K], most int) (shown []Counterexample, err error) {
	t := tracer[K]{search: s, w: s.workers[0], findings: findings}
	s.within(func() {
		for _, path := range t.paths() {
			var actions []engine.Action
			if !decided(func() { actions = t.actions(path) }) {
				continue
			}
			var c *Counterexample
			if c, err = s.replay(actions, findings[path.find]); err != nil {
				return
			}
			if c != nil && !slices.ContainsFunc(shown, func(other Counterexample) bool { return other.Cause == c.Cause }) {
				shown = append(shown, *c)
			}
			if len(shown) == most {
				return
			}
		}
	})
	t.w.publish()
	return shown, err
}

// paths returns a path to each finding, the shortest first, and of those the one that is easiest to read.
func (t *tracer[K]) paths() []path {
	deepest := 0
	for _, f := range t.findings {
		deepest = max(deepest, f.depth)
	}
	var wanted, origins table[K, int32] // the first link at each state
	for depth := deepest; ; depth-- {
		for i, f := range t.findings {
			if f.depth == depth {
				t.link(&wanted, link[K]{state: f.state, find: int32(i), next: end, who: nobody})
			}
		}
		if depth == 0 {
			break
		}
		t.each(depth-1, func(k *K) { t.origin(k, &wanted, &origins) })
		wanted, origins = origins, wanted
		origins.reset(&t.w.meter)
	}
	var all []path
	for i := range wanted.length {
		for at := wanted.at(i).value; at != end; at = t.links.at(int(at)).other {
			l := t.links.at(int(at))
			all = append(all, path{int(at), t.findings[l.find].length(), int(l.cost), int(l.find)})
		}
	}
	slices.SortFunc(all, func(a, b path) int {
		return cmp.Or(cmp.Compare(a.length, b.length), cmp.Compare(a.cost, b.cost), cmp.Compare(a.find, b.find))
	})
	return all
}

// origin links a state to the wanted states that are reached from it.
func (t *tracer[K]) origin(k *K, wanted, origins *table[K, int32]) {
	var from state
	unpack(&t.layout, t.setup, k, &from)
	enabled := t.w.enabled(&from)
	t.w.spend(lookWork * int64(len(enabled)))
	for i := range enabled {
		var to state
		t.w.successor(&to, &from, &enabled[i])
		next, fits := t.w.packed(&to)
		first := wanted.get(next)
		if first == nil || !fits {
			continue
		}
		for at := *first; at != end; at = t.links.at(int(at)).other {
			t.better(origins, &enabled[i], *k, at)
		}
	}
}

// link adds a link to its state.
func (t *tracer[K]) link(at *table[K, int32], l link[K]) {
	t.w.spend(lookWork)
	first := at.get(l.state)
	if first == nil {
		first = at.put(&t.w.meter, l.state, end)
	}
	l.other, *first = *first, int32(t.links.length)
	t.links.add(&t.w.meter, l)
}

// nobody acts after the end of a path, and clock acts in a tick.
const (
	nobody = 255
	clock  = 254
)

// actor returns who acts in a transition.
func actor(m *transition) uint8 {
	if m.kind == kindTick || m.kind == kindNodeCrash || m.kind == kindNodeRestart || m.kind == kindFailover {
		return clock
	}
	return m.client
}

// penalty is what each kind of action adds to the cost of a path.
var penalty = [...]int32{kindDrop: 2, kindCrash: 2, kindDeliver: 4, kindResume: 1, kindNodeCrash: 2, kindNodeRestart: 1, kindFailover: 2, kindTick: 0}

// better keeps, for each finding, the path from k that is easier to read.
func (t *tracer[K]) better(origins *table[K, int32], m *transition, k K, next int32) {
	rest, who := t.links.at(int(next)), actor(m)
	cost := rest.cost + penalty[m.kind]
	if who != rest.who {
		cost += 2
	}
	if first := origins.get(k); first != nil {
		for at := *first; at != end; {
			l := t.links.at(int(at))
			if l.find == rest.find {
				if cost < l.cost {
					l.cost, l.who, l.next = cost, who, next
				}
				return
			}
			at = l.other
		}
	}
	t.link(origins, link[K]{state: k, find: rest.find, cost: cost, next: next, who: who})
}

// packed returns the state that the search keeps for s. fits is false where it has no place for it: a search that ended early
// may have met components that have none. It changes s.
func (w *worker[K]) packed(s *state) (k K, fits bool) {
	if w.Symmetry {
		w.canonical(s)
	}
	return pack[K](&w.search.layout, w.setup, s)
}

// each calls what with every state of a depth that can be decided.
func (s *search[K]) each(depth int, what func(k *K)) {
	for _, w := range s.workers {
		for i := w.ends[depth]; i < w.ends[depth+1]; i++ {
			decided(func() { what(w.queue.at(i)) })
		}
	}
}

// actions returns the actions along a path.
func (t *tracer[K]) actions(along path) []engine.Action {
	w, f, l := t.w, t.findings[along.find], t.links.at(along.first)
	var actions []engine.Action
	var at state
	unpack(&t.layout, t.setup, &l.state, &at)
	choose := func(who uint8, wanted func(m *transition, to state) bool) {
		var to state
		enabled := w.enabled(&at)
		chosen := -1
		for i := range enabled {
			// Several transitions may lead there: the path follows the one whose cost it counts.
			w.successor(&to, &at, &enabled[i])
			if wanted(&enabled[i], to) && (chosen < 0 || actor(&enabled[i]) == who) {
				chosen = i
			}
		}
		if chosen < 0 {
			panic(undecided{}) // the search is deterministic: only clients that are not alike, and were taken for alike, come here
		}
		actions = append(actions, w.action(&enabled[chosen]))
		w.successor(&to, &at, &enabled[chosen])
		at = to
	}
	for l.next != end {
		next := t.links.at(int(l.next))
		choose(l.who, func(_ *transition, to state) bool {
			k, fits := w.packed(&to)
			return fits && k == next.state
		})
		l = next
	}
	if f.byMove {
		choose(nobody, func(m *transition, _ state) bool { return m.violates })
	}
	return actions
}

// replay does the actions in the engine, and takes the violation and its cause
// from there. It returns none where a run has no room for the violation, or no
// work left to judge it, and where the run violated the property before the
// search began.
func (s *search[K]) replay(actions []engine.Action, f finding[K]) (*Counterexample, error) {
	run := engine.NewRun(s.header, s.properties()...)
	defer func() { s.workers[0].release(run.World().Meter().Bytes()) }()
	if s.From != nil {
		for _, a := range s.From.Actions() {
			if _, ok := s.redo(run, a); !ok {
				return nil, nil
			}
		}
	}
	past, seen := len(run.Actions()), len(run.World().Events())
	scenario := run.Scenario()
	for i, a := range actions {
		events, ok := s.redo(run, a)
		if !ok {
			return nil, nil
		}
		scenario.Lines = append(scenario.Lines, engine.Line{Number: past + i + 1, Actions: []engine.Action{a}, Comment: remark(events)})
	}
	c := &Counterexample{Scenario: scenario, Length: len(actions), Actions: actions}
	log := run.World().Events()
	if len(actions) == 0 {
		seen = 0 // the run violated it before the search began
	}
	for i := seen; i < len(log); i++ {
		e := &log[i]
		if f.failed && e.Kind == engine.Error {
			event := *e // without the log
			return nil, &FailureError{Scenario: scenario, Client: e.Lane, event: &event}
		}
		if e.Kind != engine.Violated {
			continue
		}
		c.Clients = e.Violation.Clients
		if e.Violation.Cause > 0 {
			c.Cause = causeOf(log, e.Violation.Cause)
			c.CausedBy = log[e.Violation.Cause-1].Lane
			c.Why, c.Overrun = why(log, e.Violation.Cause)
			if c.Cause.Command != "" {
				c.CausedBy = log[e.Violation.Cause-1].Call.Client
			}
		}
		scenario.Lines = append(scenario.Lines, engine.Line{Number: past + len(actions) + 1, Expect: &engine.Expectation{Subject: engine.ExpectViolation, Property: s.property.Name, Clients: c.Clients}})
		return c, nil
	}
	return nil, nil
}

// properties returns the property that a counterexample's run judges, with its
// cause.
func (s *setup) properties() []engine.Property {
	if p, ok := check.Named(s.property.Name); ok {
		return []engine.Property{p.Property}
	}
	return nil
}

// redo does an action in a run, and reports whether the run has room for it.
func (s *search[K]) redo(run *engine.Run, a engine.Action) (events []engine.Event, ok bool) {
	w, m := run.World(), &s.workers[0].meter
	effort, bytes := w.Meter().Effort(), w.Meter().Bytes()
	done, err := run.Do(a)
	if refusal := w.Can(a); err != nil && refusal != nil && w.Full() == nil {
		panic("explore: " + a.String() + ": " + refusal.Error()) // the engine is deterministic
	}
	m.hold(w.Meter().Bytes() - bytes)
	m.spend(w.Meter().Effort() - effort)
	return done.Events, err == nil
}

// remark returns the comment on an action's events: the command and its reply.
func remark(events []engine.Event) string {
	for i := range events {
		switch e := &events[i]; e.Kind {
		case engine.Deliver, engine.Write, engine.Reject:
			return e.Call.Label() + " -> " + e.Execution.Reply.Plain()
		}
	}
	return ""
}

// causeOf returns the event that made it inevitable, without the names and
// times of the one run.
func causeOf(log []engine.Event, seq int) Cause {
	e := &log[seq-1]
	c := Cause{Kind: e.Kind}
	if e.Call == nil || e.Kind != engine.Deliver {
		return c
	}
	c.Command = e.Call.Command[0]
	for i := range log {
		if sent := &log[i]; sent.Kind == engine.Send && sent.Call.ID == e.Call.ID {
			c.Line = sent.Line
		}
	}
	return c
}

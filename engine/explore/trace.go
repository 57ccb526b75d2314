package explore

import (
	"cmp"
	"fmt"
	"slices"

	"lockstep/engine"
	"lockstep/engine/check"
)

// A find is a violation or a failure, in a state or by a move from it.
type find[K packed] struct {
	state  K
	depth  int
	byMove bool
	failed bool
	rank   uint64 // it decides which find is told, however the search went
}

// mostFinds is how many finds of one level are kept.
const mostFinds = 32

// least keeps the finds of least rank; failures only where there is nothing else.
func least[K packed](finds []find[K]) []find[K] {
	slices.SortFunc(finds, func(a, b find[K]) int {
		if a.failed != b.failed {
			if a.failed {
				return 1
			}
			return -1
		}
		return cmp.Compare(a.rank, b.rank)
	})
	finds = slices.CompactFunc(finds, func(a, b find[K]) bool { return a.state == b.state && a.byMove == b.byMove })
	if i := slices.IndexFunc(finds, func(f find[K]) bool { return f.failed }); i > 0 {
		finds = finds[:i]
	}
	return finds[:min(len(finds), mostFinds)]
}

// A link is a state on a shortest way to a find, with the rest of the way.
type link[K packed] struct {
	state K
	find  int
	cost  int // to read: how often another one acts, and how odd it is
	who   uint8
	next  *link[K]
}

// trace finds a shortest way to each find, of all those the easiest to read. The
// search keeps no ways: it looks once more at the states of each level, from the
// last to the first, for those from which the next are reached.
func (s *search[K]) trace(finds []find[K]) ([]Counterexample, error) {
	w := s.workers[0]
	deepest := 0
	for _, f := range finds {
		deepest = max(deepest, f.depth)
	}
	wanted := map[K][]*link[K]{}
	for depth := deepest; ; depth-- {
		for i, f := range finds {
			if f.depth == depth {
				wanted[f.state] = append(wanted[f.state], &link[K]{state: f.state, find: i, who: nobody})
			}
		}
		if depth == 0 {
			break
		}
		origins := map[K][]*link[K]{}
		if !s.each(depth-1, func(k *K) {
			var from state
			unpack(&s.layout, s.setup, k, &from)
			moves := w.possible(&from)
			for i := range moves {
				var to state
				w.after(&to, &from, &moves[i])
				for _, next := range wanted[w.packed(&to)] {
					origins[*k] = better(origins[*k], &moves[i], *k, next)
				}
			}
		}) {
			return nil, errStopped
		}
		wanted = origins
	}
	var found []Counterexample
	for _, ways := range wanted {
		for _, way := range ways {
			run, err := s.replay(w.tell(way, finds[way.find]), finds[way.find])
			if err != nil {
				return nil, err
			}
			run.cost, run.order = way.cost, way.find
			found = append(found, *run)
		}
	}
	return found, nil
}

// nobody is who acts after the end of a way, and clock who acts in a tick.
const (
	nobody = 255
	clock  = 254
)

// actor is who acts in a move.
func actor(m *move) uint8 {
	if m.deed == ticks || m.deed == crashesNode || m.deed == restartsNode {
		return clock
	}
	return m.client
}

// better keeps, for each find, the way from k that is easier to read.
func better[K packed](known []*link[K], m *move, k K, next *link[K]) []*link[K] {
	who := actor(m)
	cost := next.cost + map[deed]int{crashes: 2, delivers: 4, resumes: 1, crashesNode: 2, restartsNode: 1}[m.deed]
	if who != next.who {
		cost += 2
	}
	for _, l := range known {
		if l.find == next.find {
			if cost < l.cost {
				l.cost, l.who, l.next = cost, who, next
			}
			return known
		}
	}
	return append(known, &link[K]{k, next.find, cost, who, next})
}

// packed is the state that the search keeps for s. It changes s.
func (w *worker[K]) packed(s *state) K {
	if w.Symmetry {
		w.canonical(s)
	}
	k, _ := pack[K](&w.search.layout, w.setup, s)
	return k
}

// each calls what with every state of a depth, as long as somebody waits for it.
func (s *search[K]) each(depth int, what func(k *K)) bool {
	for _, w := range s.workers {
		for i := w.ends[depth]; i < w.ends[depth+1]; i++ {
			if i%pieceSize == 0 && s.hands.Progress != nil && !s.hands.Progress(s.figures()) {
				return false
			}
			what(w.met.at(i))
		}
	}
	return true
}

// tell is the actions that lead along a way.
func (w *worker[K]) tell(way *link[K], f find[K]) []engine.Action {
	var actions []engine.Action
	var at state
	unpack(&w.search.layout, w.setup, &way.state, &at)
	choose := func(who uint8, wanted func(m *move, to state) bool) {
		var to state
		moves := w.possible(&at)
		chosen := -1
		for i := range moves {
			// Several moves may lead there: the one whose cost was counted is meant.
			w.after(&to, &at, &moves[i])
			if wanted(&moves[i], to) && (chosen < 0 || actor(&moves[i]) == who) {
				chosen = i
			}
		}
		if chosen < 0 {
			panic("explore: a way that was found cannot be gone") // the search is deterministic
		}
		actions = append(actions, w.action(&moves[chosen]))
		w.after(&to, &at, &moves[chosen])
		at = to
	}
	for ; way.next != nil; way = way.next {
		choose(way.who, func(_ *move, to state) bool { return w.packed(&to) == way.next.state })
	}
	if f.byMove {
		choose(nobody, func(m *move, _ state) bool { return m.violates })
	}
	return actions
}

// replay does the actions in the engine itself, and takes the violation and its
// cause from there.
func (s *search[K]) replay(actions []engine.Action, f find[K]) (*Counterexample, error) {
	run := s.run()
	past, seen := len(run.Actions()), len(run.World().Events())
	scenario := run.Scenario()
	for i, a := range actions {
		events, err := run.Do(a)
		if err != nil {
			return nil, fmt.Errorf("explore: replaying %s: %w", a, err)
		}
		scenario.Lines = append(scenario.Lines, engine.Line{Number: past + i + 1, Actions: []engine.Action{a}, Comment: remark(events)})
	}
	c := &Counterexample{Scenario: scenario, Length: len(actions), Actions: actions}
	log := run.World().Events()
	if len(actions) == 0 {
		seen = 0 // it was violated before the search began
	}
	for i := seen; i < len(log); i++ {
		e := &log[i]
		if f.failed && e.Kind == engine.Error {
			return nil, &FailureError{Scenario: scenario, Client: e.Lane, event: e}
		}
		if e.Kind != engine.Violated {
			continue
		}
		c.Clients = e.Violation.Clients
		if e.Violation.Cause > 0 {
			c.Cause = causeOf(log, e.Violation.Cause)
		}
		scenario.Lines = append(scenario.Lines, engine.Line{Number: past + len(actions) + 1, Expect: &engine.Expectation{Subject: engine.ExpectViolation, Property: s.property.Name, Clients: c.Clients}})
		return c, nil
	}
	return nil, fmt.Errorf("explore: the engine sees no violation of %s in\n%s", s.property.Name, scenario)
}

// run is the run that the search begins with, judging the one property.
func (s *search[K]) run() *engine.Run {
	var properties []engine.Property
	if p, ok := check.Named(s.property.Name); ok {
		properties = append(properties, p)
	}
	run := engine.NewRun(s.header, properties...)
	if s.From == nil {
		return run
	}
	for _, a := range s.From.Actions() {
		if _, err := run.Do(a); err != nil {
			panic("explore: a replayed action was refused: " + err.Error()) // the engine is deterministic
		}
	}
	return run
}

// remark is what a learner wants to know of an action's events: the command and its reply.
func remark(events []engine.Event) string {
	for i := range events {
		switch e := &events[i]; e.Kind {
		case engine.Deliver, engine.Write, engine.Reject:
			return e.Call.Label() + " -> " + e.Execution.Reply.Plain()
		}
	}
	return ""
}

// causeOf is the guilty event without the names and times of the one run.
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

// byCause keeps one run of each cause: of the shortest the one that is easiest to read.
func byCause(runs []Counterexample, most int) []Counterexample {
	slices.SortFunc(runs, func(a, b Counterexample) int {
		return cmp.Or(cmp.Compare(a.Length, b.Length), cmp.Compare(a.cost, b.cost), cmp.Compare(a.order, b.order))
	})
	var kept []Counterexample
	for _, r := range runs {
		if !slices.ContainsFunc(kept, func(k Counterexample) bool { return k.Cause == r.Cause }) && len(kept) < most {
			kept = append(kept, r)
		}
	}
	return kept
}

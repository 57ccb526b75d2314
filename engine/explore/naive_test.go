package explore_test

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/engine/testtools"
)

// This file states the explorer's rules a second time and in the plainest way:
// it runs every schedule from its first action, on a new world with its own
// Redis, and the engine judges it on the way. It caches, forks and looks up
// nothing. It is a thousand times slower than Search, and has to find the same.

// A tree holds every interleaving within the bounds of a question, level by
// level.
type tree struct {
	moments  []moment
	levels   []level
	violated map[string]int // by property: the level of its first violation
	failed   int            // the level of the first failure of a program; 0: none fails
}

// A moment is a state, with the first of the shortest schedules that lead
// there.
type moment struct {
	schedule []engine.Action
	id       string
	spent    spent
	possible []engine.Action // the actions that can happen next
	busy     bool            // a message is in flight, or a client on the run's clock could leave
}

// spent is the part of the bounds that a schedule has used.
type spent struct{ ticks, crashes, delays, faults, losses, failovers int }

// A level holds the states that n actions reach and no fewer do.
type level struct {
	states  int64
	actions int64 // actions possible in them
}

// grow runs every schedule.
func grow(t testing.TB, q explore.Question) *tree {
	t.Helper()
	return growTelling(t, q, func(*engine.World) string { return "" })
}

// growTelling also distinguishes states by a part of their past.
func growTelling(t testing.TB, q explore.Question, past func(*engine.World) string) *tree {
	t.Helper()
	found := &tree{violated: map[string]int{}}
	known := map[string]bool{}
	meet := func(m moment) {
		w := rerun(t, q, m.schedule, check.All()...)
		defer w.Close()
		for _, e := range w.Events() {
			if e.Kind != engine.Violated {
				continue
			}
			if _, before := found.violated[e.Violation.Property]; !before {
				found.violated[e.Violation.Property] = len(m.schedule)
			}
		}
		if found.failed == 0 && slices.ContainsFunc(w.Clients(), func(c *engine.Client) bool { return c.Status == engine.Failed && !c.CutOff }) {
			found.failed = len(m.schedule)
		}
		if m.id = identity(q, w, m.spent) + past(w); !known[m.id] {
			known[m.id] = true
			m.busy = inFlight(w) || couldLeave(q, w)
			m.possible = possible(q, w, m)
			found.add(m)
		}
	}
	meet(moment{})
	for i := 0; i < len(found.moments); i++ {
		from := found.moments[i]
		if found.failed > 0 && len(from.schedule) >= found.failed {
			break // the answer; growTelling looks at nothing beyond it
		}
		for _, a := range from.possible {
			meet(moment{schedule: append(slices.Clone(from.schedule), a), spent: from.after(q, a)})
		}
	}
	return found
}

// first returns the first moment for which is returns true, or nil.
func (f *tree) first(t testing.TB, q explore.Question, is func(*engine.World) bool) *moment {
	t.Helper()
	for i := range f.moments {
		w := rerun(t, q, f.moments[i].schedule, check.All()...)
		found := is(w)
		w.Close()
		if found {
			return &f.moments[i]
		}
	}
	return nil
}

// String returns the schedule as scenario text.
func (m *moment) String() string {
	var b strings.Builder
	for _, a := range m.schedule {
		b.WriteString(a.String() + "\n")
	}
	return b.String()
}

func (f *tree) add(m moment) {
	f.moments = append(f.moments, m)
	if len(m.schedule) == len(f.levels) {
		f.levels = append(f.levels, level{})
	}
	f.levels[len(m.schedule)].states++
	f.levels[len(m.schedule)].actions += int64(len(m.possible))
}

// rerun returns the world after a schedule. It judges the properties on the
// last action only: schedules come in the order of their length, and the tree
// has found any earlier violation already.
func rerun(t testing.TB, q explore.Question, schedule []engine.Action, properties ...engine.Property) *engine.World {
	t.Helper()
	last := false
	for i, p := range properties {
		properties[i].Judge = func(w *engine.World, latest []engine.Event, before []engine.Violation) []engine.Violation {
			if !last {
				return nil
			}
			return p.Judge(w, latest, before)
		}
	}
	w := engine.New(header(q), properties...)
	for i, a := range schedule {
		last = i == len(schedule)-1
		if _, err := w.Apply(a, engine.MaxActionWork); err != nil {
			t.Fatalf("%v: %s: %v", schedule, a, err)
		}
	}
	return w
}

func header(q explore.Question) engine.Header {
	h := engine.Header{Program: q.Program.Name, Options: engine.Options{Timeout: q.Timeout, Retry: cmp.Or(q.Retry, tick(q))}, Nodes: q.Nodes, Within: q.Within}
	if builtin, _ := program.Builtin(q.Program.Name); builtin != q.Program {
		h.Own = []*program.Program{q.Program}
	}
	return h
}

// tick returns how far the clock moves at once, "default 1 s". "A failed
// attempt sleeps retry (default one tick)."
func tick(q explore.Question) engine.Time { return cmp.Or(q.Tick, 1000) }

// lengths returns those that a tick may have.
func lengths(q explore.Question) []engine.Time {
	if len(q.Lengths) > 0 {
		return q.Lengths
	}
	return []engine.Time{tick(q)}
}

// identity returns a key for a state: "a state is (store, clock, each client)",
// and the rest of the bounds. How many grants a Redis node has given matters
// only to a client that writes to the storage under one of them.
func identity(q explore.Question, w *engine.World, s spent) string {
	parts := []string{w.Now().String(), fmt.Sprint(s)}
	for n := range len(w.Nodes()) + 1 { // the last one is the storage
		store := w.Store(n)
		if !w.UsesStorage() {
			store.Grants = 0 // nobody asks how many locks it has given
		}
		if q.Failovers == 0 {
			store.Replica = nil // it never takes over
		}
		if q.RestartDelay == 0 {
			store.Since = 0 // it may come back at any moment
		}
		parts = append(parts, store.Key())
	}
	property, _ := check.Named(q.Property)
	for _, c := range slices.SortedFunc(slices.Values(w.Clients()), byName) {
		parts = append(parts, c.Name, c.Key())
		if property.Looks != nil {
			parts = append(parts, property.Looks(c))
		}
	}
	return strings.Join(parts, "\n")
}

func byName(a, b *engine.Client) int { return strings.Compare(a.Name, b.Name) }

// possible follows the rules of model.md, "What it explores, exactly".
func possible(q explore.Question, w *engine.World, m moment) []engine.Action {
	var actions []engine.Action
	may := func(verb engine.Verb, c *engine.Client) {
		actions = append(actions, engine.Action{Verb: verb, Client: c.Name})
	}
	// "Clients are spawned in order, each spawn an action of its own, at any moment."
	if n := len(w.Clients()); n < q.Clients {
		name := fmt.Sprintf("C%d", n+1)
		actions = append(actions, engine.Action{Verb: engine.VerbSpawn, Client: name, Options: engine.Options{Skew: q.Skew[name]}})
	}
	for _, c := range w.Clients() {
		// "step Ci for each client with a command in flight or in its critical
		// section." Where replies take time, the two halves of a step.
		command, replied := c.InFlight()
		halves := q.Replies || q.Losses > 0
		switch {
		case command != nil && halves && replied:
			may(engine.VerbReceive, c)
		case command != nil && halves:
			may(engine.VerbDeliver, c)
		case command != nil || c.Status == engine.Inside && !c.Sleeps():
			may(engine.VerbStep, c)
		}
		// "drop Ci for a live client with a message in flight, at most --losses times."
		if command != nil && c.Orphan() == nil && m.spent.losses < q.Losses {
			may(engine.VerbDrop, c)
		}
		// "Its request in flight stays in flight and may still arrive."
		if c.Orphan() != nil {
			may(engine.VerbDeliver, c)
		}
		// "crash Ci for a live client that is not done, at most --crashes times."
		if c.Live() && m.spent.crashes < q.Crashes {
			may(engine.VerbCrash, c)
		}
	}
	// "redis crash and redis restart, at most NodeCrashes times."
	for n := range w.Nodes() {
		fault := engine.Action{Node: n + 1}
		if len(w.Nodes()) == 1 {
			fault.Node = 0
		}
		// "redis failover, at most Failovers times."
		if m.spent.failovers < q.Failovers {
			fault.Verb = engine.VerbFailover
			actions = append(actions, fault)
		}
		switch since := w.Store(n).Since; {
		case !w.Down(n) && m.spent.faults < q.NodeCrashes:
			fault.Verb, fault.Lose = engine.VerbRedisCrash, q.Lose
			actions = append(actions, fault)
		case w.Down(n) && w.Now() >= since+engine.Time(q.RestartDelay)*tick(q):
			fault.Verb = engine.VerbRedisRestart
			actions = append(actions, fault)
		}
	}
	// "tick while fewer than --ticks have passed."  "--delays N bounds how many
	// ticks may pass while some request is in flight."
	if m.spent.ticks < q.Ticks && (!m.busy || q.Delays == explore.Any || m.spent.delays < q.Delays) {
		for _, length := range lengths(q) {
			actions = append(actions, engine.Action{Verb: engine.VerbTick, Time: length})
		}
	}
	return actions
}

// inFlight reports whether a message is on its way.
func inFlight(w *engine.World) bool {
	return slices.ContainsFunc(w.Clients(), func(c *engine.Client) bool {
		command, _ := c.InFlight()
		return command != nil || c.Orphan() != nil
	})
}

// couldLeave reports whether a client is inside and does not sleep there, where that counts.
func couldLeave(q explore.Question, w *engine.World) bool {
	return q.Clocked && q.Property == check.BoundedWait.Name && slices.ContainsFunc(w.Clients(), func(c *engine.Client) bool {
		return c.Status == engine.Inside && !c.Sleeps() && c.Program.Recorded()
	})
}

// after returns the used bounds after one more action. Where delays have no
// bound, it counts none.
func (m moment) after(q explore.Question, a engine.Action) spent {
	s := m.spent
	switch a.Verb {
	case engine.VerbCrash:
		s.crashes++
	case engine.VerbDrop:
		s.losses++
	case engine.VerbFailover:
		s.failovers++
	case engine.VerbRedisCrash:
		s.faults++
	case engine.VerbTick:
		s.ticks++
		if m.busy && q.Delays != explore.Any {
			s.delays++
		}
	}
	return s
}

// orbits keeps one among all moments whose schedules differ only in the
// clients' names. A renamed schedule may be impossible: C2 may spawn in it
// before C1. It has the same future all the same.
func (f *tree) orbits(t testing.TB, q explore.Question) *tree {
	t.Helper()
	kept := &tree{violated: f.violated, failed: f.failed}
	known := map[string]bool{}
	for _, m := range f.moments {
		least := m.id
		for _, names := range renamings(spawned(m.schedule)) {
			w := rerun(t, q, renamed(m.schedule, names))
			least = min(least, identity(q, w, m.spent))
			w.Close()
		}
		if !known[least] {
			known[least] = true
			kept.add(m)
		}
	}
	return kept
}

// spawned returns the clients in a schedule.
func spawned(schedule []engine.Action) []string {
	var names []string
	for _, a := range schedule {
		if a.Verb == engine.VerbSpawn {
			names = append(names, a.Client)
		}
	}
	return names
}

// renamings returns all the ways in which clients can exchange their names,
// except the one in which each keeps its own.
func renamings(names []string) []map[string]string {
	all := []map[string]string{{}}
	for _, name := range names {
		var longer []map[string]string
		for _, r := range all {
			taken := slices.Collect(maps.Values(r))
			for _, other := range names {
				if !slices.Contains(taken, other) {
					more := maps.Clone(r)
					more[name] = other
					longer = append(longer, more)
				}
			}
		}
		all = longer
	}
	return all[1:]
}

func renamed(schedule []engine.Action, names map[string]string) []engine.Action {
	schedule = slices.Clone(schedule)
	for i := range schedule {
		schedule[i].Client = names[schedule[i].Client]
	}
	return schedule
}

// within lists the bounds for running every schedule of every program.
var within = []string{
	"clients=2 ticks=3 delays=0",
	"clients=2 ticks=1 tick=3s crashes=1",
	"clients=2 ticks=2 tick=2s delays=1",
	"clients=2 ticks=1 tick=2s replies",
	"clients=2 ticks=1 skew=C2=3s",
	"clients=3 ticks=1 tick=3s delays=0",
	"clients=2 ticks=1 tick=2s delays=0 node-crashes=1 lose",
	"clients=2 ticks=2 lengths=1s+3s delays=1",
	"clients=2 ticks=1 tick=2s losses=1",
	"clients=2 ticks=2 tick=1s delays=0 failovers=1",
}

// withinLarge lists them for programs with many commands or with scripts, which
// take their time.
var withinLarge = []string{
	"clients=2 ticks=1 tick=3s delays=0 crashes=1",
	"clients=2 ticks=1 tick=2s delays=1",
	"clients=2 ticks=1 tick=2s delays=0 replies",
	"clients=2 ticks=1 skew=C2=3s delays=0",
	"clients=2 ticks=1 lengths=1s+3s delays=0",
	"clients=2 ticks=1 tick=2s delays=0 losses=1",
	"clients=2 ticks=1 tick=2s delays=0 failovers=1",
}

// Search finds the same as every schedule: as many states and transitions, the
// same verdict on every property, and no counterexample longer than necessary.
func TestAgainstEverySchedule(t *testing.T) {
	// Every program needs minutes. Some that differ in what they do to the key stand for the rest, and their bounds turn, so
	// that together they have all of them.
	few := []string{"getset", "set-px-get-del", "naive", "del-setnx", "java", "set-px", "setnx-expire", "set-px-renew-blind", "redlock"}
	for i, name := range testtools.InCircle(few[:3], few, program.Names()) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all := within
			if large(name) {
				all = withinLarge
			}
			first := 2 * i % len(all)
			turned := append(slices.Clone(all[first:]), all[:first]...)
			for _, bounds := range turned[:testtools.InCircle(2, 2, len(turned))] {
				q := claim{program: name, bounds: "timeout=1s " + bounds}.question(t)
				found := grow(t, q)
				compare(t, bounds, q, found)
				// Six schedules for each one with three clients take their time. Two programs stand for those that know
				// names and those that do not.
				if q.Skew == nil && (q.Clients == 2 || name == "getset" || name == "set-px-get-del") {
					q.Symmetry = true
					compare(t, bounds+" symmetry", q, found.orbits(t, q))
				}
			}
		})
	}
}

// large reports whether a program has many commands: a test has time for only a
// few of its clients.
func large(name string) bool {
	return slices.Contains([]string{"getset-compare-delete", "takeover-cas", "set-px", "set-px-late-lease", "set-px-watchdog", "set-px-fencing", "set-px-fencing-incr", "redlock"}, name)
}

// compare compares every property, and a search without one.
func compare(t *testing.T, bounds string, q explore.Question, all *tree) {
	t.Helper()
	compareOn(t, append(check.Names(), ""), bounds, q, all)
}

func compareOn(t *testing.T, properties []string, bounds string, q explore.Question, all *tree) {
	t.Helper()
	for _, property := range properties {
		if q.Property = property; property == check.BoundedWait.Name && q.Within == 0 {
			continue // its schedules differ in when somebody began to wait: see TestWaitsAgainstEverySchedule
		}
		a, err := q.Search(explore.Budget{}, explore.Runtime{}, 1)
		if broken, ok := all.violated[property]; all.failed > 0 && (!ok || broken > all.failed) {
			failure := (*explore.FailureError)(nil)
			if !errors.As(err, &failure) || failure.Scenario == nil || len(failure.Scenario.Actions()) != all.failed {
				t.Errorf("%s %s: the program fails after %d actions: %v", bounds, property, all.failed, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s %s: %v", bounds, property, err)
			continue
		}
		got := outcome{a.Verdict, a.States, a.Transitions, a.Depth, length(a)}
		if want := all.outcome(property); got != want {
			t.Errorf("%s %s: Search finds\n\t%+v, every schedule\n\t%+v", bounds, property, got, want)
		}
	}
}

// An outcome is the comparable part of an answer.
type outcome struct {
	verdict             explore.Verdict
	states, transitions int64
	depth, length       int
}

// outcome returns the outcome that a search for a property has to find. It
// looks at whole levels, and at none beyond the first violation.
func (f *tree) outcome(property string) outcome {
	length, broken := f.violated[property]
	o := outcome{verdict: holds, length: length}
	if broken {
		o.verdict = violated
	}
	for depth, level := range f.levels {
		if broken && depth > length {
			break
		}
		o.states, o.depth = o.states+level.states, depth
		if !broken || depth < length {
			o.transitions += level.actions
		}
	}
	return o
}

// Two Redis nodes go down and come back, with and without their data, under a
// program that asks both and under one that knows only one and is cut off. A crash and a failover of one node are two faults.
func TestNodesAgainstEverySchedule(t *testing.T) {
	both, err := program.Parse("both", `
def acquire(c):
    votes = 0
    for node in c.nodes:
        if node.try_setnx("lock.foo", c.name) == 1:
            votes += 1
    if votes == len(c.nodes):
        return c.now() + 1
    return None

def release(c, lease):
    for node in c.nodes:
        node.try_delete("lock.foo")
`)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []*program.Program{both, builtin(t, "getset")} {
		all := []string{
			"nodes=2 clients=2 ticks=0 node-crashes=1 lose",
			"nodes=1 clients=1 ticks=0 node-crashes=1 failovers=1",
			"nodes=2 clients=1 ticks=2 node-crashes=2 restart-delay=1 delays=1",
			"nodes=2 clients=2 ticks=1 tick=2s node-crashes=1 restart-delay=1 delays=0",
			"nodes=1 clients=2 ticks=1 node-crashes=1 crashes=1 replies",
			"nodes=2 clients=2 ticks=1 node-crashes=1 failovers=1 delays=0",
		}
		for _, bounds := range all[:testtools.InCircle(2, 4, len(all))] {
			q := claim{program: "naive", bounds: bounds}.question(t)
			q.Program = p
			all := grow(t, q)
			compare(t, p.Name+" "+bounds, q, all)
			q.Symmetry = true
			compare(t, p.Name+" "+bounds+" symmetry", q, all.orbits(t, q))
		}
	}
}

// A program's holds may change within one tick: two clients believe at once,
// and neither before nor after it do they.
func TestBeliefWithinATick(t *testing.T) {
	p, err := program.Parse("flickers", `
def acquire(c):
    return c.incr("tickets")

def release(c, lease):
    pass

def holds(c, lease):
    return c.now_ms() % 2000 < 1000
`)
	if err != nil {
		t.Fatal(err)
	}
	q := claim{program: "naive", bounds: "clients=2 ticks=2 skew=C2=1500ms"}.question(t)
	q.Program = p
	all := grow(t, q)
	if all.violated["mutual-exclusion"] != 5 {
		t.Errorf("the violation takes %d actions", all.violated["mutual-exclusion"])
	}
	compare(t, p.Name, q, all)
}

// A client loses its lock before it has heard that it is in: the search also finds
// the violation by the other client's command.
func TestRemovalBeforeTheClientIsIn(t *testing.T) {
	p, err := program.Parse("rude", `
def acquire(c):
    if c.setnx("lock.foo", "taken") == 1:
        c.exists("lock.foo")
        return True
    c.delete("lock.foo")
    return None

def release(c, lease):
    pass
`)
	if err != nil {
		t.Fatal(err)
	}
	q := claim{program: "naive", bounds: "clients=2 ticks=1 crashes=1"}.question(t)
	q.Program = p
	all := grow(t, q)
	if all.violated["foreign-delete"] != 6 { // spawn, spawn, SETNX, SETNX, DEL, EXISTS
		t.Errorf("the violation takes %d actions", all.violated["foreign-delete"])
	}
	compare(t, "rude", q, all)
}

package explore_test

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/testtools"
)

// The answer does not depend on the way of searching.

// Counting clients that differ only in their names once saves states. It
// changes neither the verdict nor the length of the shortest counterexample.
func TestSymmetryChangesNoAnswer(t *testing.T) {
	for i, name := range program.Names() {
		properties := check.Names()
		one := properties[i%len(properties):][:1] // the programs share the properties where there is no time for each with each
		for _, property := range testtools.InCircle(one, properties, properties) {
			for crashes := range testtools.InCircle(1, 2, 2) {
				c := claim{program: name, property: property, bounds: fmt.Sprintf("ticks=1 tick=3s timeout=1s crashes=%d", crashes)}
				q := c.question(t)
				if large(name) {
					q.Clients = 2
				}
				plain := search(t, q)
				q.Symmetry = true
				once := search(t, q)
				if once.Verdict != plain.Verdict || length(once) != length(plain) {
					t.Errorf("%s\n\tapart: %s %d\n\tonce:  %s %d", c, plain.Verdict, length(plain), once.Verdict, length(once))
				}
				if once.States >= plain.States {
					t.Errorf("%s: %d states apart, and %d once", c, plain.States, once.States)
				}
				for _, found := range once.Counterexamples {
					replay(t, c.String(), property, found)
				}
			}
		}
	}
}

// Clients with different clocks differ in more than their names: neither takes the place of the other, and each state counts.
func TestClientsWithDifferentClocksAreNotAlike(t *testing.T) {
	q := claim{program: "naive", property: "overlap", bounds: "clients=2 ticks=1 skew=C2=4s"}.question(t)
	plain := search(t, q)
	q.Symmetry = true
	once := search(t, q)
	if once.Verdict != plain.Verdict || length(once) != length(plain) || once.States != plain.States {
		t.Errorf("apart %s %d of %d states, and once %s %d of %d", plain.Verdict, length(plain), plain.States, once.Verdict, length(once), once.States)
	}
}

// Every built-in program allows symmetry, and an answer says that it counts states once. A program that could name a client
// does not allow it.
func TestSymmetryIsSaid(t *testing.T) {
	for _, name := range program.Names() {
		if q := (claim{program: name}).question(t); !q.Symmetric() {
			t.Errorf("the clients of %s are not alike", name)
		}
	}
	q := claim{program: "naive", property: "overlap", bounds: "ticks=1"}.question(t)
	once := " transitions. States that differ only in the names of clients count once."
	for _, q.Symmetry = range []bool{false, true} {
		if said := q.Sentence(search(t, q), "", lang.English); strings.Contains(said, once) != q.Symmetry {
			t.Errorf("with symmetry %t: %s", q.Symmetry, said)
		}
	}
	if q.Clients = 1; strings.Contains(q.Sentence(search(t, q), "", lang.English), once) {
		t.Error("one client differs from no other")
	}
	var err error
	if q.Program, err = program.Parse("own", "def acquire(c):\n    if c.name == \"C1\":\n        return c.setnx(\"k\", 1) == 1\n    return True\n\ndef release(c, lease):\n    c.delete(\"k\")\n"); err != nil {
		t.Fatal(err)
	}
	if q.Symmetric() || q.Check() == nil {
		t.Error("a program that names C1 does not distinguish it")
	}
}

// Symmetry renames a client together with the values stored under its name, and with its own memory.
func TestSymmetryOfNamedKeys(t *testing.T) {
	q := explore.Question{Program: stranger(t, "waits for others"), Clients: 2, Ticks: 3, Timeout: 200, Retry: 700, Nodes: 2, NodeCrashes: 1, Delays: explore.Any}
	for _, q.Property = range check.Names() {
		q.Symmetry = false
		plain := search(t, q)
		q.Symmetry = true
		once := search(t, q)
		if once.Verdict != plain.Verdict || length(once) != length(plain) || once.States > plain.States {
			t.Errorf("%s: %s %d of %d states, and once %s %d of %d", q.Property, plain.Verdict, length(plain), plain.States, once.Verdict, length(once), once.States)
		}
	}
}

// Two workers find the same as one, down to the last letter of the
// counterexample.
func TestWorkersChangeNoAnswer(t *testing.T) {
	shared := false
	two := explore.Runtime{Workers: 2, Go: func(n int, work func(i int)) {
		shared = true
		var all sync.WaitGroup
		for i := range n {
			all.Go(func() { work(i) })
		}
		all.Wait()
	}}
	for _, c := range []claim{ // large enough for sharing, and with several causes
		{program: "getset", property: "mutual-exclusion", bounds: "ticks=5"},
		{program: "java", property: "overlap", bounds: "ticks=4 timeout=1s"},
		{program: "set-px-del", property: "foreign-delete", bounds: "ticks=4"},
		{program: "set-px-get-del", property: "mutual-exclusion", bounds: "ticks=3 timeout=1s"},
		{program: "set-px", property: "stuck", bounds: "ticks=3 crashes=1"},
		{program: "set-px-late-lease", property: "mutual-exclusion", bounds: "ticks=2 replies"},
		{program: "set-px", property: "lease-drift", bounds: "ticks=3 skew=C2=2s"},
	} {
		q := c.question(t)
		for _, q.Symmetry = range []bool{false, true} {
			alone := told(t, q, explore.Runtime{})
			if together := told(t, q, two); !slices.Equal(alone, together) {
				t.Errorf("%s\nalone:\n%s\ntogether:\n%s", c, alone, together)
			}
		}
	}
	if !shared {
		t.Error("no level was large enough for sharing")
	}
}

// told returns an answer with all of its counterexamples. Memory differs: each
// worker keeps its own memo.
func told(t *testing.T, q explore.Question, h explore.Runtime) []string {
	t.Helper()
	a, err := q.Search(explore.Budget{}, h, 4)
	if err != nil {
		t.Fatal(err)
	}
	lines := []string{fmt.Sprintln(a.Verdict, a.States, a.Transitions, a.Depth)}
	for _, found := range a.Counterexamples {
		lines = append(lines, fmt.Sprintf("%d %v %v\n%s", found.Length, found.Clients, found.Cause, found.Scenario))
	}
	return lines
}

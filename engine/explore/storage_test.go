package explore_test

import (
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
)

// What fencing, a watchdog and several nodes are worth, within small bounds.
func TestProgramsWithStorageAndNodes(t *testing.T) {
	for _, test := range []struct {
		program, property string
		more              func(q *explore.Question)
		length            int // of the shortest violation; 0: there is none
	}{
		{"set-px-fencing", "overlap", nil, 6},
		{"set-px-fencing", "stale-write", nil, 0},
		{"set-px-fencing-incr", "stale-write", nil, 10},
		{"set-px-fencing-incr", "stale-write", func(q *explore.Question) { q.Clients, q.Symmetry = 3, true }, 10},
		{"set-px-fencing", "stale-write", func(q *explore.Question) { q.Clients, q.Symmetry, q.Replies = 3, true, true }, 0},
		{"set-px-watchdog", "mutual-exclusion", func(q *explore.Question) { q.Replies = true }, 0},
		{"set-px-watchdog", "overlap", func(q *explore.Question) { q.Delays = 0 }, 6},
		{"set-px-watchdog", "stuck", func(q *explore.Question) { q.Crashes = 1 }, 0},
		{"redlock", "mutual-exclusion", func(q *explore.Question) { q.Nodes, q.Ticks = 3, 2 }, 0},
		{"redlock", "mutual-exclusion", func(q *explore.Question) { q.Nodes, q.Ticks, q.NodeCrashes, q.Lose = 3, 2, 1, true }, 10},
		{"redlock", "mutual-exclusion", func(q *explore.Question) {
			q.Nodes, q.Ticks, q.NodeCrashes, q.Lose, q.RestartDelay, q.Delays = 3, 3, 1, true, 2, 0
		}, 0},
	} {
		q := explore.Question{
			Program: builtin(t, test.program), Property: test.property, Clients: 2, Ticks: 4, Timeout: 2000, Delays: explore.Any,
		}
		if test.more != nil {
			test.more(&q)
		}
		a, err := q.Search(explore.Budget{}, explore.Hands{}, 1)
		switch {
		case err != nil:
			t.Errorf("%s, %s: %v", test.program, test.property, err)
		case test.length == 0 && a.Verdict != explore.Holds:
			t.Errorf("%s: %s is %s\n%s", test.program, test.property, a.Verdict, a.Counterexamples[0].Scenario)
		case test.length > 0 && (a.Verdict != explore.Violated || a.Counterexamples[0].Length != test.length):
			t.Errorf("%s: %s is %s: %+v, want a violation after %d actions", test.program, test.property, a.Verdict, a.Counterexamples, test.length)
		}
	}
}

// The same, by running every schedule of two clients from its beginning: the
// shortest stale write is as short, and with fencing none is found.
func TestStaleWritesByRerunning(t *testing.T) {
	const most, ticks = 8, 2 // actions after both have come
	for _, test := range []struct {
		program string
		length  int
	}{{"set-px-fencing", 0}, {"set-px-fencing-incr", 2 + 8}} {
		header := engine.Header{Program: test.program, Options: engine.Options{Timeout: 2000, Retry: 1000}}
		found := 0
		var actions []engine.Action
		var try func(ticked int)
		try = func(ticked int) {
			run := engine.NewRun(header, check.StaleWrite)
			for _, a := range append([]engine.Action{{Verb: engine.VerbSpawn, Client: "C1"}, {Verb: engine.VerbSpawn, Client: "C2"}}, actions...) {
				if _, err := run.Do(a); err != nil {
					return // not possible there
				}
			}
			w := run.World()
			defer w.Close()
			if w.Judge(&engine.Expectation{Subject: engine.ExpectViolation}) == nil {
				if found == 0 || 2+len(actions) < found {
					found = 2 + len(actions)
				}
				return
			}
			if len(actions) == most {
				return
			}
			for _, a := range []engine.Action{{Verb: engine.VerbStep, Client: "C1"}, {Verb: engine.VerbStep, Client: "C2"}, {Verb: engine.VerbTick, Time: 1000}} {
				more := ticked
				if a.Verb == engine.VerbTick {
					more++
				}
				if more <= ticks {
					actions = append(actions, a)
					try(more)
					actions = actions[:len(actions)-1]
				}
			}
		}
		try(0)
		if found != test.length {
			t.Errorf("%s: the shortest stale write has %d actions, want %d", test.program, found, test.length)
		}
	}
}

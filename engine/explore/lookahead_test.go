package explore_test

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
)

// The table tells, for each moment of the sources' race, how many actions it
// still takes until two clients hold the lock. Under del-setnx each step of the
// race brings it one nearer. Only C3's crash is a step back: a C3 that is
// merely slow could have been one of the two. Under takeover-cas the same
// schedule leads nowhere.
func TestLookahead(t *testing.T) {
	race := strings.Split("spawn C3|step C3|crash C3|tick 12s|spawn C1|spawn C2|step C1|step C1|step C2|step C2|step C1|step C1|step C2|step C2", "|")
	for _, test := range []struct {
		program string
		left    []int // after each action; -1: none within the bounds
	}{
		{"del-setnx", []int{11, 10, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
		{"takeover-cas", []int{-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1}},
	} {
		run := engine.NewRun(engine.Header{Program: test.program, Options: engine.Options{Timeout: 10_000}}, check.All()...)
		var left []int
		for _, text := range race[:len(test.left)] {
			a, err := engine.ParseAction(text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := run.Do(a); err != nil {
				t.Fatal(err)
			}
			answer, err := explore.Lookahead(run, "mutual-exclusion").Search(explore.Budget{}, explore.Runtime{}, 1)
			if err != nil {
				t.Fatal(err)
			}
			if answer.Verdict == explore.Holds {
				left = append(left, -1)
				continue
			}
			c := answer.Counterexamples[0]
			left = append(left, c.Length)
			on := run.Prefix(len(run.Actions()))
			for _, a := range c.Actions {
				if _, err := on.Do(a); err != nil {
					t.Fatalf("after %s: %v", text, err)
				}
			}
			if !slices.ContainsFunc(on.World().Violations(), func(v engine.Violation) bool { return v.Property == "mutual-exclusion" }) {
				t.Errorf("after %s: %v does not violate it", text, c.Actions)
			}
		}
		if !slices.Equal(left, test.left) {
			t.Errorf("%s: %v, not %v", test.program, left, test.left)
		}
	}
}

// The search begins with a person's changes to a run: a paused client goes on,
// a typed command stays, and a reply on its way arrives.
func TestLookaheadAfterAnything(t *testing.T) {
	for script, left := range map[string]int{
		"spawn C1|step C1|pause C1|tick 12s|spawn C2|step C2|step C2|step C2": -1, // C1's lease is over, and it knows
		"do C9 SETNX lock.foo 5|spawn C1|spawn C2":                            8,
		"spawn C1 set-px|deliver C1|tick 10s|spawn C2 set-px-late-lease":      -1,
		"spawn C1 set-px-late-lease|deliver C1|tick 10s|spawn C2":             2,  // C1 counts from an old reply
		"do C9 SETNX lock.foo 5|redis crash|spawn C1|spawn C2":                -1, // a client that asks now fails
		// Two requests from one client go to two places: a write from its last life, and a SET.
		"spawn C1 set-px-fencing|step C1|crash C1|tick 11s|restart C1|spawn C2 set-px-fencing|step C2": -1,
		"do C9 SETNX lock.foo 5|redis crash|spawn C1|step C1|redis restart|spawn C2|spawn C3":          8,
	} {
		run := engine.NewRun(engine.Header{Program: "del-setnx"}, check.All()...)
		for text := range strings.SplitSeq(script, "|") {
			a, err := engine.ParseAction(text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := run.Do(a); err != nil {
				t.Fatal(err)
			}
		}
		q := explore.Lookahead(run, "mutual-exclusion")
		q.Ticks, q.Clients = 0, 2
		answer, err := q.Search(explore.Budget{}, explore.Runtime{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		got := -1
		if answer.Verdict == explore.Violated {
			got = answer.Counterexamples[0].Length
		}
		if got != left {
			t.Errorf("%s: %d, not %d: %v", script, got, left, answer.Counterexamples)
		}
	}
}

// The search finds a deadlock from any run: a paused client goes on, and the older one of two requests from one client
// arrives first.
func TestLookaheadStuck(t *testing.T) {
	for _, test := range []struct {
		script  string
		replies bool
		want    explore.Verdict
	}{
		{"spawn C1 naive|pause C1", false, holds},
		{"spawn C1 naive|spawn C2 naive|pause C1|step C2|crash C2", false, violated},
		{"spawn C1 set-px|crash C1|restart C1", true, holds},
		{"spawn C1 naive|spawn C2 naive|crash C1|restart C1|pause C2", true, violated}, // the late SETNX of C1's former life
	} {
		run := engine.NewRun(engine.Header{}, check.All()...)
		for text := range strings.SplitSeq(test.script, "|") {
			a, err := engine.ParseAction(text)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := run.Do(a); err != nil {
				t.Fatal(err)
			}
		}
		q := explore.Lookahead(run, "stuck")
		q.Replies = test.replies
		if a := search(t, q); a.Verdict != test.want {
			t.Errorf("%s: %s", test.script, a.Verdict)
		}
	}
}

// In a run whose header names no program, new clients have the options of the
// latest one.
func TestLookaheadOthersCome(t *testing.T) {
	for _, test := range []struct {
		script, bounds, spawned string
		length                  int
	}{
		{"do C9 SET k 1", "1 client, ", "", -1}, // nobody says which program others would run
		{"spawn C3 del-setnx timeout=10s skew=2s|step C3|crash C3|tick 12s", "3 clients, ", "spawn C1 del-setnx timeout=10s", 11},
		{"spawn C1 C2 C3 C4 naive", "4 clients, ", "", -1},
	} {
		run := engine.NewRun(engine.Header{}, check.All()...)
		for text := range strings.SplitSeq(test.script, "|") {
			scenario, err := engine.Parse("test", text, nil)
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range scenario.Actions() {
				if _, err := run.Do(a); err != nil {
					t.Fatal(err)
				}
			}
		}
		q := explore.Lookahead(run, "mutual-exclusion")
		if bounds := q.Bounds(lang.English); !strings.HasPrefix(bounds, test.bounds) {
			t.Errorf("%s: the bounds are %s, want %s", test.script, bounds, test.bounds)
		}
		answer, err := q.Search(explore.Budget{}, explore.Runtime{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		length, spawned := -1, ""
		if answer.Verdict == explore.Violated {
			length = answer.Counterexamples[0].Length
			for _, a := range answer.Counterexamples[0].Actions {
				if a.Verb == engine.VerbSpawn && spawned == "" {
					spawned = a.String()
				}
			}
		}
		if length != test.length || spawned != test.spawned {
			t.Errorf("%s: %d actions, the first to come by %q; want %d, %q", test.script, length, spawned, test.length, test.spawned)
		}
	}
}

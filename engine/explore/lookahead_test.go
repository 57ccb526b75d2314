package explore_test

import (
	"fmt"
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
		run := ran(t, script)
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

// A page offers ticks of 1 s and of 10 s, and a reader may type others. With ticks of 12 s alone nothing lets two clients
// hold the lock of del-setnx; with those of the page, two do.
func TestLookaheadTicksAsTheReaderDoes(t *testing.T) {
	run := ran(t, "spawn C1 del-setnx|spawn C2 del-setnx")
	alone := explore.Lookahead(run, "mutual-exclusion")
	if a := search(t, alone); a.Verdict != holds {
		t.Errorf("with ticks of %v: %s", alone.Lengths, a.Verdict)
	}
	offered := explore.Lookahead(run, "mutual-exclusion", 1_000, 10_000)
	if a := search(t, offered); a.Verdict != violated || length(a) != 13 {
		t.Errorf("with ticks of %v: %s in %d actions", offered.Lengths, a.Verdict, length(a))
	}
	if bounds := offered.Bounds(lang.English); bounds != "3 clients, 2 ticks of 1, 10 or 12 s, no crash and requests delayed without limit" {
		t.Errorf("the bounds are %s", bounds)
	}
	if bounds := offered.Bounds(lang.Chinese); bounds != "3 个客户端、时钟推进 2 次（每次 1、10 或 12 秒）、没有崩溃、请求延迟不限" {
		t.Errorf("the bounds are %s", bounds)
	}
}

// The ticks of a lookahead have at most five lengths: one that outlasts every lease, the last two of the run, and those of
// the page. A length that would cut time into too many pieces is left out.
func TestLookaheadBoundsTheLengthsOfItsTicks(t *testing.T) {
	for _, test := range []struct {
		script, lengths string
		unit            engine.Time
	}{
		{"spawn C1", "[1 10 12]", 1000},
		{"spawn C1|tick 1s|tick 1s|tick 12s", "[1 10 12]", 1000},
		{"spawn C1|tick 7s|tick 5s|tick 3s|tick 5s", "[1 3 5 10 12]", 1000},
		{"spawn C1|tick 1500ms", "[1 1.5 10 12]", 500},
		{"spawn C1|tick 1499ms", "[1 10 12]", 1000},
		{"spawn C1 timeout=30s", "[1 10 32]", 1000},
		{"spawn C1 timeout=10300ms", "[1 10 13]", 1000},
		{"tick 4096s", "[1 10 12 4096]", 1000},
		{"tick 4097s", "[1 10 12]", 1000},
		{"spawn C1 timeout=86400s", "[86400]", 86_400_000},
	} {
		q := explore.Lookahead(ran(t, test.script), "stuck", 1_000, 10_000)
		if got := fmt.Sprint(q.Lengths); got != test.lengths || q.Tick != test.unit || q.Check() != nil {
			t.Errorf("%s: ticks of %s in units of %s (%v), want %s", test.script, got, q.Tick, q.Check(), test.lengths)
		}
	}
}

// ran returns a run of del-setnx with some actions.
func ran(t *testing.T, script string) *engine.Run {
	t.Helper()
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
	return run
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

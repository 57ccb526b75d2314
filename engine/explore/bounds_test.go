package explore_test

import (
	"errors"
	"strings"
	"testing"
	"unicode"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/testtools"
)

// Search answers a question that makes no sense with a sentence in both
// languages, and searches nothing.
func TestRefusedBounds(t *testing.T) {
	for _, test := range []struct {
		name     string
		change   func(q *explore.Question)
		sentence string
	}{
		{"no program", func(q *explore.Question) { q.Program = nil }, "no program is given"},
		{"no such property", func(q *explore.Question) { q.Property = "fairness" }, `there is no property "fairness"; choose one of ` + strings.Join(check.Names(), " ")},
		{"nobody", func(q *explore.Question) { q.Clients = 0 }, "0 clients are too few: at least 1"},
		{"negative clients", func(q *explore.Question) { q.Clients = -1 }, "-1 clients are too few: at least 1"},
		{"huge clients", func(q *explore.Question) { q.Clients = 1 << 40 }, "1099511627776 clients are too many: at most 9"},
		{"negative ticks", func(q *explore.Question) { q.Ticks = -1 }, "-1 ticks are too few: at least 0"},
		{"huge ticks", func(q *explore.Question) { q.Ticks = 1 << 62 }, "4611686018427387904 ticks are too many: at most 1000"},
		{"negative crashes", func(q *explore.Question) { q.Crashes = -1 }, "-1 crashes are too few: at least 0"},
		{"huge crashes", func(q *explore.Question) { q.Crashes = 1000 }, "1000 crashes are too many: at most 9"},
		{"fewer delays than any", func(q *explore.Question) { q.Delays = explore.Any - 1 }, "-2 delays are too few: at least -1"},
		{"huge delays", func(q *explore.Question) { q.Delays = 1001 }, "1001 delays are too many: at most 1000"},
		{"negative nodes", func(q *explore.Question) { q.Nodes = -1 }, "-1 Redis nodes are too few: at least 0"},
		{"huge nodes", func(q *explore.Question) { q.Nodes = 10 }, "10 Redis nodes are too many: at most 9"},
		{"negative losses", func(q *explore.Question) { q.Losses = -1 }, "-1 lost messages are too few: at least 0"},
		{"huge failovers", func(q *explore.Question) { q.Failovers = 10 }, "10 failovers are too many: at most 9"},
		{"huge losses", func(q *explore.Question) { q.Losses = 10 }, "10 lost messages are too many: at most 9"},
		{"negative node crashes", func(q *explore.Question) { q.NodeCrashes = -1 }, "-1 crashes of Redis nodes are too few: at least 0"},
		{"huge node crashes", func(q *explore.Question) { q.NodeCrashes = 10 }, "10 crashes of Redis nodes are too many: at most 9"},
		{"negative restart", func(q *explore.Question) { q.RestartDelay = -1 }, "-1 ticks before a restart are too few: at least 0"},
		{"negative tick", func(q *explore.Question) { q.Tick = -1 }, "a length of time is longer than 0 and at most 86400 s: not -0.001 s"},
		{"huge tick", func(q *explore.Question) { q.Tick = engine.MaxTick + 1 }, "a length of time is longer than 0 and at most 86400 s: not 86400.001 s"},
		{"a tick in pieces", func(q *explore.Question) { q.Lengths = []engine.Time{1000, 1500} }, "the lengths of ticks are multiples of 1 s in growing order, at most 86400 s"},
		{"a tick of nothing", func(q *explore.Question) { q.Lengths = []engine.Time{0, 1000} }, "the lengths of ticks are multiples of 1 s in growing order, at most 86400 s"},
		{"a huge length", func(q *explore.Question) { q.Lengths = []engine.Time{engine.MaxTick + 1000} }, "the lengths of ticks are multiples of 1 s in growing order, at most 86400 s"},
		{"unordered lengths", func(q *explore.Question) { q.Lengths = []engine.Time{2000, 1000} }, "the lengths of ticks are multiples of 1 s in growing order, at most 86400 s"},
		{"six lengths", func(q *explore.Question) { q.Lengths = []engine.Time{1000, 2000, 3000, 4000, 5000, 6000} }, "the ticks have too many lengths: at most 5, with at most 8192 times the shortest step in all"},
		{"too many instants", func(q *explore.Question) { q.Lengths = []engine.Time{1000, 1_366_000} }, "the ticks have too many lengths: at most 5, with at most 8192 times the shortest step in all"},
		{"negative timeout", func(q *explore.Question) { q.Timeout = -2000 }, "a length of time is longer than 0 and at most 86400 s: not -2 s"},
		{"negative retry", func(q *explore.Question) { q.Retry = -1 }, "a length of time is longer than 0 and at most 86400 s: not -0.001 s"},
		{"a clock of nobody", func(q *explore.Question) { q.Skew = map[string]engine.Time{"C4": 1} }, "there is no client C4 to give a clock skew: the clients are C1 to C3"},
		{"a clock that is far off", func(q *explore.Question) { q.Skew = map[string]engine.Time{"C1": -engine.MaxSkew - 1} }, "a clock skew is at most 86400 s either way"},
		{"more crashes than clients", func(q *explore.Question) { q.Crashes = 4 }, "3 clients cannot crash 4 times: none comes back"},
		{"back too late", func(q *explore.Question) { q.NodeCrashes, q.RestartDelay = 1, 7 }, "a Redis node that is back after 7 ticks is never back within 6"},
		{"more time than a run has", func(q *explore.Question) { q.Program, q.Tick = builtin(t, "getset"), engine.MaxTick }, "6 ticks of 86400 s are too long for 3 clients: every second a run asks each program whether its client still holds the lock, and it asks at most 100000 times"},
	} {
		t.Run(test.name, func(t *testing.T) {
			q := claim{program: "naive"}.question(t)
			test.change(&q)
			a, err := q.Search(explore.Budget{}, explore.Runtime{}, 1)
			if a != nil {
				t.Errorf("Search runs all the same: %+v", a)
			}
			_, errSample := q.Sample(1, 1, explore.Budget{}, explore.Runtime{})
			for _, err := range []error{err, errSample, q.Check()} {
				saysOnly(t, err, test.sentence)
			}
		})
	}
}

// saysOnly wants one sentence, in both languages.
func saysOnly(t *testing.T, err error, english string) {
	t.Helper()
	var both interface {
		error
		Sentence(lang.Language) string
	}
	if !errors.As(err, &both) {
		t.Fatalf("%v has no languages", err)
	}
	if got := both.Sentence(lang.English); got != english {
		t.Errorf("the sentence is %q, not %q", got, english)
	}
	switch zh := both.Sentence(lang.Chinese); {
	case strings.Contains(zh, "%!"):
		t.Errorf("in Chinese the sentence is %q", zh)
	case !strings.ContainsFunc(zh, func(r rune) bool { return unicode.Is(unicode.Han, r) }):
		testtools.Untranslated(t, "in Chinese the sentence is %q", zh)
	}
}

// A search within the widest bounds begins, and ends with its budget.
func TestWidestBounds(t *testing.T) {
	for _, name := range testtools.InCircle([]string{"getset", "set-px-watchdog", "redlock"}, program.Names(), program.Names()) {
		q := explore.Question{
			Program: builtin(t, name), Property: "mutual-exclusion", Clients: explore.MaxClients, Ticks: explore.MaxTicks, Tick: 10_000, Timeout: engine.MaxTick,
			Crashes: explore.MaxFaults, Losses: explore.MaxFaults, Failovers: explore.MaxFaults, Delays: explore.MaxTicks, Nodes: engine.MaxNodes, Symmetry: true,
		}
		a, err := q.Search(explore.Budget{States: 10_000}, explore.Runtime{}, 1)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if a.Verdict == explore.Holds {
			t.Errorf("%s: %+v", name, a)
		}
	}
}

// Search answers a program that cannot be explored with a sentence, too.
func TestProgramsThatFail(t *testing.T) {
	const release = "def release(c, lease):\n    c.delete(\"l\")\n"
	for _, test := range []struct {
		name, text, sentence string
		shortest             int // actions to the failure; 0: it fails alone
	}{
		{"never", "def acquire(c):\n    c.setnx(\"l\", 1)\n    return None\n", "own never acquires the lock, not even for a single client", 0},
		{"never, and never asks Redis", "def acquire(c):\n    return None\n", "own never acquires the lock, not even for a single client", 0},
		{"gives up at once", "blocking = False\ndef acquire(c):\n    c.get(\"l\")\n    return None\n", "own never acquires the lock, not even for a single client", 0},
		{"fails at once", "def acquire(c):\n    return 1 // 0\n", "C1's program stops at line 2: division by zero.", 0},
		{"Redis says no", "def acquire(c):\n    c.set(\"l\", \"x\")\n    return c.incr(\"l\")\n", "C1's program stops at line 3: INCR l: ERR value is not an integer or out of range.", 0},
		{"fails when the lock is taken", "def acquire(c):\n    return 1 // c.setnx(\"l\", 1)\n", "C2's program stops at line 2: division by zero.", 4},
		{"fails in the critical section, a tick later", "def acquire(c):\n    return c.setnx(\"l\", 1)\ndef holds(c, lease):\n    return 1 // (1002 - c.now()) > 0\n", "C1's program stops at line 4: division by zero.", 4},
		{"fails when it gives the lock back", "def acquire(c):\n    return c.setnx(\"l\", 1)\ndef release(c, lease):\n    c.incr(\"l\")\n    c.set(\"l\", \"x\")\n    c.incr(\"l\")\n", "C1's program stops at line 6: INCR l: ERR value is not an integer or out of range.", 6},
	} {
		t.Run(test.name, func(t *testing.T) {
			text := test.text
			if !strings.Contains(text, "def release") {
				text += release
			}
			p, err := program.Parse("own", text)
			if err != nil {
				t.Fatal(err)
			}
			q := explore.Question{Program: p, Property: "mutual-exclusion", Clients: 2, Ticks: 3, Delays: explore.Any}
			a, err := q.Search(explore.Budget{}, explore.Runtime{}, 1)
			if a != nil {
				t.Errorf("%+v", a)
			}
			saysOnly(t, err, test.sentence)
			failure := (*explore.FailureError)(nil)
			if test.shortest == 0 {
				return
			}
			if !errors.As(err, &failure) || failure.Scenario == nil {
				t.Fatalf("%v has no scenario", err)
			}
			if n := len(failure.Scenario.Actions()); n != test.shortest {
				t.Errorf("%d actions:\n%s", n, failure.Scenario)
			}
		})
	}
}

// A program that asks Redis only in its first second goes on without asking for
// ever. The search still ends, with the right answer.
func TestProgramThatLoops(t *testing.T) {
	p, err := program.Parse("own", "def acquire(c):\n    if c.now() > 1000:\n        return None\n    return c.setnx(\"l\", 1)\ndef release(c, lease):\n    c.delete(\"l\")\n")
	if err != nil {
		t.Fatal(err)
	}
	q := explore.Question{Program: p, Property: "mutual-exclusion", Clients: 3, Ticks: 30, Delays: explore.Any}
	if a := search(t, q); a.Verdict != explore.Holds {
		t.Errorf("%+v", a)
	}
	q.Property = "stuck"
	if a := search(t, q); a.Verdict != explore.Violated {
		t.Errorf("%+v", a)
	}
}

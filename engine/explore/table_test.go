package explore_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/engine/testtools"
)

// The table of the course tells every program's promises and failures, in the
// course's words, and the result of a search. Where a row names no bound there
// are 3 clients, 6 ticks of 1 s, a lock timeout of 2 s, no crash, and messages
// take any time. delays=0 is a network in which no message is under way while
// the clock moves.
//
// The numbers follow from the rules and not from the search: naive_test.go
// confirms such numbers by running every schedule.
var course = []claim{
	{"naive", "never two inside", "overlap", "crashes=1", holds, 2_751, 7_552, 0, ""},
	{"naive", "a crash of the holder leaves everybody stuck", "stuck", "crashes=1", violated, 52, 81, 4, ""},
	{"naive", "(nobody is stuck without a crash)", "stuck", "", holds, 679, 1_660, 0, ""},

	{"naive", "(a lost reply does it, too: the key is there, and its client does not know)", "stuck", "losses=1", violated, 47, 74, 4, "drop"},
	{"naive", "(but never two inside)", "overlap", "clients=2 ticks=3 losses=2", holds, 472, 1_194, 0, ""},

	{"naive-nonblocking", "as above: never two inside", "overlap", "crashes=1", holds, 2_751, 7_153, 0, ""},
	{"naive-nonblocking", "as above: a crash leaves everybody stuck", "stuck", "crashes=1", violated, 52, 81, 4, ""},

	{"naive-timeout", "as above (that it gives up too early is no property: TestGivesUpTooEarly)", "overlap", "crashes=1", holds, 13_640, 40_753, 0, ""},
	{"naive-timeout", "as above", "stuck", "crashes=1", violated, 72, 105, 4, "crash"},

	{"timestamp", "nobody recovers: stuck", "stuck", "crashes=1", violated, 86, 112, 4, "crash"},
	{"timestamp", "a merely slow holder also never deletes", "stuck", "delays=0", violated, 251, 371, 7, "done"},
	{"timestamp", "(but never two inside)", "overlap", "crashes=1", holds, 71_632, 226_665, 0, ""},

	{"del-setnx", "two holders; needs no delay and no skew", "mutual-exclusion", "delays=0", violated, 3_142, 6_177, 16, "DEL"},
	{"del-setnx", "expired by GET -> DEL: of another's lock", "foreign-delete", "delays=0", violated, 2_834, 5_496, 15, "DEL"},

	{"getset-plain", "a holder that overran deletes its successor's lock", "foreign-delete", "delays=0", violated, 1_760, 3_297, 12, "DEL"},
	{"getset-plain", "a third enters", "mutual-exclusion", "delays=0", violated, 2_552, 4_980, 14, "DEL"},

	{"getset", "holds when no request is delayed across a tick", "mutual-exclusion", "delays=0 crashes=1", holds, 21_766, 49_507, 0, ""},
	{"getset", "(a delay of 1 s is too short: a lease ends in its value's second and is taken over after it)", "mutual-exclusion", "delays=1", holds, 15_210, 36_240, 0, ""},
	{"getset", "with one delayed request it breaks", "mutual-exclusion", "delays=2", violated, 19_246, 44_094, 14, "DEL"},
	{"getset", "with one delayed request it breaks: 2 s are enough, in one tick or two", "mutual-exclusion", "delays=1 tick=2s", violated, 6_480, 12_757, 12, "DEL"},
	{"getset", "check and DEL are two moments", "foreign-delete", "delays=2", violated, 12_366, 26_307, 12, "DEL"},

	{"getset-compare-delete", "mutual exclusion holds when nothing is delayed", "mutual-exclusion", "delays=0 crashes=1", holds, 26_631, 63_796, 0, ""},
	{"getset-compare-delete", "a losing GETSET overwrites the winner's value", "lease-drift", "delays=1", violated, 7_506, 16_621, 14, "GETSET"},
	{"getset-compare-delete", "(two GETSET that were sent in one second write the same)", "lease-drift", "delays=0", holds, 5_225, 11_586, 0, ""},
	{"getset-compare-delete", "an earlier overwrite shortens the winner's lease", "mutual-exclusion", "timeout=1s", violated, 72_854, 213_580, 19, "GETSET"},

	{"getset-literal-equal", "stuck: an expired lock that nobody can take", "stuck", "delays=0", violated, 475, 751, 8, "done"},

	{"getset-le", "two owners at the equal instant", "mutual-exclusion", "delays=0", violated, 726, 1_219, 9, "GETSET"},

	{"getset-nil-lost", "(as getset; that nobody holds the key is no property: TestKeyThatNobodyHolds)", "mutual-exclusion", "delays=0 crashes=1", holds, 22_028, 50_040, 0, ""},
	{"getset-nil-lost", "(as getset)", "mutual-exclusion", "delays=2", violated, 19_271, 44_106, 14, "DEL"},

	{"takeover-cas", "holds", "mutual-exclusion", "", holds, 50_103, 150_308, 0, ""},
	{"takeover-cas", "no drift", "lease-drift", "", holds, 50_103, 150_308, 0, ""},

	{"java", "two inside without a fault and without a tick", "mutual-exclusion", "ticks=0", violated, 169, 274, 9, "GET"},

	{"setnx-expire", "a crash between: stuck", "stuck", "crashes=1 ticks=0", violated, 32, 42, 4, ""},
	{"setnx-expire", "a crash between, where replies take time", "stuck", "crashes=1 ticks=0 replies", violated, 28, 40, 4, ""},
	{"setnx-expire", "(not without)", "stuck", "clients=2", holds, 6_067, 13_375, 0, ""},

	{"set-px-del", "deletes another's lock", "foreign-delete", "", violated, 2_774, 4_319, 8, "DEL"},
	{"set-px-del", "(and lets a third in)", "mutual-exclusion", "", violated, 12_794, 22_294, 10, "DEL"},
	{"set-px-get-del", "the same, one action later", "foreign-delete", "", violated, 6_667, 10_863, 9, "DEL"},
	{"set-px-get-del", "the same, one action later", "mutual-exclusion", "", violated, 28_596, 51_902, 11, "DEL"},

	{"set-px", "mutual exclusion holds", "mutual-exclusion", "ticks=4 crashes=1", holds, 152_044, 455_813, 0, ""},
	{"set-px", "overlap does not: a paused holder outlives its lease", "overlap", "delays=0", violated, 151, 202, 6, "expire"},
	{"set-px", "(it deletes nobody else's lock)", "foreign-delete", "ticks=4 crashes=1", holds, 152_044, 455_813, 0, ""},

	{"set-px", "(a node that restarts without its data has forgotten who holds the lock)", "mutual-exclusion", "clients=2 ticks=3 node-crashes=1 lose", violated, 458, 752, 6, "crash"},
	{"set-px", "(one that keeps its data has not; who finds it down is cut off)", "mutual-exclusion", "clients=2 ticks=3 node-crashes=1", holds, 3_702, 8_354, 0, ""},

	{"set-px", "(a replica that has not heard of the lock takes over)", "mutual-exclusion", "clients=2 ticks=3 failovers=1", violated, 202, 280, 5, "failover"},
	{"set-px", "(and a lock that it brings back ends by itself)", "stuck", "clients=2 ticks=3 failovers=1", holds, 2_360, 5_562, 0, ""},
	{"naive", "(a failover is no better to a lock without a lease)", "overlap", "clients=2 ticks=3 failovers=1", violated, 98, 166, 5, "failover"},
	{"naive", "(and brings a released lock back, which nobody frees)", "stuck", "clients=2 ticks=3 failovers=1", violated, 254, 507, 7, "failover"},
	{"set-px-fencing", "(its counter goes back, too)", "stale-write", "clients=2 ticks=3 failovers=1", violated, 864, 1_420, 7, "failover"},
	{"redlock", "(one failover of three nodes is as bad as one that loses its data)", "mutual-exclusion", "clients=2 nodes=3 ticks=1 failovers=1", violated, 1_878, 3_388, 9, "failover"},

	{"set-px", "(a lost reply costs a lease, and nobody is stuck)", "stuck", "clients=2 ticks=4 losses=1", holds, 9_289, 25_558, 0, ""},
	{"set-px", "(nor does a lost message let two in)", "mutual-exclusion", "clients=2 ticks=4 losses=1", holds, 9_289, 25_558, 0, ""},

	{"set-px-late-lease", "two believing owners", "mutual-exclusion", "replies", violated, 998, 1_729, 8, "expire"},
	{"set-px-late-lease", "(where a reply takes no time, nothing is late)", "mutual-exclusion", "", holds, 42_797, 127_906, 0, ""},
	{"set-px", "(counted from the send, the lease is never late)", "mutual-exclusion", "ticks=3 replies", holds, 90_108, 257_144, 0, ""},

	// The lesson clocks: "at a skew of one lease two owners need no time to pass". The
	// value lasts for the timeout and 1 s, and a client takes it over after
	// that: one second more.
	{"getset", "at a skew of one lease two owners need no time to pass", "mutual-exclusion", "ticks=0 skew=C2=4s", violated, 56, 83, 6, "GETSET"},
	{"getset", "(a second less is not enough)", "mutual-exclusion", "ticks=0 skew=C2=3s", holds, 163, 299, 0, ""},
	{"getset", "(a clock behind is as bad as one ahead)", "mutual-exclusion", "ticks=0 skew=C2=-4s", violated, 56, 83, 6, "GETSET"},

	{"set-px-watchdog", "a paused process pauses its watchdog too", "overlap", "clients=2 delays=0 ticks=4", violated, 102, 122, 6, "expire"},
	{"set-px-watchdog", "(and knows it: what set-px promises stays)", "mutual-exclusion", "clients=2 ticks=4 replies", holds, 28_305, 61_623, 0, ""},

	{"set-px-renew-blind", "PEXPIRE does not look at the value: both believe", "mutual-exclusion", "clients=2 ticks=4", violated, 1_245, 1_747, 8, "renew"},
	{"set-px-renew-blind", "(and without any delay)", "mutual-exclusion", "clients=2 ticks=4 delays=0", violated, 260, 330, 8, "renew"},
	{"set-px-watchdog", "(the owner's token compared, it renews nobody else's key)", "mutual-exclusion", "clients=2 ticks=4", holds, 8_170, 17_216, 0, ""},

	{"set-px-fencing", "stale writes impossible", "stale-write", "ticks=4", holds, 38_404, 103_769, 0, ""},
	{"set-px-fencing", "stale writes impossible, also where replies take time", "stale-write", "clients=2 replies", holds, 25_422, 63_030, 0, ""},
	{"set-px-fencing", "(an overrun lease is as possible as ever)", "overlap", "clients=2", violated, 285, 376, 6, "expire"},
	{"set-px-fencing", "(the counter is in the Redis that forgets: old numbers come again)", "stale-write", "clients=2 node-crashes=1 lose", violated, 2_083, 3_715, 8, ""},
	{"set-px-fencing", "(one that keeps its data keeps the counter)", "stale-write", "clients=2 ticks=4 node-crashes=1", holds, 7_730, 18_371, 0, ""},
	{"set-px-fencing-write", "as set-px-fencing: no stale write", "stale-write", "ticks=3", holds, 36_727, 89_876, 0, ""},
	{"set-px-fencing-write", "an update is lost, and no write was stale", "lost-update", "clients=2", violated, 3_128, 5_366, 10, "expire"},
	{"set-px-fencing-read", "no update is lost", "lost-update", "ticks=3", holds, 37_057, 90_276, 0, ""},
	{"set-px-fencing-read", "no update is lost, also where replies take time", "lost-update", "clients=2 ticks=4 replies", holds, 16_993, 38_574, 0, ""},
	{"set-px-fencing-read", "(an overrun lease is as possible as ever)", "overlap", "clients=2", violated, 299, 388, 6, "expire"},
	{"set-px-fencing-read", "the counter lives in the Redis of the lock, which forgets", "lost-update", "clients=2 ticks=3 node-crashes=1 lose", violated, 3_660, 6_998, 10, ""},
	{"set-px-fencing-incr", "the late client gets the higher number: a stale write is accepted", "stale-write", "clients=2", violated, 3_198, 5_432, 10, "expire"},

	{"redlock", "holds without faults", "mutual-exclusion", "clients=2 nodes=3 ticks=2", holds, 13_143, 26_739, 0, ""},
	{"redlock", "holds without faults: N = 5 nodes", "mutual-exclusion", "clients=2 nodes=5 ticks=1", holds, 27_953, 54_921, 0, ""},
	{"redlock", "a node that restarts without its data breaks it", "mutual-exclusion", "clients=2 nodes=3 ticks=2 node-crashes=1 lose", violated, 13_911, 26_112, 10, "crash"},
	{"redlock", "(one that keeps its data does not)", "mutual-exclusion", "clients=2 nodes=3 ticks=0 node-crashes=1", holds, 5_028, 11_970, 0, ""},
	{"redlock", "a delayed restart mends it", "mutual-exclusion", "clients=2 nodes=3 ticks=3 delays=0 node-crashes=1 lose restart-delay=2", holds, 58_042, 125_443, 0, ""},
	{"redlock", "(a delay shorter than a lease does not)", "mutual-exclusion", "clients=2 nodes=3 ticks=3 delays=1 node-crashes=1 lose restart-delay=1", violated, 21_565, 38_528, 11, "crash"},
}

const (
	holds    = explore.Holds
	violated = explore.Violated
)

// A claim is a line of the table.
type claim struct {
	program  string
	sentence string // the claim, as the course or a program's header makes it; in brackets: added here
	property string
	bounds   string
	verdict  explore.Verdict

	states, transitions int64
	length              int    // of the shortest counterexample
	cause               string // the command or event that made it inevitable; empty: the row blames none
}

func (c claim) String() string {
	return fmt.Sprintf("%s: %s: %s (%s)", c.program, c.sentence, c.property, c.bounds)
}

// name returns the row's own name: what it searches for.
func (c claim) name() string {
	return strings.TrimSpace(c.program + " " + c.property + " " + c.bounds)
}

func (c claim) found() string {
	return fmt.Sprintf("\t%s, %d states, %d transitions, length %d, cause %q", c.verdict, c.states, c.transitions, c.length, c.cause)
}

// question reads a claim's bounds.
func (c claim) question(t testing.TB) explore.Question {
	t.Helper()
	q := explore.Question{Program: builtin(t, c.program), Property: c.property, Clients: 3, Ticks: 6, Timeout: 2000, Delays: explore.Any}
	for bound := range strings.FieldsSeq(c.bounds) {
		name, value, _ := strings.Cut(bound, "=")
		number, _ := strconv.Atoi(value)
		duration, _ := engine.ParseDuration(value)
		switch name {
		case "clients":
			q.Clients = number
		case "ticks":
			q.Ticks = number
		case "tick":
			q.Tick = duration
		case "lengths":
			for length := range strings.SplitSeq(value, "+") {
				duration, _ = engine.ParseDuration(length)
				q.Lengths = append(q.Lengths, duration)
			}
		case "within":
			q.Within = duration
		case "retry":
			q.Retry = duration
		case "timeout":
			q.Timeout = duration
		case "crashes":
			q.Crashes = number
		case "delays":
			q.Delays = number
		case "nodes":
			q.Nodes = number
		case "node-crashes":
			q.NodeCrashes = number
		case "lose":
			q.Lose = true
		case "restart-delay":
			q.RestartDelay = number
		case "failovers":
			q.Failovers = number
		case "losses":
			q.Losses = number
		case "replies":
			q.Replies = true
		case "skew":
			client, skew, _ := strings.Cut(value, "=")
			duration, _ = engine.ParseDuration(skew)
			q.Skew = map[string]engine.Time{client: duration}
		default:
			t.Fatalf("%s: unknown bound %s", c, bound)
		}
	}
	return q
}

func builtin(t testing.TB, name string) *program.Program {
	t.Helper()
	p, ok := program.Builtin(name)
	if !ok {
		t.Fatalf("there is no program %s", name)
	}
	return p
}

// search answers a valid question, alone and to its end.
func search(t testing.TB, q explore.Question) *explore.Answer {
	t.Helper()
	a, err := q.Search(explore.Budget{}, explore.Runtime{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// length returns the length of the shortest counterexample; 0: there is none.
func length(a *explore.Answer) int {
	if len(a.Counterexamples) == 0 {
		return 0
	}
	return a.Counterexamples[0].Length
}

func cause(a *explore.Answer) string {
	if len(a.Counterexamples) == 0 {
		return ""
	}
	c := a.Counterexamples[0].Cause
	return cmp.Or(c.Command, string(c.Kind))
}

// Each row of the table comes true, and every counterexample is a scenario that
// parses, plays and has the right length. A row has a name of its own, so that
// somebody can run it alone: -run 'TestCourse/^naive_stuck_crashes=1$', or all
// rows of a program: -run 'TestCourse/^naive_'.
func TestCourse(t *testing.T) {
	for _, c := range course {
		t.Run(c.name(), func(t *testing.T) {
			if c.states > 60_000 {
				testtools.Long(t, "it searches more than 60,000 states")
			}
			a := search(t, c.question(t))
			got := claim{c.program, c.sentence, c.property, c.bounds, a.Verdict, a.States, a.Transitions, length(a), cause(a)}
			if c.cause == "" {
				got.cause = ""
			}
			if got != c {
				t.Errorf("%s\n%s, not\n%s", c, got.found(), c.found())
			}
			for _, found := range a.Counterexamples {
				replay(t, c.String(), c.property, found)
			}
		})
	}
}

// Of each cause an answer shows a shortest counterexample, and the shortest of all comes first: what makes somebody stuck is
// the crash of a client that has the lock, or its SETNX that arrives after its crash.
func TestEachCauseHasItsShortestCounterexample(t *testing.T) {
	q := claim{program: "setnx-expire", property: "stuck", bounds: "clients=2 ticks=0 crashes=1 replies"}.question(t)
	a, err := q.Search(explore.Budget{}, explore.Runtime{}, 4)
	if err != nil {
		t.Fatal(err)
	}
	var shown []string
	for _, found := range a.Counterexamples {
		shown = append(shown, fmt.Sprintf("%s after %d actions", cmp.Or(found.Cause.Command, string(found.Cause.Kind)), found.Length))
	}
	if got, want := strings.Join(shown, ", "), "crash after 4 actions, SETNX after 5 actions"; got != want {
		t.Errorf("the counterexamples: %s; want %s", got, want)
	}
}

// Every program has its row, and no two rows ask the same.
func TestCourseIsComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range course {
		if seen[c.name()] {
			t.Errorf("two rows ask %s", c.name())
		}
		seen[c.name()] = true
	}
	for _, name := range program.Names() {
		if !slices.ContainsFunc(course, func(c claim) bool { return c.program == name }) {
			t.Errorf("%s is not in the table", name)
		}
	}
}

// replay plays a counterexample as anybody would: from its text. It ends in its
// violation, and has none before.
func replay(t testing.TB, name, property string, c explore.Counterexample) *engine.Trace {
	t.Helper()
	text := c.Scenario.String()
	scenario, err := engine.Parse(name, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play(name, check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, unmet := range trace.Unmet {
		t.Errorf("%s\n%s", unmet, text)
	}
	last := scenario.Lines[len(scenario.Lines)-1].Expect
	if last == nil || last.Property != property || !slices.Equal(last.Clients, c.Clients) {
		t.Errorf("%s: the counterexample does not end with the violation of %s by %v:\n%s", name, property, c.Clients, text)
	}
	if n := len(scenario.Actions()); n != c.Length {
		t.Errorf("%s: %d actions, not %d:\n%s", name, n, c.Length, text)
	}
	for _, e := range trace.Run.World().Events() {
		if e.Kind == engine.Violated && e.Violation.Property == property && e.Action < c.Length {
			t.Errorf("%s: %s is violated already after %d actions:\n%s", name, property, e.Action, text)
		}
	}
	return trace
}

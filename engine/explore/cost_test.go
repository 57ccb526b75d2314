package explore_test

import (
	"reflect"
	"runtime"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
)

// Each bound on a search has a question that meets it: the test pins the figures there and the message to the author. A
// change to these figures changes how much a stranger may cost.
func TestEachBound(t *testing.T) {
	const none = " None of these states violates "
	setPX := claim{program: "set-px", property: "mutual-exclusion", bounds: "ticks=3"}.question(t)
	slow := explore.Question{Program: stranger(t, "thinks while inside"), Property: "overlap", Clients: 1, Ticks: 1, Tick: 7_200_000}
	trial := explore.Question{Program: stranger(t, "never stops asking"), Property: "overlap", Clients: 1, Ticks: 1}
	// The run is stuck after three actions; judging that once more in a run, with the run before it, is too much.
	late := explore.Lookahead(playedText(t, "spawn C1 C2 naive\n"+strings.Repeat("note \"x\"\n", 3900)), "stuck")
	late.Crashes = 1
	for _, test := range []struct {
		bound            explore.Bound
		question         explore.Question
		budget           explore.Budget
		figures          explore.Figures
		english, chinese string // the beginning of the sentence
	}{
		{explore.OfStates, setPX, explore.Budget{States: 1000}, explore.Figures{States: 1947, Transitions: 3507, Depth: 8, Work: 587_532},
			"Not decided: the budget ran out (states) after 1,947 states, 3,507 transitions, 8 actions deep." + none, "尚无定论：预算已用完（状态数），看过 1,947 个状态、"},
		{explore.OfMemory, setPX, explore.Budget{Memory: 1 << 19}, explore.Figures{},
			"Not decided: the budget ran out (memory) after ", "尚无定论：预算已用完（内存），看过 "},
		{explore.OfWork, setPX, explore.Budget{Work: 1_000_000}, explore.Figures{States: 1947, Transitions: 3507, Depth: 8, Work: 587_532},
			"Not decided: the budget ran out (work) after 1,947 states, 3,507 transitions, 8 actions deep." + none, "尚无定论：预算已用完（计算量），看过 1,947 个状态、"},
		{explore.OfWork, trial, explore.Budget{Work: 5_000_000}, explore.Figures{Work: 2_593_108},
			"Not decided: the budget ran out (work) after 0 states, 0 transitions, 0 actions deep." + none, "尚无定论：预算已用完（计算量），看过 0 个状态、"},
		{explore.OfAction, slow, explore.Budget{}, explore.Figures{States: 6, Transitions: 5, Depth: 3, Work: 5_008_804},
			"Not decided: one action took too much work after 6 states, 5 transitions, 3 actions deep." + none, "尚无定论：有一个动作的计算量过大，看过 6 个状态、"},
		{explore.OfWork, late, explore.Budget{Work: 500_000}, explore.Figures{States: 29, Transitions: 39, Depth: 2, Work: 538_135},
			"stuck is violated, but no way to it was found: the budget ran out (work) first. Bounds: the run, 3 clients, 2 ticks of 12 s, at most 1 crash and requests delayed without limit. Searched: ", "出现死锁，但预算已用完（计算量）时，还没有找出具体的步骤。"},
	} {
		a, err := test.question.Search(test.budget, explore.Runtime{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		english, chinese := test.question.Sentence(a, "", lang.English), test.question.Sentence(a, "", lang.Chinese)
		if memory := test.budget.Memory; memory > 0 && (a.Memory <= memory || a.Memory > memory+memory/16) {
			t.Errorf("a budget of %d bytes, but %d in use", memory, a.Memory)
		}
		if a.Memory, a.Depths = 0, nil; test.bound == explore.OfMemory {
			a.Figures = explore.Figures{} // the sizes of all types decide how much fits
		}
		if a.Verdict != explore.Spent || a.Bound != test.bound || !reflect.DeepEqual(a.Figures, test.figures) || len(a.Counterexamples) > 0 {
			t.Errorf("%s: %s of %s, %+v, not %+v", test.bound, a.Verdict, a.Bound, a.Figures, test.figures)
		}
		if !strings.HasPrefix(english, test.english) || !strings.HasPrefix(chinese, test.chinese) {
			t.Errorf("%s: the sentences are %q and %q, not %q and %q", test.bound, english, chinese, test.english, test.chinese)
		}
	}
	crowded, err := setPX.SearchCrowded()
	if err != nil || crowded.Verdict != explore.Spent || crowded.Bound != explore.OfComponents ||
		crowded.Ended(lang.English) != "the numbers for different clients, values and replies ran out" || crowded.Ended(lang.Chinese) != "不同的客户端、值和回复太多，编号已用完" {
		t.Errorf("without numbers: %+v (%v)", crowded, err)
	}
}

// Search refuses a question that no budget helps.
func TestEachRefusalDuringTheSearch(t *testing.T) {
	full := explore.Lookahead(playedText(t, "spawn C1 C2 naive\nstep C1\n"+strings.Repeat("note \"x\"\n", engine.MaxActions-3)), "stuck")
	full.Crashes = 1
	large := explore.Question{Program: stranger(t, "says what cannot be printed"), Property: "stuck", Clients: 1}
	for _, test := range []struct {
		question         explore.Question
		english, chinese string
	}{
		{full, "stuck can be violated in 1 action, but no run can show it: that takes more than a run may do", "stuck 可以在 1 个动作内被违反，但没有一次运行能展示它：所需超过了一次运行的上限"},
		{large, "own cannot be tried, not even with a single client: this action makes more data than fits: a run has at most 8 MB in all", "own 无法试运行，哪怕只有一个客户端：这个动作产生的数据超过了这次运行的容量：一次运行总共至多 8 MB"},
	} {
		a, err := test.question.Search(explore.Budget{}, explore.Runtime{}, 1)
		both, ok := err.(*engine.Refusal)
		if a != nil || !ok {
			t.Errorf("%v, not %s", err, test.english)
		} else if both.Sentence(lang.English) != test.english || both.Sentence(lang.Chinese) != test.chinese {
			t.Errorf("the sentences are %q and %q, not %q and %q", both.Sentence(lang.English), both.Sentence(lang.Chinese), test.english, test.chinese)
		}
	}
}

// A sample has a budget, too, and reports the schedules that ran until its end.
func TestEachBoundOnASample(t *testing.T) {
	for _, test := range []struct {
		program string
		budget  explore.Budget
		want    explore.Sample
	}{
		{"stores long texts", explore.Budget{Memory: 4 << 20}, explore.Sample{Verdict: explore.Spent, Bound: explore.OfMemory}},
		{"stores many keys", explore.Budget{Memory: 4 << 20}, explore.Sample{Verdict: explore.Spent, Bound: explore.OfMemory}},
		{"names itself", explore.Budget{Work: 5_000_000}, explore.Sample{Schedules: 110, Violating: 44, Actions: 5595, Verdict: explore.Spent, Bound: explore.OfWork, Work: 5_010_333}},
		{"never stops asking", explore.Budget{Work: 5_000_000}, explore.Sample{Verdict: explore.Spent, Bound: explore.OfWork, Work: 5_086_633}},
		{"thinks while inside", explore.Budget{}, explore.Sample{Schedules: 4, Actions: 20, Verdict: explore.Spent, Bound: explore.OfAction, Work: 5_010_828}},
	} {
		q := explore.Question{Program: stranger(t, test.program), Property: "overlap", Clients: 3, Ticks: 6, Delays: explore.Any}
		if test.program == "thinks while inside" {
			q.Clients, q.Ticks, q.Tick = 1, 1, 7_200_000
		}
		luck, err := q.Sample(schedules, 1, test.budget, explore.Runtime{})
		if memory := test.budget.Memory; memory > 0 && (luck.Memory <= memory || luck.Memory > memory+memory/16) {
			t.Errorf("%s: a budget of %d bytes, but %d in use", test.program, memory, luck.Memory)
		}
		if luck.Memory = 0; test.want.Bound == explore.OfMemory { // the sizes of all types decide how many fit
			luck.Schedules, luck.Violating, luck.Actions, luck.Work = 0, 0, 0, 0
		}
		if err != nil || luck != test.want {
			t.Errorf("%s: %+v (%v), not %+v", test.program, luck, err, test.want)
		}
	}
}

// The counted memory is the real memory, in bytes: never less, and little more where components share some.
func TestMemoryIsCounted(t *testing.T) {
	for _, test := range []struct {
		name     string
		question explore.Question
		most     float64
	}{
		{"states", explore.Question{Program: builtin(t, "set-px"), Property: "mutual-exclusion", Clients: 4, Ticks: 4, Delays: explore.Any, Timeout: 2000}, 1.1},
		{"wide states", explore.Question{Program: builtin(t, "redlock"), Property: "mutual-exclusion", Clients: 3, Ticks: 4, Nodes: 5, NodeCrashes: 2, Lose: true, Delays: explore.Any, Timeout: 2000}, 1.1},
		{"writes", explore.Question{Program: builtin(t, "set-px-fencing"), Property: "stale-write", Clients: 3, Ticks: 6, Crashes: 2, Delays: explore.Any, Timeout: 2000, Replies: true}, 1.1},
		{"deadlocks", explore.Question{Program: stranger(t, "asks every node"), Property: "stuck", Clients: 5, Nodes: 5, Ticks: 10, NodeCrashes: 3, Delays: explore.Any}, 1.1},
		{"observations", explore.Question{Program: stranger(t, "observes much"), Property: "mutual-exclusion", Clients: 3, Ticks: 4, Delays: explore.Any}, 1.1},
		{"texts", explore.Question{Program: stranger(t, "stores long texts"), Property: "mutual-exclusion", Clients: 3, Ticks: 4, Delays: explore.Any}, 1.3},
		{"keys", explore.Question{Program: stranger(t, "stores many keys"), Property: "mutual-exclusion", Clients: 4, Ticks: 4, Delays: explore.Any}, 1.3},
	} {
		var before, now runtime.MemStats
		runtime.GC()
		runtime.GC() // what pools hold goes with the second
		runtime.ReadMemStats(&before)
		looked := false
		_, err := test.question.Search(explore.Budget{Memory: 6 << 20}, explore.Runtime{Progress: func(f explore.Figures) bool {
			if f.Memory < 5<<20 {
				return true
			}
			looked = true
			runtime.GC()
			runtime.ReadMemStats(&now)
			there := float64(now.HeapAlloc) - float64(before.HeapAlloc)
			if counted := float64(f.Memory); counted < there/1.05 || counted > there*test.most {
				t.Errorf("%s: the account has %.2f MB, the heap %.2f", test.name, counted/(1<<20), there/(1<<20))
			}
			return false
		}}, 1)
		if err != nil || !looked {
			t.Errorf("%s: Progress was never called (%v)", test.name, err)
		}
	}
}

// A deadlock check on the way leaves the search alone: it loses no states and adds none.
func TestDeadlocksChangeNoStates(t *testing.T) {
	// Each client needs the other's stored value: alone nobody gets in, and together they do.
	run := playedText(t, `program both retry=1s
define both
| def acquire(c):
|     c.incr("n")
|     c.set("k" + c.name, "1")
|     return c.get("kC1") if c.name != "C1" else c.get("kC2")
| def release(c, lease):
|     pass
spawn C1 C2 C3 C4
`)
	q := explore.Question{From: run, Clients: 4, Ticks: 1, Delays: explore.Any}
	counted := search(t, q)
	q.Property = check.Stuck.Name
	if a := search(t, q); a.Verdict != holds || a.States != counted.States || a.Transitions != counted.Transitions {
		t.Errorf("%+v, not %+v", a, counted)
	}
}

func playedText(t testing.TB, text string) *engine.Run {
	t.Helper()
	s, err := engine.Parse("run", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := s.Play("run", check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	return trace.Run
}

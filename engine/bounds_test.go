package engine_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/testtools"
)

// tireless evaluates about two thousand steps for each of its clock readings, and reads the clock as often as it may.
const tireless = `define tireless
| def acquire(c):
|     x = 0
|     for i in range(12):
|         for j in range(16):
|             x = x + c.now()
|     c.setnx("k", 1)
|     return None
| def release(c, lease):
|     pass
`

// ponderText ponders over long strings.
var ponderText = strings.Replace(strings.Replace(testtools.Ponder, "x = 0", `x = "`+strings.Repeat("x", 500)+`"`, 1), "x = x + i\n|     return x > 0", "y = x + str(i)\n|     return True", 1)

func spawns(n int, program string) string {
	text := "spawn"
	for i := range n {
		text += fmt.Sprintf(" C%d", i+1)
	}
	return text + " " + program + "\n"
}

// Each bound on a run has a text that exceeds it: the test pins the line, the message to the author, and the work done
// by then, in thousands of units. A change to these figures changes how much a stranger may cost.
func TestBounds(t *testing.T) {
	for _, test := range []struct {
		bound, text string
		line        int
		english     string
		chinese     string
		work        int64 // thousands of units
	}{
		{"events, by actions", strings.Repeat("do A1 GET k\n", 1300), 1250,
			"this action makes more events than fits: a run has at most 5000 in all", "这个动作产生的事件超过了这次运行的容量：一次运行总共至多 5000 个事件", 988},
		{"events, in a tick", testtools.Flip + "spawn C1 flip\ntick 24h\n", 9,
			"this action makes more events than fits: a run has at most 5000 in all", "这个动作产生的事件超过了这次运行的容量：一次运行总共至多 5000 个事件", 955},
		{"events, of violations", testtools.Flip + spawns(15, "flip") + "tick 1h\n", 9,
			"this action makes more events than fits: a run has at most 5000 in all", "这个动作产生的事件超过了这次运行的容量：一次运行总共至多 5000 个事件", 6380},
		{"actions", strings.Repeat("note \"x\"\n", 4001), 4001,
			"the run has 4000 actions and takes no more", "这次运行已有 4000 个动作，已达上限", 1404},
		{"bytes", strings.Repeat(`do A1 MSET k "`+strings.Repeat("<", 500)+"\"\n", 400), 104,
			"this action makes more data than fits: a run has at most 8 MB in all", "这个动作产生的数据超过了这次运行的容量：一次运行总共至多 8 MB", 502},
		{"text", strings.Repeat(`note "`+strings.Repeat("\u00a0", 250)+"\"\n", 400), 174, // each of these becomes \u00a0
			"with this action the run as text exceeds 256 KB, the most that a run may have", "加上这个动作，运行的文本会超过 256 KB 的上限", 181},
		{"work of an action", testtools.Ponder + spawns(16, "ponder") + "tick 1h\n", 13,
			"this action takes more than 20000000 units of work, the limit for one action: do less at once", "这个动作的计算量超过了单个动作的上限（20000000 个单位）：请一次少做一些", 20177},
		{"work of an action, by strings", ponderText + spawns(16, "ponder") + "tick 10m\n", 13,
			"this action takes more than 20000000 units of work, the limit for one action: do less at once", "这个动作的计算量超过了单个动作的上限（20000000 个单位）：请一次少做一些", 20328},
		{"work of the run", tireless + spawns(16, "tireless") + strings.Repeat("tick 1s\nstep C1\nstep C2\n", 300), 51,
			"this action takes more work than the run has left: a run does at most 200000000 units in all", "这个动作所需的计算量超过了这次运行剩余的额度：一次运行总共至多 200000000 个单位", 200000},
	} {
		t.Run(test.bound, func(t *testing.T) {
			scenario, err := engine.Parse("long", test.text, nil)
			if err != nil {
				t.Fatal(err)
			}
			work := int64(0)
			_, err = scenario.PlayAt(func(units int64) error { work += units; return nil }, "long", check.All()...)
			problem := (*engine.Problem)(nil)
			if !errors.As(err, &problem) {
				t.Fatalf("the engine refuses nothing: %v", err)
			}
			if problem.Line != test.line {
				t.Errorf("the engine refuses line %d, not %d", problem.Line, test.line)
			}
			place := fmt.Sprintf("long:%d:%d: ", problem.Line, problem.Column)
			if got := problem.Sentence(lang.English); got != place+test.english {
				t.Errorf("the author reads %q, not %q", got, test.english)
			}
			if got := problem.Sentence(lang.Chinese); got != place+test.chinese {
				t.Errorf("the author reads %q, not %q", got, test.chinese)
			}
			if work/1000 != test.work {
				t.Errorf("the engine refuses it after %d,000 units of work, not %d,000", work/1000, test.work)
			}
		})
	}
}

// An action that meets a bound changes nothing: the run stays as it was, and goes on as one that was never asked.
func TestAnActionAtABoundChangesNothing(t *testing.T) {
	own, err := engine.Parse("flip", testtools.Flip, nil)
	if err != nil {
		t.Fatal(err)
	}
	begin := func() *engine.World {
		return after(t, own.Header, "spawn C1 set-px-fencing", "spawn C2 flip", "spawn C3 set-px", "step C1", "spawn C4 naive", "crash C4", "do A1 SET k v PX 2500", "step C3", "pause C3")
	}
	asked, other := begin(), begin()
	for range 3 {
		if err := do(asked, "tick 24h"); err == nil {
			t.Fatal("a tick of a day stays within the events of a run")
		}
	}
	if asked.Meter().Work() != other.Meter().Work() || asked.Meter().Effort() <= other.Meter().Effort() || asked.Meter().Bytes() != other.Meter().Bytes() {
		t.Errorf("the refused actions count: %d units of work and %d bytes, not %d and %d", asked.Meter().Work(), asked.Meter().Bytes(), other.Meter().Work(), other.Meter().Bytes())
	}
	for _, line := range []string{"step C1", "tick 1s", "resume C3", "step C3", "deliver C4", "do A1 PTTL k", "tick 2s", "do A1 GET k", "step C2", "redis failover", "do A1 GET k", "redis crash keep", "redis restart", "do A1 GET lock.foo"} {
		if errA, errB := do(asked, line), do(other, line); (errA == nil) != (errB == nil) {
			t.Errorf("%s: %v, and without the refused actions %v", line, errA, errB)
		}
	}
	if got, want := sentences(asked), sentences(other); got != want {
		t.Errorf("a run that refused actions goes on differently\n%s", firstDifference(got, want))
	}
}

// The engine looks for a deadlock on copies of the world. Where they meet a bound, the question stays undecided: the
// engine claims nothing, and nothing goes wrong. (A tick stops at every odd millisecond that the clients' clocks differ
// by.)
func TestAQuestionAtABoundIsUndecided(t *testing.T) {
	text := "program patient timeout=24h\n" + strings.Replace(testtools.Ponder, "ponder", "patient", 1)
	text = strings.Replace(text, "return True\n", "return True if c.setnx(\"k\", 1) else None\n", 1)
	for i := range 15 {
		text += fmt.Sprintf("spawn C%d skew=%dms\n", i+1, 7*i+1)
	}
	trace := playText(t, text+"step C1\ncrash C1\ntick 1s\nstep C2\nstep C3\n")
	for _, e := range trace.Run.World().Events() {
		if e.Kind == engine.Violated {
			t.Errorf("the run claims that %s", e.Sentence(lang.English))
		}
	}
	// A run that is nearly full can still be asked.
	long := playText(t, "spawn C1 C2 C3 naive\nstep C1\ncrash C1\n"+strings.Repeat("note \"x\"\n", engine.MaxActions-6)+"step C2\n")
	stuck := false
	for _, e := range long.Run.World().Events() {
		stuck = stuck || e.Kind == engine.Violated && e.Violation.Property == check.Stuck.Name
	}
	if full := (*engine.FullError)(nil); !stuck || !errors.As(long.Run.World().Full(), &full) {
		t.Errorf("a run with all its actions: stuck is %v, full %v", stuck, long.Run.World().Full())
	}
}

func playText(t *testing.T, text string) *engine.Trace {
	t.Helper()
	scenario, err := engine.Parse("text", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play("text", check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// Parse reads whatever String writes: each possible run is text that makes the same run, to the last byte that its
// programs, its actions and its text may have.
func TestWrittenScenariosParse(t *testing.T) {
	body := "def acquire(c):\n    return True\ndef release(c, lease):\n    pass\n"
	for name, source := range map[string]string{
		"largest":            body + "#" + strings.Repeat("x", 8192-len(body)-1),
		"largest-with-end":   body + "#" + strings.Repeat("x", 8192-len(body)-1) + "\n",
		"lines":              body + strings.Repeat("\n", 8192-len(body)),
		"carriage-returns":   strings.ReplaceAll(body, "\n", "\r\n"),
		"without-end":        strings.TrimSuffix(body, "\n"),
		"blanks-at-the-ends": strings.ReplaceAll(body, "\n", "  \n") + "   ",
	} {
		p, err := program.Parse(name, source)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		run := engine.NewRun(engine.Header{}, check.All()...)
		for i := range engine.MaxOwn {
			other := *p
			other.Name = fmt.Sprintf("%s-%d", name, i)
			if err := run.Define(&other); err != nil {
				t.Fatal(err)
			}
		}
		for _, line := range []string{"spawn C1 " + name + "-0", "note \"\u00a0\u202e\\\"\\\\\"", `do A1 SET "a b" "\x00\x7f#" PX 5`, "step C1"} {
			a, err := engine.ParseAction(line)
			if err == nil {
				_, err = run.Do(a)
			}
			if err != nil {
				t.Fatalf("%s: %v", line, err)
			}
		}
		for run.World().Full() == nil {
			a := engine.Action{Verb: engine.VerbNote, Text: strings.Repeat("\u00a0", 200)}
			if _, err := run.Do(a); err != nil {
				a.Text = "x"
				for err = nil; err == nil; _, err = run.Do(a) { // until nothing more fits
				}
				break
			}
		}
		text := run.Scenario().String()
		if len(text) > engine.MaxText {
			t.Errorf("%s: the run has a text of %d bytes", name, len(text))
		}
		again := playText(t, text)
		if got := again.Run.Scenario().String(); got != text {
			t.Errorf("%s: the text and the parsed text differ: %s", name, firstDifference(got, text))
		}
		if sentences(again.Run.World()) != sentences(run.World()) {
			t.Errorf("%s: the parsed run does something else", name)
		}
	}
}

// The size that a run counts for its events is never less than they take on the wire, and not much more.
func TestBytesOfEvents(t *testing.T) {
	worlds := []*engine.World{
		playText(t, strings.Repeat(`do A1 MSET "\x00\x01" "<&>" k "`+strings.Repeat("\u00a0", 100)+`" "\"" "\\"`+"\n", 20)).Run.World(),
		playText(t, testtools.Flip+spawns(8, "flip")+"tick 10s\nskew C1 3s\n").Run.World(),
		playText(t, "note \""+strings.Repeat("锁", 100)+"\"\ndo A1 SET k "+strings.Repeat("锁", 100)+"\n").Run.World(),
	}
	for _, file := range transcripts(t) {
		worlds = append(worlds, play(t, file).Run.World())
	}
	for i, w := range worlds {
		wire := int64(0)
		for _, e := range w.Events() {
			text, err := json.Marshal(e)
			if err != nil {
				t.Fatal(err)
			}
			wire += int64(len(text)) + 1
		}
		if w.Meter().Bytes() < wire || w.Meter().Bytes() > 5*wire {
			t.Errorf("world %d counts %d bytes, and takes %d", i, w.Meter().Bytes(), wire)
		}
	}
}

// A run does several actions together or none, and can take them back.
func TestActionsTogether(t *testing.T) {
	actions := func(text string) []engine.Action {
		s, err := engine.Parse("text", text, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s.Actions()
	}
	run := playText(t, testtools.Ponder+"spawn C1 set-px\nstep C1\nspawn C3 ponder\n").Run
	before, text, work := sentences(run.World()), run.Scenario().String(), run.World().Meter().Work()
	untouched := func(after string) {
		t.Helper()
		if sentences(run.World()) != before || run.Scenario().String() != text || run.World().Meter().Work() != work {
			t.Errorf("%s has changed the run", after)
		}
	}
	for _, test := range []struct {
		line  string
		limit int64
		want  string
	}{
		{"tick 1s\ntick 1s\nstep C9\n", engine.MaxActionWork, "there is no client C9"},
		{"tick 1h\n", 100_000, engine.ErrLonger.Error()},
		{"tick 1h\ntick 1h\ntick 1h\ntick 1h\ntick 1h\ntick 1h\ntick 1h\ntick 1h\n", engine.MaxActionWork, "this action takes more than 20000000 units of work, the limit for one action: do less at once"},
	} {
		if _, err := run.DoWithin(test.limit, actions(test.line)...); err == nil || err.Error() != test.want {
			t.Errorf("%q returns %v, want %s", test.line, err, test.want)
		}
		untouched("a refusal")
	}
	done, err := run.DoWithin(1_000_000, actions("tick 2s\nspawn C2 set-px\nstep C1\ndo A1 SET k v\n")...)
	if err != nil || len(run.Actions()) != 7 {
		t.Fatalf("%d actions, %v", len(run.Actions()), err)
	}
	done.TakeBack()
	untouched("taking back")
	again := playText(t, text+"tick 1s\nstep C1\ndo A1 GET k\n")
	if _, err := run.Do(actions("tick 1s\nstep C1\ndo A1 GET k\n")...); err != nil {
		t.Fatal(err)
	}
	if got, want := sentences(run.World()), sentences(again.Run.World()); got != want {
		t.Errorf("a run after taking back goes on differently\n%s", firstDifference(got, want))
	}
}

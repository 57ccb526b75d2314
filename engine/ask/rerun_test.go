package ask_test

import (
	"os"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/ask"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// race is the race from the sources, every command a step of its own, as a
// learner clicks it.
const race = `program del-setnx timeout=10s
spawn C3
step C3
crash C3
tick 12s
spawn C1 C2
step C1
step C1
step C2
step C2
step C1
step C1
step C2
step C2
`

func played(t *testing.T, text string) *engine.Run {
	t.Helper()
	scenario, err := engine.Parse("test", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play("test", check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	return trace.Run
}

func playedFile(t *testing.T, file string) *engine.Run {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return played(t, string(text))
}

// sentences returns a run as the sentences of its events.
func sentences(w *engine.World) string {
	var b strings.Builder
	for _, e := range w.Events() {
		b.WriteString(e.Time.String() + " " + e.Lane + " " + string(e.Kind) + " " + e.Sentence(lang.English) + "\n")
	}
	return b.String()
}

// The test runs the same schedule with GETSET: C1 takes over the dead lock, and
// C2 reads back a fresh time and backs off. The later steps of the race are no
// longer possible.
func TestRerunOfTheRaceWithGetset(t *testing.T) {
	run := played(t, race)
	if n := len(run.World().Violations()); n == 0 {
		t.Fatal("the race violates nothing")
	}
	getset, _ := program.Builtin("getset")
	twin, omitted, err := ask.Rerun(run, len(run.Actions()), "", getset)
	if err != nil {
		t.Fatal(err)
	}
	if v := twin.World().Violations(); len(v) > 0 {
		t.Errorf("with getset there is a violation: %v", v)
	}
	if got := twin.World().Client("C1").Status; got != engine.Inside {
		t.Errorf("C1 is %s, want it inside: a delivery must not become a leaving", got)
	}
	if got := twin.World().Client("C2").Status; got != engine.Asleep {
		t.Errorf("C2 is %s, want it asleep", got)
	}
	var why []string
	for _, o := range omitted {
		why = append(why, o.Action.String()+": "+o.Why.Error())
	}
	want := "step C1: C1 is in the critical section, but was not when the original schedule came here\nstep C2: C2 is asleep until 1013 and has nothing in flight"
	if got := strings.Join(why, "\n"); got != want {
		t.Errorf("left out:\n%s\nwant\n%s", got, want)
	}
	if len(twin.Actions())+len(omitted) != len(run.Actions()) {
		t.Errorf("%d actions and %d left out are not the %d of the schedule", len(twin.Actions()), len(omitted), len(run.Actions()))
	}
}

// Every transcript run again with its own program gives the same run.
func TestRerunWithTheSameProgramChangesNothing(t *testing.T) {
	for _, name := range []string{"del-setnx-race", "late-del", "own-program", "set-px-pause", "every-action", "leave-or-wait", "set-px-watchdog-pause", "set-px-fencing-late", "redlock-restart"} {
		run := playedFile(t, "../testdata/"+name+".lock")
		var p *program.Program
		for _, c := range run.World().Clients() {
			if c.Program != nil {
				p = c.Program
			}
		}
		twin, omitted, err := ask.Rerun(run, len(run.Actions()), p.Name, p)
		if err != nil || len(omitted) > 0 {
			t.Errorf("%s: %v, left out: %v", name, err, omitted)
			continue
		}
		if got, want := sentences(twin.World()), sentences(run.World()); got != want {
			t.Errorf("%s is another run:\n%s\nnot\n%s", name, got, want)
		}
	}
}

// An edit from < to <=, run again, gives two owners at the equal instant.
func TestRerunWithAnEditedProgram(t *testing.T) {
	whole := playedFile(t, "../testdata/equal-instant.lock")
	edited := whole.World().Clients()[0].Program // getset-le
	getset, _ := program.Builtin("getset")
	run, _, err := ask.Rerun(whole, len(whole.Actions()), "", getset)
	if err != nil {
		t.Fatal(err)
	}
	if v := run.World().Violations(); len(v) > 0 {
		t.Fatalf("getset violates %v at the equal instant", v)
	}
	mine, err := program.Parse("getset-mine", edited.Source)
	if err != nil {
		t.Fatal(err)
	}
	twin, _, err := ask.Rerun(run, len(run.Actions()), "getset", mine)
	if err != nil {
		t.Fatal(err)
	}
	if v := twin.World().Violations(); len(v) == 0 {
		t.Error("<= violates nothing")
	}
	if _, err := engine.Parse("log", twin.Scenario().String(), nil); err != nil {
		t.Errorf("the run does not read back: %v", err)
	}
	again, err := program.Parse("getset-mine", getset.Source)
	if err != nil {
		t.Fatal(err)
	}
	if back, _, err := ask.Rerun(twin, len(twin.Actions()), "getset-mine", again); err != nil || len(back.Own()) != 1 {
		t.Errorf("a program edited again is refused or kept twice: %v", err)
	}
}

// A step that let a client leave is left out where the other program has not let it in yet: there it would deliver a command.
func TestAStepInsideStaysInside(t *testing.T) {
	run := played(t, "program naive\nspawn C1\nstep C1\nstep C1\n")
	slow, err := program.Parse("slow", "def acquire(c):\n    c.get(\"k\")\n    return c.setnx(\"k\", c.name) == 1\n\ndef release(c, lease):\n    c.delete(\"k\")\n")
	if err != nil {
		t.Fatal(err)
	}
	twin, omitted, err := ask.Rerun(run, 3, "", slow)
	if err != nil {
		t.Fatal(err)
	}
	defer twin.World().Close()
	if len(omitted) != 1 || omitted[0].Place != 3 || omitted[0].Why.Error() != "C1 is not in the critical section, but was when the original schedule came here" {
		t.Errorf("the rerun leaves out %+v", omitted)
	}
}

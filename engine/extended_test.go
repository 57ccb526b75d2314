package engine_test

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// A run with a larger recording is the same run, in which clients go on that stood where the recording ended.
func TestALargerRecordingContinuesARun(t *testing.T) {
	const small = "recorded worker\nSETNX lock.foo 1\n"
	larger := map[string]string{
		"the reply that C1 got": small + "= (integer) 1\n  enter\n  hold\n  leave\n  DEL lock.foo\n= (integer) 0\n  again 1\n",
		"no more":               small,
		"another first command": "recorded worker\nSET lock.foo 1 NX\n",
		"another title":         "recorded other\nSETNX lock.foo 1\n",
	}
	for name, after := range map[string]string{"the reply that C1 got": "inside, waits", "no more": "missing, waits", "another first command": "", "another title": ""} {
		run := engine.NewRun(engine.Header{Program: "worker", Own: []*program.Program{parsed(t, small)}}, check.All()...)
		for _, a := range []engine.Action{{Verb: engine.VerbSpawn, Client: "C1"}, {Verb: engine.VerbStep, Client: "C1"}, {Verb: engine.VerbSpawn, Client: "C2"}} {
			if _, err := run.Do(a); err != nil {
				t.Fatal(err)
			}
		}
		before := eventsOf(run)
		more, err := run.Extended(parsed(t, larger[name]))
		if after == "" {
			if err == nil || !strings.Contains(err.Error(), "does something else than this run has recorded") {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var stand []string
		for _, c := range more.World().Clients() {
			if c.Missing {
				stand = append(stand, "missing")
			} else {
				stand = append(stand, string(c.Status))
			}
		}
		if got := strings.Join(stand, ", "); got != after {
			t.Errorf("%s: %s, want %s", name, got, after)
		}
		now := eventsOf(more)
		for _, sentence := range before { // in the same order, with what is new between them
			i := slices.Index(now, sentence)
			if i < 0 {
				t.Errorf("%s: the run has lost %q", name, sentence)
				continue
			}
			now = now[i+1:]
		}
		if !slices.Equal(eventsOf(run), before) {
			t.Errorf("%s: the run itself has changed", name)
		}
	}
}

func parsed(t *testing.T, source string) *program.Program {
	t.Helper()
	p, err := program.Parse("worker", source)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func eventsOf(run *engine.Run) (all []string) {
	for _, e := range run.World().Events() {
		all = append(all, e.Sentence("en"))
	}
	return all
}

// A pause of a client whose program had ended already comes too late, and so does its end: the larger run leaves both out.
func TestALargerRecordingLeavesOutWhatCameTooLate(t *testing.T) {
	const small = "recorded worker\nSETNX lock.foo 1\n"
	for _, late := range []string{"pause", "crash"} {
		run := engine.NewRun(engine.Header{Program: "worker", Own: []*program.Program{parsed(t, small)}}, check.All()...)
		for _, line := range []string{"spawn C1", "step C1", late + " C1", "spawn C2"} {
			a, err := engine.ParseAction(line)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := run.Do(a); err != nil {
				t.Fatal(err)
			}
		}
		more, err := run.Extended(parsed(t, small+"= (integer) 1\nend\n"))
		if err != nil {
			t.Fatalf("%s: %v", late, err)
		}
		var left []string
		for _, a := range more.Actions() {
			left = append(left, a.String())
		}
		if got := strings.Join(left, ", "); got != "spawn C1, step C1, spawn C2" || more.World().Client("C1").Status != engine.Finished {
			t.Errorf("%s: %s; C1 is %s", late, got, more.World().Client("C1").Status)
		}
	}
}

// A sleep says when a long attempt before it began. A recording does not tell where its attempts begin: it may have held the lock since.
func TestASleepSaysWhenItsAttemptBegan(t *testing.T) {
	for name, want := range map[string]string{
		"naive": "C2 sleeps until 1006. Its attempt began at 1000.",
		"recorded worker\nSETNX lock.foo 1\n= (integer) 1\n  enter\n  hold\n  leave\n  DEL lock.foo\n= (integer) 0\n  again 1\n": "C2 sleeps until 1006.",
	} {
		header := engine.Header{Program: name}
		if name != "naive" {
			header = engine.Header{Program: "worker", Own: []*program.Program{parsed(t, name)}}
		}
		run := engine.NewRun(header, check.All()...)
		for _, a := range []engine.Action{
			{Verb: engine.VerbSpawn, Client: "C1"}, {Verb: engine.VerbSpawn, Client: "C2"}, {Verb: engine.VerbStep, Client: "C1"},
			{Verb: engine.VerbTick, Time: 5000}, {Verb: engine.VerbStep, Client: "C2"},
		} {
			if _, err := run.Do(a); err != nil {
				t.Fatal(err)
			}
		}
		events := run.World().Events()
		if got := events[len(events)-1].Sentence(lang.English); got != want {
			t.Errorf("%.10s: %s, want %s", name, got, want)
		}
	}
}

package explore

import (
	"os"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
)

// played returns the run of the transcript with recorded effects, up to a line, with more actions.
func played(t *testing.T, before string, more ...engine.Action) *engine.Run {
	t.Helper()
	text, err := os.ReadFile("../testdata/recorded-effects.lock")
	if err != nil {
		t.Fatal(err)
	}
	whole := string(text)
	s, err := engine.Parse("effects", whole[:strings.Index(whole, "\n"+before+"\n")+1], nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := s.Play("effects", check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range more {
		if _, err := trace.Run.Do(a); err != nil {
			t.Fatal(err)
		}
	}
	return trace.Run
}

// A search uses the effects that are recorded. Where it would need another one, the recording is its bound: it never says that
// a property holds, and no client counts as mistaken.
func TestASearchUsesRecordedEffects(t *testing.T) {
	two := played(t, "tick 5s", engine.Action{Verb: engine.VerbCrash, Client: "C3"}, engine.Action{Verb: engine.VerbDrop, Client: "C3"})
	for _, test := range []struct {
		name  string
		q     Question
		want  Verdict
		bound Bound
	}{
		{"a way that is recorded", Question{From: two, Property: "overlap", Ticks: 1, Tick: 5000, Clients: 3}, Violated, ""},
		{"a way that is not", Question{From: played(t, "step C1"), Property: "foreign-delete", Ticks: 1, Tick: 5000, Clients: 3}, Spent, OfRecording},
		{"a late request that is not", Question{From: played(t, "deliver C4"), Property: "foreign-delete", Clients: 4}, Spent, OfRecording},
		{"nobody can get in", Question{From: played(t, "tick 5s"), Property: "stuck", Crashes: 1, Clients: 2}, Spent, OfRecording},
		{"a program without any effect", Question{Program: played(t, "step C1").Own()[0], Property: "overlap", Clients: 2}, Spent, OfRecording},
	} {
		test.q.Delays = Any
		a, err := test.q.Search(Budget{}, Runtime{}, 1)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if a.Verdict != test.want || a.Bound != test.bound || len(a.Gaps) > 0 != (test.bound != "") {
			t.Errorf("%s: %s by %q, %d gaps", test.name, a.Verdict, a.Bound, len(a.Gaps))
		}
		if test.want == Violated && a.Verdict == Violated && !strings.Contains(a.Counterexamples[0].Scenario.String(), "\neffect EVALSHA ") {
			t.Errorf("%s: %s", test.name, a.Counterexamples[0].Scenario)
		}
	}
}

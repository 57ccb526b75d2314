package learn

import (
	"testing"

	"lockstep/engine/explore"
)

func test(t *testing.T, main func(c *client) int, q explore.Question, auto bool) *Result {
	t.Helper()
	l := NewLearner("fake", launch(main))
	defer l.Close()
	q.Delays = explore.Any
	q.Symmetry = true
	r, err := (&Test{Question: q, Name: "fake", AutoTick: auto}).Run(l)
	if err != nil {
		t.Fatal(err)
	}
	p, err := l.Recording().Program("fake")
	t.Logf("%s: %d starts, %d histories, %d rounds, %d replays\n%s%v", r.Verdict, r.Starts, r.Histories, r.Rounds, r.Replays, p.Source, err)
	if r.Deviation != nil {
		t.Log(r.Deviation)
	}
	if r.Fault != nil {
		t.Log(r.Fault)
	}
	if r.Answer != nil && len(r.Answer.Counterexamples) > 0 {
		t.Logf("\n%s", r.Answer.Counterexamples[0].Scenario)
	}
	return r
}

func TestVerdicts(t *testing.T) {
	test(t, setPxDel, explore.Question{Property: "overlap", Clients: 3}, false)
	test(t, setPxDel, explore.Question{Property: "overlap", Clients: 3, Ticks: 1}, true)
	test(t, setPxDel, explore.Question{Property: "foreign-delete", Clients: 3, Ticks: 1}, true)
	test(t, compares, explore.Question{Property: "foreign-delete", Clients: 3, Ticks: 1, Crashes: 1}, true)
	test(t, resends, explore.Question{Property: "stuck", Clients: 2, Losses: 1}, false)
	test(t, resends, explore.Question{Property: "overlap", Clients: 2, Losses: 1}, false)
}

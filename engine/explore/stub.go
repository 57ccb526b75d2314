package explore

import (
	"lockstep/engine"
)

// A stand-in until the search is here.

type stubError struct{ english, chinese string }

func (e *stubError) Error() string { return e.english }

// Sentence is the error in one language.
func (e *stubError) Sentence(in engine.Language) string {
	if in == engine.Chinese {
		return e.chinese
	}
	return e.english
}

// Check stands in.
func (q Question) Check() error {
	if q.Crashes > q.Clients {
		return &stubError{"more crashes than clients", "崩溃次数多于客户端"}
	}
	return nil
}

const stubRace = `program del-setnx timeout=2s
spawn C1
step C1
crash C1
tick 1s
tick 1s
tick 1s
tick 1s
spawn C2
spawn C3
step C2
step C2
step C3
step C3
step C2
step C2
step C3
step C3
expect violation mutual-exclusion C2 C3
`

// Search stands in.
func (q Question) Search(b Budget, h Hands, causes int) (*Answer, error) {
	a := &Answer{Verdict: Holds}
	n := int64(40)
	if q.Clients > 3 {
		n = 4_000_000
	}
	for i := range n {
		a.Figures = Figures{States: i * 1234, Transitions: i * 5678, Depth: int(min(i, 18)), Memory: i * 1234 * 20}
		if b.Memory > 0 && a.Memory > b.Memory {
			a.Verdict = Spent
			return a, nil
		}
		if h.Progress != nil && !h.Progress(a.Figures) {
			a.Verdict = Stopped
			return a, nil
		}
	}
	if q.Program.Name == "del-setnx" && q.Property == "mutual-exclusion" {
		s, err := engine.Parse("stub", stubRace, nil)
		if err != nil {
			return nil, err
		}
		a.Verdict = Violated
		for range min(max(1, causes), 3) {
			a.Counterexamples = append(a.Counterexamples, Counterexample{Scenario: s, Length: 17, Clients: []string{"C2", "C3"}, Cause: Cause{Kind: engine.Deliver, Command: "DEL", Line: 21}})
		}
	}
	return a, nil
}

// Luck stands in.
func (q Question) Luck(schedules int64, seed uint64, h Hands) (Luck, error) {
	return Luck{Schedules: schedules, Violating: int64(seed % 3 / 2), Steps: schedules * 20}, nil
}

package search

import (
	"context"
	"strings"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/program"
)

func usual(t *testing.T) explore.Question {
	t.Helper()
	p, ok := program.Builtin("del-setnx")
	if !ok {
		t.Fatal("there is no del-setnx")
	}
	return explore.Question{Program: p, Property: "mutual-exclusion", Clients: 3, Ticks: 5, Timeout: 2000, Delays: explore.Any, Symmetry: true}
}

// counting is an Explorer whose searches are counted, and answered at once.
func counting(answers *int) *Explorer {
	e := New(0, 0, 0)
	e.Search = func(explore.Question, explore.Budget, explore.Runtime, int) (*explore.Answer, error) {
		*answers++
		return &explore.Answer{Verdict: explore.Holds}, nil
	}
	return e
}

// The same question is searched once. Every part of a question makes another one.
func TestAnAnswerIsKeptByItsQuestion(t *testing.T) {
	searches := 0
	e := counting(&searches)
	defer e.Close()
	ask := func(q explore.Question, causes bool) {
		t.Helper()
		if _, decided, err := e.Answer(context.Background(), q, causes); !decided || err != nil {
			t.Fatalf("%+v: decided %t, %v", q, decided, err)
		}
	}
	ask(usual(t), false)
	ask(usual(t), false)
	if searches != 1 {
		t.Errorf("the same question is searched %d times", searches)
	}
	if _, ok := e.Known(usual(t), false); !ok {
		t.Error("an answered question is not known")
	}
	other, err := program.Parse("del-setnx", usual(t).Program.Source+"\n# mine\n")
	if err != nil {
		t.Fatal(err)
	}
	others := []func(*explore.Question){
		func(q *explore.Question) { q.Program = other },
		func(q *explore.Question) { q.Property = "overlap" },
		func(q *explore.Question) { q.Clients = 2 },
		func(q *explore.Question) { q.Ticks = 4 },
		func(q *explore.Question) { q.Tick = 2000 },
		func(q *explore.Question) { q.Timeout = 3000 },
		func(q *explore.Question) { q.Delays = 0 },
		func(q *explore.Question) { q.Skew = map[string]engine.Time{"C1": 1000} },
		func(q *explore.Question) { q.Skew = map[string]engine.Time{"C1": 2000} },
		func(q *explore.Question) { q.Skew = map[string]engine.Time{"C2": 1000} },
		func(q *explore.Question) { q.Symmetry = false },
	}
	for _, change := range others {
		q := usual(t)
		change(&q)
		ask(q, false)
	}
	ask(usual(t), true)
	if searches != 2+len(others) {
		t.Errorf("%d different questions take %d searches", 2+len(others), searches)
	}
	renamed := *usual(t).Program
	renamed.Name = "mine"
	q := usual(t)
	q.Program = &renamed
	if _, ok := e.Known(q, false); ok {
		t.Error("an answer that names another program is known")
	}
}

// The explorer keeps a bounded number of answers, forgets the one that was asked for least recently, and never the first.
func TestKeptAnswersAreBounded(t *testing.T) {
	searches := 0
	e := counting(&searches)
	defer e.Close()
	if err := e.Prepare(usual(t)); err != nil {
		t.Fatal(err)
	}
	of := func(i int) explore.Question {
		q := usual(t)
		q.Timeout = engine.Time(10_000 + i)
		return q
	}
	for i := range maxAnswers + 10 {
		if _, _, err := e.Answer(context.Background(), of(i), false); err != nil {
			t.Fatal(err)
		}
		if _, ok := e.Known(of(0), false); !ok && i < maxAnswers {
			t.Fatalf("after %d others an answer in use is forgotten", i)
		}
	}
	if n := len(e.answers.of); n != maxAnswers || e.answers.used.Len() != n {
		t.Errorf("%d answers are kept", n)
	}
	_, first := e.Known(usual(t), false)
	_, inUse := e.Known(of(0), false)
	_, unused := e.Known(of(1), false)
	if !first || !inUse || unused {
		t.Errorf("the first is known: %t; the one in use: %t; an old one: %t", first, inUse, unused)
	}
}

// Kept answers have a bound in bytes, and a large one is not kept.
func TestKeptAnswersAreBoundedInBytes(t *testing.T) {
	s := newAnswers()
	of := func(i, lines int) answer {
		scenario := &engine.Scenario{Lines: make([]engine.Line, lines)}
		scenario.Lines[0].Comment = strings.Repeat("x", 1000)
		return answer{key: key{byte(i), byte(i >> 8)}, found: Finding{Answer: &explore.Answer{Counterexamples: []explore.Counterexample{{Scenario: scenario}}}}}
	}
	for i := range 100 {
		s.keep(of(i, 1_000))
		if s.bytes > maxAnswerBytes || s.bytes < int64(len(s.of))*1_000_000 {
			t.Fatalf("%d bytes in %d answers", s.bytes, len(s.of))
		}
	}
	if n := len(s.of); n < 10 || n > maxAnswerBytes/1_000_000 {
		t.Errorf("%d answers of 1 MB are kept", n)
	}
	large := of(1_000, 2_000)
	if s.keep(large); s.get(large.key) != nil {
		t.Errorf("an answer of %d bytes is kept", large.found.bytes())
	}
}

// A short search that ends after the long one has less to say: the long one's answer stays, and takes the place of a short one's.
func TestADecidedAnswerStaysDecided(t *testing.T) {
	s, short, long := newAnswers(), answer{key: key{1}}, answer{key: key{1}, decided: true}
	for _, after := range []struct {
		kept    answer
		decided bool
	}{{short, false}, {long, true}, {short, true}, {long, true}} {
		if s.keep(after.kept); s.get(key{1}).decided != after.decided || len(s.of) != 1 {
			t.Errorf("after one that is decided: %t, the kept answer is decided: %t", after.kept.decided, !after.decided)
		}
	}
}

// A clock decides nothing that is kept. Counted work does.
func TestTheClockDecidesNoKeptAnswer(t *testing.T) {
	e := New(0, 0, 0)
	defer e.Close()
	find := func(q explore.Question, limit time.Duration) (f Finding) {
		t.Helper()
		turn, err := e.Join(t.Context(), "n", "p")
		if err == nil {
			err = turn.Wait(nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		defer turn.End(nil)
		if f, err = turn.Find(q, false, limit, func(explore.Figures, time.Duration) {}); err != nil {
			t.Fatal(err)
		}
		return f
	}
	if f := find(usual(t), time.Nanosecond); f.Verdict != explore.Stopped {
		t.Errorf("in 1 ns: %s", f.Verdict)
	}
	if _, ok := e.Known(usual(t), false); ok {
		t.Error("an answer of the clock is kept")
	}
	e.Work = 1_000_000
	if f := find(usual(t), e.Time); f.Verdict != explore.Spent {
		t.Errorf("with little work: %s", f.Verdict)
	}
	if f, ok := e.Known(usual(t), false); !ok || f.Verdict != explore.Spent {
		t.Error("an answer of counted work is not kept")
	}
}

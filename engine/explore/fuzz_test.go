package explore_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/testtools"
)

// The budget of a fuzzed question, and by how much it may be exceeded: by an action of the engine, by the work between
// two checks of it, and by the smallest piece of memory that is set aside at once.
var small = explore.Budget{Memory: 4 << 20, Work: 2_000_000}

const (
	mostWork   = 2_000_000 + engine.MaxQuestionWork + 500_000
	mostMemory = 6 << 20
	mostGap    = engine.MaxQuestionWork + 1_000_000 // units between two calls of Progress
)

// numbers makes a question's numbers from any bytes; some are out of bounds.
type numbers []byte

func (n *numbers) next() int {
	if len(*n) == 0 {
		return 0
	}
	b := (*n)[0]
	*n = (*n)[1:]
	return int(b)
}

// of returns mostly small numbers.
func (n *numbers) of(most int) int {
	switch b := n.next(); {
	case b < 192:
		return b % min(most+1, 8)
	case b < 250:
		return (b - 192) * most / 58
	default:
		return most + b - 252
	}
}

func (n *numbers) time() engine.Time {
	switch b := engine.Time(n.next()); {
	case b < 64:
		return b * 100
	case b < 128:
		return b * 1000
	case b < 250:
		return b * 1_000_000
	default:
		return (b - 252) * 100_000_000
	}
}

func (n *numbers) question() explore.Question {
	names := append(check.Names(), "", "", "fairness")
	q := explore.Question{
		Property: names[n.next()%len(names)], Clients: n.of(explore.MaxClients), Ticks: n.of(explore.MaxTicks), Tick: n.time(), Timeout: n.time(), Retry: n.time(),
		Crashes: n.of(explore.MaxFaults), Delays: n.of(explore.MaxTicks) - 1, Nodes: n.of(engine.MaxNodes), NodeCrashes: n.of(explore.MaxFaults), RestartDelay: n.of(20),
	}
	q.Failovers = n.next() % (explore.MaxFaults + 2)
	q.Losses = n.next() % (explore.MaxFaults + 2)
	bits := n.next()
	q.Replies, q.Lose, q.Restarts, q.Symmetry = bits&1 > 0, bits&2 > 0, bits&4 > 0, bits&8 > 0
	if bits&16 > 0 {
		q.Skew = map[string]engine.Time{"C1": n.time(), "C2": -n.time()}
	}
	return q
}

// run returns a run of the question's program, with any actions.
func (n *numbers) run(q explore.Question) *engine.Run {
	run := engine.NewRun(engine.Header{Program: "own", Own: []*program.Program{q.Program}, Nodes: 1 + n.next()%3, Options: engine.Options{Timeout: min(max(0, n.time()), engine.MaxTick)}}, check.All()...)
	work := run.World()
	for len(*n) > 0 && work.Meter().Effort() < small.Work {
		b := n.next()
		client := fmt.Sprintf("C%d", 1+b%4)
		verbs := []engine.Verb{
			engine.VerbSpawn, engine.VerbSpawn, engine.VerbStep, engine.VerbStep, engine.VerbStep, engine.VerbDeliver, engine.VerbReceive, engine.VerbDrop, engine.VerbCrash,
			engine.VerbRestart, engine.VerbPause, engine.VerbResume, engine.VerbSkew, engine.VerbTick, engine.VerbRedisCrash, engine.VerbRedisRestart, engine.VerbFailover, engine.VerbDo, engine.VerbEnter, engine.VerbLeave,
		}
		a := engine.Action{Verb: verbs[b/4%len(verbs)], Client: client}
		switch a.Verb {
		case engine.VerbTick, engine.VerbSkew:
			a.Time = n.time()
		case engine.VerbEnter, engine.VerbLeave:
			a.Client = "A1"
		case engine.VerbDo:
			a.Client, a.Command = "A1", []string{"SET", "l", client}
		case engine.VerbRedisCrash:
			a.Lose = b%2 == 0
		}
		_, _ = run.Do(a) // the run refuses impossible actions
	}
	return run
}

// played returns the run of a scenario, or nil where there is none, or it takes
// too long.
func played(scenario string) *engine.Run {
	s, err := engine.Parse("run", scenario, nil)
	if err != nil {
		return nil
	}
	work := int64(0)
	trace, err := s.PlayAt(func(units int64) error {
		if work += units; work > small.Work {
			return errors.New("it takes too long")
		}
		return nil
	}, "run", check.All()...)
	if err != nil {
		return nil
	}
	return trace.Run
}

// For any question, about any program and after any run, there is an answer within the budget. One worker gives the
// same answer each time, and a reported violation can be played.
func FuzzQuestion(f *testing.F) {
	for i, name := range program.Names() {
		p, _ := program.Builtin(name)
		f.Add(p.Source, "", []byte{byte(i), 3, 3, 10, 20, 10, 1, 0, 1, 0, 0, byte(i)})
	}
	for _, text := range hostile {
		f.Add(text, "", []byte{4, 3, 3, 10, 20, 10, 1, 0, 1, 0, 0, 0})
		f.Add(text, "", []byte{0, 2, 250, 255, 255, 0, 2, 2, 3, 2, 1, 31, 7, 9})
	}
	for seed := range testtools.InCircle[byte](6, 20, 20) {
		f.Add("", "", []byte{seed % 7, 2 + seed%3, 3, 10, 20, 10, 1, 0, 1, 0, 0, 0, seed, 7 * seed})
	}
	f.Add("", "spawn C1 C2 C3 naive\nstep C1\ncrash C1\n", []byte{4, 3, 3, 120, 0, 0, 0, 0})
	f.Add("", "spawn C1 set-px-watchdog\npause C1\ntick 20s\nspawn C2 redlock\nredis crash\n", []byte{1, 5, 3, 120, 0, 0, 1, 0, 1, 1, 1, 4})
	f.Fuzz(func(t *testing.T, text, scenario string, bytes []byte) {
		n := numbers(bytes)
		q := n.question()
		if text == "" {
			text = dice{rand.New(rand.NewPCG(uint64(n.next()), uint64(n.next())))}.text()
		}
		if p, err := program.Parse("own", text); err == nil {
			q.Program = p
		}
		if scenario != "" {
			if q.From = played(scenario); q.From == nil {
				return
			}
		} else if q.Program != nil && n.next()%4 == 1 {
			q.From = n.run(q)
		}
		a := asked(t, q, explore.Runtime{}, 1)
		if again := asked(t, q, explore.Runtime{}, 1); a != nil && (!reflect.DeepEqual(again.Figures, a.Figures) || again.Verdict != a.Verdict) {
			t.Errorf("the same question returns %+v, and then %+v", a, again)
		}
		asked(t, q, explore.Runtime{Workers: 2, Go: func(n int, work func(i int)) {
			var all sync.WaitGroup
			for i := range n {
				all.Go(func() { work(i) })
			}
			all.Wait()
		}}, 3)
		if a != nil && q.From == nil {
			for _, found := range a.Counterexamples {
				replay(t, "fuzzed", q.Property, found)
			}
		}
		gap := gaps{t: t}
		luck, err := q.Sample(50, 1, small, explore.Runtime{Progress: gap.told})
		answered(t, err)
		if luck.Work > mostWork || luck.Memory > mostMemory || luck.Verdict == "" && err == nil && luck.Schedules != 50 {
			t.Errorf("luck: %+v", luck)
		}
	})
}

// asked searches and checks the answer against its bounds. It returns nil where Search refuses the question.
func asked(t *testing.T, q explore.Question, h explore.Runtime, causes int) *explore.Answer {
	t.Helper()
	gap := gaps{t: t}
	h.Progress = gap.told
	a, err := q.Search(small, h, causes)
	answered(t, err)
	if a == nil {
		return nil
	}
	if a.Work > mostWork*int64(max(1, h.Workers)) || a.Memory > mostMemory {
		t.Errorf("%d units of work and %d bytes: %+v", a.Work, a.Memory, a)
	}
	if (a.Verdict == explore.Spent) != (a.Bound != "") || a.Verdict == explore.Violated && len(a.Counterexamples) == 0 || a.Verdict == explore.Holds && len(a.Counterexamples) > 0 {
		t.Errorf("the answer is %+v", a)
	}
	for _, in := range []lang.Language{lang.English, lang.Chinese} {
		if said := q.Sentence(a, "", in); said == "" || strings.Contains(said, "%!") {
			t.Errorf("the sentence is %q", said)
		}
	}
	return a
}

// answered wants a sentence in both languages.
func answered(t *testing.T, err error) {
	t.Helper()
	if err == nil {
		return
	}
	var both interface {
		error
		Sentence(lang.Language) string
	}
	if !errors.As(err, &both) || slices.Contains([]string{both.Sentence(lang.English), both.Sentence(lang.Chinese)}, "") {
		t.Errorf("the answer is %v", err)
	}
}

// gaps measures the work between two calls of Progress.
type gaps struct {
	t    *testing.T
	last int64
}

func (g *gaps) told(f explore.Figures) bool {
	if f.Work-g.last > mostGap {
		g.t.Errorf("%d units of work without a call of Progress", f.Work-g.last)
	}
	g.last = f.Work
	return true
}

package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"testing/synctest"

	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/web/limit"
)

// A short search has the same answer as a long one, or none.
func TestAShortSearchDecidesOrSaysNothing(t *testing.T) {
	for _, name := range []string{"naive", "java", "set-px-get-del"} {
		q := usual(t)
		q.Program, _ = program.Builtin(name)
		long, err := q.Search(explore.Budget{}, explore.Runtime{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		for work := int64(100_000); work <= 5_000_000; work += 65_000 { // also in the midst of the level with the violation
			e := New(0, 0, 0)
			e.Short.Work = work
			f, decided, err := e.Answer(context.Background(), q, false)
			e.Close()
			switch {
			case err != nil:
				t.Errorf("%s: %v", name, err)
			case !decided && (f.Depth > long.Depth || len(f.Depths) > len(long.Depths)):
				t.Errorf("%s in %d units: %+v, of %+v", name, work, f.Figures, long.Figures)
			case decided && (f.Verdict != long.Verdict || scenario(f.Answer) != scenario(long)):
				t.Errorf("%s in %d units: %s\n%s\nnot %s\n%s", name, work, f.Verdict, scenario(f.Answer), long.Verdict, scenario(long))
			}
		}
	}
}

func scenario(a *explore.Answer) string {
	if len(a.Counterexamples) == 0 {
		return ""
	}
	return a.Counterexamples[0].Scenario.String()
}

// A class is an Explorer with one short search at a time. A search waits for steps: with true it has its answer, with
// false it looks whether somebody still waits for it.
type class struct {
	*testing.T
	*Explorer
	work  *limit.Work
	steps chan bool
	begun []int              // ticks of the searches, in order
	told  map[string][]error // what each person is told
}

func newClass(t *testing.T) *class {
	c := &class{T: t, Explorer: New(0, 0, 0), work: limit.NewWork(2), steps: make(chan bool), told: map[string][]error{}}
	c.places = limit.NewSlots(limit.SlotsOptions{Most: 1, Each: 1, Longest: 8, LongestEach: 4})
	c.Search = func(q explore.Question, _ explore.Budget, r explore.Runtime, _ int) (*explore.Answer, error) {
		c.begun = append(c.begun, q.Ticks)
		for {
			if <-c.steps {
				return &explore.Answer{Verdict: explore.Holds}, nil
			}
			if !r.Progress(explore.Figures{}) {
				return &explore.Answer{Verdict: explore.Stopped}, nil
			}
		}
	}
	return c
}

// asks lets a person ask a question of some ticks, and returns when everybody waits. leave ends the request.
func (c *class) asks(network, person string, ticks int) (leave func()) {
	c.Helper()
	ctx, cancel := context.WithCancel(c.T.Context())
	go func() {
		defer cancel()
		a := c.work.Asker(ctx, network, person)
		defer a.Done()
		q := usual(c.T)
		q.Ticks = ticks
		_, decided, err := c.Answer(a.Context(), q, false)
		if decided != (err == nil) {
			c.Errorf("%s: decided %t, %v", person, decided, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		c.told[person] = append(c.told[person], err)
	}()
	synctest.Wait()
	return func() {
		cancel()
		synctest.Wait()
	}
}

// step lets the search go on.
func (c *class) step(done bool) {
	c.steps <- done
	synctest.Wait()
}

// quiet checks that nothing is left.
func (c *class) quiet() {
	c.Helper()
	if len(c.shared) > 0 || len(c.waiting) > 0 {
		c.Errorf("%d searches and %d turns are left", len(c.shared), len(c.waiting))
	}
	select {
	case c.steps <- false:
		c.Error("a search goes on")
	default:
	}
	c.Close()
}

// Forty who ask the same question wait for one search. It goes on when the one who began it leaves.
func TestOneSearchForAllWhoAskTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClass(t)
		c.places = limit.NewSlots(limit.SlotsOptions{Most: 2, Each: 2})
		leave := c.asks("n", "first", 5)
		for i := range 39 {
			c.asks("n", fmt.Sprint("p", i), 5)
		}
		leave()
		c.step(false)
		c.step(true)
		if len(c.begun) != 1 || len(c.told) != 40 {
			t.Errorf("%d searches for %d visitors", len(c.begun), len(c.told))
		}
		for person, told := range c.told {
			if told[0] != nil {
				t.Errorf("%s is told %v", person, told)
			}
		}
		c.quiet()
	})
}

// A search ends when nobody waits for it any more, and the next who asks begins again.
func TestASearchEndsWithItsLastVisitor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClass(t)
		for range 3 {
			one, other := c.asks("n", "a", 5), c.asks("m", "b", 5)
			one()
			other()
			c.step(false)
		}
		if _, ok := c.Known(usual(t), false); ok || len(c.begun) != 3 {
			t.Errorf("%d searches, and the answer is known: %t", len(c.begun), ok)
		}
		c.quiet()
	})
}

// Whoever asks first and waits in a long line holds up nobody who asks the same.
func TestAFloodHoldsUpNobodyWhoAsksTheSame(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClass(t)
		for ticks := range 4 {
			c.asks("evil", "flood", ticks) // the first searches, and three wait
		}
		c.asks("school", "ann", 3) // which the flood asks last
		c.step(true)
		if !slices.Equal(c.begun, []int{0, 3}) {
			t.Errorf("the searches begin in the order %v", c.begun)
		}
		c.step(true)
		if len(c.told["ann"]) != 1 || c.told["ann"][0] != nil {
			t.Errorf("ann is told %v", c.told["ann"])
		}
		c.step(true)
		c.step(true)
		c.quiet()
	})
}

// A flood has a bound. It costs its own sender the oldest requests, and no pupil of the same network, nor a new name of
// another one.
func TestAFullLineRefusesTheFlood(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClass(t)
		for ticks := range 10 {
			c.asks("school", "flood", ticks)
		}
		if n := len(c.told["flood"]); n != 5 { // one searches, and four wait
			t.Errorf("of ten requests %d are refused", n)
		}
		c.asks("school", "ann", 10)
		for i := range 20 {
			c.asks("evil", fmt.Sprint("name", i), 11+i)
		}
		c.asks("home", "bob", 31)
		for len(c.told["flood"]) < 10 || len(c.told["bob"]) < 1 || len(c.told["ann"]) < 1 {
			c.step(true)
		}
		if ann, bob := slices.Index(c.begun, 10), slices.Index(c.begun, 31); ann > 3 || bob > 2 { // the networks that were not served come first
			t.Errorf("the searches begin in the order %v", c.begun)
		}
		for _, pupil := range []string{"ann", "bob"} {
			if c.told[pupil][0] != nil {
				t.Errorf("%s is told %v", pupil, c.told[pupil])
			}
		}
		for _, err := range c.told["flood"] {
			if err != nil && !errors.Is(err, ErrFull) {
				t.Errorf("the flood is told %v", err)
			}
		}
		for len(c.shared) > 0 {
			c.step(true)
		}
		c.quiet()
	})
}

// Short searches do not wait for long ones. A long search that somebody waits for ends when another one has the answer.
func TestShortSearchesDoNotWaitForLongOnes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClass(t)
		c.turns = limit.NewTurns(1, 5)
		running, err := c.Join(t.Context(), "n", "long")
		if err != nil {
			t.Fatal(err)
		}
		waiting, err := c.Join(t.Context(), "n", "longer")
		if err != nil {
			t.Fatal(err)
		}
		waiting.About(usual(t), false)
		c.asks("n", "short", 5)
		c.step(true)
		if len(c.told["short"]) != 1 {
			t.Error("a short search waits for a long one")
		}
		if err := waiting.Wait(nil); err != nil || running.Ended() != nil {
			t.Errorf("a turn whose answer is known waits: %v, %v", err, running.Ended())
		}
		if f, err := waiting.Find(usual(t), false, c.Time, nil); err != nil || f.Verdict != explore.Holds || len(c.begun) != 1 {
			t.Errorf("it has the answer %+v, %v, after %d searches", f, err, len(c.begun))
		}
		waiting.End(nil)
		running.End(nil)
		c.quiet()
	})
}

// The end of the server ends every short search.
func TestShortSearchesEndWithTheServer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newClass(t)
		c.asks("n", "a", 1)
		c.asks("n", "b", 2)
		c.Close()
		synctest.Wait()
		c.step(false)
		for _, person := range []string{"a", "b"} {
			if len(c.told[person]) != 1 || !errors.Is(c.told[person][0], ErrClosing) {
				t.Errorf("%s is told %v", person, c.told[person])
			}
		}
		c.quiet()
	})
}

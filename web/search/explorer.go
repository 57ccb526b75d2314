package search

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"sync"

	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/web/limit"
)

// An Explorer searches for the visitors of a server, within what the machine can give.
type Explorer struct {
	turns *limit.Turns

	Memory int64         // bytes, of one search
	Work   int64         // units of the engine, of all searches of one request
	Time   time.Duration // of one search

	// Search and Sample ask the engine.
	Search func(explore.Question, explore.Budget, explore.Runtime, int) (*explore.Answer, error)
	Sample func(explore.Question, int64, uint64, explore.Budget, explore.Runtime) (explore.Sample, error)

	mu     sync.Mutex
	proofs map[*course.Challenge]*Proof
}

const (
	Moment    = 2 * time.Second // of a search that a page waits for
	Schedules = 10_000          // of a draw

	mostCauses   = 8                      // counterexamples of different cause
	mostMemory   = 128 << 20              // bytes, of all searches together
	searchMemory = 64 << 20               // bytes, of one search
	searchWork   = 6_000_000_000          // units of the engine, of one request: a minute of one processor
	progressTime = 200 * time.Millisecond // between two reports
	drawSlice    = 1_000                  // schedules between two reports
)

// New returns an Explorer with so many searches at once and so many requests that wait; 0: 2 and 50.
func New(atOnce, waiting int) *Explorer {
	atOnce = cmp.Or(atOnce, 2)
	return &Explorer{
		turns:  limit.NewTurns(atOnce, cmp.Or(waiting, 50)),
		Memory: min(searchMemory, mostMemory/int64(atOnce)), Work: searchWork, Time: time.Minute,
		Search: explore.Question.Search, Sample: explore.Question.Sample,
		proofs: map[*course.Challenge]*Proof{},
	}
}

// Close ends all turns.
func (e *Explorer) Close() { e.turns.Close() }

// A Finding is the answer of a search, with its time and its limits.
type Finding struct {
	*explore.Answer
	Took   time.Duration
	Limit  time.Duration
	Memory int64 // bytes, that it might have used
	Spent  bool  // the time ran out
	Left   int64 // of the request's work

	Failure *explore.FailureError // of the program, on its way; nil: it has not failed
}

// Find searches for at most so long, for one counterexample or for several causes, and tells its progress now and then.
// A search for several causes keeps a fifth of its time for the ways to the causes it finds. When the visitor stops it,
// it still finds these ways.
func (t *Turn) Find(q explore.Question, causes bool, limit time.Duration, told func(explore.Figures, time.Duration)) (Finding, error) {
	f := Finding{Limit: limit, Memory: t.explorer.Memory}
	most, looking := 1, limit
	if causes {
		most, looking = mostCauses, limit-limit/5
	}
	begun, next, ended := time.Now(), progressTime, false
	quiet := oneProcessor(func(figures explore.Figures) bool {
		took := time.Since(begun)
		if ended { // what it has found is still wanted
			return took < limit && (t.Err() == nil || errors.Is(context.Cause(t), ErrStopped))
		}
		if took >= next {
			next = took + progressTime
			told(figures, took)
		}
		f.Spent = took >= looking
		ended = f.Spent || t.Err() != nil
		return !ended
	})
	answer, err := t.explorer.Search(q, t.budget(), quiet, most)
	if errors.As(err, &f.Failure) && f.Failure.Scenario != nil {
		answer, err = failed(f.Failure), nil
	}
	f.Answer, f.Took = answer, time.Since(begun)
	if answer != nil {
		t.work -= answer.Work
	}
	f.Left = t.work
	return f, err
}

// budget returns the budget of the next search.
func (t *Turn) budget() explore.Budget {
	return explore.Budget{Memory: t.explorer.Memory, Work: max(1, t.work)}
}

// failed returns the answer about a program that fails: the way there.
func failed(e *explore.FailureError) *explore.Answer {
	return &explore.Answer{Counterexamples: []explore.Counterexample{{Scenario: e.Scenario, Length: len(e.Scenario.Actions()), Clients: []string{e.Client}}}}
}

// A Draw says how many of some random schedules violated the property.
type Draw struct {
	explore.Sample
	Wanted int64 // schedules
	Took   time.Duration
	Limit  time.Duration
	Memory int64 // bytes, that it might have used
	Spent  bool  // the time ran out
	Over   bool  // no more follow
}

// Draw runs random schedules for at most so long, and tells now and then how many have gone wrong so far.
func (t *Turn) Draw(q explore.Question, limit time.Duration, told func(Draw)) (Draw, error) {
	d := Draw{Wanted: Schedules, Limit: limit, Memory: t.explorer.Memory}
	begun, next := time.Now(), time.Duration(0)
	seed := rand.Uint64()
	quiet := oneProcessor(func(explore.Figures) bool {
		d.Spent = time.Since(begun) >= limit
		return !d.Spent && t.Err() == nil
	})
	for d.Schedules < Schedules && d.Verdict == "" {
		slice, err := t.explorer.Sample(q, drawSlice, seed, t.budget(), quiet)
		if err != nil {
			return d, err
		}
		t.work -= slice.Work
		seed += drawSlice // each schedule has a seed of its own
		d.Schedules += slice.Schedules
		d.Violating += slice.Violating
		d.Actions += slice.Actions
		d.Verdict, d.Bound = slice.Verdict, slice.Bound
		if d.Took = time.Since(begun); d.Took >= next {
			next = d.Took + progressTime
			told(d)
		}
	}
	d.Over = true
	return d, nil
}

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

// An Explorer searches for the visitors of a server, within the limits of the machine.
type Explorer struct {
	turns *limit.Turns

	Memory int64         // bytes for one search
	Work   int64         // units of the engine's work, for all searches of one request
	Time   time.Duration // of one search
	Moment time.Duration // of a search that a page waits for

	// Search and Sample ask the engine.
	Search func(explore.Question, explore.Budget, explore.Runtime, int) (*explore.Answer, error)
	Sample func(explore.Question, int64, uint64, explore.Budget, explore.Runtime) (explore.Sample, error)

	mu     sync.Mutex
	proofs map[*course.Challenge]*Proof
}

const (
	Schedules = 10_000 // of a draw

	maxCauses    = 8                      // counterexamples with different causes
	maxMemory    = 128 << 20              // bytes for all searches together
	searchMemory = 64 << 20               // bytes for one search
	searchWork   = 6_000_000_000          // units of the engine's work for one request: a minute of one processor
	progressTime = 200 * time.Millisecond // between two reports
	drawSlice    = 1_000                  // schedules between two reports
)

// New returns an Explorer that runs atOnce searches and lets waiting requests wait. A page waits a moment for its search.
// 0: 2, 50 and 2 s.
func New(atOnce, waiting int, moment time.Duration) *Explorer {
	atOnce = cmp.Or(atOnce, 2)
	return &Explorer{
		turns:  limit.NewTurns(atOnce, cmp.Or(waiting, 50)),
		Memory: min(searchMemory, maxMemory/int64(atOnce)), Work: searchWork, Time: time.Minute, Moment: cmp.Or(moment, 2*time.Second),
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
	Memory int64 // bytes that it could have used
	Spent  bool  // the time ran out
	Left   int64 // of the request's work

	Failure *explore.FailureError // of the program during the search; nil: none
}

// Find searches within a time limit, for one counterexample or for several causes, and tells its progress now and then.
// A search for several causes keeps a fifth of its time to find ways to the causes. If the visitor stops the search, it
// still finds these ways.
func (t *Turn) Find(q explore.Question, causes bool, limit time.Duration, told func(explore.Figures, time.Duration)) (Finding, error) {
	f := Finding{Limit: limit, Memory: t.explorer.Memory}
	most, looking := 1, limit
	if causes {
		most, looking = maxCauses, limit-limit/5
	}
	begun, next, ended := time.Now(), progressTime, false
	quiet := oneProcessor(func(figures explore.Figures) bool {
		took := time.Since(begun)
		if ended { // the ways to the found causes are still wanted
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

// failed returns the answer about a program that fails: the way to its failure.
func failed(e *explore.FailureError) *explore.Answer {
	return &explore.Answer{Counterexamples: []explore.Counterexample{{Scenario: e.Scenario, Length: len(e.Scenario.Actions()), Clients: []string{e.Client}}}}
}

// A Draw says how many random schedules violated the property.
type Draw struct {
	explore.Sample
	Wanted int64 // schedules
	Took   time.Duration
	Limit  time.Duration
	Memory int64 // bytes that it could have used
	Spent  bool  // the time ran out
	Over   bool  // no more schedules follow
}

// Draw runs random schedules within a time limit, and tells now and then how many have gone wrong so far.
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
		seed += drawSlice // each schedule has its own seed
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

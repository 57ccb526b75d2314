package search

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"time"

	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/web/limit"
)

// An Explorer searches for the visitors of a server, within the limits of the machine.
type Explorer struct {
	turns *limit.Turns

	Memory int64          // bytes for one search
	Work   int64          // units of the engine's work, for all searches of one request
	Time   time.Duration  // of one search
	Moment time.Duration  // of a search that a page waits for
	Short  explore.Budget // of a short search, which does not wait in the queue

	// Search and Sample ask the engine.
	Search func(explore.Question, explore.Budget, explore.Runtime, int) (*explore.Answer, error)
	Sample func(explore.Question, int64, uint64, explore.Budget, explore.Runtime) (explore.Sample, error)

	answers *answers
	places  *limit.Slots // of short searches
	open    context.Context
	end     context.CancelCauseFunc

	mu      sync.Mutex
	proofs  map[*course.Challenge]*Proof
	shared  map[key]*shared // the short searches that somebody waits for
	waiting map[*Turn]key   // turns that want the answer to one question
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
	short := min(max(2, runtime.GOMAXPROCS(0)), mostShort)
	e := &Explorer{
		turns:  limit.NewTurns(atOnce, cmp.Or(waiting, 50)),
		Memory: min(searchMemory, maxMemory/int64(atOnce)), Work: searchWork, Time: time.Minute, Moment: cmp.Or(moment, 2*time.Second),
		Search: explore.Question.Search, Sample: explore.Question.Sample,
		Short:   explore.Budget{Memory: shortMemory, Work: shortWork},
		answers: newAnswers(), places: limit.NewSlots(limit.SlotsOptions{Most: short, Each: short - 1, Longest: 2 * shortWaits, LongestEach: shortWaits}),
		proofs: map[*course.Challenge]*Proof{}, shared: map[key]*shared{}, waiting: map[*Turn]key{},
	}
	e.open, e.end = context.WithCancelCause(context.Background())
	return e
}

// Close ends all searches.
func (e *Explorer) Close() {
	e.turns.Close()
	e.end(ErrClosing)
}

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
// still finds these ways. A known answer takes no search.
func (t *Turn) Find(q explore.Question, causes bool, limit time.Duration, told func(explore.Figures, time.Duration)) (Finding, error) {
	if known, ok := t.explorer.Known(q, causes); ok {
		known.Left = t.work
		return known, nil
	}
	f, whole := Finding{Limit: limit, Memory: t.explorer.Memory}, t.work == t.explorer.Work
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
	err := f.ask(t.explorer, q, t.budget(), quiet, most)
	if f.Took = time.Since(begun); f.Answer != nil {
		t.work -= f.Work
	}
	f.Left = t.work
	if err == nil && (f.decided() || f.Verdict == explore.Spent && whole && !ended) {
		t.explorer.keep(answer{key: keyOf(q, causes), found: f, decided: true}, q)
	}
	if known, ok := t.explorer.Known(q, causes); ok && errors.Is(context.Cause(t), errKnown) { // by somebody who was faster, or by keep
		return known, nil
	}
	return f, err
}

// ask asks the engine. A program that fails during the search has an answer, too.
func (f *Finding) ask(e *Explorer, q explore.Question, b explore.Budget, r explore.Runtime, causes int) (err error) {
	f.Answer, err = e.Search(q, b, r, causes)
	if errors.As(err, &f.Failure) && f.Failure.Scenario != nil {
		f.Answer, err = failed(f.Failure), nil
	}
	return err
}

// decided reports whether every search of the question has this finding, however long it may take.
func (f *Finding) decided() bool {
	if f.Failure != nil {
		return !f.Failure.Early
	}
	return f.Verdict == explore.Holds || f.Verdict == explore.Violated && !f.Early
}

// budget returns the budget of the next search.
func (t *Turn) budget() explore.Budget {
	return explore.Budget{Memory: t.explorer.Memory, Work: max(1, t.work)}
}

// failed returns the answer about a program that fails: the way to its failure.
func failed(e *explore.FailureError) *explore.Answer {
	return &explore.Answer{Figures: explore.Figures{Depths: []int64{}}, Counterexamples: []explore.Counterexample{{Scenario: e.Scenario, Length: len(e.Scenario.Actions()), Clients: []string{e.Client}}}}
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

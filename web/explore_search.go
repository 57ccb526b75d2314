package web

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/engine/explore"
	"lockstep/web/limit"
	"lockstep/web/present"
)

// An explorer searches for the visitors of a server, within what the machine
// can give: the engine has no clock and starts no goroutines. Each search has one
// worker, so that those that go on at once leave room for everybody else.
type explorer struct {
	turns  *limit.Turns
	memory int64         // bytes, of one search
	work   int64         // units of the engine, of everything that one request asks
	time   time.Duration // of one search

	sockets atomic.Int32 // that are open

	// What is asked of the engine.
	search func(explore.Question, explore.Budget, explore.Runtime, int) (*explore.Answer, error)
	luck   func(explore.Question, int64, uint64, explore.Budget, explore.Runtime) (explore.Sample, error)
}

const (
	mostCauses   = 8                      // counterexamples of different cause
	mostMemory   = 128 << 20              // bytes, of all searches together
	searchMemory = 64 << 20               // bytes, of one search
	searchWork   = 6_000_000_000          // units of the engine, of one request: a minute of one processor
	moment       = 2 * time.Second        // of a search that a page waits for
	progressTime = 200 * time.Millisecond // between two reports
	mostLuck     = 10_000                 // schedules
	luckSlice    = 1_000                  // schedules between two reports
)

func newExplorer(o Options) *explorer {
	atOnce := orDefault(o.MaxSearches, 2)
	return &explorer{
		turns:  limit.NewTurns(atOnce, orDefault(o.MaxWaiting, 50)),
		memory: min(searchMemory, mostMemory/int64(atOnce)), work: searchWork, time: time.Minute,
		search: explore.Question.Search, luck: explore.Question.Sample,
	}
}

// find searches for at most that long and with what is left of a request's work, and
// tells now and then how far it is. Of the time that a search for several causes has, a
// fifth is kept for the ways to those that it finds; whoever stops it waits for them.
func (e *explorer) find(ctx context.Context, q present.Question, limit time.Duration, work *int64, told func(explore.Figures, time.Duration)) (present.Finding, error) {
	f := present.Finding{Limit: limit, Memory: e.memory}
	causes, looking := 1, limit
	if q.Causes {
		causes, looking = mostCauses, limit-limit/5
	}
	begun, next, ended := time.Now(), progressTime, false
	h := quietHands(func(figures explore.Figures) bool {
		took := time.Since(begun)
		if ended { // what it has found is still wanted
			return took < limit && (ctx.Err() == nil || errors.Is(context.Cause(ctx), errStopped))
		}
		if took >= next {
			next = took + progressTime
			told(figures, took)
		}
		f.Spent = took >= looking
		ended = f.Spent || ctx.Err() != nil
		return !ended
	})
	answer, err := e.search(q.Question, e.budget(work), h, causes)
	if errors.As(err, &f.Failure) && f.Failure.Scenario != nil {
		answer, err = failed(f.Failure), nil
	}
	f.Answer, f.Took = answer, time.Since(begun)
	if answer != nil {
		*work -= answer.Work
	}
	f.Left = *work
	return f, err
}

// budget is that of a search, with what is left of a request's work.
func (e *explorer) budget(work *int64) explore.Budget {
	return explore.Budget{Memory: e.memory, Work: max(1, *work)}
}

// failed is the answer about a program that fails: the way there.
func failed(e *explore.FailureError) *explore.Answer {
	return &explore.Answer{Counterexamples: []explore.Counterexample{{Scenario: e.Scenario, Length: len(e.Scenario.Actions()), Clients: []string{e.Client}}}}
}

// try runs random schedules for at most that long and with what is left of a request's work, and tells how many have
// gone wrong so far.
func (e *explorer) try(ctx context.Context, q present.Question, limit time.Duration, work *int64, told func(present.Draw)) (present.Draw, error) {
	d := present.Draw{Wanted: mostLuck, Limit: limit, Memory: e.memory}
	begun, next := time.Now(), time.Duration(0)
	seed := rand.Uint64()
	h := quietHands(func(explore.Figures) bool {
		d.Spent = time.Since(begun) >= limit
		return !d.Spent && ctx.Err() == nil
	})
	for d.Schedules < mostLuck && d.Verdict == "" {
		slice, err := e.luck(q.Question, luckSlice, seed, e.budget(work), h)
		if err != nil {
			return d, err
		}
		*work -= slice.Work
		seed += luckSlice // each schedule has a seed of its own
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

// quietHands are those of a search beside which a class goes on: one worker, which lets others use its processor
// whenever it tells how far it is.
func quietHands(progress func(explore.Figures) bool) explore.Runtime {
	return explore.Runtime{Progress: func(f explore.Figures) bool {
		runtime.Gosched()
		return progress(f)
	}}
}

// Hands are all that this machine has; progress may be nil.
func Hands(progress func(explore.Figures) bool) explore.Runtime {
	return explore.Runtime{Go: together, Workers: runtime.GOMAXPROCS(0), Progress: progress}
}

// together does pieces of work at once. A panic in one of them is the caller's:
// it ends the request, not the server.
func together(n int, work func(i int)) {
	var (
		all    sync.WaitGroup
		once   sync.Once
		reason any
	)
	for i := range n {
		all.Go(func() {
			defer func() {
				if r := recover(); r != nil {
					once.Do(func() { reason = r })
				}
			}()
			work(i)
		})
	}
	all.Wait()
	if reason != nil {
		panic(reason)
	}
}

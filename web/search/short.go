package search

import (
	"cmp"
	"context"
	"errors"
	"sync"
	"time"

	"lockstep/engine/explore"
	"lockstep/web/limit"
)

// These bound short searches. One of them takes about a tenth of a second of one processor, and as much again for the way
// to a violation. 3 clients of nearly every built-in program within 5 ticks take less.
const (
	shortWork   = 20_000_000 // units of the engine's work
	shortMemory = 8 << 20    // bytes
	mostShort   = 8          // at once
	shortWaits  = 100        // requests of one network that wait; 200 of all
)

// shortSearches is the name in which short searches use the processors. The requests that wait for one may be of several
// networks, so a search waits in the name of none of them.
const shortSearches = "short searches"

// Known returns the answer of a question if it is known, without a search.
func (e *Explorer) Known(q explore.Question, causes bool) (Finding, bool) {
	if known := e.answers.get(keyOf(q, causes)); known != nil && known.decided {
		return known.found, true
	}
	return Finding{}, false
}

// Prepare answers a question before anybody asks it. The explorer never forgets this answer.
func (e *Explorer) Prepare(q explore.Question) error {
	found, decided, err := e.Answer(context.Background(), q, false)
	if err == nil && decided {
		e.keep(answer{key: keyOf(q, false), found: found, decided: true, forever: true}, q)
	}
	return err
}

// keep keeps an answer, and ends the turns that wait for it. An answer about a run is not kept: its question holds the
// run.
func (e *Explorer) keep(a answer, q explore.Question) {
	if q.From != nil {
		return
	}
	e.answers.keep(a)
	e.mu.Lock()
	var waiting []*Turn
	for t, k := range e.waiting {
		if a.decided && k == a.key {
			waiting = append(waiting, t)
		}
	}
	e.mu.Unlock()
	for _, t := range waiting {
		t.Turn.End(errKnown)
	}
}

// A shared search is one for all requests that ask the same question at the same time. Its context ends when nobody waits
// for it any more, or when it is done.
type shared struct {
	context.Context
	end    context.CancelCauseFunc
	waits  int  // requests
	begun  bool // one of them searches
	answer answer
	err    error
}

var (
	errAlone = errors.New("nobody waits for the search")
	errDone  = errors.New("the search is done")
)

// Answer returns the answer of a question from what is known or from a short search, outside of the queue. The finding is
// not decided if the question takes a longer search.
//
// Every request waits for a place of its own, so a request that comes first and has to wait holds up nobody. The first
// with a place searches for all.
func (e *Explorer) Answer(asks context.Context, q explore.Question, causes bool) (f Finding, decided bool, err error) {
	k := keyOf(q, causes)
	if known := e.answers.get(k); known != nil {
		return known.found, known.decided, nil
	}
	s := e.join(k)
	leave := sync.OnceFunc(func() { e.leave(k, s) })
	defer leave()
	ctx, cancel := context.WithCancel(s)
	defer cancel()
	defer context.AfterFunc(asks, func() { leave(); cancel() })()
	limit.Rest(asks)
	free, err := e.places.Enter(limit.Another(asks, ctx, limit.NetworkOf(asks), limit.PersonOf(asks)).Context())
	switch {
	case err != nil:
	case e.begin(s):
		defer free()
		e.search(asks, s, q, k, causes)
	default:
		free()
		<-ctx.Done()
	}
	if errors.Is(context.Cause(s), errDone) {
		return s.answer.found, s.answer.decided, s.err
	}
	return f, false, reason(cmp.Or(err, context.Cause(ctx)))
}

// search runs the search of a shared one, in the request of a context.
func (e *Explorer) search(ctx context.Context, s *shared, q explore.Question, k key, causes bool) {
	defer e.finish(k, s)
	if known := e.answers.get(k); known != nil { // since the request has joined
		s.answer = *known
		return
	}
	s.err = ErrClosing // if the search panics
	own := limit.Another(ctx, s, shortSearches, shortSearches)
	defer own.Rest()
	most := 1
	if causes {
		most = maxCauses
	}
	f, begun, work := Finding{Memory: e.Short.Memory}, time.Now(), int64(0)
	s.err = f.ask(e, q, e.Short, oneProcessor(func(figures explore.Figures) bool {
		units := figures.Work - work
		work = figures.Work
		return own.Advance(units) == nil && s.Err() == nil
	}), most)
	if limit.Charge(ctx, work); s.err != nil {
		return
	}
	f.Took, f.Left = time.Since(begun), e.Work-work
	if s.answer = (answer{key: k, found: f, decided: f.decided()}); f.Verdict != explore.Stopped {
		e.keep(s.answer, q)
	}
}

// join waits for the search of a question, also one that has begun.
func (e *Explorer) join(k key) *shared {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.shared[k]
	if s == nil {
		s = &shared{}
		s.Context, s.end = context.WithCancelCause(e.open)
		e.shared[k] = s
	}
	s.waits++
	return s
}

// leave ends the search if nobody else waits for it.
func (e *Explorer) leave(k key, s *shared) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if s.waits--; s.waits == 0 {
		e.forget(k, s)
		s.end(errAlone)
	}
}

// begin reports whether the caller is the one to search.
func (e *Explorer) begin(s *shared) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	begun := s.begun
	s.begun = true
	return !begun
}

// finish gives the answer to everybody who waits.
func (e *Explorer) finish(k key, s *shared) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.forget(k, s)
	s.end(errDone)
}

// forget lets the next request begin again. The caller holds the lock.
func (e *Explorer) forget(k key, s *shared) {
	if e.shared[k] == s {
		delete(e.shared, k)
	}
}

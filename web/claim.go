package web

import (
	"context"
	"net/http"
	"sync"
	"time"

	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

// postClaim is the claim that the run's challenge cannot be broken: everything that can happen
// is searched. The answer is the same for everybody and is found once.
func (s *Server) postClaim(w http.ResponseWriter, r *http.Request) {
	s.post(w, r, func(run *run, at int) (destination, error) {
		if err := s.mayAct(askerOf(r), keyFor(r, run), run, other); err != nil {
			return destination{}, err
		}
		challenge := run.task().Challenge
		if challenge == nil {
			return destination{}, errOver
		}
		if known := s.proofs.of(challenge); known != nil && run.hasClaimed(known) {
			return destination{run: run, step: anywhere}, nil
		}
		if err := s.mayGoOnIn(visitorOf(r), keyFor(r, run), run); err != nil {
			return destination{}, err
		}
		p, err := s.prove(r.Context(), visitorOf(r), challenge)
		if err != nil {
			return destination{}, err
		}
		run.claim(askerOf(r), p)
		return destination{run: run, step: anywhere}, nil
	}, func(page *views.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}

// hasClaimed reports that whoever watches has been told what came of the claim.
func (r *run) hasClaimed(p *present.Proof) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.claimed == p
}

// claim keeps what came of the claim, and tells whoever watches.
func (r *run) claim(a *limit.Asker, p *present.Proof) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.claimed = p
	a.Charge(r.tell("", r.now()))
}

// proofs are those found so far.
type proofs struct {
	mu    sync.Mutex
	found map[*course.Challenge]*present.Proof
}

func (p *proofs) of(c *course.Challenge) *present.Proof {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.found[c]
}

func (p *proofs) keep(c *course.Challenge, found *present.Proof) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.found == nil {
		p.found = map[*course.Challenge]*present.Proof{}
	}
	p.found[c] = found
}

// prove searches everything that can happen in a challenge, when it is its turn.
func (s *Server) prove(ctx context.Context, v visitor, c *course.Challenge) (*present.Proof, error) {
	if known := s.proofs.of(c); known != nil {
		return known, nil
	}
	p, err := s.searchAll(ctx, v, c.Questions())
	if err != nil {
		return nil, err
	}
	if p.Verdict == explore.Holds || p.Verdict == explore.Violated {
		s.proofs.keep(c, p)
	}
	return p, nil
}

// claimTime is how long a page waits for the searches that are a challenge's.
const claimTime = 20 * time.Second

// searchAll asks one question after the other, until one is answered with
// something else than that the property holds. All of them together have the
// time and the work of one.
func (s *Server) searchAll(ctx context.Context, v visitor, questions []explore.Question) (*present.Proof, error) {
	turn, err := s.soon(ctx, v)
	if err != nil {
		return nil, err
	}
	defer turn.End(nil)
	p := &present.Proof{}
	begun, work := time.Now(), s.explorer.work
	for _, p.Question = range questions {
		p.Finding, err = s.explorer.find(turn, present.Question{Question: p.Question}, claimTime-time.Since(begun), &work, func(explore.Figures, time.Duration) {})
		if err == nil {
			err = queued(context.Cause(turn))
		}
		if err != nil {
			return nil, err
		}
		if p.Seen += p.States; p.Verdict != explore.Holds {
			break
		}
	}
	return p, nil
}

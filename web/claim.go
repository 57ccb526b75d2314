package web

import (
	"net/http"

	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/refusal"
	"lockstep/web/search"
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
		if known := s.explorer.Proof(challenge); known != nil && run.hasClaimed(known) {
			return destination{run: run, step: anywhere}, nil
		}
		if err := s.mayGoOnIn(visitorOf(r), keyFor(r, run), run); err != nil {
			return destination{}, err
		}
		p, err := s.explorer.Prove(askerOf(r), challenge)
		if err != nil {
			return destination{}, err
		}
		run.claim(askerOf(r), p)
		return destination{run: run, step: anywhere}, nil
	}, func(page *views.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}

// hasClaimed reports that whoever watches has been told what came of the claim.
func (r *run) hasClaimed(p *search.Proof) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.claimed == p
}

// claim keeps what came of the claim, and tells whoever watches.
func (r *run) claim(a *limit.Asker, p *search.Proof) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.claimed = p
	a.Charge(r.tell("", r.now()))
}

package web

import (
	"net/http"

	"lockstep/engine/explore"
	runview "lockstep/views/run"
	"lockstep/web/live"
	"lockstep/web/refusal"
)

// notSure is the reason of a reader who lets the search decide and claims nothing.
const notSure = "not-sure"

// handleClaim checks the claim that the run's challenge cannot be broken, by a search of everything that can
// happen. It searches once: the answer is the same for everybody, and so for every reason.
func (p *runPages) handleClaim(w http.ResponseWriter, r *http.Request) {
	p.post(w, r, func(run *live.Run, at int) (destination, error) {
		if err := p.rooms.MayAct(askerOf(r), keyFor(r, run), run); err != nil {
			return destination{}, err
		}
		challenge := run.Task().Challenge
		if challenge == nil {
			return destination{}, live.ErrOver
		}
		reason := r.PostFormValue("reason")
		if challenge.Reason(reason) == nil {
			reason = ""
		}
		if known := p.explorer.Proof(challenge); known != nil && run.HasClaimed(known, reason) {
			return destination{run: run, step: live.Anywhere}, nil
		}
		if err := p.rooms.CountAction(askerOf(r), keyFor(r, run), run); err != nil {
			return destination{}, err
		}
		proof, err := p.explorer.Prove(askerOf(r), challenge)
		if err != nil {
			return destination{}, err
		}
		run.Claim(askerOf(r), proof, reason)
		if proof.Verdict == explore.Violated && r.PostFormValue("reason") != notSure {
			if err := p.rooms.ClaimedWrongly(askerOf(r), keyFor(r, run), run); err != nil {
				return destination{}, err
			}
		}
		return destination{run: run, step: live.Anywhere}, nil
	}, func(page *runview.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}

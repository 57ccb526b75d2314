package runpages

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
func (p *Pages) handleClaim(w http.ResponseWriter, r *http.Request) {
	p.post(w, r, func(run *live.Run, at int) (Destination, error) {
		if err := p.Rooms.MayAct(r.Context(), KeyFor(r, run), run); err != nil {
			return Destination{}, err
		}
		challenge := run.Task().Challenge
		if challenge == nil {
			return Destination{}, live.ErrOver
		}
		reason := r.PostFormValue("reason")
		if challenge.Reason(reason) == nil {
			reason = ""
		}
		if known := p.explorer.Proof(challenge); known != nil && run.HasClaimed(known, reason) {
			return Destination{Run: run, Step: live.Anywhere}, nil
		}
		if err := p.Rooms.CountAction(r.Context(), KeyFor(r, run), run); err != nil {
			return Destination{}, err
		}
		proof, err := p.explorer.Prove(r.Context(), challenge)
		if err != nil {
			return Destination{}, err
		}
		run.Claim(r.Context(), proof, reason)
		if proof.Verdict == explore.Violated && r.PostFormValue("reason") != notSure {
			if err := p.Rooms.ClaimedWrongly(r.Context(), KeyFor(r, run), run); err != nil {
				return Destination{}, err
			}
		}
		return Destination{Run: run, Step: live.Anywhere}, nil
	}, func(page *runview.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}

package runpages

import (
	"net/http"

	runview "lockstep/views/run"
	"lockstep/web/live"
	"lockstep/web/refusal"
)

// handleNextMoment goes on to the next moment of the run's lesson. The next page's
// address carries the guess.
func (p *Pages) handleNextMoment(w http.ResponseWriter, r *http.Request) {
	p.post(w, r, func(run *live.Run, at int) (Destination, error) {
		if err := p.Rooms.MayAct(r.Context(), KeyFor(r, run), run); err != nil {
			return Destination{}, err
		}
		if r.PostFormValue("past") != "" {
			return Destination{Run: run, Step: run.NextMoment(at)}, nil
		}
		return Destination{Run: run, Step: live.Anywhere, guess: r.PostFormValue("guess")}, run.GoOn(r.Context(), at)
	}, func(page *runview.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}

package web

import (
	"net/http"

	runview "lockstep/views/run"
	"lockstep/web/live"
	"lockstep/web/refusal"
)

// handleNextMoment goes on to the next moment of the run's lesson. The next page's
// address carries the guess.
func (p *runPages) handleNextMoment(w http.ResponseWriter, r *http.Request) {
	p.post(w, r, func(run *live.Run, at int) (destination, error) {
		if err := p.rooms.MayAct(askerOf(r), keyFor(r, run), run); err != nil {
			return destination{}, err
		}
		if r.PostFormValue("past") != "" {
			return destination{run: run, step: run.NextMoment(at)}, nil
		}
		return destination{run: run, step: live.Anywhere, guess: r.PostFormValue("guess")}, run.GoOn(askerOf(r), at)
	}, func(page *runview.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}

package runpages

import (
	"net/http"

	"lockstep/web/door"

	runview "lockstep/views/run"
	"lockstep/web/live"
	"lockstep/web/refusal"
)

// handleNextMoment goes on to the next moment of the run's lesson. The next page's
// address carries the guess.
func (p *Pages) handleNextMoment(w http.ResponseWriter, r *http.Request) {
	p.post(w, r, func(run *live.Run, at int) (Destination, error) {
		if err := p.Rooms.MayAct(door.AskerOf(r), KeyFor(r, run), run); err != nil {
			return Destination{}, err
		}
		if r.PostFormValue("past") != "" {
			return Destination{Run: run, Step: run.NextMoment(at)}, nil
		}
		return Destination{Run: run, Step: live.Anywhere, guess: r.PostFormValue("guess")}, run.GoOn(door.AskerOf(r), at)
	}, func(page *runview.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}

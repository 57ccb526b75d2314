package runpages

import (
	"fmt"
	"net/http"

	"lockstep/engine/lang"
	"lockstep/web/live"
	"lockstep/web/picture"
	"lockstep/web/present"
)

// handleCard answers with the card of a run at a position. Only a room may see its runs, so they have the site's.
func (p *Pages) handleCard(w http.ResponseWriter, r *http.Request) {
	run, done, ok := p.look(w, r)
	if !ok {
		return
	}
	defer done()
	if run.Place().Room != "" {
		p.HandleSiteCard(w, r)
		return
	}
	step, err := Position(r.URL.Query().Get("step"))
	if err != nil || step == live.Anywhere || step > run.Length() {
		step = run.Length()
	}
	p.showRunCard(w, r, run, step)
}

func (p *Pages) showRunCard(w http.ResponseWriter, r *http.Request, run *live.Run, step int) {
	state := live.See(run, func(s present.Run) string { return fmt.Sprint(s.Epoch, step, s.Claimed != nil) })
	p.ShowCard(w, r, state, func(l lang.Language) (picture.Card, error) { return run.Card(r.Context(), step, l) })
}

package web

import (
	"fmt"
	"net/http"

	"lockstep/engine/lang"
	"lockstep/web/live"
	"lockstep/web/picture"
	"lockstep/web/present"
)

// handleCard answers with the card of a run at a position. Only a room may see its runs, so they have the site's.
func (p *runPages) handleCard(w http.ResponseWriter, r *http.Request) {
	run, done, ok := p.look(w, r)
	if !ok {
		return
	}
	defer done()
	if run.Place().Room != "" {
		p.handleSiteCard(w, r)
		return
	}
	step, err := position(r.URL.Query().Get("step"))
	if err != nil || step == live.Anywhere || step > run.Length() {
		step = run.Length()
	}
	p.showRunCard(w, r, run, step)
}

func (p *runPages) showRunCard(w http.ResponseWriter, r *http.Request, run *live.Run, step int) {
	state := live.See(run, func(s present.Run) string { return fmt.Sprint(s.Epoch, step, s.Claimed != nil) })
	p.showCard(w, r, state, func(l lang.Language) (picture.Card, error) { return run.Card(askerOf(r), step, l) })
}

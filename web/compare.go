package web

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"lockstep/views"
	runview "lockstep/views/run"
	"lockstep/web/live"
	"lockstep/web/present"
)

// A destination is the page to which a form leads.
type destination struct {
	run     *live.Run
	step    int       // live.Anywhere: the run's end
	beside  *live.Run // for comparison; nil: none
	omitted int       // number of actions that a rerun could not do
	guess   string    // the prediction, for a page without scripts
}

// url returns the destination's address below a base path.
func (d destination) url(base string) string {
	query := url.Values{}
	if d.step != live.Anywhere && d.step != d.run.Length() {
		query.Set("step", strconv.Itoa(d.step))
	}
	if d.beside != nil && d.beside != d.run {
		query.Set("beside", d.beside.ID())
	}
	if d.omitted > 0 {
		query.Set("omitted", strconv.Itoa(d.omitted))
	}
	if d.guess != "" {
		query.Set("guess", d.guess)
	}
	target := base + d.run.Path()
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	return target
}

// putBeside puts another run beside the one that the page shows, or explains on the
// page why it cannot. The comparison includes the actions that a rerun has left out.
func (p *runPages) putBeside(q *http.Request, page *runview.Page, r *live.Run, id string) {
	if id == "" {
		return
	}
	other, done, err := p.rooms.Runs.Look(askerOf(q), id)
	if err == nil {
		defer done()
		err = p.mayLook(q, other)
	}
	if id == r.ID() || err != nil || other.Untouched() {
		why := views.Say(page.Lang, "compare.unknown")
		if id == r.ID() {
			why = views.Say(page.Lang, "compare.itself")
		}
		page.Refusal = strings.TrimSpace(page.Refusal + " " + why)
		return
	}
	l := page.Lang
	side := func(p present.Run) present.Side { return p.Side(l) }
	present.PutBeside(page, live.See(r, side), live.See(other, side), other.Begins(askerOf(q), l))
}

package runpages

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
type Destination struct {
	Run     *live.Run
	Step    int       // live.Anywhere: the run's end
	beside  *live.Run // for comparison; nil: none
	omitted int       // number of actions that a rerun could not do
	guess   string    // the prediction, for a page without scripts
}

// URL returns the destination's address below a base path.
func (d Destination) URL(base string) string {
	query := url.Values{}
	if d.Step != live.Anywhere && d.Step != d.Run.Length() {
		query.Set("step", strconv.Itoa(d.Step))
	}
	if d.beside != nil && d.beside != d.Run {
		query.Set("beside", d.beside.ID())
	}
	if d.omitted > 0 {
		query.Set("omitted", strconv.Itoa(d.omitted))
	}
	if d.guess != "" {
		query.Set("guess", d.guess)
	}
	target := base + d.Run.Path()
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	return target
}

// putBeside puts another run beside the one that the page shows, or explains on the
// page why it cannot. The comparison includes the actions that a rerun has left out.
func (p *Pages) putBeside(q *http.Request, page *runview.Page, r *live.Run, id string) {
	if id == "" {
		return
	}
	other, done, err := p.Rooms.Runs.Look(q.Context(), id)
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
	present.PutBeside(page, live.See(r, side), live.See(other, side), other.Begins(q.Context(), l))
}

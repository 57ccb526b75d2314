package web

import (
	"net/http"
	"sync/atomic"
	"time"

	"lockstep/engine/explore"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/search"
	"lockstep/web/session"
)

// explorePages answers requests for the page and the socket of the explorer.
type explorePages struct {
	*responder
	sessions   *session.Manager // knows the open sockets
	explorer   *search.Explorer
	maxViewers int
	searching  atomic.Int32 // open sockets
}

// handleExplore answers with the page that asks about every interleaving. A short search
// answers at once, also without scripts. The page's script can search for longer.
func (p *explorePages) handleExplore(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	if !p.parseForm(w, r, maxForm) {
		return
	}
	q, err := present.ReadQuestion(r.Form)
	site := p.siteFor(r)
	if r.Method == http.MethodPost {
		site.Here = "/explore?" + q.Query()
	}
	page := present.ExploreForm(q, p.explorer.Moment, search.Schedules, site)
	status := http.StatusOK
	switch run := q.Run; {
	case err != nil:
		refuse(&page, err)
		status = http.StatusUnprocessableEntity
	case q.Own && r.Method == http.MethodGet: // only the script knows its text, which is not in the address
	case run == "search" || run == "luck":
		if err := p.answerNow(askerOf(r), q, &page); err != nil {
			refuse(&page, err)
			status = refusal.Of(err).Status
		}
	}
	p.render(w, r, status, views.ExplorePage(page))
}

// answerNow puts the answer of a short search on the page.
func (p *explorePages) answerNow(a *limit.Asker, q present.Question, page *views.Explore) error {
	turn, err := p.explorer.Soon(a)
	if err != nil {
		return err
	}
	defer turn.End(nil)
	if q.Run == "luck" { // one search for one counterexample measures it
		q.Causes = false
	}
	found, err := turn.Find(q.Question, q.Causes, p.explorer.Moment, func(explore.Figures, time.Duration) {})
	if err != nil {
		return err
	}
	if q.Run == "luck" && found.Failure == nil {
		d, err := turn.Draw(q.Question, p.explorer.Moment, func(search.Draw) {})
		if err != nil {
			return err
		}
		page.Luck = present.Luck(d, found, q, page.Lang)
	}
	if err := turn.Ended(); err != nil {
		return err
	}
	page.Data.Unfinished = found.Spent && found.Verdict == explore.Stopped
	page.Outcome, page.Data.Counterexamples, err = present.Outcome(found, q, search.Playing(q.Property, &found.Left), page.Site)
	return err
}

// refuse explains on the page why its question has no answer.
func refuse(page *views.Explore, err error) {
	why := refusal.Of(err)
	page.Refusal, page.Line, page.Column = why.In(page.Lang), why.Line, why.Column
}

package explorepages

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"lockstep/engine/explore"
	exploreview "lockstep/views/explore"
	"lockstep/web/door"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/search"
)

// explorePages answers requests for the page and the socket of the explorer.
type Pages struct {
	*door.Responder
	explorer   *search.Explorer
	maxViewers int
	searching  atomic.Int32 // open sockets
}

func New(rs *door.Responder, explorer *search.Explorer, maxViewers int) *Pages {
	return &Pages{Responder: rs, explorer: explorer, maxViewers: maxViewers}
}

// handleExplore answers with the page that asks about every interleaving, and with the answer if it is known. A short
// search answers at once, also without scripts. The page's script can search for longer.
func (p *Pages) handleExplore(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	if !p.ParseForm(w, r, door.MaxForm) {
		return
	}
	q, err := present.ReadQuestion(r.Form)
	site := p.SiteFor(r)
	if r.Method == http.MethodPost {
		site.Here = "/explore?" + q.Query()
	}
	page := present.ExploreForm(q, p.explorer.Moment, search.Schedules, site)
	if err == nil {
		err = p.answerOn(&page, r, q)
	}
	status := http.StatusOK
	if err != nil {
		refuse(&page, err)
		status = refusal.Of(err).Status
	}
	p.Render(w, r, status, exploreview.ExplorePage(page))
}

// Prepare answers the question that the page begins with.
func (p *Pages) Prepare() {
	q, err := present.ReadQuestion(nil)
	if err == nil {
		err = p.explorer.Prepare(q.Question)
	}
	if err != nil && !errors.Is(err, search.ErrClosing) {
		p.Log.Error("the explorer's first answer", "err", door.Nameless(err.Error()))
	}
}

// answerOn puts the answer on the page if it is known, or if the visitor asks for a search.
func (p *Pages) answerOn(page *exploreview.Page, r *http.Request, q present.Question) error {
	if q.Own && r.Method == http.MethodGet { // only the script knows its text, which is not in the address
		return nil
	}
	ctx := r.Context()
	if q.Run != "luck" {
		if known, ok := p.explorer.Known(q.Question, q.Causes); ok {
			return show(page, known, q, ctx)
		}
	}
	switch {
	case q.Run == "":
		return nil
	case !mayAsk(r):
		page.Data.Unfinished = true // for the script
		return nil
	case q.Run == "luck":
		return p.tryLuck(page, q, ctx)
	}
	found, decided, err := p.explorer.Answer(ctx, q.Question, q.Causes)
	if err == nil && !decided {
		found, err = p.searchLonger(q, ctx)
	}
	if err != nil {
		return err
	}
	return show(page, found, q, ctx)
}

// mayAsk reports whether a request may begin a search. A crawler follows links without our cookie, sends no form and does
// not ask for JSON, as the page's script does.
func mayAsk(r *http.Request) bool {
	return door.VisitorOf(r).IsNamed() || r.Method == http.MethodPost || r.Header.Get("Accept") == "application/json"
}

// searchLonger waits for a turn in the queue and searches for a moment.
func (p *Pages) searchLonger(q present.Question, ctx context.Context) (found search.Finding, err error) {
	turn, err := p.explorer.Soon(ctx)
	if err != nil {
		return found, err
	}
	defer turn.End(nil)
	found, err = turn.Find(q.Question, q.Causes, p.explorer.Moment, func(explore.Figures, time.Duration) {})
	if err == nil {
		err = turn.Ended()
	}
	return found, err
}

// tryLuck puts the result of random schedules on the page, or the counterexample of the search that measures them.
func (p *Pages) tryLuck(page *exploreview.Page, q present.Question, ctx context.Context) error {
	turn, err := p.explorer.Soon(ctx)
	if err != nil {
		return err
	}
	defer turn.End(nil)
	q.Causes = false // one search for one counterexample measures it
	found, err := turn.Find(q.Question, q.Causes, p.explorer.Moment, func(explore.Figures, time.Duration) {})
	if err != nil {
		return err
	}
	if found.Failure == nil {
		d, err := turn.Draw(q.Question, p.explorer.Moment, func(search.Draw) {})
		if err != nil {
			return err
		}
		page.Luck = present.Luck(d, found, q, page.Lang)
	}
	if err := turn.Ended(); err != nil {
		return err
	}
	return show(page, found, q, ctx)
}

// show puts a finding on the page.
func show(page *exploreview.Page, found search.Finding, q present.Question, ctx context.Context) (err error) {
	page.Data.Unfinished = found.Spent && found.Verdict == explore.Stopped
	page.Data.Depths = found.Depths
	page.Outcome, page.Data.Counterexamples, err = present.Outcome(found, q, search.Playing(q.Property, &found.Left, ctx), page.Site)
	page.About = page.Outcome.Sentence
	return err
}

// refuse explains on the page why its question has no answer.
func refuse(page *exploreview.Page, err error) {
	why := refusal.Of(err)
	page.Refusal, page.Line, page.Column = why.In(page.Lang), why.Line, why.Column
}

package coursepages

import (
	"net/http"

	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/program"
	runview "lockstep/views/run"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/runpages"
	"lockstep/web/search"
)

// mend searches everything that can happen under the submitted program. The challenge
// is solved if nothing is violated; otherwise the page shows the attack.
func (p *Pages) mend(w http.ResponseWriter, r *http.Request, t course.Task) {
	page := present.Mend(t, runpages.Source(r), p.SiteFor(r))
	status := http.StatusOK
	if err := p.tryMended(r, t, &page); err != nil {
		why := refusal.Of(err)
		page.Refusal, page.Line, page.Column = why.In(page.Lang), why.Line, why.Column
		status = why.Status
	}
	page.Answered = status == http.StatusOK
	p.Render(w, r, status, runview.MendPage(page))
}

func (p *Pages) tryMended(r *http.Request, t course.Task, page *runview.Mend) error {
	mended, err := program.Parse(t.Challenge.Program().Name+"-mine", page.Source)
	if err != nil {
		return err
	}
	if err := t.Challenge.Try(mended); err != nil {
		return err
	}
	found, err := p.explorer.Ask(r.Context(), t.Challenge.QuestionsOf(mended))
	if err != nil {
		return err
	}
	if found.Failure == nil && found.Verdict == explore.Holds {
		present.Mended(page, t, found)
		return nil
	}
	q := present.Question{Question: found.Question, Own: true, Causes: true}
	page.Outcome, page.Data.Counterexamples, err = present.Outcome(found.Finding, q, search.Playing(q.Property, &found.Left, r.Context()), page.Site)
	return err
}

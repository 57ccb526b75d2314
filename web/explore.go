package web

import (
	"context"
	"errors"
	"net/http"
	"runtime"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

// explore is the page that asks about every interleaving. What a moment suffices
// for it answers at once, also without scripts; the script goes on from there.
func (s *Server) explore(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	if !s.parseForm(w, r, maxForm) {
		return
	}
	q, err := present.ReadQuestion(r.Form)
	site := s.siteFor(r)
	if r.Method == http.MethodPost {
		site.Here = "/explore?" + q.Query()
	}
	page := present.ExploreForm(q, moment, mostLuck, site)
	status := http.StatusOK
	switch run := q.Run; {
	case err != nil:
		refuse(&page, err)
		status = http.StatusUnprocessableEntity
	case q.Own && r.Method == http.MethodGet: // its text is not in the address; only the script can know it
	case run == "search" || run == "luck":
		if err := s.answerNow(r.Context(), visitorOf(r), q, &page); err != nil {
			refuse(&page, err)
			status = refusal.Of(err).Status
		}
	}
	s.render(w, r, status, views.ExplorePage(page))
}

// answerNow puts on the page what a moment suffices for.
func (s *Server) answerNow(ctx context.Context, v visitor, q present.Question, page *views.Explore) error {
	turn, err := s.soon(ctx, v)
	if err != nil {
		return err
	}
	defer turn.End(nil)
	if q.Run == "luck" { // it is measured by one search for one way
		q.Causes = false
	}
	work := s.explorer.work
	found, err := s.explorer.find(turn, q, moment, &work, func(explore.Figures, time.Duration) {})
	if err != nil {
		return err
	}
	if q.Run == "luck" && found.Failure == nil {
		d, err := s.explorer.try(turn, q, moment, &work, func(present.Draw) {})
		if err != nil {
			return err
		}
		page.Luck = present.Luck(d, found, q, page.Lang)
	}
	if cause := context.Cause(turn); cause != nil {
		return queued(cause)
	}
	page.Data.Unfinished = found.Spent && found.Verdict == explore.Stopped
	page.Outcome, page.Data.Counterexamples, err = present.Outcome(found, q, playing(q.Property, &found.Left), page.Site)
	return err
}

// refuse says on the page why its question is not answered.
func refuse(page *views.Explore, err error) {
	why := refusal.Of(err)
	page.Refusal, page.Line, page.Column = why.In(page.Lang), why.Line, why.Column
}

// playWork is how much work the picture of a counterexample may take, in units, with every property judged; and with only that
// of the question where less is left of the request's work.
const playWork = 20_000_000

// playing plays counterexamples with what is left of the request's work. Where it takes too much work to judge every
// property, only that of the question is judged, as in the search.
func playing(property string, left *int64) present.Play {
	within := func(most int64) engine.Pace {
		return func(units int64) error {
			runtime.Gosched()
			*left -= units
			if most -= units; most < 0 {
				return limit.ErrTooMuch
			}
			return nil
		}
	}
	return func(s *engine.Scenario) (*engine.Trace, error) {
		trace, err := s.PlayAt(within(playWork), "counterexample", check.All()...)
		if p, ok := check.Named(property); errors.Is(err, limit.ErrTooMuch) && ok {
			return s.PlayAt(within(max(*left, playWork)), "counterexample", p)
		}
		return trace, err
	}
}

package web

import (
	"net/http"

	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/views"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/search"
)

// handleMend is the page of a challenge to mend a program. Other challenges begin on
// the page of their lesson.
func (s *Server) handleMend(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	t := s.taskOf(r)
	switch {
	case t.Challenge == nil:
		s.fail(w, r, http.StatusNotFound, views.Say(language(r), "error.none"))
	case t.Challenge.Fix == nil:
		http.Redirect(w, r, s.base+present.LessonPath(t.Course, t.Lesson), http.StatusSeeOther)
	default:
		s.render(w, r, http.StatusOK, views.MendPage(present.Mend(t, present.Bare(t.Challenge.Program()), s.siteFor(r))))
	}
}

// mend searches everything that can happen under the program that was sent. The
// challenge is solved when nothing is violated; else the attack is shown.
func (s *Server) mend(w http.ResponseWriter, r *http.Request, t course.Task) {
	page := present.Mend(t, source(r), s.siteFor(r))
	status := http.StatusOK
	if err := s.tryMended(r, t, &page); err != nil {
		why := refusal.Of(err)
		page.Refusal, page.Line, page.Column = why.In(page.Lang), why.Line, why.Column
		status = why.Status
	}
	s.render(w, r, status, views.MendPage(page))
}

func (s *Server) tryMended(r *http.Request, t course.Task, page *views.Mend) error {
	mended, err := program.Parse(t.Challenge.Program().Name+"-mine", page.Source)
	if err != nil {
		return err
	}
	if err := t.Challenge.Try(mended); err != nil {
		return err
	}
	p, err := s.explorer.Ask(askerOf(r), t.Challenge.QuestionsOf(mended))
	if err != nil {
		return err
	}
	if p.Failure == nil && p.Verdict == explore.Holds {
		present.Mended(page, t, p)
		return nil
	}
	q := present.Question{Question: p.Question, Own: true, Causes: true}
	page.Outcome, page.Data.Counterexamples, err = present.Outcome(p.Finding, q, search.Playing(q.Property, &p.Left), page.Site)
	return err
}

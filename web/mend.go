package web

import (
	"net/http"

	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/views"
)

// getMend is the page of a challenge to mend a program. Other challenges begin on
// the page of their lesson.
func (s *Server) getMend(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	t := s.taskOf(r)
	switch {
	case t.challenge == nil:
		s.fail(w, r, http.StatusNotFound, language(r).Say("error.none"))
	case t.challenge.Fix == nil:
		http.Redirect(w, r, s.base+lessonPath(t.course, t.lesson), http.StatusSeeOther)
	default:
		s.render(w, r, http.StatusOK, views.MendPage(s.mendPage(r, t, t.challenge.Program().Source)))
	}
}

// mend searches everything that can happen under the program that was sent. The
// challenge is solved when nothing is violated; else the attack is shown.
func (s *Server) mend(w http.ResponseWriter, r *http.Request, t task) {
	page := s.mendPage(r, t, source(r))
	status := http.StatusOK
	if err := s.tryMended(r, t, &page); err != nil {
		why := explain(err, page.Lang)
		page.Refusal, page.Line, page.Column = why.Text, why.Line, why.Column
		status = http.StatusUnprocessableEntity
		if isBusy(err) {
			status = http.StatusServiceUnavailable
		}
	}
	s.render(w, r, status, views.MendPage(page))
}

func (s *Server) tryMended(r *http.Request, t task, page *views.Mend) error {
	mended, err := program.Parse(t.challenge.Program().Name+"-mine", page.Source)
	if err != nil {
		return err
	}
	f, q, err := s.searchAll(r.Context(), newID(), t.challenge.QuestionsOf(mended))
	if err != nil {
		return err
	}
	page.Outcome, page.Data.Counterexamples, err = outcome(f, question{Question: q, own: true, causes: true}, page.Site)
	if f.failure == nil && f.Verdict == explore.Holds {
		page.Task.Challenge.IsOver, page.Task.Challenge.Solved = true, teacher{page.Lang}.text(t.challenge.Solved)
	}
	return err
}

func (s *Server) mendPage(r *http.Request, t task, source string) views.Mend {
	page := views.Mend{Site: s.siteFor(r), Source: source}
	page.Here = "/courses/" + t.name()
	page.Task, page.Outcome = teacher{page.Lang}.task(t), views.Outcome{Site: page.Site}
	page.Window = titled(page.Task.Lesson.Title)
	page.Task.Challenge = &views.Challenge{Name: t.challenge.Name, Bounds: t.challenge.Bounds(engineLanguage(page.Lang))}
	page.Data = views.ExploreData{Lang: page.Lang, Base: page.Base, Timeline: page.Lang.TimelineWords(), Counterexamples: []pictured{}, Words: map[string]string{}}
	return page
}

package web

import (
	"net/http"
	"strings"

	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/views"
	"lockstep/web/refusal"
)

// getMend is the page of a challenge to mend a program. Other challenges begin on
// the page of their lesson.
func (s *Server) getMend(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	t := s.taskOf(r)
	switch {
	case t.Challenge == nil:
		s.fail(w, r, http.StatusNotFound, language(r).Say("error.none"))
	case t.Challenge.Fix == nil:
		http.Redirect(w, r, s.base+lessonPath(t.Course, t.Lesson), http.StatusSeeOther)
	default:
		broken := t.Challenge.Program().Source // without what it says of itself: that is to be found out
		s.render(w, r, http.StatusOK, views.MendPage(s.mendPage(r, t, strings.Join(strings.Split(broken, "\n")[len(headOf(broken)):], "\n"))))
	}
}

// mend searches everything that can happen under the program that was sent. The
// challenge is solved when nothing is violated; else the attack is shown.
func (s *Server) mend(w http.ResponseWriter, r *http.Request, t course.Task) {
	page := s.mendPage(r, t, source(r))
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
	p, err := s.searchAll(r.Context(), visitorOf(r), t.Challenge.QuestionsOf(mended))
	if err != nil {
		return err
	}
	if p.failure == nil && p.Verdict == explore.Holds {
		page.Task.Challenge.Claim = page.Lang.Say("task.proved", explore.Count(p.seen))
		page.Task.Challenge.IsOver, page.Task.Challenge.Solved = true, teacher{page.Lang}.text(t.Challenge.Solved)
		return nil
	}
	page.Outcome, page.Data.Counterexamples, err = outcome(p.finding, question{Question: p.question, own: true, causes: true}, page.Site)
	return err
}

func (s *Server) mendPage(r *http.Request, t course.Task, source string) views.Mend {
	page := views.Mend{Site: s.siteFor(r), Source: source}
	page.Here = lessonPath(t.Course, t.Lesson) + "/" + t.Challenge.Name
	page.Task, page.Outcome = teacher{page.Lang}.task(t), views.Outcome{Site: page.Site}
	page.Window = titled(page.Task.Lesson.Title)
	page.Task.Challenge = &views.Challenge{Name: t.Challenge.Name, Bounds: t.Challenge.Bounds.In(engineLanguage(page.Lang))}
	page.Data = views.ExploreData{Lang: page.Lang, Base: page.Base, Timeline: page.Lang.TimelineWords(), Counterexamples: []pictured{}, Words: map[string]string{}}
	return page
}

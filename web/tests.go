package web

import (
	"net/http"

	"lockstep/engine/course"
	"lockstep/views"
	"lockstep/web/present"
)

// handleTest answers with a test: its beginning, the first question without an answer, or the result. The address holds the
// answers, of which only known ones count, and the server keeps nothing.
func (p *coursePages) handleTest(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	if c := p.testOf(w, r); c != nil {
		p.render(w, r, http.StatusOK, views.CourseTestPage(present.Test(c, present.ReadAnswered(c.Test, r.URL.Query()), p.siteFor(r))))
	}
}

// handleTestHandout answers with a form of a test on paper.
func (p *coursePages) handleTestHandout(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	if c := p.testOf(w, r); c != nil {
		form := course.Before
		if r.URL.Query().Get("form") == string(course.After) {
			form = course.After
		}
		p.render(w, r, http.StatusOK, views.TestHandoutPage(present.TestHandout(c, form, r.URL.Query().Get("answers") != "", p.siteFor(r))))
	}
}

// testOf returns the course that an address names, if it has a test. If there is none, it answers the request and returns nil.
func (p *coursePages) testOf(w http.ResponseWriter, r *http.Request) *course.Course {
	c := p.courseOf(w, r)
	if c != nil && c.Test == nil {
		p.fail(w, r, http.StatusNotFound, views.Say(language(r), "error.none"))
		return nil
	}
	return c
}

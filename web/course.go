package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/course"
	"lockstep/views"
	courseview "lockstep/views/course"
	runview "lockstep/views/run"
	siteview "lockstep/views/site"
	"lockstep/web/present"
	"lockstep/web/search"
)

// coursePages answers requests for the pages of courses, and for the forms that begin a lesson or a challenge.
type coursePages struct {
	*responder
	runs     *runPages
	explorer *search.Explorer
}

// handleCourses redirects to the first course.
func (p *coursePages) handleCourses(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	http.Redirect(w, r, p.base+present.CoursePath(p.shelf.All()[0]), http.StatusSeeOther)
}

// courseNamed returns the course that an address names, or nil.
func (p *coursePages) courseNamed(r *http.Request) *course.Course {
	return course.Named(p.shelf.All(), chi.URLParam(r, "course"))
}

// courseOf returns the course that an address names. If there is none, it answers the request and returns nil.
func (p *coursePages) courseOf(w http.ResponseWriter, r *http.Request) *course.Course {
	if c := p.courseNamed(r); c != nil {
		return c
	}
	site := p.siteFor(r)
	p.render(w, r, http.StatusNotFound, siteview.ErrorPage(site, views.Say(site.Lang, "course.none"), present.CoursePath(p.shelf.All()[0])))
	return nil
}

// lessonOf returns the lesson that an address names, and its course. If there is no
// such lesson, it answers the request and returns a nil lesson.
func (p *coursePages) lessonOf(w http.ResponseWriter, r *http.Request) (*course.Course, *course.Lesson) {
	c := p.courseOf(w, r)
	if c == nil {
		return nil, nil
	}
	l := c.Lesson(chi.URLParam(r, "lesson"))
	if l == nil {
		site := p.siteFor(r)
		sentence := "course.no-lesson"
		if p.shelf.Watched() && len(course.In(c.Mistakes, chi.URLParam(r, "lesson"))) > 0 {
			sentence = "author.left-out"
		}
		p.render(w, r, http.StatusNotFound, siteview.ErrorPage(site, views.Say(site.Lang, sentence), present.CoursePath(c)))
	}
	return c, l
}

// handleCourse answers with the page that lists the lessons of a course.
func (p *coursePages) handleCourse(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	c := p.courseOf(w, r)
	if c == nil {
		return
	}
	p.render(w, r, http.StatusOK, courseview.ContentsPage(present.Contents(p.shelf.All(), c, p.siteFor(r))))
}

// handleLesson answers with a lesson at its opening, at the named moment, or with some of its actions done. An incident
// without a scenario begins with its first challenge; a lesson of words alone is its handout. A reading is shown as it is.
func (p *coursePages) handleLesson(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	if c := p.courseNamed(r); c != nil {
		if reading := c.Reading(chi.URLParam(r, "lesson")); reading != nil {
			p.render(w, r, http.StatusOK, courseview.ReadingPage(present.Reading(c, reading, p.siteFor(r))))
			return
		}
	}
	c, l := p.lessonOf(w, r)
	if l == nil {
		return
	}
	t, done := course.Task{Course: c, Lesson: l}, doneOf(r.URL.Query().Get("done"))
	switch m := l.Moment(r.URL.Query().Get("moment")); {
	case m != nil:
		done = m.At
	case l.Scenario == nil && len(l.Challenges) == 0 && frameOf(r) != nil:
		p.handleHandout(w, r)
		return
	case l.Scenario == nil && len(l.Challenges) == 0:
		http.Redirect(w, r, p.base+present.LessonPath(c, l)+"/handout", http.StatusSeeOther)
		return
	case l.Scenario == nil:
		t.Challenge = l.Challenges[0]
	}
	p.draw(w, r, t, done)
}

// handleChallenge answers with a challenge at its start.
func (p *coursePages) handleChallenge(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	t := p.taskOf(r)
	if t.Challenge == nil {
		p.fail(w, r, http.StatusNotFound, views.Say(language(r), "error.none"))
		return
	}
	p.draw(w, r, t, 0)
}

// draw answers with a task in which nobody has acted.
func (p *coursePages) draw(w http.ResponseWriter, r *http.Request, t course.Task, done int) {
	if t.Challenge != nil && t.Challenge.Fix != nil {
		p.render(w, r, http.StatusOK, runview.MendPage(present.Mend(t, present.Bare(t.Challenge.Program(), language(r)), p.siteFor(r))))
		return
	}
	p.runs.showDraft(w, r, t, done)
}

// handleSources answers with the page of quoted sources.
func (p *coursePages) handleSources(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	c := p.courseOf(w, r)
	if c == nil {
		return
	}
	site := p.siteFor(r)
	if len(c.Claims) == 0 {
		p.render(w, r, http.StatusNotFound, siteview.ErrorPage(site, views.Say(site.Lang, "course.no-sources"), present.CoursePath(c)))
		return
	}
	p.render(w, r, http.StatusOK, courseview.SourcesPage(present.CourseSources(c, site)))
}

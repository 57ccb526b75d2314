package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/course"
	"lockstep/views"
	"lockstep/web/present"
	"lockstep/web/search"
	"lockstep/web/session"
)

// coursePages answers requests for the pages of courses, and for the forms that begin a lesson or a challenge.
type coursePages struct {
	*responder
	courses  []*course.Course
	sessions *session.Manager
	explorer *search.Explorer
}

// handleCourses redirects to the first course.
func (p *coursePages) handleCourses(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	http.Redirect(w, r, p.base+present.CoursePath(p.courses[0]), http.StatusSeeOther)
}

// courseOf returns the course that an address names. If there is none, it answers the request and returns nil.
func (p *coursePages) courseOf(w http.ResponseWriter, r *http.Request) *course.Course {
	for _, c := range p.courses {
		if c.Name == chi.URLParam(r, "course") {
			return c
		}
	}
	site := p.siteFor(r)
	p.render(w, r, http.StatusNotFound, views.ErrorPage(site, views.Say(site.Lang, "course.none"), present.CoursePath(p.courses[0])))
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
		p.render(w, r, http.StatusNotFound, views.ErrorPage(site, views.Say(site.Lang, "course.no-lesson"), present.CoursePath(c)))
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
	p.render(w, r, http.StatusOK, views.CourseContentsPage(present.Contents(p.courses, c, p.siteFor(r))))
}

// handleLesson answers with the page on which a lesson begins.
func (p *coursePages) handleLesson(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	c, l := p.lessonOf(w, r)
	if l == nil {
		return
	}
	p.render(w, r, http.StatusOK, views.LessonFrontPage(present.LessonFront(c, l, p.siteFor(r))))
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
		p.render(w, r, http.StatusNotFound, views.ErrorPage(site, views.Say(site.Lang, "course.no-sources"), present.CoursePath(c)))
		return
	}
	p.render(w, r, http.StatusOK, views.CourseSourcesPage(present.CourseSources(c, site)))
}

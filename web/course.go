package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/course"
	"lockstep/views"
	"lockstep/web/present"
)

// handleCourses leads to the first course.
func (s *Server) handleCourses(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	http.Redirect(w, r, s.base+present.CoursePath(s.courses[0]), http.StatusSeeOther)
}

// courseOf is the course that a request is about; nil: there is none, and that has been answered.
func (s *Server) courseOf(w http.ResponseWriter, r *http.Request) *course.Course {
	for _, c := range s.courses {
		if c.Name == chi.URLParam(r, "course") {
			return c
		}
	}
	site := s.siteFor(r)
	s.render(w, r, http.StatusNotFound, views.ErrorPage(site, views.Say(site.Lang, "course.none"), present.CoursePath(s.courses[0])))
	return nil
}

// lessonOf is the lesson that a request is about, and its course; nil: there is
// none, and that has been answered.
func (s *Server) lessonOf(w http.ResponseWriter, r *http.Request) (*course.Course, *course.Lesson) {
	c := s.courseOf(w, r)
	if c == nil {
		return nil, nil
	}
	l := c.Lesson(chi.URLParam(r, "lesson"))
	if l == nil {
		site := s.siteFor(r)
		s.render(w, r, http.StatusNotFound, views.ErrorPage(site, views.Say(site.Lang, "course.no-lesson"), present.CoursePath(c)))
	}
	return c, l
}

// handleCourse is the page with the lessons of a course.
func (s *Server) handleCourse(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	c := s.courseOf(w, r)
	if c == nil {
		return
	}
	s.render(w, r, http.StatusOK, views.CourseContentsPage(present.Contents(s.courses, c, s.siteFor(r))))
}

// handleLesson is where a lesson begins.
func (s *Server) handleLesson(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	c, l := s.lessonOf(w, r)
	if l == nil {
		return
	}
	s.render(w, r, http.StatusOK, views.LessonFrontPage(present.LessonFront(c, l, s.siteFor(r))))
}

// handleSources is the page of what the sources say.
func (s *Server) handleSources(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	c := s.courseOf(w, r)
	if c == nil {
		return
	}
	site := s.siteFor(r)
	if len(c.Claims) == 0 {
		s.render(w, r, http.StatusNotFound, views.ErrorPage(site, views.Say(site.Lang, "course.no-sources"), present.CoursePath(c)))
		return
	}
	s.render(w, r, http.StatusOK, views.CourseSourcesPage(present.CourseSources(c, site)))
}

package coursepages

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/course"
	"lockstep/views"
	courseview "lockstep/views/course"
	runview "lockstep/views/run"
	siteview "lockstep/views/site"
	"lockstep/web/door"
	"lockstep/web/present"
	"lockstep/web/runpages"
	"lockstep/web/search"
)

// coursePages answers requests for the pages of courses, and for the forms that begin a lesson or a challenge.
type Pages struct {
	*door.Responder
	runs     *runpages.Pages
	explorer *search.Explorer
}

func New(rs *door.Responder, runs *runpages.Pages, explorer *search.Explorer) *Pages {
	return &Pages{rs, runs, explorer}
}

// handleCourses redirects to the first course.
func (p *Pages) handleCourses(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	http.Redirect(w, r, p.Base+present.CoursePath(p.Shelf.All()[0]), http.StatusSeeOther)
}

// courseNamed returns the course that an address names, or nil.
func (p *Pages) courseNamed(r *http.Request) *course.Course {
	return course.Named(p.Shelf.All(), chi.URLParam(r, "course"))
}

// courseOf returns the course that an address names. If there is none, it answers the request and returns nil.
func (p *Pages) courseOf(w http.ResponseWriter, r *http.Request) *course.Course {
	if c := p.courseNamed(r); c != nil {
		return c
	}
	site := p.SiteFor(r)
	p.Render(w, r, http.StatusNotFound, siteview.ErrorPage(site, views.Say(site.Lang, "course.none"), present.CoursePath(p.Shelf.All()[0])))
	return nil
}

// lessonOf returns the lesson that an address names, and its course. If there is no
// such lesson, it answers the request and returns a nil lesson.
func (p *Pages) lessonOf(w http.ResponseWriter, r *http.Request) (*course.Course, *course.Lesson) {
	c := p.courseOf(w, r)
	if c == nil {
		return nil, nil
	}
	l := c.Lesson(chi.URLParam(r, "lesson"))
	if l == nil {
		site := p.SiteFor(r)
		sentence := "course.no-lesson"
		if p.Shelf.Watched() && len(course.In(c.Mistakes, chi.URLParam(r, "lesson"))) > 0 {
			sentence = "author.left-out"
		}
		p.Render(w, r, http.StatusNotFound, siteview.ErrorPage(site, views.Say(site.Lang, sentence), present.CoursePath(c)))
	}
	return c, l
}

// handleCourse answers with the page that lists the lessons of a course.
func (p *Pages) handleCourse(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	c := p.courseOf(w, r)
	if c == nil {
		return
	}
	p.Render(w, r, http.StatusOK, courseview.ContentsPage(present.Contents(p.Shelf.All(), c, p.SiteFor(r))))
}

// handleLesson answers with a lesson at its opening, at the named moment, or with some of its actions done. An incident
// without a scenario begins with its first challenge; a lesson of words alone is its handout. A reading is shown as it is.
func (p *Pages) handleLesson(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	if c := p.courseNamed(r); c != nil {
		if reading := c.Reading(chi.URLParam(r, "lesson")); reading != nil {
			p.Render(w, r, http.StatusOK, courseview.ReadingPage(present.Reading(c, reading, p.SiteFor(r))))
			return
		}
	}
	c, l := p.lessonOf(w, r)
	if l == nil {
		return
	}
	t, done := course.Task{Course: c, Lesson: l}, runpages.DoneOf(r.URL.Query().Get("done"))
	switch m := l.Moment(r.URL.Query().Get("moment")); {
	case m != nil:
		done = m.At
	case l.Scenario == nil && len(l.Challenges) == 0 && door.FrameOf(r) != nil:
		p.handleHandout(w, r)
		return
	case l.Scenario == nil && len(l.Challenges) == 0:
		http.Redirect(w, r, p.Base+present.LessonPath(c, l)+"/handout", http.StatusSeeOther)
		return
	case l.Scenario == nil:
		t.Challenge = l.Challenges[0]
	}
	p.draw(w, r, t, done)
}

// handleChallenge answers with a challenge at its start.
func (p *Pages) handleChallenge(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	t := p.taskOf(r)
	if t.Challenge == nil {
		p.Fail(w, r, http.StatusNotFound, views.Say(door.Language(r), "error.none"))
		return
	}
	p.draw(w, r, t, 0)
}

// draw answers with a task in which nobody has acted.
func (p *Pages) draw(w http.ResponseWriter, r *http.Request, t course.Task, done int) {
	if t.Challenge != nil && t.Challenge.Fix != nil {
		page := present.Mend(t, present.Bare(t.Challenge.Program(), door.Language(r)), p.SiteFor(r))
		_ = p.tryMended(r, t, &page) // how the program breaks; where that cannot be searched now, the reader begins without it
		p.Render(w, r, http.StatusOK, runview.MendPage(page))
		return
	}
	p.runs.ShowDraft(w, r, t, done)
}

// handleSources answers with the page of quoted sources.
func (p *Pages) handleSources(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	c := p.courseOf(w, r)
	if c == nil {
		return
	}
	site := p.SiteFor(r)
	if len(c.Claims) == 0 {
		p.Render(w, r, http.StatusNotFound, siteview.ErrorPage(site, views.Say(site.Lang, "course.no-sources"), present.CoursePath(c)))
		return
	}
	p.Render(w, r, http.StatusOK, courseview.SourcesPage(present.CourseSources(c, site)))
}

package web

import (
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/engine/course"
	"lockstep/views"
	"lockstep/web/live"
	"lockstep/web/present"
)

// A server with --watch is for somebody who writes a course. Its pages tell the mistakes of what they show, ask once a second
// whether a course has changed, and then load again.

// author returns what the page of a request tells an author; nil: it shows no course, or nobody watches.
func (rs *responder) author(r *http.Request) *views.Author {
	name := chi.URLParam(r, "course")
	if !rs.shelf.Watched() || name == "" && r.URL.Path != "/" {
		return nil
	}
	page := &views.Author{Version: rs.shelf.Version()}
	for _, c := range rs.shelf.All() {
		if name == c.Name || name == "" {
			present.Tell(page, c, chi.URLParam(r, "lesson"), language(r))
		}
	}
	return page
}

// authorOf does the same for the page of a run.
func (rs *responder) authorOf(r *http.Request, run *live.Run) *views.Author {
	if frameOf(r) == nil && chi.URLParam(r, "course") != "" {
		return rs.author(r)
	}
	t := run.Task()
	if frameOf(r) != nil || !rs.shelf.Watched() || t.Lesson == nil || run.Place().Room != "" {
		return nil
	}
	page := &views.Author{Version: rs.shelf.Version()}
	if c := course.Named(rs.shelf.All(), t.Course.Name); c != nil {
		present.Tell(page, c, t.Lesson.Name, language(r))
	}
	return page
}

// handleWatch answers with the version of the courses.
func (rs *responder) handleWatch(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(rs.shelf.Version())) // a page that has gone away misses nothing
}

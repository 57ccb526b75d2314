package door

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
func (rs *Responder) author(r *http.Request) *views.Author {
	name := chi.URLParam(r, "course")
	if !rs.Shelf.Watched() || name == "" && r.URL.Path != "/" {
		return nil
	}
	page := &views.Author{Version: rs.Shelf.Version()}
	for _, c := range rs.Shelf.All() {
		if name == c.Name || name == "" {
			present.Tell(page, c, chi.URLParam(r, "lesson"), Language(r))
		}
	}
	return page
}

// AuthorOf does the same for the page of a run.
func (rs *Responder) AuthorOf(r *http.Request, run *live.Run) *views.Author {
	if FrameOf(r) == nil && chi.URLParam(r, "course") != "" {
		return rs.author(r)
	}
	t := run.Task()
	if FrameOf(r) != nil || !rs.Shelf.Watched() || t.Lesson == nil || run.Place().Room != "" {
		return nil
	}
	page := &views.Author{Version: rs.Shelf.Version()}
	if c := course.Named(rs.Shelf.All(), t.Course.Name); c != nil {
		present.Tell(page, c, t.Lesson.Name, Language(r))
	}
	return page
}

// HandleWatch answers with the version of the courses.
func (rs *Responder) HandleWatch(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(rs.Shelf.Version())) // a page that has gone away misses nothing
}

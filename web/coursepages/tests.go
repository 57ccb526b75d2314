package coursepages

import (
	"errors"
	"net/http"

	"lockstep/engine/course"
	"lockstep/views"
	courseview "lockstep/views/course"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/present"
	"lockstep/web/room"
)

// handleTest answers with a test: its beginning, the first question without an answer, or the result. The address holds the
// answers, of which only known ones count, and the server keeps nothing.
func (p *Pages) handleTest(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	if c := p.testOf(w, r); c != nil {
		page := present.Test(c, present.ReadAnswered(c.Test, r.URL.Query()), p.SiteFor(r))
		p.putTest(&page, r)
		p.Render(w, r, http.StatusOK, courseview.TestPage(page))
	}
}

// putTest puts on the page of a test whether the room that it is for takes answers to it. Somebody without a key of that room learns
// nothing, and sets no work off: an address names any code.
func (p *Pages) putTest(page *courseview.Test, r *http.Request) {
	if page.Room == "" || page.Result != nil || !p.HasBeenIn(r, page.Room) {
		return
	}
	h, done, err := p.Rooms.Use(r.Context(), page.Room)
	if err != nil {
		page.Closed = errors.Is(err, class.ErrNoRoom)
		return
	}
	defer done()
	key := door.KeyOf(r, page.Room)
	if h.Who(key) == (room.Who{}) {
		return
	}
	v := h.Present(key, nil, page.Site)
	page.Live, page.Closed = &v.Data, v.Test == nil || v.Test.Path != page.InRoom()
}

// handleTestHandout answers with a form of a test on paper.
func (p *Pages) handleTestHandout(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	if c := p.testOf(w, r); c != nil {
		form := course.Before
		if r.URL.Query().Get("form") == string(course.After) {
			form = course.After
		}
		p.Render(w, r, http.StatusOK, courseview.TestHandoutPage(present.TestHandout(c, form, r.URL.Query().Get("answers") != "", p.SiteFor(r))))
	}
}

// testOf returns the course that an address names, if it has a test. If there is none, it answers the request and returns nil.
func (p *Pages) testOf(w http.ResponseWriter, r *http.Request) *course.Course {
	c := p.courseOf(w, r)
	if c != nil && c.Test == nil {
		p.Fail(w, r, http.StatusNotFound, views.Say(door.Language(r), "error.none"))
		return nil
	}
	return c
}

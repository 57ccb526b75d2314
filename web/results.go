package web

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"net/http"

	"lockstep/engine/course"
	"lockstep/views"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
	"lockstep/web/session"
)

// results returns how a room has answered a test. It answers the request, and returns a nil course, where the reader does
// not present the room or nobody has taken a test.
func (p *roomPages) results(w http.ResponseWriter, r *http.Request, h *session.LiveRoom, key string) (*course.Course, present.Class) {
	if !h.Who(key).Presenter {
		p.refuse(w, r, h.NotPresenter(key))
		return nil, present.Class{}
	}
	c := p.sessions.Course(session.Ask(h, (*room.Room).Tested))
	if c == nil || c.Test == nil {
		p.refuse(w, r, refusal.Of(room.ErrNoTest))
		return nil, present.Class{}
	}
	handed := func(f course.Form) map[int][]string {
		return session.Ask(h, func(r *room.Room) map[int][]string { return r.Handed(string(f)) })
	}
	return c, present.ClassOf(c, handed(course.Before), handed(course.After))
}

// handleResults answers with the page of a room's answers to a test.
func (p *roomPages) handleResults(w http.ResponseWriter, r *http.Request, h *session.LiveRoom, key string) {
	if c, class := p.results(w, r, h, key); c != nil {
		p.render(w, r, http.StatusOK, views.TestResultsPage(present.Results(h.Code(), c, class, p.siteFor(r))))
	}
}

// handleResultsJSON answers with the same in numbers.
func (p *roomPages) handleResultsJSON(w http.ResponseWriter, r *http.Request, h *session.LiveRoom, key string) {
	if c, class := p.results(w, r, h, key); c != nil {
		p.file(w, r, "application/json", h.Code()+".json", func(b *bytes.Buffer) error { return json.NewEncoder(b).Encode(class) })
	}
}

// handleResultsCSV answers with a table of the same.
func (p *roomPages) handleResultsCSV(w http.ResponseWriter, r *http.Request, h *session.LiveRoom, key string) {
	if c, class := p.results(w, r, h, key); c != nil {
		p.file(w, r, "text/csv; charset=utf-8", h.Code()+".csv", func(b *bytes.Buffer) error { return csv.NewWriter(b).WriteAll(class.CSV(c)) })
	}
}

// file answers with a file of a room's answers, which no cache keeps.
func (p *roomPages) file(w http.ResponseWriter, r *http.Request, mediaType, name string, write func(*bytes.Buffer) error) {
	h := w.Header()
	h.Set("Content-Type", mediaType)
	h.Set("Content-Disposition", `attachment; filename="lockstep-test-`+name+`"`)
	h.Set("Cache-Control", "no-store")
	p.answer(w, r, http.StatusOK, func(b *bytes.Buffer) {
		if err := write(b); err != nil {
			panic(fmt.Errorf("writing a class's answers: %w", err)) // writing to memory does not fail
		}
	})
}

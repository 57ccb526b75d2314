package coursepages

import (
	"net/http"

	courseview "lockstep/views/course"
	"lockstep/web/door"
	"lockstep/web/present"
)

// handleHandout answers with a lesson on paper.
func (p *Pages) handleHandout(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	if c, l := p.lessonOf(w, r); l != nil {
		page := present.Handout(c, l, r.URL.Query().Get("answers") != "", p.SiteFor(r))
		p.Render(w, r, http.StatusOK, courseview.HandoutPage(page))
	}
}

// handleHandoutFile answers with the handout of a lesson, as one file.
func (p *Pages) handleHandoutFile(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	if c, l := p.lessonOf(w, r); l != nil {
		HandoutFile(p.Responder, w, r, "handout-"+l.Name, []present.Taught{{Course: c, Lesson: l}}, r.URL.Query().Get("answers") != "", l.Title.In(door.Language(r)))
	}
}

package web

import (
	"net/http"

	courseview "lockstep/views/course"
	"lockstep/web/present"
)

// handleHandout answers with a lesson on paper.
func (p *coursePages) handleHandout(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	if c, l := p.lessonOf(w, r); l != nil {
		page := present.Handout(c, l, r.URL.Query().Get("answers") != "", p.siteFor(r))
		p.render(w, r, http.StatusOK, courseview.HandoutPage(page))
	}
}

// handleHandoutFile answers with the handout of a lesson, as one file.
func (p *coursePages) handleHandoutFile(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	if c, l := p.lessonOf(w, r); l != nil {
		p.handoutFile(w, r, "handout-"+l.Name, []present.Taught{{Course: c, Lesson: l}}, r.URL.Query().Get("answers") != "", l.Title.In(language(r)))
	}
}

package web

import (
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// handleHandout answers with a lesson on paper.
func (s *Server) handleHandout(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	if c, l := s.lessonOf(w, r); l != nil {
		page := present.Handout(c, l, r.URL.Query().Get("answers") != "", s.siteFor(r))
		s.render(w, r, http.StatusOK, views.HandoutPage(page))
	}
}

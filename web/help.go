package web

import (
	"net/http"

	"lockstep/views"
)

// help is the page that tells how to read the picture, and the keys.
func (s *Server) help(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	s.render(w, r, http.StatusOK, views.HelpPage(s.siteFor(r)))
}

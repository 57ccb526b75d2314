package web

import (
	"net/http"

	siteview "lockstep/views/site"
)

// handleHelp answers with the page that explains the picture and the keys.
func (s *Server) handleHelp(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	s.render(w, r, http.StatusOK, siteview.HelpPage(s.siteFor(r)))
}

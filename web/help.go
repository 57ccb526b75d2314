package web

import (
	"net/http"

	siteview "lockstep/views/site"
)

// handleHelp answers with the page that explains the picture and the keys.
func (s *Server) handleHelp(w http.ResponseWriter, r *http.Request) {
	s.Remember(w, r)
	s.Render(w, r, http.StatusOK, siteview.HelpPage(s.SiteFor(r)))
}

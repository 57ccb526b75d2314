package web

import (
	"net/http"

	"lockstep/views"
	"lockstep/web/present"
)

// handleHome answers with the home page.
func (s *Server) handleHome(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	s.render(w, r, http.StatusOK, views.HomePage(present.Home(s.courses[0], r.URL.Query().Get("show"), s.siteFor(r))))
}

package web

import (
	"bytes"
	"net/http"

	"lockstep/views"
	siteview "lockstep/views/site"
	"lockstep/web/present"
)

// handleHelp answers with what explains the picture and the keys: a page, or the text alone, which a page of a run shows over itself.
func (s *Server) handleHelp(w http.ResponseWriter, r *http.Request) {
	if r.URL.Query().Has("text") {
		s.answerLate(w, r, "text/html; charset=utf-8", func(b *bytes.Buffer) { present.Write(b, views.HelpText(s.SiteFor(r))) })
		return
	}
	s.Remember(w, r)
	s.Render(w, r, http.StatusOK, siteview.HelpPage(s.SiteFor(r)))
}

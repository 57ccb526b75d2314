package web

import (
	"bytes"
	"encoding/json"
	"net/http"

	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
	runview "lockstep/views/run"
	"lockstep/web/door"
	"lockstep/web/present"
)

// handleProgram answers with a built-in program, as it is or as a reader's language writes it: a page, or the listing alone, which
// a page of a run shows in its drawer and the browser keeps.
func (s *Server) handleProgram(w http.ResponseWriter, r *http.Request) {
	of, ok := program.Builtin(chi.URLParam(r, "program"))
	var t runview.Tongue
	if language := chi.URLParam(r, "language"); ok && language == "" {
		t = present.Text(of, s.SiteFor(r))
	} else if ok {
		var e program.Equivalent
		if e, ok = program.InTongue(of.Name, language); ok {
			t = present.Tongue(of, e, s.SiteFor(r))
		}
	}
	if !ok {
		s.Fail(w, r, http.StatusNotFound, views.Say(door.Language(r), "error.none"))
		return
	}
	if r.URL.Query().Has("listing") {
		s.answerLate(w, r, "text/html; charset=utf-8", func(b *bytes.Buffer) { present.Write(b, runview.TongueListing(t)) })
		return
	}
	s.Remember(w, r)
	s.Render(w, r, http.StatusOK, runview.TonguePage(t))
}

// handleWords answers with the words that the editor completes, in programs and in scenarios.
func (s *Server) handleWords(w http.ResponseWriter, r *http.Request) {
	s.answerJSON(w, r, struct {
		Program  []program.Word `json:"program"`
		Actions  []string       `json:"actions"`
		Programs []string       `json:"programs"`
	}{program.Words(), engine.LineBeginnings(), program.Names()})
}

// handleCommands answers with what the console completes and explains.
func (s *Server) handleCommands(w http.ResponseWriter, r *http.Request) {
	s.answerJSON(w, r, present.ConsoleData(door.Language(r)))
}

func (s *Server) answerJSON(w http.ResponseWriter, r *http.Request, what any) {
	s.answerLate(w, r, "application/json", func(b *bytes.Buffer) {
		if err := json.NewEncoder(b).Encode(what); err != nil {
			panic(err) // every field can be encoded
		}
	})
}

// answerLate answers with what a script asks for late. Caches keep it, but not for long: a new version may write it again. Only an
// address that names the language has the same answer for everybody.
func (s *Server) answerLate(w http.ResponseWriter, r *http.Request, contentType string, draw func(*bytes.Buffer)) {
	h := w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", "public, max-age=600")
	if _, named := lang.Named(r.URL.Query().Get("lang")); !named {
		h.Set("Vary", "Accept-Language, Cookie")
	}
	s.Answer(w, r, http.StatusOK, draw)
}

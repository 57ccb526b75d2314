package web

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/engine/program"
	"lockstep/views"
)

const maxForm = 64 << 10 // bytes

func (s *Server) newRun(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	target := "/t/" + newID()
	if l, ok := known(r.URL.Query().Get("lang")); ok {
		target += "?lang=" + string(l)
	}
	http.Redirect(w, r, target, http.StatusSeeOther)
}

func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	remember(w, r)
	run, done := s.runs.look(chi.URLParam(r, "id"))
	defer done()
	s.showRun(w, r, http.StatusOK, run, nil)
}

// showRun answers with the page of a run; adjust may add what only this answer says.
func (s *Server) showRun(w http.ResponseWriter, r *http.Request, status int, run *run, adjust func(*views.Page)) {
	run.mu.Lock()
	page := presentPage(run, s.siteFor(r))
	run.mu.Unlock()
	if adjust != nil {
		adjust(&page)
	}
	s.render(w, r, status, views.RunPage(page))
}

// postAction is an action from a form: the field action begins a line of
// scenario text, and the other fields go on with it as words and options.
func (s *Server) postAction(w http.ResponseWriter, r *http.Request) {
	s.post(w, r, func(run *run) error {
		position, err := seen(r)
		if err != nil {
			return err
		}
		switch line := lineOf(r); line {
		case "undo":
			return run.undo(position, "")
		case "reset":
			return run.reset(position, "")
		default:
			return run.act(position, "", line)
		}
	}, func(page *views.Page, why refusal) { page.Refusal = why.Text })
}

func (s *Server) postProgram(w http.ResponseWriter, r *http.Request) {
	s.post(w, r, func(run *run) error {
		return run.define("", r.PostFormValue("name"), source(r))
	}, func(page *views.Page, why refusal) {
		page.Own = views.Own{Name: r.PostFormValue("name"), Source: source(r), Error: why.Text}
	})
}

// post carries a form out and leads back to the page; or it answers with the
// page and the reason, and nothing that was typed is lost.
func (s *Server) post(w http.ResponseWriter, r *http.Request, do func(*run) error, explained func(*views.Page, refusal)) {
	r.Body = http.MaxBytesReader(w, r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		status := http.StatusBadRequest
		if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
			status = http.StatusRequestEntityTooLarge
		}
		s.fail(w, r, status, language(r).Say("error.form"))
		return
	}
	run, done, err := s.runs.use(chi.URLParam(r, "id"))
	if err != nil {
		s.fail(w, r, http.StatusServiceUnavailable, language(r).Say("error.full"))
		return
	}
	defer done()
	if err := do(run); err != nil {
		s.showRun(w, r, http.StatusUnprocessableEntity, run, func(page *views.Page) { explained(page, explain(err, page.Lang)) })
		return
	}
	http.Redirect(w, r, "/t/"+run.id, http.StatusSeeOther)
}

// seen is how many actions the sender of a form has seen; a form need not say.
func seen(r *http.Request) (int, error) {
	text := r.PostFormValue("at")
	if text == "" {
		return anywhere, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, errMalformed
	}
	return n, nil
}

// lineOf joins the fields of a form into a line of scenario text. The script of
// the page does the same (lineOf in page.js).
func lineOf(r *http.Request) string {
	line := r.PostFormValue("action")
	if !strings.HasPrefix(line, "spawn ") {
		return line
	}
	if name := r.PostFormValue("program"); name != "" {
		line += " " + name
	}
	for _, option := range []string{"timeout", "retry", "acquire_timeout", "skew", "blocking"} {
		if value := strings.TrimSpace(r.PostFormValue(option)); value != "" {
			line += " " + option + "=" + value
		}
	}
	return line
}

// source is a program's text as typed: browsers send lines that end in CR LF.
func source(r *http.Request) string {
	return strings.ReplaceAll(r.PostFormValue("source"), "\r\n", "\n")
}

func (s *Server) scenario(w http.ResponseWriter, r *http.Request) {
	run, done := s.runs.look(chi.URLParam(r, "id"))
	defer done()
	run.mu.Lock()
	text := run.engine.Scenario().String()
	run.mu.Unlock()
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-cache")
	s.wrote(w.Write([]byte(text)))
}

func (s *Server) trace(w http.ResponseWriter, r *http.Request) {
	run, done := s.runs.look(chi.URLParam(r, "id"))
	defer done()
	var buffer bytes.Buffer
	run.mu.Lock()
	trace := engine.Trace{Scenario: run.engine.Scenario(), Run: run.engine}
	err := trace.WriteNDJSON(&buffer)
	run.mu.Unlock()
	if err != nil {
		panic(fmt.Errorf("encoding a trace: %w", err)) // it is written to memory
	}
	w.Header().Set("Content-Type", "application/x-ndjson")
	w.Header().Set("Cache-Control", "no-cache")
	s.wrote(w.Write(buffer.Bytes()))
}

func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) {
	content := markup(c)
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "private, no-cache")
	h.Set("Vary", "Accept-Language, Cookie")
	w.WriteHeader(status)
	s.wrote(w.Write([]byte(content)))
}

// wrote notes an answer that did not arrive. There is nobody left to tell.
func (s *Server) wrote(_ int, err error) {
	if err != nil {
		s.log.Debug("answer", "err", err)
	}
}

// markup renders a component.
func markup(c templ.Component) string {
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		panic(fmt.Errorf("rendering: %w", err)) // it is written to memory
	}
	return b.String()
}

// programs are all that a client of the run can be spawned with: the built-in
// ones and then the reader's own.
func (r *run) programs() []*program.Program {
	var all []*program.Program
	for _, name := range program.Names() {
		if p, ok := program.Builtin(name); ok {
			all = append(all, p)
		}
	}
	return append(all, r.engine.Own()...)
}

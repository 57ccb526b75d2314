package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/engine/export"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

const maxForm = 64 << 10 // bytes

// anywhere stands for the position of one who does not say what they have seen,
// and for the end of a run.
const anywhere = -1

func (s *Server) newRun(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	target := s.base + "/t/" + newID()
	if l, ok := known(r.URL.Query().Get("lang")); ok {
		target += "?lang=" + string(l)
	}
	http.Redirect(w, r, target, http.StatusSeeOther)
}

func (s *Server) page(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	run, done, ok := s.look(w, r)
	if !ok {
		return
	}
	defer done()
	step, err := position(r.URL.Query().Get("step"))
	if err != nil {
		step = anywhere
	}
	s.showRun(w, r, http.StatusOK, run, step, func(page *views.Page) {
		if n, err := strconv.Atoi(r.URL.Query().Get("omitted")); err == nil && n > 0 {
			page.Refusal = present.Omissions(page.Lang, n)
		}
		if page.Task != nil && page.Task.Guide != nil {
			page.Task.Guide.Given = r.URL.Query().Get("guess")
		}
		s.putBeside(r, page, run, r.URL.Query().Get("beside"))
	})
}

// presentPage makes the view model of the whole page of a run at a position, with the rows of the list that are wanted.
// The error is that of the pace.
func presentPage(a *limit.Asker, r *run, position int, want present.Rows, site views.Site) (views.Page, error) {
	var past *engine.Run
	if position != anywhere && position < r.length() {
		var err error
		if past, err = r.prefix(a, position); err != nil {
			return views.Page{}, err
		}
		defer past.World().Close()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	a.Charge(presenting(r.engine.World()))
	if past == nil {
		past = r.engine
	}
	page, encoded := r.presented().Page(past, want, site)
	a.Charge(drawing(int64(encoded)))
	return page, nil
}

// showRun answers with the page of a run at a position; adjust may add what only this answer says.
func (s *Server) showRun(w http.ResponseWriter, r *http.Request, status int, run *run, step int, adjust func(*views.Page)) {
	page, err := presentPage(askerOf(r), run, step, present.RowsFor(r.URL.Query().Get("events")), s.siteFor(r))
	if err == nil {
		err = s.putRoom(&page, r, run)
	}
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	adjust(&page)
	s.render(w, r, status, inPageSize(askerOf(r), page))
}

// postAction is an action from a form. Some of the buttons only lead to another position.
func (s *Server) postAction(w http.ResponseWriter, r *http.Request) {
	s.post(w, r, func(run *run, at int) (destination, error) {
		line, err := present.Line(r.PostFormValue("action"), r.PostFormValue)
		if err != nil {
			return destination{}, err
		}
		past, here := r.PostFormValue("past") != "", destination{run: run, step: anywhere}
		switch {
		case line == "first":
			here.step = 0
			return here, nil
		case line == "back":
			here.step = max(0, at-1)
			return here, nil
		case line == "last":
			return here, nil
		case line == "violation":
			here.step, err = run.nextViolation(at)
			return here, err
		case line == "schedule" && past:
			here.step = at + 1
			return here, nil
		}
		a, v, key := askerOf(r), visitorOf(r), keyFor(r, run)
		if line == "schedule" {
			return here, run.schedule(a, s.presses(a, v, key, run, at, "", nil, other), engine.Scheduler{})
		}
		typed := readLine(line)
		if !past {
			return here, run.act(a, s.presses(a, v, key, run, at, "", typed.wrong, typed.actions...), typed.actions...)
		}
		if err := s.mayAct(a, key, run, other); err != nil { // whoever has a lane has it where the room is
			return destination{}, err
		}
		if err := s.mayMake(v); err != nil {
			return destination{}, err
		}
		branch, step, err := s.branch(a, run, at, "", typed)
		if err == nil {
			err = s.showBranch(a, key, "", run, branch)
		}
		return destination{run: branch, step: step}, err
	}, func(page *views.Page, why *refusal.Error) {
		page.Refusal = why.In(page.Lang)
		if why.Code == refusal.Limit {
			page.Limit = page.Refusal
		}
		if command := r.PostFormValue("command"); command != "" {
			page.Console.Typed, page.Console.Refusal = command, page.Refusal
		}
	})
}

// postRerun runs the schedule again under another program, or an edited one.
func (s *Server) postRerun(w http.ResponseWriter, r *http.Request) {
	s.post(w, r, func(run *run, at int) (destination, error) {
		key := keyFor(r, run)
		if err := s.mayAct(askerOf(r), key, run, other); err != nil {
			return destination{}, err
		}
		branch, omitted, err := s.rerun(askerOf(r), run, at, "", r.PostFormValue("from"), r.PostFormValue("program"), source(r))
		if err == nil {
			err = s.showBranch(askerOf(r), key, "", run, branch)
		}
		return destination{run: branch, step: anywhere, beside: run, omitted: omitted}, err
	}, func(page *views.Page, why *refusal.Error) {
		page.Own = views.Own{From: r.PostFormValue("from"), Source: source(r), Error: why.In(page.Lang)}
	})
}

// postFork begins a run of its own, of no family, with what led to a position.
func (s *Server) postFork(w http.ResponseWriter, r *http.Request) {
	s.post(w, r, func(run *run, at int) (destination, error) {
		past, err := run.prefix(askerOf(r), at)
		if err != nil {
			return destination{}, err
		}
		fork, err := s.runs.add(askerOf(r), past, beginning{})
		return destination{run: fork, step: anywhere}, err
	}, func(page *views.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}

// post carries a form out and leads to where its outcome is seen; or it answers
// with the page and the reason, and nothing that was typed is lost.
func (s *Server) post(w http.ResponseWriter, r *http.Request, do func(run *run, at int) (destination, error), explained func(*views.Page, *refusal.Error)) {
	if !s.parseForm(w, r, maxForm) {
		return
	}
	run, done, err := s.runs.use(askerOf(r), chi.URLParam(r, "id"))
	if err != nil {
		s.refuse(w, r, err)
		return
	}
	defer done()
	if err := s.mayLook(r, run); err != nil {
		s.refuse(w, r, refusal.Forbidden(err))
		return
	}
	at, err := position(r.PostFormValue("at"))
	if err == nil && at == anywhere {
		at = run.length()
	}
	var where destination
	if err == nil {
		where, err = do(run, at)
	}
	if err != nil {
		shown := anywhere
		if r.PostFormValue("past") != "" {
			shown = at
		}
		e := refusal.Of(err)
		s.showRun(w, r, e.Status, run, shown, func(page *views.Page) { explained(page, e) })
		return
	}
	to := s.address(where)
	if back := r.PostFormValue("back"); back != "" { // a phone stays on its own page
		to = s.base + within(back)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// look returns the run that an address names, to read it, or answers why it cannot be read.
func (s *Server) look(w http.ResponseWriter, r *http.Request) (run *run, done func(), ok bool) {
	run, done, err := s.runs.look(askerOf(r), chi.URLParam(r, "id"))
	if err != nil {
		s.refuse(w, r, err)
		return nil, nil, false
	}
	if err := s.mayLook(r, run); err != nil {
		done()
		s.refuse(w, r, refusal.Forbidden(err))
		return nil, nil, false
	}
	return run, done, true
}

// refuse answers with a page that says why something was not done.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, err error) {
	e := refusal.Of(err)
	s.fail(w, r, e.Status, e.In(language(r)))
}

// httpError answers with a refusal in a line of plain text.
func httpError(w http.ResponseWriter, e *refusal.Error, l views.Language) {
	http.Error(w, e.In(l), e.Status)
}

// parseForm reads a form of at most that many bytes, or answers why it cannot. What has come of it is counted for its
// network until it is complete.
func (s *Server) parseForm(w http.ResponseWriter, r *http.Request, most int64) bool {
	whole := r.Body
	body := s.reading(visitorOf(r).network, http.MaxBytesReader(w, whole, most))
	r.Body = struct {
		io.Reader
		io.Closer
	}{body, r.Body}
	a := askerOf(r)
	a.Rest() // whoever sends slowly waits for nobody else, nor anybody for them
	readUntil(w, time.Now().Add(bodyTime))
	err := r.ParseForm()
	body.done()
	if err != nil {
		discard(w, whole)
	}
	if err := a.Begin(); err != nil {
		s.busy(w, r, err)
		return false
	}
	switch {
	case err == nil:
		readUntil(w, time.Time{}) // nothing is left to be read while it is answered
		return true
	case errors.Is(err, errReading):
		w.Header().Set("Connection", "close") // the rest is not read
		s.busy(w, r, err)
		return false
	}
	status := http.StatusBadRequest
	if tooLarge := (*http.MaxBytesError)(nil); errors.As(err, &tooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	s.fail(w, r, status, language(r).Say("error.form"))
	return false
}

// position reads how many actions have been done; a form need not say.
func position(text string) (int, error) {
	if text == "" {
		return anywhere, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, errMalformed
	}
	return n, nil
}

// nextViolation returns the next position at which a property begins to be violated.
func (r *run) nextViolation(at int) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := views.NextBreak(r.engine.World().Breaks(), at)
	if next < 0 {
		return 0, errNoViolation
	}
	return next, nil
}

// length is how many actions the run has.
func (r *run) length() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.engine.Actions())
}

// source is a program's text as typed: browsers send lines that end in CR LF.
func source(r *http.Request) string {
	return strings.ReplaceAll(r.PostFormValue("source"), "\r\n", "\n")
}

// export serves a run in a format that other tools read.
func (s *Server) export(format export.Format) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		run, done, ok := s.look(w, r)
		if !ok {
			return
		}
		defer done()
		if err := askerOf(r).Spend(drawing(run.bytes())); err != nil {
			s.busy(w, r, err)
			return
		}
		w.Header().Set("Content-Type", format.MediaType)
		w.Header().Set("Cache-Control", "no-cache")
		s.answer(w, r, http.StatusOK, func(b *bytes.Buffer) {
			if err := run.trace(func(t *engine.Trace) error { return export.Write(b, format.Name, t) }); err != nil {
				panic(fmt.Errorf("encoding a run: %w", err)) // it is written to memory, in a format that there is
			}
		})
	}
}

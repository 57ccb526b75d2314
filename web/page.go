package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/engine/lang"
	runview "lockstep/views/run"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/search"
)

const maxForm = 64 << 10 // bytes

// runPages answers requests for the pages, forms and sockets of runs, and for links to scenarios.
type runPages struct {
	*responder
	explorer *search.Explorer
	lookouts *search.Lookouts
}

func (p *runPages) handleNewRun(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	target := p.base + "/t/" + live.NewID()
	if l, ok := lang.Named(r.URL.Query().Get("lang")); ok {
		target += "?lang=" + string(l)
	}
	http.Redirect(w, r, target, http.StatusSeeOther)
}

func (p *runPages) handleRun(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	run, done, ok := p.look(w, r)
	if !ok {
		return
	}
	defer done()
	_ = run.Settle(askerOf(r)) // where a real program cannot be learned, the page says so
	step, err := position(r.URL.Query().Get("step"))
	if err != nil {
		step = live.Anywhere
	}
	p.showRun(w, r, http.StatusOK, run, step, func(page *runview.Page) {
		if n, err := strconv.Atoi(r.URL.Query().Get("omitted")); err == nil && n > 0 {
			page.Refusal = present.Omissions(page.Lang, n)
		}
		if page.Task != nil && page.Task.Guide != nil {
			page.Task.Guide.Given = r.URL.Query().Get("guess")
		}
		p.putBeside(r, page, run, r.URL.Query().Get("beside"))
	})
}

// showRun answers with the page of a run at a position. adjust may change the page for this answer.
func (p *runPages) showRun(w http.ResponseWriter, r *http.Request, status int, run *live.Run, step int, adjust func(*runview.Page)) {
	page, err := run.Page(askerOf(r), step, present.RowsFor(r.URL.Query().Get("events")), p.siteFor(r))
	if err == nil {
		err = p.putRoom(&page, r, run)
	}
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	page.Downloads, page.Author = downloads(page.Lang), p.authorOf(r, run)
	present.Frame(page.Frame, run.Task())
	adjust(&page)
	p.render(w, r, status, inPageSize(askerOf(r), page))
}

// handleAction does an action from a form. Some of the buttons only lead to another position.
func (p *runPages) handleAction(w http.ResponseWriter, r *http.Request) {
	p.post(w, r, func(run *live.Run, at int) (destination, error) {
		line, err := present.Line(r.PostFormValue("action"), r.PostFormValue)
		if err != nil {
			return destination{}, err
		}
		past, here := r.PostFormValue("past") != "", destination{run: run, step: live.Anywhere}
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
			here.step, err = run.NextViolation(at)
			return here, err
		case line == "schedule" && past:
			here.step = at + 1
			return here, nil
		}
		a, key := askerOf(r), keyFor(r, run)
		if line == "schedule" {
			return here, p.rooms.Press(a, key, run, live.ScheduledPress("", at, engine.Scheduler{}))
		}
		press := live.ReadPress("", at, line)
		if !past {
			return here, p.rooms.Press(a, key, run, press)
		}
		if err := p.rooms.MayAct(a, key, run); err != nil { // a lane belongs to its owner only in the run that the room shows
			return destination{}, err
		}
		if err := p.mayMake(visitorOf(r)); err != nil {
			return destination{}, err
		}
		branch, step, err := p.rooms.Runs.Branch(a, run, press)
		if err == nil {
			err = p.rooms.ShowBranch(a, key, "", run, branch)
		}
		return destination{run: branch, step: step}, err
	}, func(page *runview.Page, why *refusal.Error) {
		page.Refusal = why.In(page.Lang)
		if why.Code == refusal.Limit {
			page.Limit = page.Refusal
		}
		if command := r.PostFormValue("command"); command != "" {
			page.Console.Typed, page.Console.Refusal = command, page.Refusal
		}
	})
}

// handleRerun runs the schedule again under another program, or an edited one.
func (p *runPages) handleRerun(w http.ResponseWriter, r *http.Request) {
	p.post(w, r, func(run *live.Run, at int) (destination, error) {
		key := keyFor(r, run)
		if err := p.rooms.MayAct(askerOf(r), key, run); err != nil {
			return destination{}, err
		}
		branch, omitted, err := p.rooms.Runs.Rerun(askerOf(r), run, at, "", r.PostFormValue("from"), r.PostFormValue("program"), source(r))
		if err == nil {
			err = p.rooms.ShowBranch(askerOf(r), key, "", run, branch)
		}
		return destination{run: branch, step: live.Anywhere, beside: run, omitted: omitted}, err
	}, func(page *runview.Page, why *refusal.Error) {
		page.Own = runview.Own{From: r.PostFormValue("from"), Source: source(r), Error: why.In(page.Lang)}
	})
}

// handleFork begins a run outside any family, with the actions that led to a position.
func (p *runPages) handleFork(w http.ResponseWriter, r *http.Request) {
	p.post(w, r, func(run *live.Run, at int) (destination, error) {
		past, err := run.Prefix(askerOf(r), at)
		if err != nil {
			return destination{}, err
		}
		fork, err := p.rooms.Runs.Add(askerOf(r), past, live.Beginning{})
		return destination{run: fork, step: live.Anywhere}, err
	}, func(page *runview.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}

// post carries a form out and redirects to the outcome. If that fails, it answers
// with the page and the reason, and keeps the text that was typed.
func (p *runPages) post(w http.ResponseWriter, r *http.Request, do func(run *live.Run, at int) (destination, error), explained func(*runview.Page, *refusal.Error)) {
	if !p.parseForm(w, r, maxForm) {
		return
	}
	run, done, err := p.rooms.Runs.Use(askerOf(r), chi.URLParam(r, "id"))
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	defer done()
	if err := p.mayLook(r, run); err != nil {
		p.refuse(w, r, refusal.Forbidden(err))
		return
	}
	if !p.begin(w, r, run, explained) {
		return
	}
	at, err := position(r.PostFormValue("at"))
	if err == nil && at == live.Anywhere {
		at = run.Length()
	}
	var where destination
	if err == nil {
		where, err = do(run, at)
	}
	if err != nil {
		shown := live.Anywhere
		if r.PostFormValue("past") != "" {
			shown = at
		}
		e := refusal.Of(err)
		p.showRun(w, r, e.Status, run, shown, func(page *runview.Page) { explained(page, e) })
		return
	}
	to := where.url(p.base)
	if back := r.PostFormValue("back"); back != "" { // a phone stays on its own page
		to = p.base + within(back)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// look returns the run that an address names, for reading, or answers why it cannot.
func (p *runPages) look(w http.ResponseWriter, r *http.Request) (run *live.Run, done func(), ok bool) {
	run, done, err := lookAt(r, p.rooms, chi.URLParam(r, "id"))
	if err != nil {
		p.refuse(w, r, err)
		return nil, nil, false
	}
	if err := p.mayLook(r, run); err != nil {
		done()
		p.refuse(w, r, refusal.Forbidden(err))
		return nil, nil, false
	}
	return run, done, true
}

// position reads a number of actions, which a form may leave out.
func position(text string) (int, error) {
	if text == "" {
		return live.Anywhere, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, live.ErrMalformed
	}
	return n, nil
}

// source returns a program's text as typed: browsers send lines that end in CR LF.
func source(r *http.Request) string {
	return strings.ReplaceAll(r.PostFormValue("source"), "\r\n", "\n")
}

// mayLook refuses visitors who may not see a run. Everybody who has the address of a
// run outside a room may see it.
func (p *runPages) mayLook(r *http.Request, run *live.Run) error {
	return p.rooms.MayLook(askerOf(r), keyFor(r, run), run)
}

// keyFor returns the hash of the key that a request brings for a run's room; empty: none.
func keyFor(r *http.Request, run *live.Run) string {
	if place := run.Place(); place.Room != "" {
		return keyOf(r, place.Room)
	}
	return ""
}

// putRoom puts the room of a run on its page.
func (p *runPages) putRoom(page *runview.Page, r *http.Request, run *live.Run) error {
	place := run.Place()
	if place.Room == "" {
		return nil
	}
	h, done, err := p.rooms.Use(askerOf(r), place.Room)
	if err != nil {
		return err
	}
	defer done()
	page.Picture, page.Private = "", true // only the room may see it
	url, alone := p.reaches(r)
	h.ReachedAt(url, alone, keyOf(r, place.Room))
	page.Room = h.Present(keyOf(r, place.Room), run, page.Site).Around(*page)
	return nil
}

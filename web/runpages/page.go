package runpages

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/go-chi/chi/v5"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	runview "lockstep/views/run"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/search"
)

// runPages answers requests for the pages, forms and sockets of runs, and for links to scenarios.
type Pages struct {
	*door.Responder
	explorer *search.Explorer
	lookouts *search.Lookouts
}

func New(rs *door.Responder, explorer *search.Explorer, lookouts *search.Lookouts) *Pages {
	return &Pages{rs, explorer, lookouts}
}

func (p *Pages) handleNewRun(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	chosen := present.FirstProgram
	if p, ok := program.Builtin(r.URL.Query().Get("program")); ok {
		chosen = p.Name
	}
	query := url.Values{"program": {chosen}}
	if many := clientsOf(r.URL.Query().Get("clients")); many > 0 {
		query.Set("clients", strconv.Itoa(many))
	}
	if l, ok := lang.Named(r.URL.Query().Get("lang")); ok {
		query.Set("lang", string(l))
	}
	for _, name := range door.FromLink { // they are for the page that the address leads to
		if value := r.URL.Query().Get(name); value != "" {
			query.Set(name, value)
		}
	}
	http.Redirect(w, r, p.Base+"/t/"+live.NewID()+"?"+query.Encode(), http.StatusSeeOther)
}

func (p *Pages) handleRun(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	run, done, ok := p.look(w, r)
	if !ok {
		return
	}
	defer done()
	_ = run.AwaitPrograms(r.Context()) // where a real program cannot be learned, the page says so
	step, err := Position(r.URL.Query().Get("step"))
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
func (p *Pages) showRun(w http.ResponseWriter, r *http.Request, status int, run *live.Run, step int, adjust func(*runview.Page)) {
	page, err := run.Page(r.Context(), step, present.RowsFor(r.URL.Query().Get("events")), p.SiteFor(r))
	if err == nil {
		err = p.putRoom(&page, r, run)
	}
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	page.Downloads, page.Author = downloads(page.Lang), p.AuthorOf(r, run)
	present.Frame(page.Frame, run.Task())
	adjust(&page)
	p.Render(w, r, status, InPageSize(r.Context(), page))
}

// handleAction does an action from a form. Some of the buttons only lead to another position.
func (p *Pages) handleAction(w http.ResponseWriter, r *http.Request) {
	p.post(w, r, func(run *live.Run, at int) (Destination, error) {
		line, err := present.FormLine(r.PostFormValue("action"), r.PostFormValue)
		if err != nil {
			return Destination{}, err
		}
		past, here := r.PostFormValue("past") != "", Destination{Run: run, Step: live.Anywhere}
		switch {
		case line == "first":
			here.Step = 0
			return here, nil
		case line == "back":
			here.Step = max(0, at-1)
			return here, nil
		case line == "last":
			return here, nil
		case line == "violation":
			here.Step, err = run.NextViolation(at)
			return here, err
		case line == "schedule" && past:
			here.Step = at + 1
			return here, nil
		}
		ctx, key := r.Context(), KeyFor(r, run)
		if line == "schedule" {
			return here, p.Rooms.Press(ctx, key, run, live.ScheduledPress("", at, engine.Scheduler{}))
		}
		press := live.ReadPress("", at, line)
		if !past {
			return here, p.Rooms.Press(ctx, key, run, press)
		}
		if err := p.Rooms.MayAct(ctx, key, run); err != nil { // a lane belongs to its owner only in the run that the room shows
			return Destination{}, err
		}
		if err := p.MayMake(door.VisitorOf(r)); err != nil {
			return Destination{}, err
		}
		branch, step, err := p.Rooms.Runs.Branch(ctx, run, press)
		if err == nil {
			err = p.Rooms.ShowBranch(ctx, key, "", run, branch)
		}
		return Destination{Run: branch, Step: step}, err
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
func (p *Pages) handleRerun(w http.ResponseWriter, r *http.Request) {
	p.post(w, r, func(run *live.Run, at int) (Destination, error) {
		key := KeyFor(r, run)
		if err := p.Rooms.MayAct(r.Context(), key, run); err != nil {
			return Destination{}, err
		}
		branch, omitted, err := p.Rooms.Runs.Rerun(r.Context(), run, at, "", r.PostFormValue("from"), r.PostFormValue("program"), Source(r))
		if err == nil {
			err = p.Rooms.ShowBranch(r.Context(), key, "", run, branch)
		}
		return Destination{Run: branch, Step: live.Anywhere, beside: run, omitted: omitted}, err
	}, func(page *runview.Page, why *refusal.Error) {
		page.Own = runview.Own{From: r.PostFormValue("from"), Source: Source(r), Error: why.In(page.Lang)}
	})
}

// handleFork begins a run outside any family, with the actions that led to a position.
func (p *Pages) handleFork(w http.ResponseWriter, r *http.Request) {
	p.post(w, r, func(run *live.Run, at int) (Destination, error) {
		past, err := run.Prefix(r.Context(), at)
		if err != nil {
			return Destination{}, err
		}
		fork, err := p.Rooms.Runs.Add(r.Context(), past, live.Beginning{})
		return Destination{Run: fork, Step: live.Anywhere}, err
	}, func(page *runview.Page, why *refusal.Error) { page.Refusal = why.In(page.Lang) })
}

// post carries a form out and redirects to the outcome. If that fails, it answers
// with the page and the reason, and keeps the text that was typed.
func (p *Pages) post(w http.ResponseWriter, r *http.Request, do func(run *live.Run, at int) (Destination, error), explained func(*runview.Page, *refusal.Error)) {
	if !p.ParseForm(w, r, door.MaxForm) {
		return
	}
	run, done, err := p.Rooms.Runs.Use(r.Context(), chi.URLParam(r, "id"))
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	defer done()
	if err := p.mayLook(r, run); err != nil {
		p.Refuse(w, r, refusal.Forbidden(err))
		return
	}
	if !p.begin(w, r, run, explained) {
		return
	}
	at, err := Position(r.PostFormValue("at"))
	if err == nil && at == live.Anywhere {
		at = run.Length()
	}
	var where Destination
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
	to := where.URL(p.Base)
	if back := r.PostFormValue("back"); back != "" { // a phone stays on its own page
		to = p.Base + door.Within(back)
	}
	http.Redirect(w, r, to, http.StatusSeeOther)
}

// look returns the run that an address names, for reading, or answers why it cannot.
func (p *Pages) look(w http.ResponseWriter, r *http.Request) (run *live.Run, done func(), ok bool) {
	run, done, err := LookAt(r, p.Rooms, chi.URLParam(r, "id"))
	if err != nil {
		p.Refuse(w, r, err)
		return nil, nil, false
	}
	if err := p.mayLook(r, run); err != nil {
		done()
		p.Refuse(w, r, refusal.Forbidden(err))
		return nil, nil, false
	}
	return run, done, true
}

// Position reads a number of actions, which a form may leave out.
func Position(text string) (int, error) {
	if text == "" {
		return live.Anywhere, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return 0, live.ErrMalformed
	}
	return n, nil
}

// Source returns a program's text as typed: browsers send lines that end in CR LF.
func Source(r *http.Request) string {
	return strings.ReplaceAll(r.PostFormValue("source"), "\r\n", "\n")
}

// mayLook refuses visitors who may not see a run. Everybody who has the address of a
// run outside a room may see it.
func (p *Pages) mayLook(r *http.Request, run *live.Run) error {
	return p.Rooms.MayLook(r.Context(), KeyFor(r, run), run)
}

// KeyFor returns the hash of the key that a request brings for a run's room; empty: none.
func KeyFor(r *http.Request, run *live.Run) string {
	if place := run.Place(); place.Room != "" {
		return door.KeyOf(r, place.Room)
	}
	return ""
}

// putRoom puts the room of a run on its page.
func (p *Pages) putRoom(page *runview.Page, r *http.Request, run *live.Run) error {
	place := run.Place()
	if place.Room == "" {
		return nil
	}
	h, done, err := p.Rooms.Use(r.Context(), place.Room)
	if err != nil {
		return err
	}
	defer done()
	page.Picture, page.Private = "", true // only the room may see it
	url, alone := p.Reaches(r)
	h.ReachedAt(url, alone, door.KeyOf(r, place.Room))
	page.Room = h.Present(door.KeyOf(r, place.Room), run, page.Site).Around(*page)
	return nil
}

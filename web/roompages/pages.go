package roompages

import (
	"bytes"
	"cmp"
	"net/http"

	"github.com/a-h/templ"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/views"
	roomview "lockstep/views/room"
	runview "lockstep/views/run"
	siteview "lockstep/views/site"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
	"lockstep/web/runpages"
)

// handleOpenRoom opens a room: with a copy of a run up to a position, or with an empty
// run. The visitor becomes its presenter.
func (p *Pages) handleOpenRoom(w http.ResponseWriter, r *http.Request) {
	if !p.ParseForm(w, r, door.MaxForm) {
		return
	}
	begins, how := engine.NewRun(engine.Header{}, check.All()...), live.Beginning{}
	if id := r.PostFormValue("run"); id != "" {
		from, done, err := runpages.LookAt(r, p.Rooms, id)
		if err != nil {
			p.Refuse(w, r, err)
			return
		}
		defer done()
		if err := p.Rooms.MayLook(r.Context(), runpages.KeyFor(r, from), from); err != nil {
			p.Refuse(w, r, err)
			return
		}
		at, err := runpages.Position(r.PostFormValue("at"))
		if err == nil && at == live.Anywhere {
			at = from.Length()
		}
		if err == nil {
			begins, err = from.Prefix(r.Context(), at)
		}
		if err != nil {
			p.Refuse(w, r, err)
			return
		}
		how.Task = from.Task().Name()
	}
	code, key, err := p.Rooms.Create(r.Context(), p.PublicURL(r), func(code string) (*live.Run, error) {
		how.Place = live.Place{Room: code}
		return p.Rooms.Runs.Add(r.Context(), begins, how)
	})
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	p.guesses.Right(door.VisitorOf(r).Network, code) // its members share this network, or soon will
	p.keepKey(w, r, code, key)
	http.Redirect(w, r, p.Base+present.RoomPath(code)+"/present", http.StatusSeeOther)
}

// handleJoin redirects from a code, as typed, to the room.
func (p *Pages) handleJoin(w http.ResponseWriter, r *http.Request) {
	p.Remember(w, r)
	typed := r.URL.Query().Get("code")
	if code, ok := room.ParseCode(typed); ok {
		http.Redirect(w, r, p.Base+present.RoomPath(code), http.StatusSeeOther)
		return
	}
	sentence := ""
	status := http.StatusOK
	if typed != "" {
		sentence, status = views.Say(door.Language(r), "room.malformed-code"), http.StatusUnprocessableEntity
	}
	p.Render(w, r, status, roomview.NoRoomPage(p.SiteFor(r), typed, sentence))
}

// handleRoomPage returns a handler for a page of the room. The page shows the room's run, too, at the position from at.
func (p *Pages) handleRoomPage(may func(room.Who) bool, at func(*room.Room) int, page func(roomview.Room, runview.Page) templ.Component) http.HandlerFunc {
	return p.in(func(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
		if !may(h.Who(key)) {
			p.Refuse(w, r, h.NotPresenter(key))
			return
		}
		p.showRoom(w, r, h, key, at, page, nil)
	})
}

// showRoom renders such a page. With an error the page explains why the room has refused a form.
func (p *Pages) showRoom(w http.ResponseWriter, r *http.Request, h *class.Room, key string, at func(*room.Room) int, page func(roomview.Room, runview.Page) templ.Component, why error) {
	run, end, err := p.Rooms.Runs.Use(r.Context(), class.Ask(h, (*room.Room).Run))
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	defer end()
	site, status := p.SiteFor(r), http.StatusOK
	v := h.Present(key, run, site)
	if why != nil {
		e := refusal.Of(why)
		status, v.Refusal = e.Status, e.In(site.Lang)
	}
	shown, err := run.Page(r.Context(), class.Ask(h, at), present.Rows{}, site)
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	p.Render(w, r, status, page(v, shown))
}

// atEnd returns the position of a phone, which follows the end of the run and not the driver.
func atEnd(*room.Room) int { return live.Anywhere }

func anybody(room.Who) bool    { return true }
func presents(w room.Who) bool { return w.Presenter }

// participantPage returns the page to which a code leads: the phone's page for a visitor
// with a seat, and the page to join for others.
func participantPage(v roomview.Room, p runview.Page) templ.Component {
	if v.Seat > 0 || v.Over != "" {
		return roomview.PhonePage(v, p)
	}
	return roomview.JoinPage(v)
}

// handleSeat gives a visitor a seat, unless they have one.
func (p *Pages) handleSeat(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	if h.Who(key) == (room.Who{}) {
		p.Name(w, r) // who comes back has a share of their own
		if !p.MaySit(r) {
			p.TooMany(w, r)
			return
		}
		own := p.Rooms.RoomKey(h.Code())
		key = room.HashKey(own)
		if err := h.As(r.Context(), room.Who{}, room.Entry{Verb: room.VerbJoin, Key: key}); err != nil {
			p.showRoom(w, r, h, "", atEnd, participantPage, err) // the page asks again, unless the room is locked
			return
		}
		p.keepKey(w, r, h.Code(), own)
		if name, roster := r.PostFormValue("text"), r.PostFormValue("roster"); name != "" || roster != "" {
			e := room.Entry{Verb: room.VerbName, Seat: h.Who(key).Seat, Text: name, Roster: roster}
			if err := h.Do(r.Context(), key, e); err != nil { // they are in, under the name that the room gave them
				p.showRoom(w, r, h, key, atEnd, participantPage, err)
				return
			}
		}
	}
	http.Redirect(w, r, p.Base+present.RoomPath(h.Code()), http.StatusSeeOther)
}

// handlePresent redirects the presenter to the run, and everybody else to the page of the room.
func (p *Pages) handlePresent(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	target := present.RoomPath(h.Code())
	if h.Who(key).Presenter {
		target = present.RunPath(class.Ask(h, (*room.Room).Run))
	}
	http.Redirect(w, r, p.Base+target, http.StatusSeeOther)
}

// handleRoomRun redirects everybody to the run that the room shows: for programs, which read no page.
func (p *Pages) handleRoomRun(w http.ResponseWriter, r *http.Request, h *class.Room, _ string) {
	w.Header().Set("Cache-Control", "no-store") // the room may show another one soon
	http.Redirect(w, r, p.Base+present.RunPath(class.Ask(h, (*room.Room).Run)), http.StatusSeeOther)
}

// handleStart returns the log with which everybody's own run of the exercise begins, for the picture on the wall.
func (p *Pages) handleStart(w http.ResponseWriter, r *http.Request, h *class.Room, _ string) {
	log, err := p.Rooms.Start(r.Context(), h)
	if err != nil {
		p.Refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	p.Answer(w, r, http.StatusOK, func(b *bytes.Buffer) {
		b.Write(present.Encode(log.After(runpages.ExtentOf(r.URL.Query()), door.Language(r))))
	})
}

// handleDo does the command in a form of the room, and redirects back to its page, or to the one that says that it is done.
func (p *Pages) handleDo(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	back := r.PostFormValue("back")
	if back == "" {
		back = present.RoomPath(h.Code())
	}
	if err := p.Rooms.Command(r.Context(), h, key, "", r.PostFormValue); err != nil {
		site := p.SiteFor(r)
		e := refusal.Of(err)
		p.Render(w, r, e.Status, siteview.ErrorPage(site, e.In(site.Lang), door.Within(back)))
		return
	}
	http.Redirect(w, r, p.Base+door.Within(cmp.Or(r.PostFormValue("then"), back)), http.StatusSeeOther)
}

func wallPage(v roomview.Room, _ runview.Page) templ.Component { return roomview.WallPage(v) }

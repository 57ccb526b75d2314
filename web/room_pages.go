package web

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
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
)

// handleOpenRoom opens a room: with a copy of a run up to a position, or with an empty
// run. The visitor becomes its presenter.
func (p *roomPages) handleOpenRoom(w http.ResponseWriter, r *http.Request) {
	if !p.parseForm(w, r, maxForm) {
		return
	}
	begins, how := engine.NewRun(engine.Header{}, check.All()...), live.Beginning{}
	if id := r.PostFormValue("run"); id != "" {
		from, done, err := lookAt(r, p.rooms, id)
		if err != nil {
			p.refuse(w, r, err)
			return
		}
		defer done()
		if err := p.rooms.MayLook(askerOf(r), keyFor(r, from), from); err != nil {
			p.refuse(w, r, err)
			return
		}
		at, err := position(r.PostFormValue("at"))
		if err == nil && at == live.Anywhere {
			at = from.Length()
		}
		if err == nil {
			begins, err = from.Prefix(askerOf(r), at)
		}
		if err != nil {
			p.refuse(w, r, err)
			return
		}
		how.Task = from.Task().Name()
	}
	code, key, err := p.rooms.Create(askerOf(r), p.publicURL(r), func(code string) (*live.Run, error) {
		how.Place = live.Place{Room: code}
		return p.rooms.Runs.Add(askerOf(r), begins, how)
	})
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	p.guesses.Right(visitorOf(r).network, code) // its members share this network, or soon will
	p.keepKey(w, r, code, key)
	http.Redirect(w, r, p.base+present.RoomPath(code)+"/present", http.StatusSeeOther)
}

// handleJoin redirects from a code, as typed, to the room.
func (p *roomPages) handleJoin(w http.ResponseWriter, r *http.Request) {
	p.remember(w, r)
	typed := r.URL.Query().Get("code")
	if code, ok := room.ParseCode(typed); ok {
		http.Redirect(w, r, p.base+present.RoomPath(code), http.StatusSeeOther)
		return
	}
	sentence := ""
	status := http.StatusOK
	if typed != "" {
		sentence, status = views.Say(language(r), "room.malformed-code"), http.StatusUnprocessableEntity
	}
	p.render(w, r, status, roomview.NoRoomPage(p.siteFor(r), typed, sentence))
}

// handleRoomPage returns a handler for a page of the room. The page shows the room's run, too, at the position from at.
func (p *roomPages) handleRoomPage(may func(room.Who) bool, at func(*room.Room) int, page func(roomview.Room, runview.Page) templ.Component) http.HandlerFunc {
	return p.in(func(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
		if !may(h.Who(key)) {
			p.refuse(w, r, h.NotPresenter(key))
			return
		}
		p.showRoom(w, r, h, key, at, page, nil)
	})
}

// showRoom renders such a page. With an error the page explains why the room has refused a form.
func (p *roomPages) showRoom(w http.ResponseWriter, r *http.Request, h *class.Room, key string, at func(*room.Room) int, page func(roomview.Room, runview.Page) templ.Component, why error) {
	run, end, err := p.rooms.Runs.Use(askerOf(r), class.Ask(h, (*room.Room).Run))
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	defer end()
	site, status := p.siteFor(r), http.StatusOK
	v := h.Present(key, run, site)
	if why != nil {
		e := refusal.Of(why)
		status, v.Refusal = e.Status, e.In(site.Lang)
	}
	shown, err := run.Page(askerOf(r), class.Ask(h, at), present.Rows{}, site)
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	p.render(w, r, status, page(v, shown))
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
func (p *roomPages) handleSeat(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	if h.Who(key) == (room.Who{}) {
		p.name(w, r) // who comes back has a share of their own
		if !p.maySit(r) {
			p.tooMany(w, r)
			return
		}
		own := p.rooms.RoomKey(h.Code())
		key = room.HashKey(own)
		if err := h.As(askerOf(r), room.Who{}, room.Entry{Verb: room.VerbJoin, Key: key}); err != nil {
			p.showRoom(w, r, h, "", atEnd, participantPage, err) // the page asks again, unless the room is locked
			return
		}
		p.keepKey(w, r, h.Code(), own)
		if name, roster := r.PostFormValue("text"), r.PostFormValue("roster"); name != "" || roster != "" {
			e := room.Entry{Verb: room.VerbName, Seat: h.Who(key).Seat, Text: name, Roster: roster}
			if err := h.Do(askerOf(r), key, e); err != nil { // they are in, under the name that the room gave them
				p.showRoom(w, r, h, key, atEnd, participantPage, err)
				return
			}
		}
	}
	http.Redirect(w, r, p.base+present.RoomPath(h.Code()), http.StatusSeeOther)
}

// handlePresent redirects the presenter to the run, and everybody else to the page of the room.
func (p *roomPages) handlePresent(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	target := present.RoomPath(h.Code())
	if h.Who(key).Presenter {
		target = present.RunPath(class.Ask(h, (*room.Room).Run))
	}
	http.Redirect(w, r, p.base+target, http.StatusSeeOther)
}

// handleRoomRun redirects everybody to the run that the room shows: for programs, which read no page.
func (p *roomPages) handleRoomRun(w http.ResponseWriter, r *http.Request, h *class.Room, _ string) {
	w.Header().Set("Cache-Control", "no-store") // the room may show another one soon
	http.Redirect(w, r, p.base+present.RunPath(class.Ask(h, (*room.Room).Run)), http.StatusSeeOther)
}

// handleStart returns the log with which everybody's own run of the exercise begins, for the picture on the wall.
func (p *roomPages) handleStart(w http.ResponseWriter, r *http.Request, h *class.Room, _ string) {
	log, err := p.rooms.Start(askerOf(r), h)
	if err != nil {
		p.refuse(w, r, err)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	p.answer(w, r, http.StatusOK, func(b *bytes.Buffer) {
		b.Write(present.Encode(log.After(extentOf(r.URL.Query()), language(r))))
	})
}

// handleDo does the command in a form of the room, and redirects back to its page, or to the one that says that it is done.
func (p *roomPages) handleDo(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	back := r.PostFormValue("back")
	if back == "" {
		back = present.RoomPath(h.Code())
	}
	if err := p.rooms.Command(askerOf(r), h, key, "", r.PostFormValue); err != nil {
		site := p.siteFor(r)
		e := refusal.Of(err)
		p.render(w, r, e.Status, siteview.ErrorPage(site, e.In(site.Lang), within(back)))
		return
	}
	http.Redirect(w, r, p.base+within(cmp.Or(r.PostFormValue("then"), back)), http.StatusSeeOther)
}

func wallPage(v roomview.Room, _ runview.Page) templ.Component { return roomview.WallPage(v) }

package web

import (
	"maps"
	"net/http"
	"reflect"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/present"
	"lockstep/web/room"
)

// A roomMessage says how the room is, to all of one kind.
type roomMessage struct {
	Type     string            `json:"type"`
	Run      string            `json:"run"` // the path of the one that it shows
	At       int               `json:"at"`  // where the driver looks; -1: the end
	Gathered int               `json:"gathered"`
	Driver   int               `json:"driver"`
	Black    bool              `json:"black"`
	Locked   bool              `json:"locked"` // nobody new can join
	Over     string            `json:"over"`   // the path of the replay; empty: the room is open
	Panels   map[string]string `json:"panels"`
}

// same reports a message that says nothing new.
func (m roomMessage) same(other roomMessage) bool {
	panels := maps.Equal(m.Panels, other.Panels)
	m.Panels, other.Panels = nil, nil
	return panels && reflect.DeepEqual(m, other)
}

// message is what viewers of one kind are told. Nothing in it is anybody's own.
func (h *hub) message(to toldRoom) roomMessage {
	m := roomMessage{
		Type: "room", Run: present.RunPath(h.room.Run()), At: h.room.Cursor(), Driver: h.room.Driver(), Panels: map[string]string{},
	}
	v := h.room.View(room.Who{Presenter: to.presenter})
	m.Gathered, m.Black, m.Locked = v.Gathered, v.Black, v.Locked
	if v.Over {
		m.Over = present.RunPath(v.Replay)
	}
	p := h.presented(v, to.language).Shared(h.server.site(to.language))
	switch to.surface {
	case onPage:
		if to.presenter {
			m.Panels["room"] = present.Markup(views.PresenterRoom(p))
		} else {
			m.Panels["room"] = present.Markup(views.FollowerRoom(p))
		}
	case onScreen:
		m.Panels["room"] = present.Markup(views.ScreenRoom(p))
	case onPhone:
		m.Panels["room"] = present.Markup(views.PhoneRoom(p))
	case onRemote:
		m.Panels["room"] = present.Markup(views.RemoteRoom(p))
	case onWall:
		m.Panels["room"] = present.Markup(views.WallRoom(p))
	}
	return m
}

// putRoom says on the page of a run in which room it is.
func (s *Server) putRoom(page *views.Page, r *http.Request, run *run) error {
	place := run.placed()
	if place.Room == "" {
		return nil
	}
	h, done, err := s.rooms.use(askerOf(r), place.Room)
	if err != nil {
		return err
	}
	defer done()
	h.reachedAt(s.publicURL(r), keyOf(r, place.Room))
	v := h.presentFor(keyOf(r, place.Room), run.id, place.Seat, page.Site)
	page.Room = &v
	return nil
}

// presentFor makes the view model of the room for one person, as a page that they ask for shows it beside a run. The
// owner is the seat whose sandbox the run is, or 0.
func (h *hub) presentFor(key, run string, owner int, site views.Site) views.Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(key)
	return h.presented(h.room.View(who), site.Lang).For(present.SeatOf(h.room, key, run, owner, site.Lang), site)
}

// presented returns what a page shows of the room to those who may know as much as the view. The caller holds the room's lock.
func (h *hub) presented(v room.View, l views.Language) present.Room {
	here, away := h.whoIsHere()
	p := present.Room{View: v, URL: h.url, QR: h.qr, Here: here, Away: away, Progress: h.progressed(), Begun: h.room.Begun()}
	if v.Exercise != nil {
		p.Task = h.server.task(v.Exercise.Task)
	}
	if v.Desk != nil && !v.Over {
		p.Asks, p.Courses = h.asks(v.Run, l), h.server.courses
	}
	return p
}

// asks returns what the presenter can ask about the run that the room shows. While nobody looks at the run, they can ask nothing.
func (h *hub) asks(id string, l views.Language) []views.Ask {
	r := h.server.runs.of(id)
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.presented().Asks(l)
}

// clients are those of a run that a phone can be.
func (r *run) clients() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	var names []string
	for _, c := range r.engine.World().Clients() {
		if c.Program != nil {
			names = append(names, c.Name)
		}
	}
	return names[:min(len(names), room.MaxLanes)]
}

// messages are the clients whose message could arrive next, and what it is.
func (r *run) messages() []room.Choice {
	r.mu.Lock()
	defer r.mu.Unlock()
	var all []room.Choice
	for _, c := range r.engine.World().Clients() {
		call, _ := c.InFlight()
		if call == nil || r.engine.World().Can(engine.Action{Verb: engine.VerbStep, Client: c.Name}) != nil {
			continue
		}
		text := c.Name + ": " + call.Label()
		all = append(all, room.Choice{ID: c.Name, Text: lang.Both(text, text)})
	}
	return all[:min(len(all), room.MaxMessages)]
}

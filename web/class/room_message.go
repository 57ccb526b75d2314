package class

import (
	"maps"
	"reflect"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/views"
	roomview "lockstep/views/room"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/room"
)

// A roomMessage tells viewers of one kind about the room.
type roomMessage struct {
	Type     string            `json:"type"`
	Run      string            `json:"run"` // the path of the run that the room shows
	At       int               `json:"at"`  // where the driver looks; -1: the end
	Gathered int               `json:"gathered"`
	Driver   int               `json:"driver"`
	Black    bool              `json:"black"`
	Locked   bool              `json:"locked"` // nobody new can join
	Over     string            `json:"over"`   // the path of the replay; empty: the room is open
	Panels   map[string]string `json:"panels"`
}

// same reports whether the message tells the same as another.
func (m roomMessage) same(other roomMessage) bool {
	panels := maps.Equal(m.Panels, other.Panels)
	m.Panels, other.Panels = nil, nil
	return panels && reflect.DeepEqual(m, other)
}

// since returns the message for viewers who have heard another one: its panels as changes.
func (m roomMessage) since(before roomMessage) any {
	panels := map[string]any{}
	for id, html := range m.Panels {
		panels[id] = live.Changed(before.Panels[id], html)
	}
	return struct {
		roomMessage
		Panels map[string]any `json:"panels"`
	}{m, panels}
}

// message returns the message for viewers of one kind. It holds nothing about a single person.
func (h *Room) message(to toldRoom) roomMessage {
	m := roomMessage{
		Type: "room", Run: present.RunPath(h.room.Run()), At: h.room.Cursor(), Driver: h.room.Driver(), Panels: map[string]string{},
	}
	v := h.room.View(room.Who{Presenter: to.presenter})
	m.Gathered, m.Black, m.Locked = v.Gathered, v.Black, v.Locked
	if v.Over {
		m.Over = present.RunPath(v.Replay)
	}
	p := h.presented(v, to.language).Shared(h.home.Site(to.language))
	switch to.surface {
	case live.OnPage:
		if to.presenter {
			m.Panels["room"] = present.Markup(roomview.PresenterRoom(p))
		} else {
			m.Panels["room"] = present.Markup(roomview.FollowerRoom(p))
		}
	case live.OnScreen:
		m.Panels["room"] = present.Markup(roomview.ScreenRoom(p))
	case live.OnPhone:
		m.Panels["room"] = present.Markup(roomview.PhoneRoom(p))
	case live.OnRemote:
		if v.Desk != nil {
			p.First = v.Desk.First
		}
		m.Panels["room"] = present.Markup(roomview.RemoteRoom(p))
		if to.presenter {
			m.Panels["remote-dock"] = present.Markup(roomview.RemoteDock(p))
		}
	case live.OnWall:
		m.Panels["room"] = present.Markup(roomview.WallRoom(p))
	case live.OnSingle:
		if to.presenter {
			m.Panels["single-strip"] = present.Markup(roomview.SingleStrip(p))
		}
	}
	return m
}

// Present makes the view model of the room for one person, on a page that shows a run beside it; nil: the page shows
// none.
func (h *Room) Present(key string, beside *live.Run, site views.Site) roomview.Room {
	run, owner := "", 0
	if beside != nil {
		run, owner = beside.ID(), beside.Place().Seat
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(key)
	p := h.presented(h.room.View(who), site.Lang)
	p.Left = leftOf(p.View)
	return p.For(present.SeatOf(h.room, key, run, owner, site.Lang), site)
}

// presented returns what a page shows of the room to people who may know as much as the view. The caller holds the room's
// lock.
func (h *Room) presented(v room.View, l lang.Language) present.Room {
	here, away := h.elsewhere.with(h.mine())
	p := present.Room{View: v, VoteTime: h.home.VoteTime, URL: h.url, Alone: h.alone, QR: h.qr, Here: here, Away: away, Progress: h.elsewhere.progress(h.progress), Begun: h.room.Begun()}
	if v.Over {
		results := present.ResultsOf(h.room, h.home.Courses(), nil)
		p.Results = &results
	}
	if v.Exercise != nil {
		p.Task = h.home.Task(v.Exercise.Task)
	}
	if v.Test != nil {
		p.Test = h.home.Course(v.Test.Course)
	}
	if v.Desk != nil {
		p.Tested = h.room.Tested()
	}
	if v.Desk != nil && !v.Over {
		p.Courses = h.home.Courses()
		if r := h.home.Runs.Of(v.Run); r != nil { // nil: nobody looks at it
			p.Asks, p.Shown = live.See(r, func(p present.Run) []roomview.Ask { return p.Asks(l) }), r.Task()
		}
	}
	return p
}

// clients returns the clients of a run that a phone can be.
func clients(p present.Run) []string {
	var names []string
	for _, c := range p.Engine.World().Clients() {
		if c.Program != nil {
			names = append(names, c.Name)
		}
	}
	return names[:min(len(names), room.MaxLanes)]
}

// messages returns a choice for each message that could arrive next.
func messages(p present.Run) []room.Choice {
	var all []room.Choice
	for _, c := range p.Engine.World().Clients() {
		call, _ := c.InFlight()
		if call == nil || p.Engine.World().Can(engine.Action{Verb: engine.VerbStep, Client: c.Name}) != nil {
			continue
		}
		text := c.Name + ": " + call.Label()
		all = append(all, room.Choice{ID: c.Name, Text: lang.Both(text, text)})
	}
	return all[:min(len(all), room.MaxMessages)]
}

// Panel returns the panel of the room for viewers of one kind.
func (h *Room) Panel(l lang.Language, on live.Surface, presenter bool) string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.message(toldRoom{l, on, presenter}).Panels["room"]
}

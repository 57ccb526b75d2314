package web

import (
	"maps"
	"net/http"
	"reflect"
	"slices"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
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

// A seatMessage says what is one viewer's own.
type seatMessage struct {
	Type    string `json:"type"`
	Seat    int    `json:"seat"` // 0: none
	Name    string `json:"name"`
	Lane    string `json:"lane"`
	Network bool   `json:"network"` // they are it
	Driving bool   `json:"driving"`
	Vote    int    `json:"vote"` // in this round; -1: none
	Own     string `json:"own"`  // the path of their own run; empty: none
	Lost    string `json:"lost"` // what the presenter took from them: their seat (remove) or their remote (revoke); empty: nothing
}

// message is what viewers of one kind are told. Nothing in it is anybody's own.
func (h *hub) message(to toldRoom) roomMessage {
	m := roomMessage{
		Type: "room", Run: pathOf(h.room.Run()), At: h.room.Cursor(), Driver: h.room.Driver(), Panels: map[string]string{},
	}
	v := h.room.View(room.Who{Presenter: to.presenter})
	m.Gathered, m.Black, m.Locked = v.Gathered, v.Black, v.Locked
	if v.Over {
		m.Over = pathOf(v.Replay)
	}
	p := h.present(v, h.server.site(to.language))
	switch to.surface {
	case onPage:
		if to.presenter {
			m.Panels["room"] = markup(views.PresenterRoom(p))
		} else {
			m.Panels["room"] = markup(views.FollowerRoom(p))
		}
	case onScreen:
		m.Panels["room"] = markup(views.ScreenRoom(p))
	case onPhone:
		m.Panels["room"] = markup(views.PhoneRoom(p))
	case onRemote:
		m.Panels["room"] = markup(views.RemoteRoom(p))
	case onWall:
		m.Panels["room"] = markup(views.WallRoom(p))
	}
	return m
}

// own is what is somebody's own, who brings a key.
func (h *hub) own(key string, l views.Language) seatMessage {
	who, _ := h.room.Who(key)
	m := seatMessage{Type: "seat", Vote: room.None, Driving: who.Presenter && h.room.Driver() == 0, Lost: string(h.room.Lost(key))}
	you := h.room.You(who.Seat)
	if you == nil {
		return m
	}
	m.Seat, m.Name, m.Lane, m.Driving = you.Seat, say(l, you.Name), you.Lane, you.Drives
	m.Network = h.room.HasLanes() && you.Lane == ""
	if len(you.Cast) > 0 {
		m.Vote = you.Cast[len(you.Cast)-1]
	}
	if you.Sandbox != "" {
		m.Own = pathOf(you.Sandbox)
	}
	return m
}

// say is a text of the room's in a language.
func say(l views.Language, w lang.Text) string {
	return w.In(engineLanguage(l))
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
	v := h.presentFor(keyOf(r, place.Room), page.Site)
	v.May = s.mayAct(askerOf(r), keyOf(r, place.Room), run, other) == nil
	page.Room = &v
	return nil
}

// presentFor is the room for one person, as a page that is asked for shows it.
func (h *hub) presentFor(key string, site views.Site) views.Room {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(key)
	v := h.room.View(who)
	p := h.present(v, site)
	own := h.own(key, site.Lang)
	p.Lost = own.Lost
	p.Presenter, p.Seat, p.Me, p.Lane, p.Driving, p.InNetwork = who.Presenter, own.Seat, own.Name, own.Lane, own.Driving, own.Network
	if p.Poll != nil && own.Vote != room.None {
		p.Poll.Choices[own.Vote].Mine = true
	}
	if p.Poll != nil && v.You != nil {
		p.Poll.May = v.You.Votes
	}
	if p.Exercise != nil {
		p.Exercise.Mine = own.Own
	}
	return p
}

// present makes the view model of the room from what somebody may know. Nothing
// in it is anybody's own.
func (h *hub) present(v room.View, site views.Site) views.Room {
	l := site.Lang
	p := views.Room{
		Site: site, Code: h.code, Says: room.FormatCode(h.code), Name: say(l, v.Name), Path: roomPath(h.code), Run: pathOf(v.Run),
		Free: v.Free, Roster: v.Rosters, Black: v.Black, Locked: v.Locked, TeamSize: v.Size, LanesOn: len(v.Lanes) > 0, Presenter: v.Desk != nil,
	}
	p.JoinURL, p.QR = h.url+p.Path, h.qr
	if v.Over {
		p.Over = pathOf(v.Replay)
		p.ReplayURL = h.url + p.Over
		p.ReplayQR = qr(p.ReplayURL)
	}
	names := map[int]string{}
	for _, s := range v.Seats {
		names[s.Seat] = say(l, s.Name)
	}
	p.Driver = names[v.Driver]
	here, away := h.whoIsHere()
	for _, lane := range v.Lanes {
		team := views.Team{Client: lane.Client}
		for _, seat := range lane.Team {
			team.Names = append(team.Names, names[seat])
		}
		p.Lanes = append(p.Lanes, team)
	}
	for i, s := range v.Seats {
		if p.LanesOn && s.Lane == "" {
			p.Network = append(p.Network, names[s.Seat])
		}
		seat := views.RoomSeat{Number: s.Seat, Name: names[s.Seat], Lane: s.Lane, Here: here[s.Seat], Driving: v.Driver == s.Seat}
		if v.Desk != nil {
			seat.Named, seat.Roster = v.Desk.Seats[i].Named, v.Desk.Seats[i].Roster
			seat.Mark = h.presentMark(v.Desk.Seats[i], names)
		}
		if seat.Here { // another server may still count a seat that was removed
			p.Present++
			if away[s.Seat] {
				p.Away++
			}
		}
		p.Seats = append(p.Seats, seat)
	}
	p.Poll = presentPoll(v.Poll, l)
	for _, place := range v.Ranking {
		p.Ranking = append(p.Ranking, views.Rank{Place: place.Rank, Name: say(l, place.Name), Actions: place.Actions})
	}
	p.Exercise = h.presentExercise(v, l, p.Seats)
	if v.Desk != nil && !v.Over {
		p.Remotes = v.Desk.Remotes
		p.Asks = h.asks(v.Run, l)
		p.Tasks = h.server.challenges(l)
	}
	p.Data = views.RoomData{
		Version: protocolVersion, Lang: l, Base: site.Base, Path: p.Path, Run: p.Run, At: v.Cursor,
	}
	return p
}

func (h *hub) presentMark(s room.DeskSeat, names map[int]string) *views.Mark {
	if s.Sandbox == "" {
		return nil
	}
	m := &views.Mark{Seat: s.Seat, Name: names[s.Seat], Path: pathOf(s.Sandbox), State: string(room.Safe)}
	if s.Mark != nil {
		if s.Mark.State != "" {
			m.State = string(s.Mark.State)
		}
		m.Solved, m.Actions = s.Mark.Solved, h.actions(s.Seat, s.Mark.Actions)
	}
	return m
}

func (h *hub) presentExercise(v room.View, l views.Language, seats []views.RoomSeat) *views.Exercise {
	if v.Exercise == nil {
		return nil
	}
	e := &views.Exercise{Title: l.Say("room.copy"), Begun: h.room.Begun()}
	if t := h.server.task(v.Exercise.Task); t.Challenge != nil {
		e.Title = plain(t.Challenge.Heading.In(engineLanguage(l)))
	}
	for _, s := range seats {
		if s.Mark != nil {
			e.Marks = append(e.Marks, *s.Mark)
		}
	}
	return e
}

func presentPoll(v *room.PollView, l views.Language) *views.Poll {
	if v == nil {
		return nil
	}
	p := &views.Poll{
		Network: v.Kind == room.Network, Phase: string(v.Phase), Question: say(l, v.Text), Cast: v.Cast, Of: v.Voters,
		Open: v.Phase == room.First || v.Phase == room.Second,
	}
	for i, c := range v.Choices {
		choice := views.PollChoice{Text: say(l, c.Text)}
		if v.Answer != nil {
			choice.Right = v.Answer.Choice == i
			choice.First = v.Answer.Counts[0][i]
			if len(v.Answer.Counts) > 1 {
				choice.Second = v.Answer.Counts[1][i]
			}
		}
		p.Choices = append(p.Choices, choice)
	}
	return p
}

// asks is what the presenter can ask about the run that the room shows.
func (h *hub) asks(id string, l views.Language) []views.Ask {
	r := h.server.runs.of(id)
	if r == nil {
		return nil // nobody looks at it; it is asked again when somebody does
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var asks []views.Ask
	if moment, _ := r.asked(); moment != nil {
		asks = append(asks, views.Ask{Question: plain(questionOf(moment).In(engineLanguage(l)))})
	}
	for _, c := range r.engine.World().Clients() {
		if p, ok := r.engine.World().Awaits(c.Name); ok {
			asks = append(asks, views.Ask{Client: c.Name, Question: p.Question(engineLanguage(l))})
		}
	}
	return asks
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

// challenges are those that everybody in a room can be set.
func (s *Server) challenges(l views.Language) []views.TaskLink {
	var all []views.TaskLink
	for _, c := range s.courses {
		for _, lesson := range c.All() {
			for _, challenge := range lesson.Challenges {
				if challenge.Fix != nil {
					continue // it is not played but written
				}
				in := engineLanguage(l)
				all = append(all, views.TaskLink{
					Name:  course.Task{Course: c, Lesson: lesson, Challenge: challenge}.Name(),
					Title: lesson.Title.In(in) + l.Say("room.task-of") + plain(challenge.Heading.In(in)),
				})
			}
		}
	}
	return slices.Clip(all)
}

func roomPath(code string) string { return "/r/" + code }

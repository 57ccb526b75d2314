package present

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"lockstep/engine/ask"
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	roomview "lockstep/views/room"
	"lockstep/web/refusal"
	"lockstep/web/room"
)

// A Room has the data that a page shows of a room: the view for its readers, and the server's own data.
type Room struct {
	View     room.View
	URL      string          // the site's address for a phone
	Alone    bool            // it leads no other machine here
	QR       roomview.QRCode // of the room's address there
	VoteTime time.Duration   // after which a vote of the network ends by itself
	Here     map[int]bool    // connected seats
	Away     map[int]bool    // connected seats that look at something else than the driver
	Progress map[int]int     // actions in the sandbox of a seat, since its mark
	Begun    int             // number of sandboxes
	Left     time.Duration   // of the timer, when a page is loaded

	Results *ClassResults    // of a room that is over; nil: it is open
	Test    *course.Course   // whose test is open; nil: none is
	Tested  string           // for the presenter: the course whose test the room has taken; empty: none
	Task    course.Task      // of the exercise; the zero Task: a copy of the run
	Shown   course.Task      // for the presenter: of the run that the room shows; the zero Task: a free run
	Asks    []roomview.Ask   // for the presenter: questions they can ask now
	Courses []*course.Course // for the presenter: courses whose challenges they can set
}

// A Seat has one reader's own data, for the message of a viewer's seat.
type Seat struct {
	Type    string `json:"type"`
	Seat    int    `json:"seat"` // 0: none
	Name    string `json:"name"`
	Lane    string `json:"lane"`
	Network bool   `json:"network"` // they are it
	Driving bool   `json:"driving"`
	Vote    int    `json:"vote"` // in this round; -1: none
	Own     string `json:"own"`  // the path of their own run; empty: none
	Lost    string `json:"lost"` // the presenter took their seat (remove) or their remote (revoke); empty: neither

	// State, May and Why say what they may do on the page of a run, as the server would answer. Views, scripts and style
	// sheets only read them.
	State string `json:"state"` // they drives, follows, are at a run of their own, at that of an exercise which has ended, elsewhere
	May   string `json:"may"`   // verbs with blanks between them; act: any action on the run
	Why   string `json:"why"`   // they may not act; empty: they may
}

// SeatOf returns the seat of the reader with a key who looks at a run. The owner is the seat whose sandbox the run is,
// or 0.
func SeatOf(r *room.Room, key, run string, owner int, l lang.Language) Seat {
	who, _ := r.Who(key)
	m := Seat{Type: "seat", Vote: room.None, Driving: who.Presenter && r.Driver() == 0, Lost: string(r.Lost(key))}
	m.mayDo(r, who, run, owner, l)
	you := r.You(who.Seat)
	if you == nil {
		return m
	}
	m.Seat, m.Name, m.Lane, m.Driving = you.Seat, seatName(you.Seat, you.Name, l), you.Lane, you.Drives
	m.Network = r.HasLanes() && you.Lane == ""
	if len(you.Cast) > 0 {
		m.Vote = you.Cast[len(you.Cast)-1]
	}
	if you.Sandbox != "" {
		m.Own = RunPath(you.Sandbox)
	}
	return m
}

// AnyAct stands for every act on a run except the actions of a client that the reader holds: any other action,
// a scheduler's choice, a new branch, a rerun of a schedule.
const AnyAct = "other"

// mayDo fills in what a reader may do. The room answers, and no other code has a rule.
func (s *Seat) mayDo(r *room.Room, who room.Who, run string, owner int, l lang.Language) {
	var may []string
	refused := r.MayAct(who, run, owner, AnyAct, "")
	if refused == nil {
		may = append(may, "act")
	} else {
		s.Why = refusal.Of(refused).In(l)
	}
	for _, verb := range r.Allowed(who) {
		may = append(may, string(verb))
	}
	s.May = strings.Join(may, " ")
	switch {
	case r.Over():
		s.State = "over"
	case run != r.Run() && owner != 0 && owner == who.Seat && r.Sandbox(owner) != run:
		s.State = "ended"
	case run != r.Run() && refused == nil && !who.Presenter:
		s.State = "own"
	case run != r.Run():
		s.State = "elsewhere"
	case slices.Contains(may, string(room.VerbCursor)):
		s.State = "drives"
	default:
		s.State = "follows"
	}
}

// seatName returns the name of a seat as pages show it, with the seat's number. The number is the same in every language:
// generated names are translated, and a mixed class finds itself by the numbers.
func seatName(number int, name lang.Text, l lang.Language) string {
	return strconv.Itoa(number) + " · " + say(l, name)
}

// say returns a text of the room in a language.
func say(l lang.Language, w lang.Text) string { return w.In(l) }

// For makes the view model of the room for one person.
func (r Room) For(own Seat, site views.Site) roomview.Room {
	p := r.Shared(site)
	p.Lost, p.State, p.Why, p.May = own.Lost, own.State, own.Why, own.May
	p.Presenter, p.Seat, p.Me, p.Lane, p.Driving, p.InNetwork = r.View.Desk != nil, own.Seat, own.Name, own.Lane, own.Driving, own.Network
	if p.Poll != nil && own.Vote != room.None {
		p.Poll.Choices[own.Vote].Mine = true
	}
	if p.Exercise != nil {
		p.Exercise.Mine = own.Own
	}
	return p
}

// Shared makes the view model of the room for all readers with the same permissions. It has nothing of a single reader.
func (r Room) Shared(site views.Site) roomview.Room {
	v, l := r.View, site.Lang
	p := roomview.Room{
		Site: site, Code: v.Code, Says: room.FormatCode(v.Code), Name: say(l, v.Name), Path: RoomPath(v.Code), Run: RunPath(v.Run),
		Free: v.Free, Roster: v.Rosters, Black: v.Black, Locked: v.Locked, TeamSize: v.Size, LanesOn: len(v.Lanes) > 0, Presenter: v.Desk != nil,
	}
	p.JoinURL, p.QR, p.Alone, p.Ended = r.URL+p.Path, r.QR, r.Alone, v.Ended
	if v.Over {
		p.Over = RunPath(v.Replay)
		p.ReplayURL = r.URL + p.Over
		p.ReplayQR = QR(p.ReplayURL)
		if r.Results != nil {
			class := r.Results.Page(site)
			p.Class = &class
		}
	}
	names := map[int]string{}
	for _, s := range v.Seats {
		names[s.Seat] = seatName(s.Seat, s.Name, l)
	}
	p.Driver = names[v.Driver]
	for _, lane := range v.Lanes {
		team := roomview.Team{Client: lane.Client}
		for _, seat := range lane.Team {
			team.Names = append(team.Names, names[seat])
		}
		p.Lanes = append(p.Lanes, team)
	}
	for i, s := range v.Seats {
		if p.LanesOn && s.Lane == "" {
			p.Network = append(p.Network, names[s.Seat])
		}
		seat := roomview.Seat{Number: s.Seat, Name: names[s.Seat], Lane: s.Lane, Here: r.Here[s.Seat], Driving: v.Driver == s.Seat}
		if v.Desk != nil {
			seat.Named, seat.Roster = v.Desk.Seats[i].Named, v.Desk.Seats[i].Roster
			seat.Mark = r.mark(v.Desk.Seats[i], names)
		}
		if seat.Here { // another server may still count a seat that was removed
			p.Present++
			if r.Away[s.Seat] {
				p.Away++
			}
		}
		p.Seats = append(p.Seats, seat)
	}
	if p.Poll = poll(v.Poll, l); p.Poll != nil && p.Poll.Network && p.Poll.Phase == string(room.First) {
		p.Poll.Within = int(r.VoteTime / time.Second)
	}
	for _, place := range v.Ranking {
		p.Ranking = append(p.Ranking, roomview.Rank{Place: place.Rank, Name: seatName(place.Seat, place.Name, l), Actions: place.Actions})
	}
	if v.Verdict != nil {
		p.Verdict = &roomview.Verdict{Stamp: say(l, v.Verdict.Stamp), Says: say(l, v.Verdict.Says)}
	}
	p.Exercise = r.exercise(p.Seats, l)
	p.Test, p.Tested = r.testing(teacher{l}), r.Tested != ""
	if v.Desk != nil && !v.Over {
		p.Remotes, p.Lesson = v.Desk.Remotes, headingOf(r.Shown, l)
		p.Asks = r.Asks
		p.Tasks, p.Tests = challenges(r.Courses, l), tests(r.Courses, l)
		p.Playlist, p.Planned = playlist(v.Plan, v.Now, r.Courses, l), planned(r.Courses, l)
	}
	if p.Timed = v.Timed; v.Until != 0 {
		p.Timer = &roomview.Timer{Left: int((r.Left + time.Second - 1) / time.Second)}
	}
	p.Data = views.RoomData{
		Version: ProtocolVersion, Lang: l, Base: site.Base, Path: p.Path, Run: p.Run, At: v.Cursor,
	}
	return p
}

func (r Room) mark(s room.DeskSeat, names map[int]string) *roomview.Mark {
	if s.Sandbox == "" {
		return nil
	}
	m := &roomview.Mark{Seat: s.Seat, Name: names[s.Seat], Path: RunPath(s.Sandbox), State: string(room.Safe)}
	if s.Mark != nil {
		if s.Mark.State != "" {
			m.State = string(s.Mark.State)
		}
		m.Solved, m.Actions, m.Claims = s.Mark.Solved, s.Mark.Actions, s.Mark.Claims
		if n, known := r.Progress[s.Seat]; known {
			m.Actions = n
		}
	}
	return m
}

func (r Room) exercise(seats []roomview.Seat, l lang.Language) *roomview.Exercise {
	if r.View.Exercise == nil {
		return nil
	}
	e := &roomview.Exercise{Title: views.Say(l, "room.copy"), Begun: r.Begun, Claims: r.View.Claims}
	e.Text.Say = views.Say(l, "screen.exercise.copy")
	if c := r.Task.Challenge; c != nil {
		in := teacher{l}
		e.Title, e.Text, e.Bounds = plain(c.Heading.In(l)), in.text(c.Text), c.Bounds.In(l)
	}
	if !r.View.Aside {
		e.Start = fmt.Sprintf("%s/start?exercise=%d", RoomPath(r.View.Code), r.View.Exercise.Number)
	}
	for _, s := range seats {
		if s.Mark != nil {
			e.Marks = append(e.Marks, *s.Mark)
		}
	}
	return e
}

func poll(v *room.PollView, l lang.Language) *roomview.Poll {
	if v == nil {
		return nil
	}
	p := &roomview.Poll{
		Network: v.Kind == room.Network, Own: v.Kind == room.Own, Phase: string(v.Phase), Question: say(l, v.Text), Cast: v.Cast, Of: v.Voters,
		Open: v.Phase == room.First || v.Phase == room.Second, Ballot: v.Ballot,
	}
	for i, c := range v.Choices {
		choice := roomview.PollChoice{Text: say(l, c.Text), Why: say(l, c.Why), Unsure: c.ID == room.Unsure}
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

// Asks returns the questions that a room's presenter can ask about the run.
func (r Run) Asks(l lang.Language) []roomview.Ask {
	var asks []roomview.Ask
	if moment, _ := r.Task.Asked(r.Engine.Actions()); moment != nil {
		asks = append(asks, roomview.Ask{Question: QuestionOf(moment).In(l)})
	}
	for _, c := range r.Engine.World().Clients() {
		if p, ok := ask.Awaits(r.Engine.World(), c.Name); ok {
			asks = append(asks, roomview.Ask{Client: c.Name, Question: p.Question(l)})
		}
	}
	return asks
}

// challenges returns the challenges that a presenter can set for a room.
func challenges(courses []*course.Course, l lang.Language) []roomview.TaskLink {
	var all []roomview.TaskLink
	for _, c := range courses {
		for _, lesson := range c.All() {
			for _, challenge := range lesson.Challenges {
				if challenge.Fix != nil {
					continue // a reader writes it and does not play it
				}
				task := course.Task{Course: c, Lesson: lesson, Challenge: challenge}
				all = append(all, roomview.TaskLink{
					Name:  task.Name(),
					Title: headingOf(task, l),
				})
			}
		}
	}
	return slices.Clip(all)
}

// headingOf returns the title of a lesson, with that of the challenge in it; empty: the task is none.
func headingOf(t course.Task, l lang.Language) string {
	switch {
	case t.Lesson == nil:
		return ""
	case t.Challenge == nil:
		return t.Lesson.Title.In(l)
	}
	return t.Lesson.Title.In(l) + views.Say(l, "room.task-of") + plain(t.Challenge.Heading.In(l))
}

// RoomPath returns the path of a room within the site.
func RoomPath(code string) string { return "/r/" + code }

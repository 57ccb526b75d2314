package room_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"lockstep/web/room"
)

// usual are sights that say nothing new of a room that has just been opened. The first line of a new subject belongs here, so that the
// other transcripts stay as they are.
var usual = []string{"everybody: no test is open", "everybody: nothing is planned"}

// seenOf returns all that people see of a room, and what they take home.
func seenOf(t *testing.T, r *room.Room) string {
	v := r.View(presenter)
	v.Entries = 0
	all := []any{v, r.Record(), r.Tested(), r.Handed("before"), r.Handed("after")}
	for number := 1; r.Lost(key(fmt.Sprint(number))) != "" || r.You(number) != nil; number++ {
		all = append(all, r.You(number), r.Copies(number), r.Lost(key(fmt.Sprint(number))))
	}
	return marshalled(t, all)
}

// sights returns a room as its people see it, one thing a line.
func sights(r *room.Room) []string {
	if r.Code() == "" {
		return nil
	}
	var all []string
	see := func(who, format string, arguments ...any) {
		all = append(all, fmt.Sprintf("%-10s ", who+":")+fmt.Sprintf(format, arguments...))
	}
	v := r.View(room.Who{Presenter: true})
	const everybody, presenter = "everybody", "presenter"
	see(everybody, "room %s, %s / %s", room.FormatCode(v.Code), v.Name.English, v.Name.Chinese)
	see(everybody, "the room shows %s, %s", v.Run, position(v.Cursor))
	if v.Driver == 0 {
		see(everybody, "the presenter drives")
	} else {
		see(everybody, "seat %d drives", v.Driver)
	}
	see(everybody, "brought together %d times", v.Gathered)
	see(everybody, "the screen is %s", map[bool]string{true: "black", false: "on"}[v.Black])
	if v.Free {
		see(everybody, "names can be chosen")
	} else {
		see(everybody, "names are given")
	}
	see(everybody, "the roster is %s", map[bool]string{true: "open", false: "closed"}[v.Rosters])
	see(everybody, "%s can join", map[bool]string{true: "nobody", false: "anybody"}[v.Locked])
	for _, s := range v.Seats {
		see(everybody, "seat %d is %s / %s", s.Seat, s.Name.English, s.Name.Chinese)
	}
	if len(v.Lanes) == 0 {
		see(everybody, "no lanes")
	} else {
		var lanes []string
		for _, l := range v.Lanes {
			lanes = append(lanes, fmt.Sprintf("%s: %v", l.Client, l.Team))
		}
		network := []int{}
		for _, s := range v.Seats {
			if s.Lane == "" {
				network = append(network, s.Seat)
			}
		}
		see(everybody, "lanes %s, network: %v", strings.Join(lanes, ", "), network)
	}
	if p := v.Poll; p == nil {
		see(everybody, "nothing is asked")
	} else {
		var choices []string
		for _, c := range p.Choices {
			choices = append(choices, c.English+" / "+c.Chinese)
		}
		see(everybody, "%s at %d: %s / %s (%s)", p.Kind, p.At, p.Text.English, p.Text.Chinese, strings.Join(choices, "; "))
		see(everybody, "phase %s, round %d: %d of %d have voted", p.Phase, p.Round, p.Cast, p.Voters)
		if a := p.Answer; a != nil && a.Choice == room.None {
			see(everybody, "none of them; votes by round: %v", a.Counts)
		} else if a != nil {
			see(everybody, "the answer is %s; votes by round: %v", p.Choices[a.Choice].English, a.Counts)
		}
		if leading := r.Poll().Leading(); leading != room.None {
			see("server", "%s leads", p.Choices[leading].English)
		}
	}
	if v.Test == nil {
		see(everybody, "no test is open")
	} else {
		see(everybody, "the test of %s, %s the course: %d of %d have handed in", v.Test.Course, v.Test.Form, v.Test.Handed, v.Test.Asked)
	}
	if r.Tested() != "" {
		see("server", "answers to %s: before %v, after %v", r.Tested(), r.Handed("before"), r.Handed("after"))
	}
	if v.Verdict != nil {
		see(everybody, "the explorer: %s: %s", v.Verdict.Stamp.English, v.Verdict.Says.English)
	}
	if len(v.Plan) == 0 {
		see(everybody, "nothing is planned")
	}
	for i, item := range v.Plan {
		is := ""
		if i+1 == v.Now {
			is = ", which is on"
		}
		see(everybody, "item %d: %s%s", i+1, strings.Join(strings.Fields(fmt.Sprint(item.Kind, " ", item.Target, " ", item.Title.English)), " "), is)
	}
	record := r.Record()
	for i, p := range record.Polls {
		answer := "never revealed"
		if p.Revealed && p.Answer == room.None {
			answer = "none of them"
		} else if p.Revealed {
			answer = p.Question.Choices[p.Answer].English
		}
		see("record", "question %d: %s: %s; votes by round: %v", i+1, p.Question.Text.English, answer, p.Counts)
	}
	for _, e := range record.Exercises {
		see("record", "exercise %d: %d begun, %d solved %v, %d wrong claims of %d seats", e.Number, e.Begun, e.Solved, e.Solutions, e.Claims, e.Claimants)
	}
	for _, s := range record.Shown {
		see("record", "shown: %s %s", s.Run, cmpText(s.Task, "free"))
	}
	if e := v.Exercise; e == nil {
		see(everybody, "no exercise")
	} else {
		if e.Kind == room.Fork {
			see(everybody, "exercise %d: alone, from %s, %s", e.Number, e.Run, position(e.At))
		} else {
			see(everybody, "exercise %d: alone, %s", e.Number, e.Task)
		}
		for _, p := range v.Ranking {
			see(everybody, "rank %d: %s with %d actions", p.Rank, p.Name.English, p.Actions)
		}
	}
	if v.Until == 0 {
		see(everybody, "no timer")
	} else {
		see(everybody, "the timer ends at %d:%02d", v.Until/60_000, v.Until/1000%60)
	}
	if v.Over {
		see(everybody, "the room is over; its replay is %s", v.Replay)
	}
	see(presenter, "%d remotes", v.Desk.Remotes)
	if v.Desk.First != nil {
		see(presenter, "votes of the first round: %v", v.Desk.First)
	}
	for number := 1; r.Lost(key(fmt.Sprint(number))) != "" || r.You(number) != nil; number++ {
		if lost := r.Lost(key(fmt.Sprint(number))); lost != "" {
			see(fmt.Sprintf("seat %d", number), "gone: %s", lost)
		}
	}
	for _, d := range v.Desk.Seats {
		if d.Named {
			see(presenter, "seat %d has a name that can be taken away", d.Seat)
		}
		if d.Roster != "" {
			see(presenter, "seat %d is %s in the roster", d.Seat, d.Roster)
		}
		if d.Mark != nil {
			see(presenter, "seat %d is at %s: %s", d.Seat, d.Sandbox, mark(d.Mark))
		}
		you, who := r.You(d.Seat), fmt.Sprintf("seat %d", d.Seat)
		for i, choice := range you.Cast {
			if choice != room.None {
				see(who, "my vote in round %d: %s", i+1, v.Poll.Choices[choice].English)
			}
		}
		if you.Votes {
			see(who, "I may vote in round %d", v.Poll.Round)
		}
		if you.Mark != nil {
			see(who, "my sandbox is %s: %s", you.Sandbox, mark(you.Mark))
		}
		for _, c := range r.Copies(d.Seat) {
			see(who, "to take home: exercise %d, %s", c.Exercise, c.Run)
		}
	}
	return all
}

func position(at int) string {
	if at == room.End {
		return "at its end"
	}
	return "at " + strconv.Itoa(at)
}

func mark(m *room.Mark) string {
	text := "not begun"
	if m.State != "" {
		text = fmt.Sprintf("%s after %d actions", m.State, m.Actions)
	}
	if m.Solved {
		text += fmt.Sprintf(", solved with %d", m.Best)
	}
	if m.Claims > 0 {
		text += fmt.Sprintf(", %d wrong claims", m.Claims)
	}
	return text
}

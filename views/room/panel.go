package room

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/views"
	runview "lockstep/views/run"
)

// Around returns the room as the page of a run has it.
func (r Room) Around(p runview.Page) *runview.InRoom {
	return &runview.InRoom{Presenter: r.Presenter, Name: r.Name, Run: r.Run, Over: r.Over, Box: Box(r, p)}
}

// back returns the page that follows a form of the room.
func (r Room) back() string {
	if r.Here != "" {
		return r.Here
	}
	return r.Run
}

// ownPath returns the path of the reader's own run, or the path that begins it.
func (r Room) ownPath() string {
	if r.Exercise.Mine != "" {
		return r.Exercise.Mine
	}
	return r.Path
}

// teamSizes returns the team sizes that have a button.
func (r Room) teamSizes() []int {
	sizes := []int{1, 2, 3, 5, 10}
	if r.LanesOn && !slices.Contains(sizes, r.TeamSize) {
		sizes = append(sizes, r.TeamSize)
		slices.Sort(sizes)
	}
	return sizes
}

// absent returns the seat numbers of the people who are not here, as a form names them; empty: everybody is.
func (r Room) absent() string {
	var numbers []string
	for _, s := range r.Seats {
		if !s.Here {
			numbers = append(numbers, strconv.Itoa(s.Number))
		}
	}
	return strings.Join(numbers, " ")
}

// gone returns how many people are not here.
func (r Room) gone() int { return len(r.Seats) - r.Present }

// crowded reports whether the list of people is too long to scan at a glance.
func (r Room) crowded() bool { return len(r.Seats) > 12 }

// lost names the seat or remote that the presenter took from the reader.
func (r Room) lost() string {
	switch r.Lost {
	case "remove":
		return views.Say(r.Lang, "room.removed")
	case "revoke":
		return views.Say(r.Lang, "room.revoked")
	}
	return ""
}

// mayAsk reports whether the presenter can put the next question to the room.
func (r Room) mayAsk() bool { return r.Poll == nil || r.Poll.revealed() }

// solved returns how many people solved the exercise.
func (e *Exercise) solved() int {
	n := 0
	for _, m := range e.Marks {
		if m.Solved {
			n++
		}
	}
	return n
}

// phaseWord returns the sentence of the poll's phase.
func (p *Poll) phaseWord(l lang.Language) string {
	if p.Network && p.Phase == "first" {
		return views.Say(l, "poll.network")
	}
	if p.Own && p.revealed() {
		return views.Say(l, "screen.own.revealed")
	}
	return views.Say(l, "poll."+p.Phase)
}

// named returns the first names of a row, and the number of others.
func named(l lang.Language, names []string) string {
	shown, others := someNames(names, 4)
	text := strings.Join(shown, views.Say(l, "screen.and"))
	if others > 0 {
		text += " " + views.Say(l, "screen.more", others)
	}
	return text
}

// right returns the word beside the answer that came true.
func (p *Poll) right(l lang.Language) string {
	if p.Network {
		return views.Say(l, "screen.chosen")
	}
	if p.Own {
		return views.Say(l, "screen.own.right")
	}
	return views.Say(l, "screen.right")
}

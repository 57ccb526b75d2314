package views

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine/lang"
)

// back is the page that a form of the room leads back to.
func (r Room) back() string {
	if r.Here != "" {
		return r.Here
	}
	return r.Run
}

// ownPath is where the exercise is done: the reader's own run, or where they begin it.
func (r Room) ownPath() string {
	if r.Exercise.Mine != "" {
		return r.Exercise.Mine
	}
	return r.Path
}

// teamSizes are the sizes of a team that there is a button for.
func (r Room) teamSizes() []int {
	sizes := []int{1, 2, 3, 5, 10}
	if r.LanesOn && !slices.Contains(sizes, r.TeamSize) {
		sizes = append(sizes, r.TeamSize)
		slices.Sort(sizes)
	}
	return sizes
}

// absent are the numbers of those who are not here, as a form names them; empty: everybody is.
func (r Room) absent() string {
	var numbers []string
	for _, s := range r.Seats {
		if !s.Here {
			numbers = append(numbers, strconv.Itoa(s.Number))
		}
	}
	return strings.Join(numbers, " ")
}

// gone is how many are not here.
func (r Room) gone() int { return len(r.Seats) - r.Present }

// crowded reports whether the list of people is too long to be found at a glance.
func (r Room) crowded() bool { return len(r.Seats) > 12 }

// lost says what the presenter took from the reader.
func (r Room) lost() string {
	switch r.Lost {
	case "remove":
		return Say(r.Lang, "room.removed")
	case "revoke":
		return Say(r.Lang, "room.revoked")
	}
	return ""
}

// mayAsk reports whether the next question can be put to the room.
func (r Room) mayAsk() bool { return r.Poll == nil || r.Poll.revealed() }

// solved is how many have solved the exercise.
func (e *Exercise) solved() int {
	n := 0
	for _, m := range e.Marks {
		if m.Solved {
			n++
		}
	}
	return n
}

// phaseWord is the sentence of the poll's phase.
func (p *Poll) phaseWord(l lang.Language) string {
	if p.Network && p.Phase == "first" {
		return Say(l, "poll.network")
	}
	return Say(l, "poll."+p.Phase)
}

// onward is the key of what leads to the next phase; empty: none does.
func (p *Poll) onward() string {
	switch {
	case p.Phase == "first" && !p.Network:
		return "present.discuss"
	case p.Phase == "discuss":
		return "present.again"
	case p.Phase == "first", p.Phase == "second":
		return "present.close"
	}
	return ""
}

// reveals is the key of what answers the poll; empty: that cannot be done yet.
func (p *Poll) reveals() string {
	switch {
	case p.revealed():
		return ""
	case p.Network && p.Phase == "closed":
		return "present.deliver"
	case p.Network:
		return ""
	}
	return "present.reveal"
}

// named are the first names of a row, and how many others there are.
func named(l lang.Language, names []string) string {
	shown, others := someNames(names, 4)
	text := strings.Join(shown, Say(l, "screen.and"))
	if others > 0 {
		text += " " + Say(l, "screen.more", others)
	}
	return text
}

// right is what is said of the answer that came true.
func (p *Poll) right(l lang.Language) string {
	if p.Network {
		return Say(l, "screen.chosen")
	}
	return Say(l, "screen.right")
}

// over is the key of what takes the poll away.
func (p *Poll) over() string {
	if p.revealed() {
		return "present.done"
	}
	return "present.drop"
}

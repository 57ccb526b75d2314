package views

import (
	"cmp"
	"slices"
)

// markStates are how an own run can stand, in the order in which a presenter wants to
// see them.
var markStates = []string{"broken", "stuck", "safe", "new"}

// state is the key of the word for a mark's state: of a run in which nothing has
// happened yet nobody can say more.
func (m Mark) state() string {
	if m.State == "" || m.Actions == 0 && m.State == "safe" {
		return "new"
	}
	return m.State
}

// marks are those of the exercise as the wall orders them at first; its script knows other orders.
func (r Room) marks() []Mark {
	marks := slices.Clone(r.Exercise.Marks)
	slices.SortStableFunc(marks, func(a, b Mark) int {
		return cmp.Or(
			cmp.Compare(slices.Index(markStates, a.state()), slices.Index(markStates, b.state())),
			cmp.Compare(a.Seat, b.Seat))
	})
	return marks
}

// A markCount is how many own runs stand alike.
type markCount struct {
	State string
	Count int
}

// counts are how many there are of all, of each state, and of those who have solved it.
func (r Room) counts() []markCount {
	counts := []markCount{{"all", len(r.Exercise.Marks)}}
	for _, state := range markStates {
		counts = append(counts, markCount{State: state})
	}
	counts = append(counts, markCount{State: "solved"})
	for _, m := range r.Exercise.Marks {
		counts[1+slices.Index(markStates, m.state())].Count++
		if m.Solved {
			counts[len(counts)-1].Count++
		}
	}
	return counts
}

// shown is the seat whose own run the room is shown; 0: that of nobody.
func (r Room) shown() int {
	if r.Exercise == nil {
		return 0
	}
	for _, m := range r.Exercise.Marks {
		if m.Path == r.Run {
			return m.Seat
		}
	}
	return 0
}

func walled(r Room) Site {
	r.Window = Say(r.Lang, "wall.title", r.Name)
	return r.Site
}

package room

import (
	"cmp"
	"slices"

	"lockstep/views"
)

// markStates lists the states of a person's own run, in the order that helps a presenter
// most.
var markStates = []string{"broken", "stuck", "claimed", "safe", "new"}

// state returns the key of the word for a mark's state. A run without actions has a
// word of its own, and so has one that its owner has only made a wrong claim about.
func (m Mark) state() string {
	switch {
	case m.State != "" && (m.Actions > 0 || m.State != "safe"):
		return m.State
	case m.Claims > 0:
		return "claimed"
	}
	return "new"
}

// marks returns the marks of the exercise in the wall's first order; its script knows other orders.
func (r Room) marks() []Mark {
	marks := slices.Clone(r.Exercise.Marks)
	slices.SortStableFunc(marks, func(a, b Mark) int {
		return cmp.Or(
			cmp.Compare(slices.Index(markStates, a.state()), slices.Index(markStates, b.state())),
			cmp.Compare(a.Seat, b.Seat))
	})
	return marks
}

// A markCount is the number of runs in one state.
type markCount struct {
	State string
	Count int
}

// counts returns the number of all runs, of each state, and of solutions. A run with a wrong claim counts as claimed, whatever it is
// now.
func (r Room) counts() []markCount {
	counts := []markCount{{"all", len(r.Exercise.Marks)}}
	for _, state := range markStates {
		counts = append(counts, markCount{State: state})
	}
	counts = append(counts, markCount{State: "solved"})
	for _, m := range r.Exercise.Marks {
		state := m.state()
		if counts[1+slices.Index(markStates, state)].Count++; m.Claims > 0 && state != "claimed" {
			counts[1+slices.Index(markStates, "claimed")].Count++
		}
		if m.Solved {
			counts[len(counts)-1].Count++
		}
	}
	return counts
}

// shown returns the seat whose own run the room looks at; 0: nobody's.
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

func walled(r Room) views.Site {
	return r.Site.Called(views.Say(r.Lang, "wall.title", r.Name))
}

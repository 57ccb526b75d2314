package room

import (
	"cmp"
	"slices"

	"lockstep/engine/lang"
)

// An Exercise sends everybody into a sandbox of their own.
type Exercise struct {
	Number int          `json:"number"` // from 1, counted through the room's life
	Kind   ExerciseKind `json:"kind"`
	Run    string       `json:"run,omitempty"`  // fork: of this run
	At     int          `json:"at,omitempty"`   // fork: from this position, or End
	Task   string       `json:"task,omitempty"` // challenge: as redis-lock/race/break
}

// An ExerciseKind tells where the sandboxes begin.
type ExerciseKind string

// The kinds of exercises.
const (
	Fork      ExerciseKind = "fork"      // with a copy of a run
	Challenge ExerciseKind = "challenge" // where a challenge does
)

// A State sums up a sandbox for the wall.
type State string

// The states.
const (
	Safe   State = "safe"
	Broken State = "broken" // its property is violated
	Stuck  State = "stuck"  // no client can go on
)

// A Mark tells a seat's progress in its sandbox.
type Mark struct {
	State   State `json:"state,omitempty"`  // "": nothing has happened yet
	Actions int   `json:"actions"`          // of the run when it was marked
	Solved  bool  `json:"solved"`           // ever
	Best    int   `json:"best,omitempty"`   // the fewest actions with which it was solved
	Claims  int   `json:"claims,omitempty"` // wrong claims that the challenge cannot be broken
}

// A Place is a row of the ranking. Seats with equally many actions share a rank.
type Place struct {
	Rank    int       `json:"rank"` // from 1
	Seat    int       `json:"seat"`
	Name    lang.Text `json:"name"`
	Actions int       `json:"actions"`
}

// Exercise returns the exercise that is going on; nil: there is none.
func (r *Room) Exercise() *Exercise {
	if r.exercise == nil {
		return nil
	}
	e := *r.exercise
	return &e
}

// Sandbox returns the run of a seat in the exercise; "": it has none.
func (r *Room) Sandbox(number int) string {
	if s := r.seat(number); s != nil && r.exercise != nil {
		return s.sandbox
	}
	return ""
}

// Begun counts the seats that have a sandbox in the exercise.
func (r *Room) Begun() int {
	begun := 0
	for _, s := range r.people() {
		if r.exercise != nil && s.sandbox != "" {
			begun++
		}
	}
	return begun
}

// Ranking returns the seats that have solved the exercise, fewest actions first.
func (r *Room) Ranking() []Place {
	if r.exercise == nil {
		return nil
	}
	var ranking []Place
	for number, s := range r.people() {
		if m := s.mark; m.Solved {
			ranking = append(ranking, Place{Seat: number, Name: r.nameOf(number), Actions: m.Best})
		}
	}
	slices.SortStableFunc(ranking, func(a, b Place) int { return cmp.Compare(a.Actions, b.Actions) })
	for i := range ranking {
		ranking[i].Rank = i + 1
		if i > 0 && ranking[i].Actions == ranking[i-1].Actions {
			ranking[i].Rank = ranking[i-1].Rank
		}
	}
	return ranking
}

func (r *Room) begin(e Exercise) {
	r.home()
	r.exercises++
	e.Number = r.exercises
	r.exercise = &e
	for _, s := range r.people() {
		s.sandbox, s.mark = "", Mark{}
	}
}

func (r *Room) own(number int, run string) {
	if r.sandboxes == nil {
		r.sandboxes = map[string]int{}
	}
	r.sandboxes[run] = number
	s := r.seat(number)
	s.sandbox = run
	own := Copy{r.exercise.Number, r.exercise.Task, run}
	if last := len(s.copies) - 1; last >= 0 && s.copies[last].Exercise == own.Exercise {
		s.copies[last] = own
	} else {
		s.copies = append(s.copies, own)
	}
}

// claim counts a wrong claim of a seat.
func (r *Room) claim(e Entry) { r.seat(e.Seat).mark.Claims++ }

// canClaim refuses a claim outside a challenge that the seat has begun.
func (r *Room) canClaim(e Entry) error {
	s := r.seat(e.Seat)
	switch {
	case s == nil:
		return ErrNoSeat
	case r.exercise == nil, r.exercise.Kind != Challenge:
		return ErrNoExercise
	case s.sandbox == "":
		return ErrNoSandbox
	}
	return nil
}

// Claims counts the wrong claims of the exercise.
func (r *Room) Claims() int {
	claims := 0
	for _, s := range r.people() {
		if r.exercise != nil {
			claims += s.mark.Claims
		}
	}
	return claims
}

func (r *Room) mark(e Entry) {
	m := &r.seat(e.Seat).mark
	if e.Solved && (!m.Solved || e.Actions < m.Best) {
		m.Solved, m.Best = true, e.Actions
	}
	m.State, m.Actions = e.State, e.Actions
}

// canOwn refuses a second sandbox unless the entry names the one that it replaces: two tabs of one seat that ask at the
// same time end up in the same sandbox.
func (r *Room) canOwn(e Entry) error {
	s := r.seat(e.Seat)
	switch {
	case s == nil:
		return ErrNoSeat
	case r.exercise == nil:
		return ErrNoExercise
	case !isShort(e.Run, maxID), e.Run == r.base: // the run that everybody comes back to
		return ErrMalformed
	case s.sandbox != e.From:
		return ErrOwned
	case s.sandbox == e.Run:
		return ErrSame
	}
	if owner, ok := r.sandboxes[e.Run]; ok && owner != e.Seat {
		return ErrNotYours
	}
	return nil
}

// canMark refuses a mark without news: most steps in a sandbox do not become entries of the room. The first action is
// news, so a room that is opened later knows that its owner has begun.
func (r *Room) canMark(e Entry) error {
	s := r.seat(e.Seat)
	switch {
	case s == nil:
		return ErrNoSeat
	case r.exercise == nil:
		return ErrNoExercise
	case s.sandbox == "":
		return ErrNoSandbox
	case e.State != Safe && e.State != Broken && e.State != Stuck, e.Actions < 0 || e.Actions > maxAt:
		return ErrMalformed
	case e.State == s.mark.State && (e.Actions > 0) == (s.mark.Actions > 0) && !(e.Solved && (!s.mark.Solved || e.Actions < s.mark.Best)):
		return ErrSame
	}
	return nil
}

// canHome refuses to end an exercise that is not there.
func (r *Room) canHome(Entry) error {
	if r.exercise == nil {
		return ErrNoExercise
	}
	return nil
}

package room

import (
	"cmp"
	"slices"

	"lockstep/engine/lang"
)

// The verbs of exercises.
const (
	VerbFork      Verb = "fork"      // Run, At: an exercise: everybody goes on from there alone
	VerbChallenge Verb = "challenge" // Task: an exercise: everybody tries the challenge alone
	VerbOwn       Verb = "own"       // Seat, Run, From: a seat's sandbox; From is the run in whose place it comes
	VerbMark      Verb = "mark"      // Seat, State, Actions, Solved: how a seat gets on
	VerbClaim     Verb = "claim"     // Seat: has claimed wrongly that its challenge cannot be broken
	VerbHome      Verb = "home"      // the exercise is over
)

var exerciseVerbs = []verb{
	{
		name: VerbFork, who: onlyPresenter,
		possible: func(_ *Room, e Entry) error { return formed(isShort(e.Run, maxID) && isPosition(e.At)) },
		apply:    func(r *Room, e Entry) { r.begin(Exercise{Kind: Fork, Run: e.Run, At: e.At}) },
		control:  func(r *Room, _ Who) Entry { return Entry{Run: r.run, At: End} },
		begins:   true,
		wide:     true,
	},
	{
		name: VerbChallenge, who: onlyPresenter,
		possible: func(_ *Room, e Entry) error { return formed(isShort(e.Task, maxTask)) },
		apply:    func(r *Room, e Entry) { r.begin(Exercise{Kind: Challenge, Task: e.Task}) },
		control:  func(*Room, Who) Entry { return Entry{Task: "any"} },
		begins:   true,
		wide:     true,
	},
	{
		name: VerbOwn, who: onlyOwnSeat,
		possible: canOwn,
		apply:    func(r *Room, e Entry) { r.own(r.seat(e.Seat), e) },
		from:     fromSeat,
		control:  func(_ *Room, who Who) Entry { return Entry{Seat: who.Seat, Run: "any"} },
		crowd:    true,
	},
	{
		name: VerbMark, who: onlyOwnSeat,
		possible: func(r *Room, e Entry) error { return r.canMark(r.seat(e.Seat), e) },
		apply:    func(r *Room, e Entry) { r.seat(e.Seat).marked(e) },
		from:     fromSeat,
		crowd:    true,
	},
	{
		name: VerbClaim, who: onlyOwnSeat,
		possible: func(r *Room, e Entry) error { return r.canClaim(r.seat(e.Seat)) },
		apply:    func(r *Room, e Entry) { r.seat(e.Seat).mark.Claims++ },
		from:     fromSeat,
		often:    func(r *Room, e Entry) bool { return r.seat(e.Seat).mark.Claims >= MaxClaims },
		crowd:    true,
	},
	{
		name: VerbHome, who: onlyPresenter,
		possible: func(r *Room, _ Entry) error { return r.canHome() },
		apply: func(r *Room, _ Entry) {
			r.home()
			r.ended = true
		},
		read:    readNothing,
		last:    calms,
		control: bare,
		wide:    true,
	},
}

// The exercises of a room: one at a time.
type exercises struct {
	exercise  *Exercise      // nil: everybody is at the room's run
	number    int            // of the latest
	ended     bool           // the latest, and nothing has begun since
	sandboxes map[string]int // their seats, present or past, by run
}

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
func (e *exercises) Exercise() *Exercise {
	if e.exercise == nil {
		return nil
	}
	on := *e.exercise
	return &on
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
	for _, s := range r.seated() {
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
	for number, s := range r.seated() {
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
	r.number++
	e.Number = r.number
	r.exercise = &e
	for _, s := range r.seated() {
		s.sandbox, s.mark = "", Mark{}
	}
}

func (e *exercises) own(s *seat, of Entry) {
	if e.sandboxes == nil {
		e.sandboxes = map[string]int{}
	}
	e.sandboxes[of.Run] = of.Seat
	s.sandbox = of.Run
	own := Copy{e.exercise.Number, e.exercise.Task, of.Run}
	if last := len(s.copies) - 1; last >= 0 && s.copies[last].Exercise == own.Exercise {
		s.copies[last] = own
	} else {
		s.copies = append(s.copies, own)
	}
}

// canClaim refuses a claim outside a challenge that the seat has begun.
func (e *exercises) canClaim(s *seat) error {
	switch {
	case s == nil:
		return ErrNoSeat
	case e.exercise == nil, e.exercise.Kind != Challenge:
		return ErrNoExercise
	case s.sandbox == "":
		return ErrNoSandbox
	}
	return nil
}

// Claims counts the wrong claims of the exercise.
func (r *Room) Claims() int {
	claims := 0
	for _, s := range r.seated() {
		if r.exercise != nil {
			claims += s.mark.Claims
		}
	}
	return claims
}

// marked takes over a mark.
func (s *seat) marked(e Entry) {
	m := &s.mark
	if e.Solved && (!m.Solved || e.Actions < m.Best) {
		m.Solved, m.Best = true, e.Actions
	}
	m.State, m.Actions = e.State, e.Actions
}

// canOwn refuses a second sandbox unless the entry names the one that it replaces: two tabs of one seat that ask at the
// same time end up in the same sandbox.
func canOwn(r *Room, e Entry) error {
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
func (e *exercises) canMark(s *seat, to Entry) error {
	switch {
	case s == nil:
		return ErrNoSeat
	case e.exercise == nil:
		return ErrNoExercise
	case s.sandbox == "":
		return ErrNoSandbox
	case to.State != Safe && to.State != Broken && to.State != Stuck, to.Actions < 0 || to.Actions > maxAt:
		return ErrMalformed
	case to.State == s.mark.State && (to.Actions > 0) == (s.mark.Actions > 0) && !(to.Solved && (!s.mark.Solved || to.Actions < s.mark.Best)):
		return ErrSame
	}
	return nil
}

// canHome refuses to end an exercise that is not there.
func (e *exercises) canHome() error {
	if e.exercise == nil {
		return ErrNoExercise
	}
	return nil
}

package room

import "slices"

// A Test is what the presenter asks before a course and after it. Each seat answers at its own pace and hands its answers
// in once; the room knows no course, and so not which of them are right.
type Test struct {
	Course string `json:"course"` // as redis-lock
	Form   string `json:"form"`   // before or after
}

// A TestView is the test of a room as everybody sees it.
type TestView struct {
	Test
	Handed int `json:"handed"` // seats that have handed in this form
	Asked  int `json:"asked"`  // seats that may
}

// The forms of a test.
const (
	formBefore = "before"
	formAfter  = "after"
)

// Test returns the test that is open; nil: none is.
func (r *Room) Test() *Test { return r.test }

// Tested returns the name of the course whose test the room has taken; "": none.
func (r *Room) Tested() string { return r.tested }

// Handed returns the answers that seats have handed in to a form, by seat.
func (r *Room) Handed(form string) map[int][]string {
	handed := map[int][]string{}
	for number, s := range r.people() {
		if given := s.given[form]; given != nil {
			handed[number] = slices.Clone(given)
		}
	}
	return handed
}

// setTest opens a form, or closes the test where the entry names none. Answers to another course's test say nothing
// about this one's, and are forgotten.
func (r *Room) setTest(e Entry) {
	if e.Form == "" {
		r.test = nil
		return
	}
	if e.Task != r.tested {
		r.tested = e.Task
		for _, s := range r.people() {
			s.given = nil
		}
	}
	r.test = &Test{e.Task, e.Form}
}

// canTest refuses what is no form of a test, and what is open already.
func (r *Room) canTest(e Entry) error {
	switch {
	case e.Form == "":
		if r.test == nil {
			return ErrNoTest
		}
		return nil
	case e.Form != formBefore && e.Form != formAfter, !isShort(e.Task, maxTask):
		return ErrMalformed
	}
	return same(r.test != nil && *r.test == Test{e.Task, e.Form})
}

func (r *Room) hand(e Entry) {
	s := r.seat(e.Seat)
	if s.given == nil {
		s.given = map[string][]string{}
	}
	s.given[e.Form] = slices.Clone(e.Given)
}

// canHand refuses answers that no open form asks a seat for, and a second time.
func (r *Room) canHand(e Entry) error {
	s := r.seat(e.Seat)
	switch {
	case s == nil:
		return ErrNoSeat
	case r.test == nil, r.test.Form != e.Form:
		return ErrNoTest
	case len(e.Given) == 0 || len(e.Given) > MaxGiven:
		return ErrMalformed
	case s.given[e.Form] != nil:
		return ErrHanded
	}
	for _, answer := range e.Given {
		if !isShort(answer, maxID) {
			return ErrMalformed
		}
	}
	return nil
}

func (r *Room) testView() *TestView {
	if r.test == nil {
		return nil
	}
	v := &TestView{Test: *r.test}
	for _, s := range r.people() {
		v.Asked++
		if s.given[r.test.Form] != nil {
			v.Handed++
		}
	}
	return v
}

// nextTest closes the open test, or opens one.
func (r *Room) nextTest(Who) Entry {
	if r.test != nil {
		return Entry{}
	}
	return Entry{Task: "any", Form: formBefore}
}

// anyGiven hands in something.
func (r *Room) anyGiven(who Who) Entry {
	e := Entry{Seat: who.Seat, Given: []string{"any"}}
	if r.test != nil {
		e.Form = r.test.Form
	}
	return e
}

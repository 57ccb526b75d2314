package room

import "slices"

// The verbs of tests.
const (
	VerbTest Verb = "test" // Task, Form: opens a form of a course's test; no form: closes it
	VerbHand Verb = "hand" // Seat, Form, Given: a seat's answers to it, once
)

var testVerbs = []verb{
	{
		name: VerbTest, who: onlyPresenter,
		possible: func(r *Room, e Entry) error { return r.canTest(e) },
		apply:    setTest,
		last:     func(e Entry) bool { return e.Form == "" },
		control:  func(r *Room, _ Who) Entry { return r.nextTest() },
		begins:   true,
	},
	{
		name: VerbHand, who: onlyOwnSeat,
		possible: func(r *Room, e Entry) error { return r.canHand(r.seat(e.Seat), e) },
		apply:    func(r *Room, e Entry) { r.seat(e.Seat).hand(e) },
		from:     fromSeat,
		control:  func(r *Room, who Who) Entry { return r.anyGiven(who) },
	},
}

// The tests of a room: one at a time.
type tests struct {
	test   *Test  // that is open; nil: none is
	tested string // the course whose test was open last
}

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
func (t *tests) Test() *Test { return t.test }

// Tested returns the name of the course whose test the room has taken; "": none.
func (t *tests) Tested() string { return t.tested }

// Handed returns the answers that seats have handed in to a form, by seat.
func (p *people) Handed(form string) map[int][]string {
	handed := map[int][]string{}
	for number, s := range p.seated() {
		if given := s.given[form]; given != nil {
			handed[number] = slices.Clone(given)
		}
	}
	return handed
}

// setTest opens a form, or closes the test where the entry names none. Answers to another course's test say nothing
// about this one's, and are forgotten.
func setTest(r *Room, e Entry) {
	if e.Form == "" {
		r.test = nil
		return
	}
	if e.Task != r.tested {
		r.tested = e.Task
		for _, s := range r.seated() {
			s.given = nil
		}
	}
	r.test = &Test{e.Task, e.Form}
}

// canTest refuses what is no form of a test, and what is open already.
func (t *tests) canTest(e Entry) error {
	switch {
	case e.Form == "":
		if t.test == nil {
			return ErrNoTest
		}
		return nil
	case e.Form != formBefore && e.Form != formAfter, !isShort(e.Task, maxTask):
		return ErrMalformed
	}
	return same(t.test != nil && *t.test == Test{e.Task, e.Form})
}

func (s *seat) hand(e Entry) {
	if s.given == nil {
		s.given = map[string][]string{}
	}
	s.given[e.Form] = slices.Clone(e.Given)
}

// canHand refuses answers that no open form asks a seat for, and a second time.
func (t *tests) canHand(s *seat, e Entry) error {
	switch {
	case s == nil:
		return ErrNoSeat
	case t.test == nil, t.test.Form != e.Form:
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
	for _, s := range r.seated() {
		v.Asked++
		if s.given[r.test.Form] != nil {
			v.Handed++
		}
	}
	return v
}

// nextTest closes the open test, or opens one.
func (t *tests) nextTest() Entry {
	if t.test != nil {
		return Entry{}
	}
	return Entry{Task: "any", Form: formBefore}
}

// anyGiven hands in something.
func (t *tests) anyGiven(who Who) Entry {
	e := Entry{Seat: who.Seat, Given: []string{"any"}}
	if t.test != nil {
		e.Form = t.test.Form
	}
	return e
}

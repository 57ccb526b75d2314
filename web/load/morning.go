package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"lockstep/engine/course"
)

// A morning is a class in one room: three lessons, questions in the first two, an exercise, and a server that loses power
// while the class votes.
type morning struct {
	*room
	server *server
	start  []seat // in which people sat down
	seen   times  // how long each has waited for each step
	rows   []row
}

const (
	lessonsTaught = 3
	seenTime      = 3 * time.Second // in which everybody has seen a step
)

// mornings measures a morning.
func mornings(c class) (rows []row, err error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	r, err := s.opens()
	if err != nil {
		return nil, err
	}
	defer r.end()
	m := &morning{room: r, server: s}
	began := time.Now()
	laptops := c.people / 4
	if err := errors.Join(r.fills(c.people-laptops, "phone", r.joins), r.fills(laptops, "page", r.joins)); err != nil {
		return nil, err
	}
	m.rows = append(m.rows, row{what: fmt.Sprintf("%d people join", c.people), figure: brief(time.Since(began))})
	r.class.each(func(v *viewer) { m.start = append(m.start, v.seat) })
	all := course.Builtin()
	var last *course.Lesson
	taught := 0
	for _, l := range all.Lessons {
		if asking(l) == nil || len(l.Challenges) == 0 || taught == lessonsTaught {
			continue
		}
		if err := m.teaches(all.Name+"/"+l.Name, l, taught); err != nil {
			return nil, fmt.Errorf("%s: %w", l.Name, err)
		}
		last, taught = l, taught+1
	}
	acts := []string{"schedule", "schedule"}
	if len(last.Challenges[0].Start.Actions()) == 0 {
		acts = append([]string{"spawn C1 C2"}, acts...)
	}
	if err := m.exercises(all.Name+"/"+last.Name+"/"+last.Challenges[0].Name, acts); err != nil {
		return nil, fmt.Errorf("the exercise: %w", err)
	}
	return m.table()
}

// asking returns the first moment of a lesson that asks something; nil: there is none.
func asking(l *course.Lesson) *course.Moment {
	for _, m := range l.Moments {
		if len(m.Answers) > 0 {
			return m
		}
	}
	return nil
}

// everybody is the class with its presenter.
func (m *morning) everybody() crowd { return append(crowd{m.presenter}, m.class...) }

// teaches takes the class to a lesson and through it. The first two lessons ask their question, and the server loses power
// in the middle of the second.
func (m *morning) teaches(task string, l *course.Lesson, number int) error {
	if err := m.does("show", "task", task); err != nil {
		return err
	}
	_, run, err := m.presenter.get(m.path + "/present")
	if err != nil {
		return err
	}
	m.run = run
	at := l.Opening()
	if err := m.everybody().wait("come to the lesson", func(v *viewer) bool { return v.run == run && v.at == at && v.isUp() }); err != nil {
		return err
	}
	asked := asking(l).At
	if err := m.steps(at, asked); err != nil {
		return err
	}
	at = max(at, asked)
	if number < 2 {
		if err := m.asks(number); err != nil {
			return err
		}
		log, err := m.presenter.extent(run)
		if err != nil {
			return err
		}
		at = log.Actions
		if err := m.everybody().wait("seen the answer", func(v *viewer) bool { return v.at == at }); err != nil {
			return err
		}
	}
	return m.steps(at, len(l.Scenario.Actions()))
}

// steps lets the presenter step from one position to another.
func (m *morning) steps(at, to int) error {
	for ; at < to; at++ {
		took, err := m.presses(1, 1)
		if m.seen = append(m.seen, took...); err != nil {
			return err
		}
	}
	return nil
}

// asks asks the lesson's question in two rounds, and reveals the answer.
func (m *morning) asks(number int) error {
	if err := m.does("ask", "kind", "predict"); err != nil {
		return err
	}
	for round := range 2 {
		if err := m.votes(round, number == 1 && round == 0); err != nil {
			return err
		}
		if round == 0 { // they discuss, and vote again
			if err := errors.Join(m.does("round"), m.does("round")); err != nil {
				return err
			}
		}
	}
	return m.does("reveal")
}

// votes lets everybody vote, again until the server has said that the vote is taken. In a power cut the server is killed
// after half of the votes.
func (m *morning) votes(round int, powerCut bool) error {
	var taken atomic.Int32
	var died time.Time
	_, err := together(len(m.class), func(i int) (string, error) {
		var err error
		for began := time.Now(); time.Since(began) < patience; time.Sleep(backOff(0)) {
			if _, err = m.class[i].post(m.path+"/do", "verb", "vote", "choice", fmt.Sprint((i+round)%2)); err == nil {
				break
			}
		}
		if int(taken.Add(1)) == len(m.class)/2 && powerCut {
			died = time.Now()
			m.server.kill()
			return "", m.server.start()
		}
		return "", err
	})
	if err != nil {
		return err
	}
	for i, v := range m.class {
		if err := (crowd{v}).wait("their vote", func(v *viewer) bool { return v.isUp() && v.seat.Vote == (i+round)%2 }); err != nil {
			return err
		}
	}
	if powerCut {
		m.rows = append(m.rows, within("  after a kill -9 all are back, with their votes", settleTime, time.Since(died), brief(time.Since(died))))
	}
	return nil
}

// exercises gives everybody a sandbox, in which they do something.
func (m *morning) exercises(task string, acts []string) error {
	if err := m.does("challenge", "task", task); err != nil {
		return err
	}
	_, err := together(len(m.class), func(i int) (string, error) {
		v := m.class[i]
		if _, err := v.post(m.path+"/do", "verb", "own"); err != nil {
			return "", err
		}
		own := ""
		if err := (crowd{v}).wait("a sandbox", func(v *viewer) bool { own = v.seat.Own; return own != "" }); err != nil {
			return "", err
		}
		for _, act := range acts {
			if _, err := v.post(own+"/actions", "action", act); err != nil {
				return "", err
			}
		}
		return own, nil
	})
	return errors.Join(err, m.does("home"))
}

// table compares what the room has kept with what the class has done.
func (m *morning) table() ([]row, error) {
	text, _, err := m.presenter.get(m.path + "/results.json")
	if err != nil {
		return nil, err
	}
	var kept struct {
		People    int
		Questions []struct{ Rounds [][]int }
		Exercises []struct{ Begun int }
	}
	if err := json.Unmarshal(text, &kept); err != nil {
		return nil, err
	}
	votes, begun, lost, who := 0, 0, 0, 0
	for _, q := range kept.Questions {
		for _, round := range q.Rounds {
			for _, n := range round {
				votes += n
			}
		}
	}
	for _, e := range kept.Exercises {
		begun += e.Begun
	}
	m.class.each(func(v *viewer) {
		if v.seat.Seat != m.start[who].Seat || v.seat.Name != m.start[who].Name {
			lost++
		}
		who++
	})
	people := len(m.class)
	seen := sorted(m.seen)
	return append(m.rows,
		within(fmt.Sprintf("  %d lessons: a step is seen", lessonsTaught), seenTime, seen.quantile(1), seen.String()),
		exactly("  people in the room", kept.People, people),
		exactly("  seats lost", lost, 0),
		exactly("  votes kept, of two questions in two rounds", votes, 4*people),
		exactly("  sandboxes begun", begun, people),
	), nil
}

package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"lockstep/engine/course"
)

// A morning is a class in one room: three lessons, questions in the first two, an exercise, and a server that loses power
// while the class votes.
type morning struct {
	server    *server
	presenter *visitor
	room, run string
	pupils    []*pupil
	seen      times // how long each pupil has waited for each step
	rows      []row
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
	m := &morning{server: s, presenter: newVisitor(s.url(), 0)}
	if m.room, m.run, err = m.presenter.opens(); err != nil {
		return nil, err
	}
	defer func() {
		for _, p := range m.pupils {
			p.ends()
		}
	}()
	if err := m.gathers(c.people); err != nil {
		return nil, err
	}
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

// gathers lets the class join.
func (m *morning) gathers(people int) (err error) {
	began := time.Now()
	m.pupils, err = together(people, func(i int) (*pupil, error) {
		p := &pupil{visitor: newVisitor(m.server.url(), i), surface: "phone", run: m.run, number: i}
		if i%4 == 3 {
			p.surface = "page"
		}
		_, err := p.post(m.room + "/seats")
		p.all.Go(p.stays)
		return p, err
	})
	if err != nil {
		return err
	}
	err = m.wait("a seat", func(p *pupil) bool { return p.seat.Seat > 0 })
	m.rows = append(m.rows, row{what: fmt.Sprintf("%d people join", people), figure: brief(time.Since(began))})
	return err
}

// wait waits until something holds for every pupil.
func (m *morning) wait(what string, so func(p *pupil) bool) error {
	for late := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		missing := 0
		for _, p := range m.pupils {
			p.mu.Lock()
			if !so(p) {
				missing++
			}
			p.mu.Unlock()
		}
		switch {
		case missing == 0:
			return nil
		case time.Now().After(late):
			return fmt.Errorf("%d of %d have not %s", missing, len(m.pupils), what)
		}
	}
}

// does lets the presenter do something in the room.
func (m *morning) does(fields ...string) error {
	_, err := m.presenter.post(m.room+"/do", append([]string{"verb"}, fields...)...)
	return err
}

// teaches takes the class to a lesson and through it. The first two lessons ask their question, and the server loses power
// in the middle of the second.
func (m *morning) teaches(task string, l *course.Lesson, number int) error {
	if err := m.does("show", "task", task); err != nil {
		return err
	}
	_, run, err := m.presenter.get(m.room + "/present")
	if err != nil {
		return err
	}
	m.run = run
	at := l.Opening()
	if err := m.wait("come to the lesson", func(p *pupil) bool { return p.run == run && p.at == at }); err != nil {
		return err
	}
	asked := asking(l).At
	if at, err = m.steps(at, asked); err != nil {
		return err
	}
	if number < 2 {
		if err := m.asks(number); err != nil {
			return err
		}
		if at, err = m.length(); err != nil {
			return err
		}
		if err := m.wait("seen the answer", func(p *pupil) bool { return p.at == at }); err != nil {
			return err
		}
	}
	_, err = m.steps(at, len(l.Scenario.Actions()))
	return err
}

// steps lets the presenter act up to a position, and returns where the run is.
func (m *morning) steps(at, to int) (int, error) {
	for ; at < to; at++ {
		began := time.Now()
		if _, err := m.presenter.post(m.run+"/actions", "action", "schedule"); err != nil {
			return at, err
		}
		if err := m.wait("seen a step", func(p *pupil) bool { return p.at > at }); err != nil {
			return at, err
		}
		for _, p := range m.pupils {
			p.mu.Lock()
			m.seen = append(m.seen, p.when.Sub(began))
			p.mu.Unlock()
		}
	}
	return at, nil
}

// length returns how many actions the run has.
func (m *morning) length() (int, error) {
	text, _, err := m.presenter.get(m.run + "/events")
	var log struct{ Actions int }
	return log.Actions, errors.Join(err, json.Unmarshal(text, &log))
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
	var taken, cut atomic.Int32
	var died time.Time
	_, err := together(len(m.pupils), func(i int) (struct{}, error) {
		vote := fmt.Sprint((i + round) % 2)
		var err error
		for began := time.Now(); time.Since(began) < patience; time.Sleep(backOff(0)) {
			if _, err = m.pupils[i].post(m.room+"/do", "verb", "vote", "choice", vote); err == nil {
				break
			}
		}
		if int(taken.Add(1)) == len(m.pupils)/2 && powerCut && cut.CompareAndSwap(0, 1) {
			died = time.Now()
			m.server.kill()
			return struct{}{}, m.server.start()
		}
		return struct{}{}, err
	})
	if err != nil {
		return err
	}
	err = m.wait("their vote", func(p *pupil) bool { return p.isUp && p.seat.Vote == (p.number+round)%2 })
	if powerCut {
		m.rows = append(m.rows, within("  after a kill -9 all are back, with their votes", settleTime, time.Since(died), brief(time.Since(died))))
	}
	return err
}

// exercises gives everybody a sandbox, in which they do something.
func (m *morning) exercises(task string, acts []string) error {
	if err := m.does("challenge", "task", task); err != nil {
		return err
	}
	_, err := together(len(m.pupils), func(i int) (struct{}, error) {
		p := m.pupils[i]
		if _, err := p.post(m.room+"/do", "verb", "own"); err != nil {
			return struct{}{}, err
		}
		own := ""
		for late := time.Now().Add(patience); own == "" && time.Now().Before(late); time.Sleep(5 * time.Millisecond) {
			p.mu.Lock()
			own = p.seat.Own
			p.mu.Unlock()
		}
		if own == "" {
			return struct{}{}, errors.New("somebody has no sandbox")
		}
		for _, act := range acts {
			if _, err := p.post(own+"/actions", "action", act); err != nil {
				return struct{}{}, err
			}
		}
		return struct{}{}, nil
	})
	if err != nil {
		return err
	}
	return m.does("home")
}

// table compares what the room has kept with what the class has done.
func (m *morning) table() ([]row, error) {
	text, _, err := m.presenter.get(m.room + "/results.json")
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
	votes, begun, lost, broken := 0, 0, 0, 0
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
	for _, p := range m.pupils {
		p.mu.Lock()
		broken += p.broken
		if p.lost {
			lost++
		}
		p.mu.Unlock()
	}
	people := len(m.pupils)
	seen := sorted(m.seen)
	all := func(what string, n, of int) row {
		return row{what: what, target: fmt.Sprint(of), figure: fmt.Sprint(n), misses: n != of}
	}
	return append(m.rows,
		within(fmt.Sprintf("  %d lessons: a step is seen", lessonsTaught), seenTime, seen.quantile(1), seen.String()),
		all("  people in the room", kept.People, people),
		all("  seats lost", lost, 0),
		all("  votes kept, of two questions in two rounds", votes, 4*people),
		all("  sandboxes begun", begun, people),
		row{what: "  connections lost, and made again", figure: fmt.Sprint(broken)},
	), nil
}

// A pupil is somebody of the class, who follows the room to each run and comes back after each loss.
type pupil struct {
	*visitor
	surface string
	all     sync.WaitGroup

	mu     sync.Mutex
	number int     // among the pupils, from 0
	socket *socket // nil: none
	run    string  // that the pupil looks at
	at     int     // its actions
	when   time.Time
	seat   ownSeat // as told last
	isUp   bool    // they are told of their seat on this socket
	lost   bool    // their seat was taken
	broken int     // connections
	over   bool
}

// An ownSeat is what the server tells a pupil about themselves.
type ownSeat struct {
	Seat int    `json:"seat"`
	Name string `json:"name"`
	Vote int    `json:"vote"`
	Own  string `json:"own"`
}

// stays looks at the room until the end of the morning.
func (p *pupil) stays() {
	for attempt := 0; ; attempt++ {
		p.mu.Lock()
		run, over := p.run, p.over
		p.mu.Unlock()
		if over {
			return
		}
		if s, err := p.watches(run, p.surface); err == nil {
			p.mu.Lock()
			p.socket, attempt = s, -1
			p.mu.Unlock()
			for p.reads(s, run) {
			}
			s.close()
			p.mu.Lock()
			if p.run == run && !p.over {
				p.broken++
			}
			p.mu.Unlock()
		}
		p.mu.Lock()
		moved := p.run != run
		p.isUp = false
		p.mu.Unlock()
		if !moved {
			time.Sleep(backOff(max(attempt, 0)))
		}
	}
}

// reads reads a message, and reports whether the pupil stays with this socket.
func (p *pupil) reads(s *socket, run string) bool {
	message, err := s.next()
	if err != nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case is(message, "hello"), is(message, "events"):
		if at := length(message); at > p.at || is(message, "hello") {
			p.at, p.when = at, time.Now()
		}
	case is(message, "room"):
		var told struct{ Run string }
		if json.Unmarshal(message, &told) == nil && told.Run != run && strings.HasPrefix(told.Run, "/t/") {
			p.run, p.at = told.Run, -1
			return false
		}
	case is(message, "seat"):
		var told ownSeat
		if json.Unmarshal(message, &told) != nil {
			return false
		}
		if p.seat.Seat != 0 && (told.Seat != p.seat.Seat || told.Name != p.seat.Name) {
			p.lost = true
		}
		p.seat, p.isUp = told, true
	}
	return true
}

// ends leaves the room.
func (p *pupil) ends() {
	p.mu.Lock()
	p.over = true
	if p.socket != nil {
		p.socket.close()
	}
	p.mu.Unlock()
	p.all.Wait()
}

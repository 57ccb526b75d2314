package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A sitting is a class that stays in its room for the whole table: phones, some of which are clients, a projector and a
// presenter.
type sitting struct {
	server    *server
	room, run string
	actions   int // of the run
	presenter *member
	phones    []*member
	projector *member
	seats     int // numbers up to this one are of the class, or nobody's any more
	runs      int // that the room has been led to, beside its first
	presses   int // so far
}

// A member is one person of the class with a screen.
type member struct {
	*visitor
	surface string
	lane    string // the client that a phone is; empty: none
	ear     *ear   // nil: they are not connected
}

// perRun is how many actions of a class fit into a run. Each makes about five events, and a run holds at most 5,000.
const perRun = 900

// gathers brings a class into a new room, deals the clients to its phones, and lets people choose names: a newcomer can do
// something, and no question holds the run.
func (c class) gathers(s *server) (*sitting, error) {
	presenter := newVisitor(s.url(), 0)
	room, run, err := presenter.opens(begins...)
	if err != nil {
		return nil, err
	}
	sits := &sitting{
		server: s, room: room, run: run, actions: beginsActions, seats: c.phones,
		presenter: &member{visitor: presenter, surface: "page"}, projector: &member{visitor: newVisitor(s.url(), 0), surface: "screen"},
	}
	sits.phones, err = together(c.phones, func(i int) (*member, error) {
		phone := &member{visitor: newVisitor(s.url(), i), surface: "phone"}
		defer phone.leaves()
		_, socket, err := phone.joins(room, run)
		if err == nil {
			socket.close() // it comes again with everybody
		}
		return phone, err
	})
	if err != nil {
		return nil, err
	}
	return sits, sits.begins()
}

// begins deals the clients of the run that the room shows, and lets people choose names.
func (s *sitting) begins() error {
	for _, fields := range [][]string{{"verb", "lanes", "size", "3"}, {"verb", "switch", "free", "on"}} {
		if _, err := s.presenter.post(s.room+"/do", fields...); err != nil {
			return err
		}
	}
	return nil
}

// everybody returns all members of the class.
func (s *sitting) everybody() []*member {
	return append([]*member{s.presenter, s.projector}, s.phones...)
}

// ready prepares the class for n presses: everybody is connected and has received everything. If the run has no room
// for them, the presenter first returns to its beginning, and everybody follows.
func (s *sitting) ready(presses int) error {
	if beginsActions+1+presses > perRun {
		return fmt.Errorf("a run has no room for %d presses", presses)
	}
	if err := s.connect(); err != nil {
		return err
	}
	if s.actions+presses <= perRun {
		return nil
	}
	s.runs++
	id := fmt.Sprintf("branch-%d", s.runs)
	opened, err := s.presenter.ear.asks(id, fmt.Sprintf(`{"type":"branch","id":%q,"at":%d,"action":"note \"%d\""}`, id, beginsActions, s.runs))
	if err != nil {
		return err
	}
	s.run, s.actions = "/t/"+opened.Run, beginsActions+1
	if err := s.begins(); err != nil {
		return err
	}
	s.leave()
	return s.connect()
}

// connect reconnects each member who is disconnected or has missed an event.
func (s *sitting) connect() error {
	if s.presenter.ear.isUp() != nil || s.presenter.ear.told() != s.actions {
		s.leave()
	}
	_, err := together(len(s.phones)+2, func(i int) (struct{}, error) {
		m := s.everybody()[i]
		if m.ear.isUp() == nil && m.ear.told() == s.actions {
			return struct{}{}, nil
		}
		return struct{}{}, m.comesBack(s.run)
	})
	if err != nil {
		return err
	}
	s.actions = s.presenter.ear.told()
	return nil
}

// leave disconnects everybody.
func (s *sitting) leave() {
	for _, m := range s.everybody() {
		m.ear.close()
	}
}

// comesBack reconnects as the page's script does: again and again, for as long as people have patience.
func (m *member) comesBack(run string) (err error) {
	began := time.Now()
	for attempt := 0; time.Since(began) < patience; attempt++ {
		if err = m.enters(run); err == nil {
			return nil
		}
		time.Sleep(backOff(attempt))
	}
	return err
}

// enters opens the socket of a run, and listens to it after the first full state.
func (m *member) enters(run string) error {
	m.ear.close()
	m.ear = nil
	socket, err := m.watches(run, m.surface)
	if err != nil {
		return err
	}
	_ = socket.conn.SetReadDeadline(time.Now().Add(patience))
	e := &ear{socket: socket}
	for missing := []string{"hello", "room", "seat"}; len(missing) > 0; {
		message, err := socket.next()
		if err != nil {
			socket.close()
			return err
		}
		e.at = max(e.at, length(message))
		if is(message, "seat") {
			m.lane = seated(string(message)).Lane
		}
		var still []string
		for _, kind := range missing {
			if !is(message, kind) {
				still = append(still, kind)
			}
		}
		missing = still
	}
	_ = socket.conn.SetReadDeadline(time.Time{})
	m.ear = e
	go e.listen()
	return nil
}

// A seat is what the server tells a member about themselves.
type seat struct {
	Seat int    `json:"seat"`
	Lane string `json:"lane"`
}

func seated(message string) (own seat) {
	_ = json.Unmarshal([]byte(message), &own) // a message that says something else says nothing of a seat
	return own
}

// An ear reads a socket until it ends. A nil ear behaves like one whose socket has ended.
type ear struct {
	*socket
	writing sync.Mutex

	mu     sync.Mutex
	at     int           // actions of the run that it has been told of
	missed int           // actions that it was never told of
	ended  error         // why there is nothing more to be read
	period *period       // that goes on; nil: none
	heard  []time.Time   // when what each press of the period has done came; the zero time: it did not
	answer chan response // to what the presenter has asked outside a period
}

// A response is an answer to one person.
type response struct {
	Type string `json:"type"`
	ID   string `json:"id"`
	Code string `json:"code"`
	Text string `json:"text"`
	Run  string `json:"run"`
}

var errNeverUp = errors.New("never connected")

// isUp returns the error with which the socket ended, or nil.
func (e *ear) isUp() error {
	if e == nil {
		return errNeverUp
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.ended
}

// told returns how many actions the run has, as far as the socket knows.
func (e *ear) told() int {
	if e == nil {
		return -1
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.at
}

func (e *ear) close() {
	if e != nil {
		e.socket.close()
	}
}

// say sends a message. Several goroutines may call it at once.
func (e *ear) say(message string) error {
	if err := e.isUp(); err != nil {
		return err
	}
	e.writing.Lock()
	defer e.writing.Unlock()
	return e.socket.say(message)
}

// listen reads until the socket ends.
func (e *ear) listen() {
	for {
		message, err := e.next()
		now := time.Now()
		if err != nil {
			e.mu.Lock()
			e.ended = err
			e.mu.Unlock()
			return
		}
		if at := number(message); at >= 0 {
			e.hears(at, now)
			continue
		}
		if is(message, "error") || is(message, "opened") {
			e.isAnswered(message)
		}
	}
}

// hears notes how many actions the run has now.
func (e *ear) hears(at int, now time.Time) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if at <= e.at {
		return // something around the run has changed
	}
	e.missed += at - e.at - 1
	e.at = at
	if e.period != nil {
		if n := at - e.period.first; n >= 0 && n < len(e.heard) {
			e.heard[n] = now
		}
	}
}

// isAnswered passes an answer to the caller that waits for it.
func (e *ear) isAnswered(message []byte) {
	var r response
	if json.Unmarshal(message, &r) != nil {
		return
	}
	e.mu.Lock()
	p, answer := e.period, e.answer
	e.mu.Unlock()
	if press, ok := strings.CutPrefix(r.ID, pressID); ok {
		if n, err := strconv.Atoi(press); err == nil && p != nil {
			p.refused(n, r)
		}
		return
	}
	if answer != nil {
		select {
		case answer <- r:
		default: // nobody waits for it any more
		}
	}
}

// asks sends a message outside a period and returns the answer.
func (e *ear) asks(id, message string) (response, error) {
	answer := make(chan response, 8)
	e.mu.Lock()
	e.answer = answer
	e.mu.Unlock()
	if err := e.say(message); err != nil {
		return response{}, err
	}
	for late := time.After(patience); ; {
		select {
		case r := <-answer:
			if r.ID != id {
				continue
			}
			if r.Type == "error" {
				return r, fmt.Errorf("%s is refused: %s", id, r.Text)
			}
			return r, nil
		case <-late:
			return response{}, fmt.Errorf("%s has no answer after %s", id, patience)
		}
	}
}

// removes lets the presenter remove everybody else from the room.
func (s *sitting) removes(last int) error {
	if last <= s.seats {
		return nil
	}
	var numbers bytes.Buffer
	for n := s.seats + 1; n <= last; n++ {
		fmt.Fprintf(&numbers, "%d ", n)
	}
	s.seats = last
	_, err := s.presenter.post(s.room+"/do", "verb", "remove", "seat", numbers.String())
	return err
}

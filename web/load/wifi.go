package main

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"lockstep/engine/course"
)

// The bytes of a class on its radio are the bytes that arrive on each socket, without TCP's and the radio's own headers.

// busySteps is how many steps the clients of a busy run do.
const busySteps = 200

// A listener is somebody whose bytes are counted.
type listener struct {
	what   string
	most   int // bytes a step; 0: no bound
	socket *socket
	moved  chan struct{} // it has heard something

	mu    sync.Mutex
	at    int // actions of the run
	bytes int // that had arrived with the last message
	ended error

	before int
	steps  []cost
}

// A cost is what one step has cost a listener.
type cost struct {
	bytes int
	step  string
}

// newListener opens the socket of a run, and returns when everything has come with which it begins.
func newListener(what string, v *visitor, run, surface string) (*listener, error) {
	socket, err := v.watches(run, surface)
	if err != nil {
		return nil, err
	}
	if _, err := socket.settles(); err != nil {
		socket.close()
		return nil, err
	}
	return &listener{what: what, socket: socket, bytes: socket.wire.bytes, moved: make(chan struct{}, 1)}, nil
}

// hears reads until the socket ends.
func (l *listener) hears() {
	for {
		message, err := l.socket.next()
		l.mu.Lock()
		if l.bytes = l.socket.wire.bytes; err != nil {
			l.ended = err
		} else if is(message, "events") {
			l.at = length(message)
		}
		l.mu.Unlock()
		select {
		case l.moved <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// reaches waits until the run has so many actions.
func (l *listener) reaches(actions int) error {
	for late := time.After(patience); ; {
		l.mu.Lock()
		at, ended := l.at, l.ended
		l.mu.Unlock()
		switch {
		case at >= actions:
			return nil
		case ended != nil:
			return ended
		}
		select {
		case <-l.moved:
		case <-late:
			return fmt.Errorf("%s has not heard of action %d", l.what, actions)
		}
	}
}

// arrived returns the bytes since the last call.
func (l *listener) arrived() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := l.bytes - l.before
	l.before = l.bytes
	return n
}

// row returns the costs of all steps. Nearly all must be within the bound: a lesson's last step may bring its closing text.
func (l *listener) row() row {
	sum := 0
	for _, c := range l.steps {
		sum += c.bytes
	}
	slices.SortFunc(l.steps, func(a, b cost) int { return a.bytes - b.bytes })
	nearly, dearest := l.steps[len(l.steps)*99/100], l.steps[len(l.steps)-1]
	r := row{what: "  " + l.what, figure: fmt.Sprintf("%d bytes on average, p99 %d, max %d (%s)", sum/len(l.steps), nearly.bytes, dearest.bytes, dearest.step)}
	if l.most > 0 {
		r.target, r.misses = fmt.Sprintf("<= %d KB", l.most>>10), nearly.bytes > l.most
	}
	return r
}

// A radio is a room whose bytes are counted.
type radio struct {
	server           *server
	room, run        string
	presenter, phone *visitor // the phone has a seat
	asked            int
	listeners        []*listener // the presenter first
}

func (r *radio) teacher() *visitor   { return r.presenter }
func (r *radio) client() *visitor    { return r.phone }
func (r *radio) spectator() *visitor { return newVisitor(r.server.url(), 0) }

// followers are the kinds of pages whose bytes are counted.
var followers = []struct {
	what, surface, lang string
	most                int
	who                 func(r *radio) *visitor
}{
	{"the presenter's laptop", "page", "en", 0, (*radio).teacher},
	{"a laptop that follows", "page", "en", laptopStep, (*radio).spectator},
	{"  in Chinese", "page", "zh", laptopStep, (*radio).spectator},
	{"the projector", "screen", "en", laptopStep, (*radio).teacher},
	{"the wall of sandboxes", "wall", "en", phoneStep, (*radio).teacher},
	{"a phone that is a client", "phone", "en", phoneStep, (*radio).client},
	{"  in Chinese", "phone", "zh", phoneStep, (*radio).client},
	{"a phone that is none", "phone", "en", phoneStep, (*radio).spectator},
	{"the remote", "remote", "en", phoneStep, (*radio).teacher},
}

// tunes opens a room that shows a lesson's run or, without a lesson, the busy one.
func tunes(s *server, lesson string) (*radio, error) {
	r := &radio{server: s, presenter: newVisitor(s.url(), 0), phone: newVisitor(s.url(), 0)}
	var err error
	if lesson == "" {
		r.room, r.run, err = r.presenter.opens(begins...)
	} else {
		r.room, r.run, err = r.presenter.shows(lesson)
	}
	if err != nil {
		return nil, err
	}
	if _, err := r.phone.post(r.room + "/seats"); err != nil {
		return nil, err
	}
	if _, err := r.presenter.post(r.room+"/do", "verb", "lanes", "size", "1"); err != nil && lesson == "" { // a lesson may begin without clients
		return nil, err
	}
	for _, f := range followers {
		v := f.who(r)
		v.lang = f.lang
		l, err := newListener(f.what, v, r.run, f.surface)
		if err != nil {
			r.ends()
			return nil, err
		}
		l.most = f.most
		r.listeners = append(r.listeners, l)
		go l.hears()
	}
	time.Sleep(quiet) // the last news of who is here
	for _, l := range r.listeners {
		_ = l.arrived()
	}
	return r, nil
}

// ends disconnects everybody.
func (r *radio) ends() {
	for _, l := range r.listeners {
		l.socket.close()
	}
}

// draftID finds the run on the page of a lesson.
var draftID = regexp.MustCompile(`/t/([a-z0-9]{10})`)

// shows opens a room that shows a lesson's run, from its opening.
func (v *visitor) shows(lesson string) (room, run string, err error) {
	page, _, err := v.get("/courses/" + lesson)
	if err != nil {
		return "", "", err
	}
	id := draftID.FindSubmatch(page)
	if id == nil {
		return "", "", errors.New("the page of " + lesson + " shows no run")
	}
	to, err := v.post("/rooms?begin="+lesson, "run", string(id[1]))
	if err != nil {
		return "", "", err
	}
	_, run, err = v.get(to)
	return strings.TrimSuffix(to, "/present"), run, err
}

// steps lets the presenter act from one position of the run to another. What comes after everybody has heard of a step
// counts for the next one.
func (r *radio) steps(what string, from, to int) error {
	for at := from; at < to; at++ {
		r.asked++
		if err := r.listeners[0].socket.say(fmt.Sprintf(`{"type":"schedule","id":"wifi-%d","at":%d}`, r.asked, at)); err != nil {
			return err
		}
		for _, l := range r.listeners {
			if err := l.reaches(at + 1); err != nil {
				return err
			}
		}
		for _, l := range r.listeners {
			l.steps = append(l.steps, cost{l.arrived(), fmt.Sprintf("%s%d", what, at+1)})
		}
	}
	return nil
}

// wifis measures the bytes of a class: of the steps of a busy run and of every lesson, and of a class that joins and votes.
func wifis(c class) ([]row, error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	busy, err := tunes(s, "")
	if err != nil {
		return nil, err
	}
	err = busy.steps("action ", beginsActions, beginsActions+min(busySteps, c.rate*c.seconds))
	busy.ends()
	if err != nil {
		return nil, err
	}
	var taught []*listener
	all := course.Builtin()
	for _, l := range all.Lessons[:min(len(all.Lessons), c.lessons)] {
		r, err := tunes(s, all.Name+"/"+l.Name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.Name, err)
		}
		err = r.steps(l.Name+" ", l.Opening(), len(l.Scenario.Actions()))
		r.ends()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", l.Name, err)
		}
		if taught == nil {
			taught = r.listeners
			continue
		}
		for i, one := range r.listeners {
			taught[i].steps = append(taught[i].steps, one.steps...)
		}
	}
	var rows []row
	for _, part := range []struct {
		what string
		to   []*listener
	}{{"bytes of a step of seven clients", busy.listeners}, {"bytes of a step of a lesson", taught}} {
		rows = append(rows, row{what: part.what, figure: fmt.Sprintf("%d steps", len(part.to[0].steps))})
		for _, l := range part.to {
			rows = append(rows, l.row())
		}
	}
	of, err := moments(c, s)
	return append(rows, of...), err
}

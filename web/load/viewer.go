package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"time"
)

// A viewer is somebody's page of a run. It follows the room to each run that the room
// shows, and connects again after each loss, as the page's script does.
type viewer struct {
	*visitor
	surface string
	all     sync.WaitGroup
	moved   chan struct{} // something has arrived

	mu      sync.Mutex
	socket  *socket // the current one; nil: none yet
	run     string
	at      int               // actions of the run
	heard   map[int]time.Time // when each step of the run came, by the actions that the run then has
	frames  [][]byte          // these steps
	keeps   bool              // the frames
	seat    seat              // as the server said last
	told    int               // bits of what has come on this socket
	up      time.Time         // when all of it had come
	bytes   int               // that have arrived with all messages on this socket
	before  int               // of these, when somebody last looked
	refused string            // the last error message; empty: none
	broken  int               // connections
	over    bool
}

// A seat is what the server says to a viewer about themselves.
type seat struct {
	Seat int
	Name string
	Lane string
	Vote int
	Own  string
}

// The messages without which a page is not complete.
var complete = []string{"hello", "room", "seat"}

func (v *viewer) isUp() bool { return v.told == 1<<len(complete)-1 }

// shows opens somebody's page of a run.
func (v *visitor) shows(run, surface string) *viewer {
	w := &viewer{visitor: v, run: run, surface: surface, at: -1, heard: map[int]time.Time{}, moved: make(chan struct{}, 1)}
	w.all.Go(w.stays)
	return w
}

// stays looks at the room until the end.
func (v *viewer) stays() {
	for attempt := 0; ; attempt++ {
		v.mu.Lock()
		run, over := v.run, v.over
		v.mu.Unlock()
		if over {
			return
		}
		if s, err := v.watches(run, v.surface); err == nil {
			v.mu.Lock()
			v.socket, v.before, v.bytes = s, 0, 0
			v.mu.Unlock()
			for v.reads(s, run) {
				attempt = -1
			}
			s.close()
		}
		v.mu.Lock()
		moved := v.run != run
		if !moved && !v.over && v.told > 0 {
			v.broken++
		}
		v.told = 0
		v.mu.Unlock()
		if !moved {
			time.Sleep(backOff(max(attempt, 0)))
		}
	}
}

// backOff returns how long static/js/run/socket.js waits before it tries again.
func backOff(attempt int) time.Duration {
	longest := min(10*time.Second, 250*time.Millisecond<<min(attempt, 10))
	return longest/2 + rand.N(longest/2)
}

// reads reads a message, and reports whether the viewer stays with this socket.
func (v *viewer) reads(s *socket, run string) bool {
	message, err := s.next()
	now := time.Now()
	if err != nil {
		return false
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.bytes = s.wire.bytes
	switch {
	case is(message, "events"):
		if at := length(message); at > v.at {
			v.at, v.heard[at] = at, now
			if v.keeps {
				v.frames = append(v.frames, bytes.Clone(message))
			}
		}
	case is(message, "hello"):
		v.at = length(message)
	case is(message, "room"):
		var room struct{ Run string }
		if json.Unmarshal(message, &room) == nil && room.Run != run && strings.HasPrefix(room.Run, "/t/") {
			v.run, v.at, v.heard = room.Run, -1, map[int]time.Time{}
			return false
		}
	case is(message, "seat"):
		v.seat = seat{}
		_ = json.Unmarshal(message, &v.seat) // a message without a seat says nothing of it
	case is(message, "error"):
		v.refused = string(message)
	}
	for bit, kind := range complete {
		if !v.isUp() && is(message, kind) {
			if v.told |= 1 << bit; v.isUp() {
				v.up = now
			}
		}
	}
	select {
	case v.moved <- struct{}{}:
	default:
	}
	return !v.over
}

// press lets a presenter press Step in a run with a number of actions, again when the
// server refuses it, until the step has come.
func (v *viewer) press(at int) error {
	asked := -1 // connections that had been lost
	for late := time.After(patience); ; {
		v.mu.Lock()
		came, again := v.at > at, v.isUp() && (asked != v.broken || v.refused != "")
		refused := v.refused
		v.mu.Unlock()
		if came {
			return nil
		}
		if again {
			if refused != "" {
				time.Sleep(pressAgain)
			}
			v.mu.Lock()
			asked, v.refused = v.broken, ""
			v.mu.Unlock()
			v.ask(at)
		}
		select {
		case <-v.moved:
		case <-time.After(pressAgain): // the socket may be another
		case <-late:
			return fmt.Errorf("step %d never comes: %s", at+1, refused)
		}
	}
}

// ask presses Step once. If the connection is lost, it comes back.
func (v *viewer) ask(at int) {
	v.mu.Lock()
	s := v.socket
	v.mu.Unlock()
	_ = s.say(fmt.Sprintf(`{"type":"schedule","id":"load-%d","at":%d}`, at, at))
}

// reach presses until the run has a number of actions.
func (v *viewer) reach(actions int) error {
	for {
		v.mu.Lock()
		at := v.at
		if at >= actions {
			v.refused = "" // somebody was faster
		}
		v.mu.Unlock()
		if at >= actions {
			return nil
		}
		if err := v.press(at); err != nil {
			return err
		}
	}
}

// pressAgain is how long people wait before they press again.
const pressAgain = 250 * time.Millisecond

// arrived returns the bytes that have arrived since the last call.
func (v *viewer) arrived() int {
	v.mu.Lock()
	defer v.mu.Unlock()
	n := v.bytes - v.before
	v.before = v.bytes
	return n
}

// cut cuts the connection.
func (v *viewer) cut() {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.socket != nil {
		v.socket.close()
	}
}

// A crowd is everybody who looks at a room.
type crowd []*viewer

// each calls do for every viewer, who does not change meanwhile.
func (c crowd) each(do func(v *viewer)) {
	for _, v := range c {
		v.mu.Lock()
		do(v)
		v.mu.Unlock()
	}
}

// wait waits until something holds for every viewer.
func (c crowd) wait(what string, so func(v *viewer) bool) error {
	for late := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
		missing := 0
		c.each(func(v *viewer) {
			if !so(v) {
				missing++
			}
		})
		switch {
		case missing == 0:
			return nil
		case time.Now().After(late):
			return fmt.Errorf("%d of %d have not %s", missing, len(c), what)
		}
	}
}

// broken returns how many connections were lost.
func (c crowd) broken() (n int) {
	c.each(func(v *viewer) { n += v.broken })
	return n
}

// end disconnects everybody for good.
func (c crowd) end() {
	c.each(func(v *viewer) { v.over = true })
	for _, v := range c {
		v.cut()
	}
	for _, v := range c {
		v.all.Wait()
	}
}

// A room is a class: a presenter and everybody else.
type room struct {
	path, run string
	presenter *viewer
	class     crowd
}

// begins is what the run of a measured room has done: the holder of a lock that
// never expires has crashed, and six others try again for as long as anybody measures.
var begins = []string{"spawn C1 C2 C3 C4 C5 C6 C7 naive", "step C1", "crash C1"}

// opens opens a room whose presenter is at the page of its run.
func (s *server) opens(lines ...string) (*room, error) {
	v := newVisitor(s.url(), 0)
	path, run, err := v.opens(lines...)
	if err != nil {
		return nil, err
	}
	r := &room{path: path, run: run, presenter: v.shows(run, "page")}
	return r, crowd{r.presenter}.wait("opened the page", (*viewer).isUp)
}

// fills lets n people in: each comes in their own way and then looks at the run.
func (r *room) fills(n int, surface string, comes func(v *visitor) error) error {
	more, err := together(n, func(i int) (*viewer, error) {
		v := newVisitor(r.presenter.site, i)
		defer v.leaves()
		if comes != nil {
			if err := comes(v); err != nil {
				return nil, err
			}
		}
		return v.shows(r.run, surface), nil
	})
	if err != nil {
		return err
	}
	r.class = append(r.class, more...)
	return r.class.wait("come", (*viewer).isUp)
}

// joins is what somebody does who takes a seat.
func (r *room) joins(v *visitor) error { return v.joins(r.path) }

func (r *room) end() { append(crowd{r.presenter}, r.class...).end() }

// does lets the presenter do something in the room.
func (r *room) does(fields ...string) error {
	_, err := r.presenter.post(r.path+"/do", append([]string{"verb"}, fields...)...)
	return err
}

// presses lets the presenter press at a rate, and returns how long each step took to
// reach each of the class, from the moment at which the press was due.
func (r *room) presses(n, rate int) (took times, err error) {
	p := r.presenter
	state := func() (at int, refused bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.at, p.refused != "" || !p.isUp()
	}
	first, _ := state()
	due, before := make([]time.Time, n), r.class.broken()
	began := time.Now()
	for i := range n {
		due[i] = began.Add(time.Duration(i) * time.Second / time.Duration(rate))
		time.Sleep(time.Until(due[i]))
		if _, refused := state(); !refused {
			p.ask(first + i) // a server that is slow is not asked for less
			continue
		}
		if err := p.reach(first + i + 1); err != nil {
			return nil, err
		}
	}
	if err := (crowd{p}).wait("an answer", func(p *viewer) bool { return p.at >= first+n || p.refused != "" || !p.isUp() }); err != nil {
		return nil, err
	}
	if err := p.reach(first + n); err != nil {
		return nil, err
	}
	if err := r.class.wait("heard of the last step", func(v *viewer) bool { return v.at >= first+n }); err != nil {
		return nil, err
	}
	missed, broken := 0, r.class.broken()-before
	r.class.each(func(v *viewer) {
		for i := range n {
			if heard, ok := v.heard[first+i+1]; ok {
				took = append(took, heard.Sub(due[i]))
			} else {
				missed++
			}
		}
	})
	if missed+broken > 0 {
		err = fmt.Errorf("%d steps were left out, and %d connections lost", missed, broken)
	}
	return sorted(took), err
}

package main

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// deliveryTime is how soon an event must reach every screen, before anybody notices a delay.
const deliveryTime = 60 * time.Millisecond

// A step costs somebody who follows at most so many bytes: a class shares one radio.
const (
	laptopStep = 3 << 10
	phoneStep  = 1 << 10
)

// delivers measures how long an event takes to reach every viewer, and how long the
// same bytes take through a server that only broadcasts them.
func delivers(c class) ([]row, error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	r, err := c.fills(s, c.viewers, c.surface)
	if err != nil {
		return nil, err
	}
	defer r.empty()
	before, err := s.metrics()
	if err != nil {
		return nil, err
	}
	phone := newVisitor(s.url(), 0)
	if _, r.phone, err = phone.joins(r.room, r.run); err != nil {
		return nil, err
	}
	phone.leaves()
	p, err := r.plays(c.rate, c.seconds)
	if err != nil {
		return nil, err
	}
	took := p.times()
	after, err := s.metrics()
	if err != nil {
		return nil, err
	}
	s.kill()
	beside, err := c.beside(p.frames)
	if err != nil {
		return nil, err
	}
	const busy = "process_cpu_seconds_total"
	what := fmt.Sprintf("%d viewers, %d events/s for %d s", c.viewers, c.rate, c.seconds)
	return []row{
		within(what, deliveryTime, took.p99(), fmt.Sprintf("%s (surface %s; %.0f%% of a core)",
			took, c.surface, 100*(after[busy]-before[busy])/float64(c.seconds))),
		{what: "  the same messages by a plain broadcast", figure: beside.String()},
		below("  a step on the wire to a laptop", laptopStep, p.bytes[0], len(p.frames)),
		below("  a step on the wire to a phone", phoneStep, p.bytes[len(p.bytes)-1], len(p.frames)),
	}, nil
}

// A crowd is a room with its viewers and its presenter, who acts.
type crowd struct {
	room, run string
	presenter *visitor
	acts      *socket
	actions   int
	asked     int // requests of the presenter
	watching  []*socket
	phone     *socket // nil: none
}

// begins is what the run of a measured room has done: the holder of a lock that
// never expires has crashed, and six others try again for as long as anybody measures.
var begins = []string{"spawn C1 C2 C3 C4 C5 C6 C7 naive", "step C1", "crash C1"}

const beginsActions = 9

// opens opens a room whose presenter acts on the page of its run.
func opens(s *server) (_ *crowd, err error) {
	r := &crowd{presenter: newVisitor(s.url(), 0), actions: beginsActions}
	if r.room, r.run, err = r.presenter.opens(begins...); err != nil {
		return nil, err
	}
	if r.acts, err = r.presenter.watches(r.run, "page"); err != nil {
		return nil, err
	}
	r.presenter.leaves()
	_, err = r.acts.settles()
	return r, err
}

// fills opens a room with viewers.
func (c class) fills(s *server, viewers int, surface string) (*crowd, error) {
	r, err := opens(s)
	if err != nil {
		return nil, err
	}
	r.watching, err = watch(s, r.run, viewers, surface)
	return r, err
}

// watch connects n viewers to a run, and returns when each has received its state.
func watch(s *server, run string, viewers int, surface string) ([]*socket, error) {
	return together(viewers, func(i int) (*socket, error) {
		socket, err := newVisitor(s.url(), i).watches(run, surface)
		if err != nil {
			return nil, err
		}
		_, err = socket.settles()
		return socket, err
	})
}

// empty disconnects everybody.
func (r *crowd) empty() {
	for _, s := range append(r.watching, r.acts, r.phone) {
		if s != nil {
			s.close()
		}
	}
}

// plays lets the presenter act at a rate until every event has reached everybody.
func (r *crowd) plays(rate, seconds int) (*play, error) {
	p := newPlay(r.actions+1, rate*seconds)
	for _, s := range r.watching {
		p.watch(s)
	}
	if r.phone != nil {
		p.watch(r.phone)
	}
	failed := make(chan error, 1)
	go func() { failed <- p.follow(r.acts) }()
	err := p.act(rate, func() error {
		defer func() { r.asked, r.actions = r.asked+1, r.actions+1 }()
		return r.acts.say(fmt.Sprintf(`{"type":"schedule","id":"load-%05d","at":%d}`, r.asked, r.actions))
	})
	if err != nil {
		return p, err
	}
	if err := <-failed; err != nil {
		return p, fmt.Errorf("the presenter: %w", err)
	}
	return p, p.end()
}

// A play holds requests, and when the event of each reached each viewer.
type play struct {
	began time.Time
	first int            // actions of the run with the first event
	asked []atomic.Int64 // nanoseconds after it began, by event

	mu     sync.Mutex
	took   []times
	bytes  []int    // that have arrived for each who watches
	frames [][]byte // as the first who watches got them
	failed error
	all    sync.WaitGroup
}

func newPlay(first, requests int) *play {
	return &play{began: time.Now(), first: first, asked: make([]atomic.Int64, requests)}
}

// act asks for one event after another at a rate, without waiting for the answers:
// a server that is slow is not asked for less.
func (p *play) act(rate int, ask func() error) error {
	began := time.Now()
	for n := range p.asked {
		time.Sleep(time.Until(began.Add(time.Duration(n) * time.Second / time.Duration(rate))))
		p.asked[n].Store(int64(time.Since(p.began)))
		if err := ask(); err != nil {
			return err
		}
	}
	return nil
}

// watch notes when each event is read on a socket.
func (p *play) watch(s *socket) {
	first := p.took == nil
	mine := make(times, 0, len(p.asked))
	at := len(p.took)
	p.took, p.bytes = append(p.took, nil), append(p.bytes, -s.wire.bytes)
	p.all.Go(func() {
		for len(mine) < len(p.asked) {
			_ = s.conn.SetReadDeadline(time.Now().Add(patience))
			message, err := s.next()
			read := time.Since(p.began)
			if err != nil {
				p.fail(fmt.Errorf("somebody who watches has got %d of %d events: %w", len(mine), len(p.asked), err))
				return
			}
			n := number(message) - p.first
			if n < 0 {
				continue
			}
			if n != len(mine) {
				p.fail(fmt.Errorf("event %d comes after %d others", n, len(mine)))
				return
			}
			mine = append(mine, read-time.Duration(p.asked[n].Load()))
			if first {
				p.frames = append(p.frames, bytes.Clone(message))
			}
		}
		p.mu.Lock()
		defer p.mu.Unlock()
		p.took[at] = mine
		p.bytes[at] += s.wire.bytes
	})
}

// follow reads what the presenter is told, up to the last event.
func (p *play) follow(s *socket) error {
	_ = s.conn.SetReadDeadline(time.Now().Add(time.Duration(len(p.asked))*time.Second + patience))
	for {
		message, err := s.next()
		if err != nil {
			return err
		}
		if is(message, "error") {
			return fmt.Errorf("the server refuses: %s", message)
		}
		if number(message) == p.first+len(p.asked)-1 {
			return nil
		}
	}
}

func (p *play) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failed = err
}

// end waits until the last event has reached everybody.
func (p *play) end() error {
	p.all.Wait()
	return p.failed
}

// times returns how long each event took to reach each viewer.
func (p *play) times() times { return sorted(p.took...) }

// number returns how many actions the run has after the event in a message, or -1 without an event.
func number(message []byte) int {
	if !is(message, "events") {
		return -1
	}
	return length(message)
}

// length returns how many actions the run has according to a message's first fields, or -1.
func length(message []byte) int {
	_, digits, ok := bytes.Cut(message[:min(len(message), 100)], []byte(`"actions":`))
	if !ok {
		return -1
	}
	n := 0
	for _, d := range digits {
		if d < '0' || d > '9' {
			break
		}
		n = 10*n + int(d-'0')
	}
	return n
}

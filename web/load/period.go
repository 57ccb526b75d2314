package main

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"
)

// A period is a stretch of class time. The presenter makes four of five presses, and a pupil whose phone is a client
// makes one. They come at a rate, however long the answers take.
type period struct {
	sitting *sitting
	first   int           // actions of the run when the first press is done
	number  int           // of the first press, among all that the class has made
	presses []press       // in their order
	over    chan struct{} // nobody presses again what was refused

	mu       sync.Mutex
	refusals int
	refusal  string // one of them
}

// A press is a button that somebody presses.
type press struct {
	by      *member
	message string
	asked   time.Time
}

const (
	pressID = "press-"

	// Somebody whose press is refused presses again after a moment.
	pressAgain = 250 * time.Millisecond
)

// periodGrace is how long the period waits for everybody after the last press. It is a variable for the tests alone, where the machine may
// be busy.
var periodGrace = 5 * time.Second

var errNoPupils = errors.New("no phone is a client that can step: there are too few phones")

// lasts runs the class for a duration.
func (s *sitting) lasts(rate int, d time.Duration) (*period, error) {
	p := &period{sitting: s, first: s.actions + 1, number: s.presses, over: make(chan struct{})}
	var pupils []*member
	for _, m := range s.phones {
		if m.lane != "" && m.lane != "C1" { // which has crashed
			pupils = append(pupils, m)
		}
	}
	if len(pupils) == 0 {
		return nil, errNoPupils
	}
	count := max(1, int(d.Seconds()*float64(rate)))
	for n := range count {
		made := press{by: s.presenter}
		as := fmt.Sprintf(`"id":"%s%d","at":%d`, pressID, p.number+n, s.actions+n)
		switch n % 5 {
		case 3:
			made.message = `{"type":"act",` + as + `,"action":"tick 1s"}`
		case 4: // every client has woken up
			made.by = pupils[(p.number+n)/5%len(pupils)]
			made.message = `{"type":"act",` + as + `,"action":"step ` + made.by.lane + `"}`
		default:
			made.message = `{"type":"schedule",` + as + `}`
		}
		p.presses = append(p.presses, made)
	}
	for _, m := range s.everybody() {
		m.ear.begins(p)
	}
	began := time.Now()
	for n := range p.presses {
		at := began.Add(time.Duration(n) * time.Second / time.Duration(rate))
		time.Sleep(time.Until(at))
		made := &p.presses[n]
		p.mu.Lock()
		made.asked = at
		p.mu.Unlock()
		_ = made.by.ear.say(made.message) // it fails for somebody who is disconnected, which judge tells
	}
	p.waits()
	close(p.over)
	s.presses += count
	s.actions = s.presenter.ear.told()
	return p, nil
}

func (e *ear) begins(p *period) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.period, e.heard, e.missed = p, make([]time.Time, len(p.presses)), 0
}

// refused repeats a press: at its next turn if somebody else was faster, otherwise after a moment.
func (p *period) refused(number int, why response) {
	n := number - p.number
	if n < 0 || n >= len(p.presses) {
		return
	}
	made := &p.presses[n]
	stale := why.Code == "stale"
	if !stale {
		p.mu.Lock()
		p.refusals++
		p.refusal = why.Text
		p.mu.Unlock()
	}
	wait := pressAgain
	if stale {
		wait = time.Millisecond
	}
	go func() {
		for {
			select {
			case <-p.over:
				return
			case <-time.After(wait):
			}
			if made.by.ear.isUp() != nil {
				return // which judge tells
			}
			if made.by.ear.told() >= p.first+n-1 {
				_ = made.by.ear.say(made.message) // as above
				return
			}
			wait = time.Millisecond
		}
	}()
}

// waits returns when everybody who is connected has received everything, or after the grace.
func (p *period) waits() {
	for began := time.Now(); time.Since(began) < periodGrace; time.Sleep(5 * time.Millisecond) {
		late := false
		for _, m := range p.sitting.everybody() {
			late = late || m.ear.isUp() == nil && m.ear.told() < p.first+len(p.presses)-1
		}
		if !late {
			return
		}
	}
}

// A verdict is what a class has noticed in a period.
type verdict struct {
	told  times    // from each of the presenter's presses to each phone and the projector
	own   times    // from each press of a pupil to their own phone
	hurts []string // what must not be
}

// judge returns how long everything took. A message that never came counts with the time that the class waited for it.
func (p *period) judge() (v verdict) {
	now := time.Now()
	lost, missed, up := 0, 0, 0
	var gone []string
	var ended error
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.sitting.everybody() {
		e := m.ear
		e.mu.Lock()
		if missed += e.missed; e.ended != nil {
			ended = e.ended
			gone = append(gone, m.surface)
		} else {
			up++
		}
		for n, made := range p.presses {
			heard := e.heard[n]
			if heard.IsZero() {
				heard = now
				if e.ended == nil {
					lost++
				}
			}
			switch {
			case made.by == p.sitting.presenter && m != p.sitting.presenter:
				v.told = append(v.told, heard.Sub(made.asked))
			case made.by == m && m != p.sitting.presenter:
				v.own = append(v.own, heard.Sub(made.asked))
			}
		}
		e.mu.Unlock()
	}
	v.told, v.own = sorted(v.told), sorted(v.own)
	if len(gone) > 0 {
		v.hurts = append(v.hurts, fmt.Sprintf("%d of the class were disconnected, such as the %s: %s", len(gone), gone[0], ended))
	}
	if missed > 0 {
		v.hurts = append(v.hurts, fmt.Sprintf("%d events were left out", missed))
	}
	if lost > 0 {
		v.hurts = append(v.hurts, fmt.Sprintf("%d events were not there %s after the last press", lost, periodGrace))
	}
	if p.refusals > 0 {
		v.hurts = append(v.hurts, fmt.Sprintf("%d presses were refused: %s", p.refusals, p.refusal))
	}
	return v
}

func (v verdict) String() string {
	return fmt.Sprintf("%s (a pupil's own press: %s)", v.told, v.own)
}

// hurt joins the complaints.
func hurt(all []string) string { return "MISSES: " + strings.Join(all, "; ") }

package main

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// After so long a class has lost the thread.
const settleTime = 10 * time.Second

// storms cuts every connection at once: first as a server does that loses its power
// and begins again, then as a network does that is gone for a moment. Everybody
// comes back as the script of their page does, to the same seat, lane and vote.
func storms(c class) ([]row, error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	r, room, err := opens(s)
	if err != nil {
		return nil, err
	}
	defer r.empty()
	phones, err := c.seats(s, r, room)
	if err != nil {
		return nil, err
	}
	all := newReturning(c.phones + c.viewers)
	defer all.end()
	for i, phone := range phones {
		all.stay(i, phone, r.run, "phone")
	}
	for i := range c.viewers {
		all.stay(c.phones+i, newVisitor(s.url(), i), r.run, c.surface)
	}
	first, _, err := all.wait(time.Now())
	if err != nil {
		return nil, err
	}
	var rows []row
	for _, storm := range []struct {
		what string
		cut  func() error
	}{
		{"after a kill -9 of the server", func() error { s.kill(); return s.start() }},
		{"after the network was gone", func() error { all.cut(); return nil }},
	} {
		began := time.Now()
		if err := storm.cut(); err != nil {
			return nil, err
		}
		here, took, err := all.wait(began)
		if err != nil {
			return nil, err
		}
		lost := 0
		for i := range here {
			if here[i] != first[i] {
				lost++
			}
		}
		what := fmt.Sprintf("%d come back %s", len(here), storm.what)
		next := within(what, settleTime, took.quantile(1), fmt.Sprintf("%s (each: %s), %d seats lost", brief(took.quantile(1)), took, lost))
		next.misses = next.misses || lost > 0
		rows = append(rows, next)
	}
	return rows, nil
}

// seats lets everybody join, holds a poll, and has all of them vote.
func (c class) seats(s *server, r *crowd, room string) ([]*visitor, error) {
	phones, err := together(c.phones, func(i int) (*visitor, error) {
		phone := newVisitor(s.url(), i)
		_, err := phone.post(room + "/seats")
		return phone, err
	})
	if err != nil {
		return nil, err
	}
	if _, err := r.presenter.post(room+"/do", "verb", "lanes", "size", "3"); err != nil {
		return nil, err
	}
	if _, err := r.presenter.post(room+"/do", "verb", "ask", "kind", "predict", "client", "C2"); err != nil {
		return nil, err
	}
	return together(c.phones, func(i int) (*visitor, error) {
		defer phones[i].leaves()
		_, err := phones[i].post(room+"/do", "verb", "vote", "choice", "0")
		return phones[i], err
	})
}

// returning are people whose pages connect again whenever their connection is lost.
type returning struct {
	arrivals chan arrival
	ended    chan struct{}
	all      sync.WaitGroup

	mu   sync.Mutex
	open map[int]*socket
}

// An arrival is that somebody has again been told all that their page shows.
type arrival struct {
	who  int
	own  string // what they were told of their seat
	when time.Time
}

func newReturning(n int) *returning {
	return &returning{arrivals: make(chan arrival, n), ended: make(chan struct{}), open: map[int]*socket{}}
}

// stay lets somebody look at a run until the end.
func (r *returning) stay(who int, v *visitor, run, surface string) {
	r.all.Go(func() {
		for attempt := 0; ; attempt++ {
			if socket, err := v.watches(run, surface); err == nil {
				r.keep(who, socket)
				if own, err := socket.settles(); err == nil {
					attempt = 0
					r.arrivals <- arrival{who, own, time.Now()}
					for err == nil {
						_, err = socket.next()
					}
				}
				socket.close()
			}
			select {
			case <-r.ended:
				return
			case <-time.After(backOff(attempt)):
			}
		}
	})
}

// backOff is how long static/js/run/socket.js waits before it tries again.
func backOff(attempt int) time.Duration {
	longest := min(10*time.Second, 250*time.Millisecond<<min(attempt, 10))
	return longest/2 + rand.N(longest/2)
}

func (r *returning) keep(who int, s *socket) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[who] = s
}

// cut closes every connection.
func (r *returning) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, s := range r.open {
		s.close()
	}
}

// wait waits until everybody is there, and gives what each was told, and how long
// it has taken since then.
func (r *returning) wait(since time.Time) (own []string, took times, err error) {
	here := map[int]arrival{}
	late := time.After(patience)
	for len(here) < cap(r.arrivals) {
		select {
		case a := <-r.arrivals:
			here[a.who] = a
		case <-late:
			return nil, nil, fmt.Errorf("%d of %d are there after %s", len(here), cap(r.arrivals), patience)
		}
	}
	own = make([]string, len(here))
	for who, a := range here {
		own[who] = a.own
		took = append(took, a.when.Sub(since))
	}
	return own, sorted(took), nil
}

// end lets everybody go for good.
func (r *returning) end() {
	close(r.ended)
	go func() { // those who arrive just now
		for range r.arrivals {
		}
	}()
	r.cut()
	r.all.Wait()
	close(r.arrivals)
}

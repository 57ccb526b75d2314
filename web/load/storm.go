package main

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"time"
)

// settleTime is how soon a class must be back; after that it has lost the thread.
const settleTime = 10 * time.Second

// storms cuts every connection at once: first with a server that loses power and
// restarts, then with a network that fails for a moment. Everybody reconnects as the
// page's script does, to the same seat, lane and vote.
func storms(c class) ([]row, error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	r, err := opens(s)
	if err != nil {
		return nil, err
	}
	defer r.empty()
	phones, err := c.seats(s, r)
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

// seats lets everybody join, holds a poll, and lets everybody vote.
func (c class) seats(s *server, r *crowd) ([]*visitor, error) {
	phones, err := together(c.phones, func(i int) (*visitor, error) {
		phone := newVisitor(s.url(), i)
		_, err := phone.post(r.room + "/seats")
		return phone, err
	})
	if err != nil {
		return nil, err
	}
	if _, err := r.presenter.post(r.room+"/do", "verb", "lanes", "size", "3"); err != nil {
		return nil, err
	}
	if _, err := r.presenter.post(r.room+"/do", "verb", "ask", "kind", "predict", "client", "C2"); err != nil {
		return nil, err
	}
	return together(c.phones, func(i int) (*visitor, error) {
		defer phones[i].leaves()
		_, err := phones[i].post(r.room+"/do", "verb", "vote", "choice", "0")
		return phones[i], err
	})
}

// returning are people whose pages reconnect after each lost connection.
type returning struct {
	arrivals chan arrival
	ended    chan struct{}
	all      sync.WaitGroup

	mu   sync.Mutex
	open map[int]*socket
}

// An arrival is the moment at which somebody's page is complete again.
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

// backOff returns how long static/js/run/socket.js waits before it tries again.
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

// wait waits for everybody, and returns what each received and how long it took.
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

// end disconnects everybody for good.
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

package main

import (
	"fmt"
	"time"
)

// settleTime is how soon a class must be back; after that it has lost the thread.
const settleTime = 10 * time.Second

// storms cuts every connection at once: first with a server that loses power and
// restarts, then with a network that fails for a moment. Everybody must come back to
// the same seat, lane and vote.
func storms(c class) ([]row, error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	r, err := s.opens(begins...)
	if err != nil {
		return nil, err
	}
	defer r.end()
	if err := r.fills(c.phones, "phone", r.joins); err != nil {
		return nil, err
	}
	for _, fields := range [][]string{{"lanes", "size", "3"}, {"ask", "kind", "predict", "client", "C2"}} {
		if err := r.does(fields...); err != nil {
			return nil, err
		}
	}
	if _, err := together(c.phones, func(i int) (string, error) {
		defer r.class[i].leaves()
		return r.class[i].post(r.path+"/do", "verb", "vote", "choice", "1")
	}); err != nil {
		return nil, err
	}
	phones := r.class
	if err := phones.wait("their vote", func(v *viewer) bool { return v.seat.Vote == 1 }); err != nil {
		return nil, err
	}
	if err := r.fills(c.viewers, "page", nil); err != nil {
		return nil, err
	}
	var first []seat
	r.class.each(func(v *viewer) { first = append(first, v.seat) })
	var rows []row
	for _, storm := range []struct {
		what string
		cut  func() error
	}{
		{"a kill -9", func() error { s.kill(); return s.start() }},
		{"a cut", func() error {
			for _, v := range r.class {
				v.cut()
			}
			return nil
		}},
	} {
		began := time.Now()
		if err := storm.cut(); err != nil {
			return nil, err
		}
		if err := r.class.wait("come back", func(v *viewer) bool { return v.isUp() && v.up.After(began) }); err != nil {
			return nil, err
		}
		lost, who := 0, 0
		r.class.each(func(v *viewer) {
			if v.seat != first[who] {
				lost++
			}
			who++
		})
		took := r.class.back(began)
		next := within(fmt.Sprintf("%d come back after %s", len(r.class), storm.what), settleTime, took.quantile(1), fmt.Sprintf("%s, %d seats lost", took, lost))
		next.misses = next.misses || lost > 0
		rows = append(rows, next)
	}
	return rows, nil
}

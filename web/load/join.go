package main

import (
	"fmt"
	"time"
)

// joinTime is how soon the whole class must be in the room.
const joinTime = 5 * time.Second

// joins lets everybody scan the code at the same moment with an empty cache. Each
// loads the page with its files, takes a seat, and opens the phone's page and its socket.
func joins(c class) ([]row, error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	r, err := s.opens("spawn C1 C2 C3 naive")
	if err != nil {
		return nil, err
	}
	defer r.end()
	began := time.Now()
	if err := r.fills(c.phones, "phone", r.joins); err != nil {
		return nil, err
	}
	took := r.class.back(began)
	return []row{within(fmt.Sprintf("%d phones join", c.phones), joinTime, took.quantile(1), took.String())}, nil
}

// back returns how long each took until their page was complete.
func (c crowd) back(since time.Time) (took times) {
	c.each(func(v *viewer) { took = append(took, v.up.Sub(since)) })
	return sorted(took)
}

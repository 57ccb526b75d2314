package main

import (
	"errors"
	"fmt"
	"time"
)

// inManyRooms is how long an event may take where ten classes act at the same
// instants and wait for one disk. Nobody notices a tenth of a second.
const inManyRooms = 100 * time.Millisecond

const (
	phonesEach = 30 // in each of several rooms
	rateEach   = 5  // events a second in each of them
)

// manyRooms measures many classes at once, each with phones, a projector and a
// presenter who acts.
func manyRooms(c class) ([]row, error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	crowds, err := together(c.rooms, func(int) (*crowd, error) {
		r, err := opens(s)
		if err != nil {
			return nil, err
		}
		r.watching, err = together(phonesEach, func(i int) (*socket, error) {
			phone := newVisitor(s.url(), i)
			defer phone.leaves()
			_, socket, err := phone.joins(r.room, r.run)
			return socket, err
		})
		if err != nil {
			return nil, err
		}
		projector, err := newVisitor(s.url(), 0).watches(r.run, "screen")
		if err != nil {
			return nil, err
		}
		_, err = projector.settles()
		r.watching = append(r.watching, projector)
		return r, errors.Join(err, r.deals())
	})
	if err != nil {
		return nil, err
	}
	took, err := together(c.rooms, func(i int) (times, error) {
		defer crowds[i].empty()
		p, err := crowds[i].plays(rateEach, c.seconds)
		return p.times(), err
	})
	if err != nil {
		return nil, err
	}
	each := sorted(took...)
	what := fmt.Sprintf("%d rooms, %d phones and %d events/s in each", c.rooms, phonesEach, rateEach)
	return []row{within(what, inManyRooms, each.p99(), each.String())}, nil
}

// deals makes the phones clients: some of them, and the others the network.
func (r *crowd) deals() error {
	_, err := r.presenter.post(r.room+"/do", "verb", "lanes", "size", "3")
	return err
}

package main

import (
	"fmt"
	"sync"
	"time"
)

const (
	newcomerTime = 2 * time.Second // for somebody who comes in the middle of a lesson
	newcomerFrom = "127.0.0.3"
)

// newcomers arrive one after the other from an address of their own. Each opens the home page, then joins the class.
type newcomers struct {
	mu      sync.Mutex
	came    int
	late    []error
	slowest time.Duration
	seat    int // the last one that was taken
}

// come sends one newcomer every second until the end, and returns when each has joined or given up.
func (n *newcomers) come(site, room, run string, ended <-chan struct{}) {
	var all sync.WaitGroup
	defer all.Wait()
	for i := 0; ; i++ {
		all.Go(func() { n.try(newVisitor(site, i).from(newcomerFrom).inTime(newcomerTime), room, run) })
		select {
		case <-ended:
			return
		case <-time.After(time.Second):
		}
	}
}

func (n *newcomers) try(v *visitor, room, run string) {
	defer v.leaves()
	began := time.Now()
	seat, err := v.comes(room, run)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.came++
	n.slowest = max(n.slowest, time.Since(began))
	n.seat = max(n.seat, seat)
	if err != nil {
		n.late = append(n.late, err)
	}
}

// comes opens the home page and joins a room.
func (v *visitor) comes(room, run string) (seat int, err error) {
	if _, _, err := v.get("/"); err != nil {
		return 0, err
	}
	own, socket, err := v.joins(room, run)
	if err != nil {
		return 0, err
	}
	socket.close()
	return seated(own).Seat, nil
}

func (n *newcomers) String() string {
	said := fmt.Sprintf("%d of %d newcomers joined, the slowest in %s", n.came-len(n.late), n.came, brief(n.slowest))
	if len(n.late) > 0 {
		said += fmt.Sprintf(" (%s)", n.late[0])
	}
	return said
}

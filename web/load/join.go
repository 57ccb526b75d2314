package main

import (
	"fmt"
	"regexp"
	"time"
)

// joinTime is how soon the whole class must be in the room.
const joinTime = 5 * time.Second

// files are the style sheets and scripts of a page.
var files = regexp.MustCompile(`(?:href|src)="(/static/[^"]+)"`)

// joins lets everybody scan the code at the same moment with an empty cache. Each
// loads the page with its files, takes a seat, and opens the phone's page and its socket.
func joins(c class) ([]row, error) {
	s, err := c.serve()
	if err != nil {
		return nil, err
	}
	defer s.kill()
	room, run, err := newVisitor(s.url(), 0).opens("spawn C1 C2 C3 naive")
	if err != nil {
		return nil, err
	}
	began := time.Now()
	took, err := together(c.phones, func(i int) (time.Duration, error) {
		phone := newVisitor(s.url(), i)
		defer phone.leaves()
		_, socket, err := phone.joins(room, run)
		if err != nil {
			return 0, err
		}
		defer socket.close()
		return time.Since(began), nil
	})
	if err != nil {
		return nil, err
	}
	each := sorted(took)
	all := each.quantile(1)
	return []row{within(fmt.Sprintf("%d phones join", c.phones), joinTime, all, brief(all)+" (each: "+each.String()+")")}, nil
}

// joins takes a seat, from the code to the socket, and returns what the seat receives.
func (v *visitor) joins(room, run string) (seat string, _ *socket, err error) {
	page, _, err := v.get(room)
	if err != nil {
		return "", nil, err
	}
	for _, file := range files.FindAllSubmatch(page, -1) {
		if _, _, err := v.get(string(file[1])); err != nil {
			return "", nil, err
		}
	}
	to, err := v.post(room + "/seats")
	if err != nil {
		return "", nil, err
	}
	if _, _, err := v.get(to); err != nil { // the browser has its files by now
		return "", nil, err
	}
	socket, err := v.watches(run, "phone")
	if err != nil {
		return "", nil, err
	}
	seat, err = socket.settles()
	if err != nil {
		socket.close()
	}
	return seat, socket, err
}

package class

import (
	"maps"
	"time"
)

// A presence is what one server tells the others about the people in a room.
type presence struct {
	Server   string      `json:"server"`
	Ask      bool        `json:"ask,omitempty"` // the server has just opened the room and asks for the others' presence
	Here     []int       `json:"here"`          // seats
	Away     []int       `json:"away"`          // seats of Here
	Progress map[int]int `json:"progress,omitempty"`
	heard    time.Time
}

// presences has the last presence of each other server. The room's lock guards it.
type presences map[string]presence

// forgetSilent forgets the servers that have been silent for too long.
func (p presences) forgetSilent() {
	maps.DeleteFunc(p, func(_ string, one presence) bool { return time.Since(one.heard) > gone })
}

// forgetProgress forgets the progress of a seat, because the seat has another sandbox now.
func (p presences) forgetProgress(seat int) {
	for _, one := range p {
		delete(one.Progress, seat)
	}
}

// with returns the seats that are here or away with any server. The arguments are those with this server.
func (p presences) with(mineHere, mineAway []int) (here, away map[int]bool) {
	here, away = map[int]bool{}, map[int]bool{}
	add := func(to map[int]bool, seats []int) {
		for _, seat := range seats {
			to[seat] = true
		}
	}
	add(here, mineHere)
	add(away, mineAway)
	for _, one := range p {
		add(here, one.Here)
		add(away, one.Away)
	}
	return here, away
}

// progress returns how many actions each sandbox has, as far as any server knows. The argument is this server's knowledge.
func (p presences) progress(mine map[int]int) map[int]int {
	most := maps.Clone(mine)
	for _, one := range p {
		for seat, n := range one.Progress {
			most[seat] = max(most[seat], n)
		}
	}
	return most
}

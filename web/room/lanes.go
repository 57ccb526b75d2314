package room

import "slices"

// HasLanes reports whether phones are clients.
func (r *Room) HasLanes() bool { return r.lanes != nil }

// deal gives the seats their lanes: one seat to each lane in order of joining, then a second one, up to the size of a
// team. A seat that holds one of the lanes, or held it last, keeps it while there is a place. Without lanes, phones are
// clients no more.
func (r *Room) deal(lanes []string, size int) {
	kept := make([]string, 1+len(r.seats)) // by number
	for number, s := range r.people() {
		kept[number] = s.former
		if r.lanes != nil {
			kept[number] = s.lane
		}
		s.lane = ""
	}
	if len(lanes) == 0 {
		r.lanes, r.size = nil, 0
		return
	}
	r.lanes, r.size = slices.Clone(lanes), size
	held := map[string]int{}
	for number, s := range r.people() {
		if lane := kept[number]; slices.Contains(lanes, lane) && held[lane] < size {
			s.lane = lane
			held[lane]++
		}
	}
	for number, s := range r.people() {
		if s.lane == "" {
			lane := r.emptiest(held)
			r.hold(number, lane)
			held[lane]++
		}
	}
	// An empty lane takes a member of the fullest team.
	for _, lane := range lanes {
		if held[lane] > 0 {
			continue
		}
		fullest := slices.MaxFunc(lanes, func(a, b string) int { return held[a] - held[b] })
		if team := r.team(fullest); len(team) > 1 {
			r.hold(team[len(team)-1], lane)
			held[lane]++
			held[fullest]--
		}
	}
	r.unvote()
}

// place moves a seat to a lane. The presenter may exceed the size of a team.
func (r *Room) place(number int, lane string) {
	r.hold(number, lane)
	r.unvote()
}

func (r *Room) hold(number int, lane string) {
	s := r.seat(number)
	s.lane = lane
	if lane != "" {
		s.former = lane
	}
}

// team returns the seats that hold a lane, in order of joining.
func (r *Room) team(lane string) []int {
	var seats []int
	for number, s := range r.people() {
		if s.lane == lane {
			seats = append(seats, number)
		}
	}
	return seats
}

// held counts the seats that hold each lane.
func (r *Room) held() map[string]int {
	held := map[string]int{}
	for _, s := range r.people() {
		held[s.lane]++
	}
	return held
}

// emptiest returns the first lane that the fewest seats hold, or "" when every team is full.
func (r *Room) emptiest(held map[string]int) string {
	best, fewest := "", r.size
	for _, lane := range r.lanes {
		if held[lane] < fewest {
			best, fewest = lane, held[lane]
		}
	}
	return best
}

// canLanes accepts up to MaxLanes different clients.
func canLanes(_ *Room, e Entry) error {
	lanes, size := e.Lanes, e.Size
	if len(lanes) == 0 {
		return nil
	}
	if len(lanes) > MaxLanes || size < 1 || size > MaxSeats {
		return ErrLanes
	}
	for i, lane := range lanes {
		if !isShort(lane, maxID) || slices.Contains(lanes[:i], lane) {
			return ErrLanes
		}
	}
	return nil
}

// canPlace refuses a lane that nobody could hold.
func (r *Room) canPlace(number int, lane string) error {
	s := r.seat(number)
	switch {
	case s == nil:
		return ErrNoSeat
	case r.lanes == nil, lane != "" && !slices.Contains(r.lanes, lane):
		return ErrNoLane
	case s.lane == lane:
		return ErrSame
	}
	return nil
}

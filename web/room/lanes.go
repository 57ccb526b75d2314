package room

import "slices"

// The verbs of phones that are clients.
const (
	VerbLanes Verb = "lanes" // Lanes, Size: which clients there are to hold, and by how many each; none: that is over
	VerbPlace Verb = "place" // Seat, Lane: moves somebody to a lane; "": the network
)

var laneVerbs = []verb{
	{
		name: VerbLanes, who: onlyPresenter,
		possible: canLanes,
		apply:    func(r *Room, e Entry) { r.deal(e.Lanes, e.Size) },
		control:  bare,
		begins:   true,
		wide:     true,
	},
	{
		name: VerbPlace, who: onlyPresenter,
		possible: canPlace,
		apply:    place,
		read:     func(_ Who, f Form) Entry { return Entry{Seat: f.Number("seat"), Lane: f("lane")} },
		wide:     true,
	},
}

// The lanes are the clients that phones are.
type lanes struct {
	clients []string // nil: nobody holds a client
	size    int      // of a lane's team
}

// HasLanes reports whether phones are clients.
func (l *lanes) HasLanes() bool { return l.clients != nil }

// deal gives the seats their lanes: one seat to each lane in order of joining, then a second one, up to the size of a
// team. A seat that holds one of the lanes, or held it last, keeps it while there is a place. Without lanes, phones are
// clients no more.
func (r *Room) deal(clients []string, size int) {
	kept := make([]string, 1+len(r.seats)) // by number
	for number, s := range r.seated() {
		kept[number] = s.former
		if r.HasLanes() {
			kept[number] = s.lane
		}
		s.lane = ""
	}
	if len(clients) == 0 {
		r.lanes = lanes{}
		return
	}
	r.lanes = lanes{slices.Clone(clients), size}
	held := map[string]int{}
	for number, s := range r.seated() {
		if lane := kept[number]; slices.Contains(clients, lane) && held[lane] < size {
			s.lane = lane
			held[lane]++
		}
	}
	for _, s := range r.seated() {
		if s.lane == "" {
			lane := r.emptiest(held)
			s.hold(lane)
			held[lane]++
		}
	}
	// An empty lane takes a member of the fullest team.
	for _, lane := range clients {
		if held[lane] > 0 {
			continue
		}
		fullest := slices.MaxFunc(clients, func(a, b string) int { return held[a] - held[b] })
		if team := r.team(fullest); len(team) > 1 {
			r.seat(team[len(team)-1]).hold(lane)
			held[lane]++
			held[fullest]--
		}
	}
	r.unvote()
}

// place moves a seat to a lane. The presenter may exceed the size of a team.
func place(r *Room, e Entry) {
	r.seat(e.Seat).hold(e.Lane)
	r.unvote()
}

func (s *seat) hold(lane string) {
	s.lane = lane
	if lane != "" {
		s.former = lane
	}
}

// team returns the seats that hold a lane, in order of joining.
func (p *people) team(lane string) []int {
	var seats []int
	for number, s := range p.seated() {
		if s.lane == lane {
			seats = append(seats, number)
		}
	}
	return seats
}

// held counts the seats that hold each lane.
func (p *people) held() map[string]int {
	held := map[string]int{}
	for _, s := range p.seated() {
		held[s.lane]++
	}
	return held
}

// emptiest returns the first lane that the fewest seats hold, or "" when every team is full.
func (l *lanes) emptiest(held map[string]int) string {
	best, fewest := "", l.size
	for _, lane := range l.clients {
		if held[lane] < fewest {
			best, fewest = lane, held[lane]
		}
	}
	return best
}

// canLanes accepts up to MaxLanes different clients.
func canLanes(_ *Room, e Entry) error {
	clients, size := e.Lanes, e.Size
	if len(clients) == 0 {
		return nil
	}
	if len(clients) > MaxLanes || size < 1 || size > MaxSeats {
		return ErrLanes
	}
	for i, lane := range clients {
		if !isShort(lane, maxID) || slices.Contains(clients[:i], lane) {
			return ErrLanes
		}
	}
	return nil
}

// canPlace refuses a lane that nobody could hold.
func canPlace(r *Room, e Entry) error {
	s := r.seat(e.Seat)
	switch {
	case s == nil:
		return ErrNoSeat
	case !r.HasLanes(), e.Lane != "" && !slices.Contains(r.clients, e.Lane):
		return ErrNoLane
	case s.lane == e.Lane:
		return ErrSame
	}
	return nil
}

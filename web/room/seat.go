package room

// A seat is a participant.
type seat struct {
	name    string // chosen; "": the generated one counts
	like    string // the name as others are compared with it
	roster  string
	lane    string // the client that it holds; "": none, it is the network
	former  string // the last one that it held
	entries int    // that came from it

	sandbox string // its run in the exercise
	mark    Mark   // how it gets on there
}

// seat is a seat by its number; nil: nobody sits there.
func (r *Room) seat(number int) *seat {
	if number < 1 || number > len(r.seats) {
		return nil
	}
	return &r.seats[number-1]
}

func (r *Room) join(key string) {
	r.seats = append(r.seats, seat{})
	number := len(r.seats)
	r.keys[key] = Who{Seat: number}
	if r.lanes != nil {
		r.hold(number, r.emptiest(r.held()))
	}
}

// nameOf is what a seat is called: by a name of its own only while that is
// switched on, so that the presenter can take what somebody has written off every
// screen.
func (r *Room) nameOf(number int) Words {
	s := r.seat(number)
	switch {
	case s == nil:
		return Words{}
	case r.free && s.name != "":
		return Words{s.name, s.name}
	}
	return seatName(r.name, number)
}

// canName refuses what a seat cannot be called.
func (r *Room) canName(e Entry) error {
	s := r.seat(e.Seat)
	if s == nil {
		return ErrNoSeat
	}
	name, ok := cleanName(e.Text, MaxName)
	roster, fits := cleanName(e.Roster, MaxRoster)
	switch {
	case e.Text != "" && !r.free:
		return ErrNameOff
	case e.Roster != "" && !r.rosters:
		return ErrRosterOff
	case !ok, e.Text != "" && name == "":
		return ErrName
	case !fits:
		return ErrRoster
	case name == s.name && roster == s.roster:
		return ErrSame
	case name != "" && r.taken(name, e.Seat):
		return ErrNameTaken
	}
	return nil
}

// taken reports a name under which somebody could be taken for another.
func (r *Room) taken(name string, but int) bool {
	like := folded(name)
	for i := range r.seats {
		if i+1 != but && r.seats[i].like == like {
			return true
		}
	}
	return couldBeGenerated(name)
}

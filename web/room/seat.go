package room

import "iter"

// A seat is a participant.
type seat struct {
	key     string // its hash
	gone    bool   // the presenter has removed it: nothing of it is left but its number
	names   int    // entries that have named it
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
	if number < 1 || number > len(r.seats) || r.seats[number-1].gone {
		return nil
	}
	return &r.seats[number-1]
}

// people are the seats that somebody has, by their numbers, in order of joining.
func (r *Room) people() iter.Seq2[int, *seat] {
	return func(yield func(int, *seat) bool) {
		for i := range r.seats {
			if s := &r.seats[i]; !s.gone && !yield(i+1, s) {
				return
			}
		}
	}
}

func (r *Room) join(key string) {
	r.seats = append(r.seats, seat{key: key})
	number := len(r.seats)
	r.keys[key] = Who{Seat: number}
	if r.lanes != nil {
		r.hold(number, r.emptiest(r.held()))
	}
}

func (r *Room) removeAll(e Entry) {
	for _, number := range e.Seats {
		r.remove(number)
	}
}

// remove takes a seat away from whoever has it: its key, its lane, its part in what is asked and in the exercise, and
// the wheel. A vote counts no more, unless the answer is out. If the room looks at its sandbox, it looks away.
func (r *Room) remove(number int) {
	s := r.seat(number)
	if s == nil {
		return // removed before
	}
	delete(r.keys, s.key)
	r.lost[s.key] = VerbRemove
	*s = seat{gone: true}
	if r.driver == number {
		r.driver, r.turn = 0, 0
	}
	if r.poll != nil && r.poll.phase != Revealed {
		for _, votes := range r.poll.votes {
			delete(votes, number)
		}
	}
	if r.sandboxes[r.run] == number {
		r.show(r.base)
	}
}

// canRemove refuses seats that nobody ever had, and to remove nobody.
func (r *Room) canRemove(seats []int) error {
	if len(seats) > MaxSeats {
		return ErrMalformed
	}
	nobody := true
	for _, number := range seats {
		if number < 1 || number > len(r.seats) {
			return ErrNoSeat
		}
		nobody = nobody && r.seat(number) == nil
	}
	return same(nobody)
}

// canJoin refuses one more seat, whoever takes it.
func (r *Room) canJoin(key string) error {
	switch {
	case r.locked:
		return ErrLocked
	case len(r.seats) >= MaxJoined, r.Seats() >= MaxSeats:
		return ErrFull
	}
	return r.canKey(key)
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

func (r *Room) rename(e Entry) {
	s := r.seat(e.Seat)
	s.name, _ = cleanName(e.Text, MaxName)
	s.like = folded(s.name)
	s.roster, _ = cleanName(e.Roster, MaxRoster)
}

// takesAway reports whether a name is taken away and none given in its place.
func (e Entry) takesAway() bool { return e.Verb == VerbName && e.Text == "" && e.Roster == "" }

// taken reports whether somebody could be taken for another under a name.
func (r *Room) taken(name string, but int) bool {
	like := folded(name)
	for number, s := range r.people() {
		if number != but && s.like == like {
			return true
		}
	}
	return couldBeGenerated(name)
}

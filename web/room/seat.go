package room

import (
	"iter"

	"lockstep/engine/lang"
)

// A seat is a participant.
type seat struct {
	key     string   // its hash
	gone    bool     // the presenter has removed it, and only its number is left
	names   int      // entries that have named it
	name    string   // chosen; "": the generated one counts
	like    likeness // of the name
	roster  string
	lane    string // the client that it holds; "": none, it is the network
	former  string // the lane that it held last
	entries int    // that came from it

	sandbox string // its run in the exercise
	mark    Mark   // its progress there
	copies  []Copy // its last sandbox of each exercise

	given map[string][]string // its answers to a test, by form
}

// seat returns a seat by its number; nil: nobody sits there.
func (r *Room) seat(number int) *seat {
	if number < 1 || number > len(r.seats) || r.seats[number-1].gone {
		return nil
	}
	return &r.seats[number-1]
}

// people yields the taken seats with their numbers, in order of joining.
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

// remove takes a seat's key, lane, sandbox and control of the run. Its vote counts only in a poll that is already
// revealed. A room that looks at its sandbox goes back to its own run.
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
		r.show(Entry{Run: r.base})
	}
}

// canRemove refuses numbers that no seat ever had, and an entry that removes nobody.
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

// canJoin refuses another seat in a locked or full room.
func (r *Room) canJoin(key string) error {
	switch {
	case r.locked:
		return ErrLocked
	case len(r.seats) >= MaxJoined, r.Seats() >= MaxSeats:
		return ErrFull
	}
	return r.canKey(key)
}

// nameOf returns the name of a seat. A name of its own shows only while own names are on: the presenter can take every
// written name off every screen at once.
func (r *Room) nameOf(number int) lang.Text {
	s := r.seat(number)
	switch {
	case s == nil:
		return lang.Text{}
	case r.free && s.name != "":
		return lang.Both(s.name, s.name)
	}
	return seatName(r.name, number)
}

// canName refuses a name that is switched off, malformed, unchanged or taken.
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
	s.like = likenessOf(s.name)
	s.roster, _ = cleanName(e.Roster, MaxRoster)
}

// takesAway reports whether an entry takes a name away and gives no other.
func (e Entry) takesAway() bool { return e.Verb == VerbName && e.Text == "" && e.Roster == "" }

// taken reports whether a name could make two people look the same.
func (r *Room) taken(name string, but int) bool {
	like := likenessOf(name)
	for number, s := range r.people() {
		if number != but && s.name != "" && s.like.like(like) {
			return true
		}
	}
	return couldBeGenerated(name)
}

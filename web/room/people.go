package room

import (
	"iter"
	"slices"

	"lockstep/engine/lang"
)

// The verbs of the people.
const (
	VerbJoin   Verb = "join"   // Key: takes the next seat
	VerbRemove Verb = "remove" // Seats: takes them away from those who have them
	VerbLock   Verb = "lock"   // On: nobody joins, but for those who have a seat
	VerbName   Verb = "name"   // Seat, Text, Roster: what a seat is called from now on; nothing: as in the beginning
	VerbSwitch Verb = "switch" // Free, Rosters: whether seats may choose a name, and enter themselves in the roster
)

var peopleVerbs = []verb{
	{
		name: VerbJoin, who: onlyNewcomer,
		possible: canJoin,
		apply:    join,
		from:     fromNewcomer,
		crowd:    true,
	},
	{
		name: VerbRemove, who: onlyPresenter,
		possible: func(r *Room, e Entry) error { return r.canRemove(e.Seats) },
		apply: func(r *Room, e Entry) {
			for _, number := range e.Seats {
				r.remove(number)
			}
		},
		read: func(_ Who, f Form) Entry { return Entry{Seats: f.seats("seat")} },
		last: calms,
		wide: true,
	},
	{
		name: VerbLock, who: onlyPresenter,
		possible: func(r *Room, e Entry) error { return same(e.On == r.locked) },
		apply:    func(r *Room, e Entry) { r.locked = e.On },
		read:     readOn,
		last:     calms,
		control:  func(r *Room, _ Who) Entry { return Entry{On: !r.locked} },
	},
	{
		name: VerbName, who: mayName,
		possible: func(r *Room, e Entry) error { return r.canName(e) },
		apply:    func(r *Room, e Entry) { r.rename(e) },
		read:     readName,
		from:     fromSeat,
		last:     takesAway,
		often:    func(r *Room, e Entry) bool { return r.seat(e.Seat).names >= MaxNames },
		crowd:    true,
	},
	{
		name: VerbSwitch, who: onlyPresenter,
		possible: func(r *Room, e Entry) error { return same(e.Free == r.free && e.Rosters == r.rosters) },
		apply:    func(r *Room, e Entry) { r.free, r.rosters = e.Free, e.Rosters },
		read:     func(_ Who, f Form) Entry { return Entry{Free: f.on("free"), Rosters: f.on("roster")} },
		control:  func(r *Room, _ Who) Entry { return Entry{Free: !r.free, Rosters: r.rosters} },
	},
}

// The people have seats, and names.
type people struct {
	name    int    // of the room: the generated names of the seats follow from it
	seats   []seat // seat 1 first, with those that were removed
	locked  bool   // nobody joins
	free    bool   // seats choose their names
	rosters bool
}

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

// Name returns the room's generated name.
func (p *people) Name() lang.Text { return generated(p.name) }

// Seats counts the people who have a seat.
func (p *people) Seats() int {
	taken := 0
	for range p.seated() {
		taken++
	}
	return taken
}

// Locked reports whether the room is locked for newcomers.
func (p *people) Locked() bool { return p.locked }

// Copies returns the sandboxes of a seat, one for each exercise in which it began.
func (p *people) Copies(number int) []Copy {
	if s := p.seat(number); s != nil {
		return slices.Clone(s.copies)
	}
	return nil
}

// seat returns a seat by its number; nil: nobody sits there.
func (p *people) seat(number int) *seat {
	if number < 1 || number > len(p.seats) || p.seats[number-1].gone {
		return nil
	}
	return &p.seats[number-1]
}

// seated yields the taken seats with their numbers, in order of joining.
func (p *people) seated() iter.Seq2[int, *seat] {
	return func(yield func(int, *seat) bool) {
		for i := range p.seats {
			if s := &p.seats[i]; !s.gone && !yield(i+1, s) {
				return
			}
		}
	}
}

// canRemove refuses numbers that no seat ever had, and an entry that removes nobody.
func (p *people) canRemove(seats []int) error {
	if len(seats) > MaxSeats {
		return ErrMalformed
	}
	nobody := true
	for _, number := range seats {
		if number < 1 || number > len(p.seats) {
			return ErrNoSeat
		}
		nobody = nobody && p.seat(number) == nil
	}
	return same(nobody)
}

// nameOf returns the name of a seat. A name of its own shows only while own names are on: the presenter can take every
// written name off every screen at once.
func (p *people) nameOf(number int) lang.Text {
	s := p.seat(number)
	switch {
	case s == nil:
		return lang.Text{}
	case p.free && s.name != "":
		return lang.Both(s.name, s.name)
	}
	return seatName(p.name, number)
}

// canName refuses a name that is switched off, malformed, unchanged or taken.
func (p *people) canName(e Entry) error {
	s := p.seat(e.Seat)
	if s == nil {
		return ErrNoSeat
	}
	name, ok := cleanName(e.Text, MaxName)
	roster, fits := cleanName(e.Roster, MaxRoster)
	switch {
	case e.Text != "" && !p.free:
		return ErrNameOff
	case e.Roster != "" && !p.rosters:
		return ErrRosterOff
	case !ok, e.Text != "" && name == "":
		return ErrName
	case !fits:
		return ErrRoster
	case name == s.name && roster == s.roster:
		return ErrSame
	case name != "" && p.taken(name, e.Seat):
		return ErrNameTaken
	}
	return nil
}

func (p *people) rename(e Entry) {
	s := p.seat(e.Seat)
	s.names++
	s.name, _ = cleanName(e.Text, MaxName)
	s.like = likenessOf(s.name)
	s.roster, _ = cleanName(e.Roster, MaxRoster)
}

// taken reports whether a name could make two people look the same.
func (p *people) taken(name string, but int) bool {
	like := likenessOf(name)
	for number, s := range p.seated() {
		if number != but && s.name != "" && s.like.like(like) {
			return true
		}
	}
	return couldBeGenerated(name)
}

// takesAway reports whether an entry takes a name away and gives no other.
func takesAway(e Entry) bool { return e.Verb == VerbName && e.Text == "" && e.Roster == "" }

// mayName lets each seat name itself, and the presenter take a name away without giving another.
func mayName(r *Room, who Who, e Entry) error {
	if who.Presenter && takesAway(e) {
		return nil
	}
	return onlyOwnSeat(r, who, e)
}

// readName reads a name for the seat that asks. The presenter says which seat.
func readName(who Who, f Form) Entry {
	e := Entry{Seat: who.Seat, Text: f("text"), Roster: f("roster")}
	if who.Presenter {
		e.Seat = f.Number("seat")
	}
	return e
}

// canJoin refuses another seat in a locked or full room.
func canJoin(r *Room, e Entry) error {
	switch {
	case r.locked:
		return ErrLocked
	case len(r.seats) >= MaxJoined, r.Seats() >= MaxSeats:
		return ErrFull
	}
	return r.canKey(e.Key)
}

func join(r *Room, e Entry) {
	r.seats = append(r.seats, seat{key: e.Key})
	number := len(r.seats)
	r.keys[e.Key] = Who{Seat: number}
	if r.HasLanes() {
		r.seat(number).hold(r.emptiest(r.held()))
	}
}

// remove takes a seat's key, lane, sandbox and control of the run. Its vote counts only in a poll that is already
// revealed. A room that looks at its sandbox goes back to its own run.
func (r *Room) remove(number int) {
	s := r.seat(number)
	if s == nil {
		return // removed before
	}
	r.lose(s.key, VerbRemove)
	*s = seat{gone: true}
	if r.driver == number {
		r.driver, r.turn = 0, 0
	}
	r.forgetVotes(number)
	if r.sandboxes[r.run] == number {
		r.show(Entry{Run: r.base})
	}
}

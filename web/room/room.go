package room

import "slices"

// Bounds of a room.
const (
	MaxSeats       = 1000
	MaxKeys        = 20     // of the presenter
	MaxEntries     = 20_000 // for everything
	MaxLast        = 21_000 // for what leads to an end; the last place is kept for the end itself
	MaxSeatEntries = 2000   // that one seat appends, so that nobody can use up the room's
	MaxName        = 24     // letters
	MaxRoster      = 60     // letters
	MaxLanes       = 12
	MaxChoices     = 8    // of a prediction
	MaxMessages    = 12   // that the network chooses from
	MaxText        = 2000 // bytes of a question or a choice in one language

	maxID   = 64  // bytes of an id: a request's, a run's, a client's, a choice's
	maxTask = 200 // bytes of a challenge's path
	maxAt   = 1_000_000
	maxDone = 1000 // requests that are remembered
)

// A Who is somebody at the room's door: the presenter, whoever has the seat, or,
// if neither, a spectator.
type Who struct {
	Presenter bool
	Seat      int // from 1; 0: none
}

// A Room is the fold of its entries. The zero Room has not been opened.
type Room struct {
	entries int
	done    []string // the ids of the last requests

	code    string
	name    int
	keys    map[string]Who // by hash
	seats   []seat         // seat 1 first
	free    bool           // seats choose their names
	rosters bool
	over    bool
	replay  string

	run      string
	base     string // the last of the room's own that was shown
	cursor   int
	driver   int // a seat, or 0: the presenter
	gathered int
	black    bool

	lanes []string // nil: nobody holds a client
	size  int      // of a lane's team

	poll      *Poll
	exercise  *Exercise // nil: everybody is at the room's run
	exercises int
	sandboxes map[string]int // whose they are or have been, by run
}

// New is a room that waits for its first entry.
func New() *Room { return &Room{} }

// Len is how many entries the room has been folded from.
func (r *Room) Len() int { return r.entries }

// Code is the room's code; "": it has not been opened.
func (r *Room) Code() string { return r.code }

// Name is the room's generated name.
func (r *Room) Name() Words { return generated(r.name) }

// Over reports a room that has ended.
func (r *Room) Over() bool { return r.over }

// Run is the run that everybody sees.
func (r *Room) Run() string { return r.run }

// Base is the run that the room goes back to when it has looked at somebody's sandbox.
func (r *Room) Base() string { return r.base }

// Cursor is the position of it that the driver looks at, or End.
func (r *Room) Cursor() int { return r.cursor }

// Driver is the seat that drives; 0: the presenter.
func (r *Room) Driver() int { return r.driver }

// Seats is how many seats are taken.
func (r *Room) Seats() int { return len(r.seats) }

// Who is known by a key, of which the hash is given.
func (r *Room) Who(keyHash string) (Who, bool) {
	who, ok := r.keys[keyHash]
	return who, ok
}

// Done reports a request whose entry is there, so that one that is sent again is not done
// twice. The last 1,000 are remembered.
func (r *Room) Done(id string) bool { return id != "" && slices.Contains(r.done, id) }

// Apply folds an entry in. One that is not possible changes nothing, and neither does
// one of a verb that a newer server may know: a log is folded to its end
// whatever stands in it.
func (r *Room) Apply(e Entry) {
	ok := r.possible(e) == nil
	r.entries++
	if !ok {
		return
	}
	r.remember(e.ID)
	r.count(e)
	switch e.Verb {
	case VerbOpen:
		r.code, r.name, r.run, r.base, r.cursor = e.Code, e.Name, e.Run, e.Run, End
		r.keys = map[string]Who{e.Key: {Presenter: true}}
	case VerbPair:
		r.keys[e.Key] = Who{Presenter: true}
	case VerbJoin:
		r.join(e.Key)
	case VerbName:
		s := r.seat(e.Seat)
		s.name, _ = cleanName(e.Text, MaxName)
		s.like = folded(s.name)
		s.roster, _ = cleanName(e.Roster, MaxRoster)
	case VerbSwitch:
		r.free, r.rosters = e.Free, e.Rosters
	case VerbEnd:
		r.over, r.replay = true, e.Run

	case VerbShow:
		r.run, r.cursor, r.poll = e.Run, End, nil
		if r.sandboxes[e.Run] == 0 {
			r.base = e.Run
		}
		r.deal(nil, 0)
	case VerbDrive:
		r.driver = e.Seat
	case VerbCursor:
		r.cursor = e.At
	case VerbGather:
		r.gathered++
	case VerbBlack:
		r.black = e.On

	case VerbLanes:
		r.deal(e.Lanes, e.Size)
	case VerbPlace:
		r.place(e.Seat, e.Lane)

	case VerbAsk:
		r.poll = newPoll(e.Poll)
	case VerbVote:
		r.poll.votes[r.poll.round][e.Seat] = e.Choice
	case VerbRound:
		r.poll.next()
	case VerbReveal:
		r.poll.phase, r.poll.answer = Revealed, e.Choice
	case VerbDrop:
		r.poll = nil

	case VerbFork:
		r.begin(Exercise{Kind: Fork, Run: e.Run, At: e.At})
	case VerbChallenge:
		r.begin(Exercise{Kind: Challenge, Task: e.Task})
	case VerbOwn:
		r.own(e.Seat, e.Run)
	case VerbMark:
		r.mark(e)
	case VerbHome:
		r.exercise = nil
	}
}

func (r *Room) remember(id string) {
	if id == "" {
		return
	}
	if len(r.done) == maxDone {
		r.done = slices.Delete(r.done, 0, 1)
	}
	r.done = append(r.done, id)
}

// count puts an entry down to the seat that it comes from.
func (r *Room) count(e Entry) {
	if s := r.seat(r.from(e)); s != nil {
		s.entries++
	}
}

// from is the seat that an entry comes from, as far as the entry tells; 0: none.
func (r *Room) from(e Entry) int {
	switch e.Verb {
	case VerbVote, VerbName, VerbOwn, VerbMark:
		return e.Seat
	case VerbCursor:
		return r.driver
	}
	return 0
}

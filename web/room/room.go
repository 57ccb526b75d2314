package room

import "lockstep/engine/lang"

// A Who is a person at the room's door: the presenter, the owner of a seat or, as the zero value, a spectator.
type Who struct {
	Presenter bool
	Seat      int // from 1; 0: none
}

// A Room is the fold of its entries. The zero Room has not been opened.
type Room struct {
	entries int
	seated  int // entries from newcomers, seats and drivers
	turn    int // entries of the driver since the handover
	asked   int // bytes of the questions
	planned int // bytes of the playlists

	code    string
	site    string
	name    int
	keys    map[string]Who  // by hash
	lost    map[string]Verb // by hash: the verb that took a key's power, remove or revoke
	opener  string          // the hash of the key with which the room was opened
	revoked int             // how often remotes were revoked
	seats   []seat          // seat 1 first, with those that were removed
	locked  bool            // nobody joins
	free    bool            // seats choose their names
	rosters bool
	over    bool
	replay  string

	run      string
	base     string // the room's own run that it showed last
	cursor   int
	driver   int // a seat, or 0: the presenter
	gathered int
	black    bool

	lanes []string // nil: nobody holds a client
	size  int      // of a lane's team

	poll      *Poll
	ballots   int       // rounds of polls so far
	exercise  *Exercise // nil: everybody is at the room's run
	exercises int
	timer     timer          // of the round or the exercise that is open
	ended     bool           // the last one, and nothing has begun since
	test      *Test          // that is open; nil: none is
	tested    string         // the course whose test was open last
	verdict   *Verdict       // about the run that is shown; nil: none
	plan      []PlanItem     // what the class does, in its order
	now       int            // the number of the item that it is at; 0: none
	sandboxes map[string]int // their seats, present or past, by run

	polls []PastPoll     // of the record, with the next two and the number of those that it leaves out
	past  []PastExercise // that are over
	shown []Shown
	left  int
}

// New returns a room that waits for its first entry.
func New() *Room { return &Room{} }

// Len counts the entries that are folded into the room.
func (r *Room) Len() int { return r.entries }

// Code returns the room's code; "": nobody has opened it.
func (r *Room) Code() string { return r.code }

// Site returns the address at which the presenter reached the site when they opened the room; "": unknown.
func (r *Room) Site() string { return r.site }

// Name returns the room's generated name.
func (r *Room) Name() lang.Text { return generated(r.name) }

// Over reports whether the room has ended.
func (r *Room) Over() bool { return r.over }

// Run returns the run that everybody sees.
func (r *Room) Run() string { return r.run }

// Base returns the run that the room goes back to after a look at a sandbox.
func (r *Room) Base() string { return r.base }

// Cursor returns the position that the driver looks at, or End.
func (r *Room) Cursor() int { return r.cursor }

// Driver returns the seat that drives; 0: the presenter.
func (r *Room) Driver() int { return r.driver }

// Seats counts the people who have a seat.
func (r *Room) Seats() int {
	taken := 0
	for range r.people() {
		taken++
	}
	return taken
}

// Locked reports whether the room is locked for newcomers.
func (r *Room) Locked() bool { return r.locked }

// Revoked counts how often the presenter has revoked remotes. A link that pairs a remote is valid while the count is
// the one with which it was made.
func (r *Room) Revoked() int { return r.revoked }

// Who returns the person with a key, by the key's hash.
func (r *Room) Who(keyHash string) (Who, bool) {
	who, ok := r.keys[keyHash]
	return who, ok
}

// Knows reports whether a key with this hash is or was somebody's.
func (r *Room) Knows(keyHash string) bool {
	_, known := r.keys[keyHash]
	return known || r.lost[keyHash] != ""
}

// Lost returns the verb that took the power of the key with this hash: VerbRemove for a seat's, VerbRevoke for a
// remote's, "" for a key that is good or unknown. The server tells the bearer why the key stopped working.
func (r *Room) Lost(keyHash string) Verb { return r.lost[keyHash] }

// Apply folds an entry in. An entry that is not possible changes nothing, and neither does a verb that only a newer
// server knows: every log can be folded to its end.
func (r *Room) Apply(e Entry) {
	ok := r.possible(e) == nil
	r.entries++
	if !ok {
		return
	}
	r.count(e)
	ruleOf(e.Verb).apply(r, e)
	if r.timer.of != r.timed() {
		r.timer = timer{}
	}
	switch e.Verb {
	case VerbHome:
		r.ended = true
	case VerbShow, VerbLanes, VerbAsk, VerbFork, VerbChallenge, VerbTest:
		r.ended = false
	}
}

func (r *Room) open(e Entry) {
	r.code, r.site, r.name, r.run, r.base, r.cursor = e.Code, e.Site, e.Name, e.Run, e.Run, End
	r.keys, r.lost, r.opener = map[string]Who{e.Key: {Presenter: true}}, map[string]Verb{}, e.Key
	r.came(e.Run, e.Task, "")
}

// show shows everybody a run from its end. Lanes and poll belonged to another run and end.
func (r *Room) show(e Entry) {
	r.drop()
	r.run, r.cursor, r.verdict = e.Run, End, e.Verdict
	if r.sandboxes[e.Run] == 0 {
		r.base = e.Run
		r.came(e.Run, e.Task, e.From)
	}
	r.deal(nil, 0)
}

// revoke takes the power of all the presenter's keys but two: the key that asks, and the key that opened the room. A
// remote in the wrong hands cannot take the room from its presenter.
func (r *Room) revoke(by string) {
	r.revoked++
	for hash, who := range r.keys {
		if who.Presenter && hash != by && hash != r.opener {
			delete(r.keys, hash)
			r.lost[hash] = VerbRevoke
		}
	}
}

// remotes counts the presenter's keys beside the one that opened the room.
func (r *Room) remotes() int {
	remotes := -1
	for _, who := range r.keys {
		if who.Presenter {
			remotes++
		}
	}
	return remotes
}

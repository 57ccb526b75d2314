package room

import "slices"

// A Who is somebody at the room's door: the presenter, whoever has the seat, or,
// if neither, a spectator.
type Who struct {
	Presenter bool
	Seat      int // from 1; 0: none
}

// A Room is the fold of its entries. The zero Room has not been opened.
type Room struct {
	entries int
	seated  int      // entries that came from seats, drivers and those who joined
	turn    int      // entries of a driver, since the wheel was handed over
	asked   int      // bytes of the questions
	done    []string // the ids of the last requests

	code    string
	name    int
	keys    map[string]Who  // by hash
	lost    map[string]Verb // by hash: what took their power from keys, remove or revoke
	opener  string          // the hash of the key with which the room was opened
	revoked int             // how often remotes were revoked
	seats   []seat          // seat 1 first, with those that were removed
	locked  bool            // nobody joins
	free    bool            // seats choose their names
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

// Over reports whether the room has ended.
func (r *Room) Over() bool { return r.over }

// Run is the run that everybody sees.
func (r *Room) Run() string { return r.run }

// Base is the run that the room goes back to when it has looked at somebody's sandbox.
func (r *Room) Base() string { return r.base }

// Cursor is the position of it that the driver looks at, or End.
func (r *Room) Cursor() int { return r.cursor }

// Driver is the seat that drives; 0: the presenter.
func (r *Room) Driver() int { return r.driver }

// Seats is how many people have a seat.
func (r *Room) Seats() int {
	taken := 0
	for range r.people() {
		taken++
	}
	return taken
}

// Locked reports whether nobody can join.
func (r *Room) Locked() bool { return r.locked }

// Revoked is how often the presenter has revoked remotes. A link that pairs a remote is good as long as the count is the
// one with which it was made.
func (r *Room) Revoked() int { return r.revoked }

// Who is known by a key, of which the hash is given.
func (r *Room) Who(keyHash string) (Who, bool) {
	who, ok := r.keys[keyHash]
	return who, ok
}

// Knows reports a key, of which the hash is given, that is or was somebody's.
func (r *Room) Knows(keyHash string) bool {
	_, known := r.keys[keyHash]
	return known || r.lost[keyHash] != ""
}

// Lost is the verb that took its power from a key, of which the hash is given: VerbRemove from a seat's, VerbRevoke from
// a remote's; "" where nothing did. The bearer can be told why nothing works any more.
func (r *Room) Lost(keyHash string) Verb { return r.lost[keyHash] }

// Done reports whether a request's entry is there. One that is sent again is not done
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
	rules[e.Verb].apply(r, e)
}

func (r *Room) open(e Entry) {
	r.code, r.name, r.run, r.base, r.cursor = e.Code, e.Name, e.Run, e.Run, End
	r.keys, r.lost, r.opener = map[string]Who{e.Key: {Presenter: true}}, map[string]Verb{}, e.Key
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

// show shows everybody a run, from its end. Lanes and poll were about another one, and are over.
func (r *Room) show(run string) {
	r.run, r.cursor, r.poll = run, End, nil
	if r.sandboxes[run] == 0 {
		r.base = run
	}
	r.deal(nil, 0)
}

// revoke takes their power from all keys of the presenter's but two: the one with which that was asked, and the one with
// which the room was opened. A remote in the wrong hands does not take the room from its presenter.
func (r *Room) revoke(by string) {
	r.revoked++
	for hash, who := range r.keys {
		if who.Presenter && hash != by && hash != r.opener {
			delete(r.keys, hash)
			r.lost[hash] = VerbRevoke
		}
	}
}

// remotes is how many keys the presenter has beside the one with which the room was opened.
func (r *Room) remotes() int {
	remotes := -1
	for _, who := range r.keys {
		if who.Presenter {
			remotes++
		}
	}
	return remotes
}

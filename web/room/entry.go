package room

// A Verb is what an entry does to the room.
type Verb string

// The verbs, with the fields of the entry that each has. verbs.go has the rule of each: who may append it, when it is
// possible, what it changes.
const (
	// The room and who is in it.
	VerbOpen   Verb = "open"   // Code, Name, Run, Task, Key, Site: the first entry
	VerbPair   Verb = "pair"   // Key, Revoked: a remote, which is one more key of the presenter's, by a link made after so many revocations
	VerbRevoke Verb = "revoke" // Key: the presenter's that asks; remotes other than it, and links that nobody has used, are good no more
	VerbJoin   Verb = "join"   // Key: takes the next seat
	VerbRemove Verb = "remove" // Seats: takes them away from those who have them
	VerbLock   Verb = "lock"   // On: nobody joins, but for those who have a seat
	VerbName   Verb = "name"   // Seat, Text, Roster: what a seat is called from now on; nothing: as in the beginning
	VerbSwitch Verb = "switch" // Free, Rosters: whether seats may choose a name, and enter themselves in the roster
	VerbEnd    Verb = "end"    // Run: the replay; nothing is possible afterwards

	// The run that everybody sees.
	VerbShow   Verb = "show"   // Run, Task, From: another one, looked at from its end; From is the run that a branch goes on from; lanes and poll are over
	VerbDrive  Verb = "drive"  // Seat: the driver from now on; 0: the presenter
	VerbCursor Verb = "cursor" // At: the position that the driver looks at; End: whichever is last
	VerbGather Verb = "gather" // everybody comes back to where the driver is
	VerbBlack  Verb = "black"  // On: the screens show nothing

	// Phones are clients.
	VerbLanes Verb = "lanes" // Lanes, Size: which clients there are to hold, and by how many each; none: that is over
	VerbPlace Verb = "place" // Seat, Lane: moves somebody to a lane; "": the network

	// Polls.
	VerbAsk    Verb = "ask"    // Poll: opens a poll
	VerbVote   Verb = "vote"   // Seat, Choice: the number of the choice, from 0
	VerbRound  Verb = "round"  // the poll's next phase
	VerbReveal Verb = "reveal" // Choice: what was right, or arrived; None: none of them
	VerbDrop   Verb = "drop"   // takes the poll away

	// Sandboxes.
	VerbFork      Verb = "fork"      // Run, At: an exercise: everybody goes on from there alone
	VerbChallenge Verb = "challenge" // Task: an exercise: everybody tries the challenge alone
	VerbOwn       Verb = "own"       // Seat, Run, From: a seat's sandbox; From is the run in whose place it comes
	VerbMark      Verb = "mark"      // Seat, State, Actions, Solved: how a seat gets on
	VerbClaim     Verb = "claim"     // Seat: has claimed wrongly that its challenge cannot be broken
	VerbHome      Verb = "home"      // the exercise is over

	// The timer.
	VerbTimer Verb = "timer" // On, Now: one more minute for the round or the exercise that is open; off: no timer

	// Tests.
	VerbTest Verb = "test" // Task, Form: opens a form of a course's test; no form: closes it
	VerbHand Verb = "hand" // Seat, Form, Given: a seat's answers to it, once

	// The playlist.
	VerbPlan Verb = "plan" // Plan: what the class does, in its order
	VerbNext Verb = "next" // Item: the class has come to it
)

// End is the cursor that stays at the end of a run, whatever is added there.
const End = -1

// None is the answer that is none of a poll's choices.
const None = -1

// An Entry is one change of a room, and one line of its log. Each verb has its fields;
// the others are unset.
type Entry struct {
	ID   string `json:"id,omitempty"` // of the request that led to it; no log has two entries of one request
	Verb Verb   `json:"verb"`

	Seat    int    `json:"seat,omitempty"`
	Seats   []int  `json:"seats,omitempty"`
	Key     string `json:"key,omitempty"` // as HashKey gives it
	Revoked int    `json:"revoked,omitempty"`

	Code    string `json:"code,omitempty"`
	Site    string `json:"site,omitempty"` // the address at which the presenter reached the site; empty: unknown
	Name    int    `json:"name,omitempty"` // which of the generated names the room has
	Text    string `json:"text,omitempty"`
	Roster  string `json:"roster,omitempty"`
	Free    bool   `json:"free,omitempty"`
	Rosters bool   `json:"rosters,omitempty"`

	Run  string `json:"run,omitempty"`
	From string `json:"from,omitempty"`
	At   int    `json:"at,omitempty"`
	On   bool   `json:"on,omitempty"`
	Now  int64  `json:"now,omitempty"` // when a server took the entry, in ms since 1970: the room knows no clock

	Lanes []string `json:"lanes,omitempty"`
	Size  int      `json:"size,omitempty"`
	Lane  string   `json:"lane,omitempty"`

	Poll   *Question `json:"poll,omitempty"`
	Choice int       `json:"choice,omitempty"`
	Ballot int       `json:"ballot,omitempty"` // the round that a vote is for, counted through the room's life; 0: the one that is open

	Task    string `json:"task,omitempty"`
	State   State  `json:"state,omitempty"`
	Actions int    `json:"actions,omitempty"`
	Solved  bool   `json:"solved,omitempty"`

	Form    string   `json:"form,omitempty"`    // of a test: before, after
	Verdict *Verdict `json:"verdict,omitempty"` // of the explorer about the run that is shown; nil: it has none

	Plan []PlanItem `json:"plan,omitempty"`
	Item int        `json:"item,omitempty"` // of the playlist, from 1

	Given []string `json:"given,omitempty"` // the names of the answers, in the order of the questions
}

// RequestID returns the id of the request.
func (e Entry) RequestID() string { return e.ID }

package room

// End is the cursor that stays at the end of a run, whatever is added there.
const End = -1

// None is the answer that is none of a poll's choices.
const None = -1

// An Entry is one change of a room, and one line of its log. The constant of a verb names its
// fields; the others are unset.
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

package room

import (
	"lockstep/engine/lang"
)

// A View holds what somebody may know of a room. Everything but You and Desk is the same for everybody: the server makes
// it once, for a spectator, and sends it to all, with You beside it.
type View struct {
	Entries  int        `json:"entries"` // folded into the room
	Code     string     `json:"code"`
	Name     lang.Text  `json:"name"`
	Run      string     `json:"run"`
	Cursor   int        `json:"cursor"`
	Aside    bool       `json:"aside,omitempty"` // it looks at somebody's sandbox
	Driver   int        `json:"driver"`          // 0: the presenter
	Gathered int        `json:"gathered"`
	Black    bool       `json:"black"`
	Free     bool       `json:"free"`
	Rosters  bool       `json:"rosters"`
	Locked   bool       `json:"locked"`
	Seats    []Seat     `json:"seats"`
	Lanes    []Lane     `json:"lanes"`          // none: nobody holds a client
	Size     int        `json:"size"`           // of a lane's team
	Poll     *PollView  `json:"poll,omitempty"` // nil: nothing is asked
	Exercise *Exercise  `json:"exercise,omitempty"`
	Ended    bool       `json:"ended,omitempty"` // an exercise is over, and nothing has begun since
	Ranking  []Place    `json:"ranking,omitempty"`
	Claims   int        `json:"claims,omitempty"`  // wrong claims in the exercise
	Timed    bool       `json:"timed,omitempty"`   // something is open that a timer can be for
	Until    int64      `json:"until,omitempty"`   // the end of its timer, in ms since 1970; 0: it has none
	Test     *TestView  `json:"test,omitempty"`    // nil: no test is open
	Verdict  *Verdict   `json:"verdict,omitempty"` // about the run that is shown; nil: none
	Plan     []PlanItem `json:"plan,omitempty"`    // the playlist
	Now      int        `json:"now,omitempty"`     // the item of it that the class is at, from 1; 0: none
	Over     bool       `json:"over"`
	Replay   string     `json:"replay,omitempty"`

	You  *You  `json:"you,omitempty"`  // for a person with a seat
	Desk *Desk `json:"desk,omitempty"` // for the presenter
}

// A Seat is a participant, as others see them.
type Seat struct {
	Seat int       `json:"seat"`
	Name lang.Text `json:"name"`
	Lane string    `json:"lane,omitempty"`
}

// A Lane is a client with the seats that hold it.
type Lane struct {
	Client string `json:"client"`
	Team   []int  `json:"team"` // seats in order of joining
}

// A PollView is a poll as everybody sees it, the presenter included.
type PollView struct {
	Question
	Phase  Phase   `json:"phase"`
	Round  int     `json:"round"`  // the latest round, from 1
	Ballot int     `json:"-"`      // its number in the room's life, which a vote names
	Cast   int     `json:"cast"`   // votes in it
	Voters int     `json:"voters"` // how many may vote
	Answer *Answer `json:"answer,omitempty"`
}

// An Answer holds what a poll has revealed.
type Answer struct {
	Choice int     `json:"choice"` // or None
	Counts [][]int `json:"counts"` // of each round, the votes for each choice
}

// You holds what a seat knows about itself.
type You struct {
	Seat    int       `json:"seat"`
	Name    lang.Text `json:"name"`
	Roster  string    `json:"roster,omitempty"`
	Lane    string    `json:"lane,omitempty"`
	Drives  bool      `json:"drives"`
	Votes   bool      `json:"votes"` // may vote now
	Cast    []int     `json:"cast"`  // its own votes, one a round; None: it did not vote
	Sandbox string    `json:"sandbox,omitempty"`
	Mark    *Mark     `json:"mark,omitempty"`
}

// A Desk holds what only the presenter knows.
type Desk struct {
	Seats   []DeskSeat `json:"seats"`           // the same, in the same order, as those of the View
	First   []int      `json:"first,omitempty"` // votes of the first round for each choice, until the answer is revealed: for a remote alone
	Remotes int        `json:"remotes"`         // devices that present beside the one that opened the room
}

// A DeskSeat is a participant, as the presenter sees them.
type DeskSeat struct {
	Seat    int    `json:"seat"`
	Named   bool   `json:"named,omitempty"` // has a name of its own or an entry in the roster, which the presenter can take away
	Roster  string `json:"roster,omitempty"`
	Sandbox string `json:"sandbox,omitempty"`
	Mark    *Mark  `json:"mark,omitempty"`
}

// View returns what somebody may know. The view does not change with the room.
func (r *Room) View(who Who) View {
	who = r.known(who)
	v := View{
		Entries: r.entries, Code: r.code, Name: r.Name(), Run: r.run, Cursor: r.cursor, Aside: r.sandboxes[r.run] != 0, Driver: r.driver,
		Gathered: r.gathered, Black: r.black, Free: r.free, Rosters: r.rosters, Locked: r.locked,
		Seats: make([]Seat, 0, len(r.seats)), Lanes: []Lane{}, Size: r.size,
		Poll: r.pollView(), Exercise: r.Exercise(), Ended: r.ended, Ranking: r.Ranking(), Claims: r.Claims(), Timed: r.timed() != timed{}, Until: r.timer.until, Test: r.testView(), Verdict: r.verdict, Plan: r.Plan(), Now: r.now, Over: r.over, Replay: r.replay,
	}
	for number, s := range r.seated() {
		v.Seats = append(v.Seats, Seat{Seat: number, Name: r.nameOf(number), Lane: s.lane})
	}
	for _, lane := range r.clients {
		v.Lanes = append(v.Lanes, Lane{Client: lane, Team: append([]int{}, r.team(lane)...)})
	}
	if who.Seat != 0 {
		v.You = r.You(who.Seat)
	}
	if who.Presenter {
		v.Desk = r.desk()
	}
	return v
}

// You returns what a seat knows about itself; nil: there is no such seat.
func (r *Room) You(number int) *You {
	s := r.seat(number)
	if s == nil {
		return nil
	}
	you := &You{Seat: number, Name: r.nameOf(number), Lane: s.lane, Drives: r.driver == number, Cast: []int{}}
	if r.rosters {
		you.Roster = s.roster
	}
	if p := r.poll; p != nil {
		you.Votes = !r.over && p.open() && r.voter(s)
		for _, votes := range p.votes[:p.round+1] {
			choice := None
			if b, ok := votes[number]; ok {
				choice = b.choice
			}
			you.Cast = append(you.Cast, choice)
		}
	}
	you.Sandbox, you.Mark = r.work(s)
	return you
}

// work returns a seat's sandbox and mark.
func (r *Room) work(s *seat) (sandbox string, mark *Mark) {
	if r.exercise == nil || s.sandbox == "" {
		return "", nil
	}
	m := s.mark
	return s.sandbox, &m
}

func (r *Room) desk() *Desk {
	d := &Desk{Seats: make([]DeskSeat, 0, len(r.seats)), First: r.poll.early(), Remotes: r.remotes()}
	for number, s := range r.seated() {
		seat := DeskSeat{Seat: number, Named: r.free && s.name != "" || r.rosters && s.roster != ""}
		if r.rosters {
			seat.Roster = s.roster
		}
		seat.Sandbox, seat.Mark = r.work(s)
		d.Seats = append(d.Seats, seat)
	}
	return d
}

func (r *Room) pollView() *PollView {
	p := r.poll
	if p == nil {
		return nil
	}
	v := &PollView{Question: p.Question(), Phase: p.phase, Round: p.round + 1, Ballot: r.ballots, Cast: len(p.votes[p.round])}
	for _, s := range r.seated() {
		if r.voter(s) {
			v.Voters++
		}
	}
	if p.phase == Revealed {
		v.Answer = &Answer{Choice: p.answer, Counts: p.Counts()}
	} else {
		for i := range v.Choices {
			v.Choices[i].Why = lang.Text{} // it tells the answer
		}
	}
	return v
}

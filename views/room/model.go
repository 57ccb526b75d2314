package room

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"lockstep/views"
	courseview "lockstep/views/course"
)

// A Room is the view of a room on one page, for one role. It holds nothing that the
// role may not know.
type Room struct {
	views.Site
	Code    string // six digits, as they stand in addresses
	Says    string // the code as people read it: 482 913
	Name    string
	Path    string // of the room within the site, such as /r/482913
	JoinURL string // as a phone in the room can open it
	QR      QRCode // of it
	Run     string // the path of the run that it shows
	Alone   bool   // JoinURL leads no other machine here
	Lesson  string // for the presenter: the title of the lesson or challenge that the run is; empty: a free run
	Ended   bool   // an exercise has ended, and nothing has begun since

	Over      string   // the path of the replay; empty: the room is open
	ReplayURL string   // as JoinURL
	ReplayQR  QRCode   // of ReplayURL
	Class     *Results // what the class has answered and done, in numbers; nil: the room is open

	Presenter bool
	Seat      int    // the reader's, from 1; 0: none
	Me        string // the reader's name
	Lane      string // the reader's client; empty: none, or the network
	Driver    string // the name of the driver; empty: the presenter
	Driving   bool   // the reader drives
	State     string // the reader's activity: drives, follows, own, ended, elsewhere or over
	May       string // the reader's permissions, separated by blanks: act on the run of this page, and verbs of the room
	Why       string // the reason why the reader may not act; empty: they may
	Lost      string // taken from the reader by the presenter: their seat (remove) or their remote (revoke); empty: nothing

	Present   int // people who are here: seats with a connection
	Away      int // those of them who do not look where the driver looks
	Seats     []Seat
	Free      bool // people may name themselves
	Roster    bool // they may tell the presenter, and nobody else, who they are
	Black     bool // the projector shows nothing
	Locked    bool // nobody new can join
	Remotes   int  // for the presenter: how many devices present beside the one that opened the room
	LanesOn   bool // phones are clients
	TeamSize  int
	Lanes     []Team
	Network   []string // names of the people without a lane; none: everybody has one
	InNetwork bool     // the reader is one of them

	Poll     *Poll
	Asks     []Ask // questions that the presenter can ask now
	Exercise *Exercise
	Ranking  []Rank
	Tasks    []TaskLink // challenges that the presenter can set
	Test     *Test      // nil: none is open
	Tests    []TaskLink // courses whose tests the presenter can open
	Tested   bool       // for the presenter: there are answers to a test, or may be

	Timed bool   // something is open that a timer can be for
	Timer *Timer // its timer; nil: it has none

	Verdict  *Verdict   // of the explorer about the run that is shown; nil: none
	First    []int      // for the presenter's remote alone: the votes of the first round, for each choice; nil: not now
	Playlist []PlanItem // for the presenter: what the class does, in its order
	Planned  []TaskLink // for the presenter: courses that bring a playlist

	Refusal string // the reason for a refusal
	Data    views.RoomData
}

// A Verdict is what the explorer has found, as the room sees it.
type Verdict struct {
	Stamp string // in a word or two
	Says  string // in a sentence, with the bounds
}

// A Seat is one of the people.
type Seat struct {
	Number  int
	Name    string
	Roster  string // for the presenter; empty: unknown
	Named   bool   // for the presenter, who can take the chosen name away
	Lane    string
	Here    bool // connected
	Driving bool
	Mark    *Mark // the state of their own run; nothing: they have none
}

// A Team is the people who share a lane.
type Team struct {
	Client string
	Names  []string
}

// A Poll is a question to the room.
type Poll struct {
	Network  bool   // which message arrives next; else a prediction, or a question of the presenter's own
	Own      bool   // a question of the presenter's own
	Phase    string // first, discuss, second, closed or revealed
	Question string
	Choices  []PollChoice
	Cast     int  // votes in this round
	Of       int  // who may vote
	Open     bool // votes are taken now
	Ballot   int  // the number of this round in the room's life: a vote counts for no other
	Within   int  // seconds in which a vote of the network ends by itself; 0: it does not
}

// A PollChoice is one answer. It has counts once the presenter reveals them.
type PollChoice struct {
	Text   string
	Why    string // the reason why it is right or wrong, once the answer is known; empty: none
	Unsure bool   // for those who are not sure: it is no answer, and its votes count apart
	First  int    // votes in the first round
	Second int
	Right  bool // the engine's answer
	Mine   bool // the reader's choice in this round
}

// An Ask is a question that the presenter can put to the room.
type Ask struct {
	Client   string // about its command in flight; empty: the lesson's own question
	Question string
}

// An Exercise is a challenge that each person solves in their own run.
type Exercise struct {
	Title  string
	Text   courseview.Text // HTML: what is to be done
	Bounds string          // the limits of a solution; empty: there are none
	Start  string          // the path of the log with which everybody begins; empty: the room looks at somebody's own run
	Mine   string          // the path of the reader's own run; empty: none yet
	Begun  int             // number of people with a run
	Claims int             // wrong claims that the lock cannot be broken
	Marks  []Mark          // for the presenter: one for each of them
}

// A Mark is the state of one person's own run.
type Mark struct {
	Seat    int
	Name    string
	Path    string // of the run
	State   string // safe, broken or stuck
	Actions int
	Solved  bool
	Claims  int // wrong claims that the lock cannot be broken
}

// A Rank is a place among the people who solved the challenge.
type Rank struct {
	Place   int // equal numbers of actions share one
	Name    string
	Actions int
}

// A TaskLink names a challenge that the presenter can set.
type TaskLink struct{ Name, Title string }

// runID returns the id of the run with a path.
func runID(path string) string { return strings.TrimPrefix(path, "/t/") }

// control marks a control that not everybody of a role may use. On a page of one reader it is there for those who may; a panel is for all,
// and static/js/room/controls.js hides what the reader may not use.
func (r Room) control(verb string) templ.Attributes {
	return templ.Attributes{"data-verb": verb, "hidden": r.State != "" && !r.may(verb)}
}

// may reports whether the reader has a permission.
func (r Room) may(verb string) bool { return slices.Contains(strings.Fields(r.May), verb) }

package views

import "lockstep/engine/lang"

// A Room is what one of its surfaces shows of it, to one role. What nobody of
// that role may know is not in it.
type Room struct {
	Site
	Code    string // six digits, as they stand in addresses
	Says    string // the code as it is read: 482 913
	Name    string
	Path    string // of the room within the site, such as /r/482913
	JoinURL string // as a phone in the room can open it
	QR      QRCode // of it
	Run     string // the path of the run that it shows

	Over      string // the path of the replay; empty: the room is open
	ReplayURL string // as JoinURL
	ReplayQR  QRCode // of ReplayURL

	Presenter bool
	Seat      int    // one's own, from 1; 0: none
	Me        string // one's own name
	Lane      string // one's own client; empty: none, or the network
	Driver    string // who drives; empty: the presenter
	Driving   bool   // the reader does
	State     string // what the reader does: drives, follows, own, elsewhere or over
	May       string // what the reader may do, with blanks between: act on the run whose page this is, and verbs of the room
	Why       string // why the reader may not act; empty: they may
	Lost      string // what the presenter took from the reader: their seat (remove) or their remote (revoke); empty: nothing

	Present   int // people who are here: seats with a connection
	Away      int // of them, those who look at something else than the driver
	Seats     []RoomSeat
	Free      bool // people may name themselves
	Roster    bool // they may tell the presenter, and nobody else, who they are
	Black     bool // the projector shows nothing
	Locked    bool // nobody new can join
	Remotes   int  // for the presenter: how many devices present beside the one that opened the room
	LanesOn   bool // phones are clients
	TeamSize  int
	Lanes     []Team
	Network   []string // names of those who are it; none: everybody has a lane
	InNetwork bool     // the reader is

	Poll     *Poll
	Asks     []Ask // what the presenter can ask now
	Exercise *Exercise
	Ranking  []Rank
	Tasks    []TaskLink // challenges that the presenter can set

	Refusal string // why what was just asked for has not been done
	Data    RoomData
}

// RoomData is what the scripts of a phone, a remote, the projector and the wall begin with.
type RoomData struct {
	Version int           `json:"version"`
	Lang    lang.Language `json:"lang"`
	Base    string        `json:"base"`
	Path    string        `json:"path"` // of the room
	Run     string        `json:"run"`  // the path of the run: its socket is there
	At      int           `json:"at"`   // where the driver looks; -1: the end
}

// A RoomSeat is one of the people.
type RoomSeat struct {
	Number  int
	Name    string
	Roster  string // for the presenter; empty: unknown
	Named   bool   // for the presenter: what they have called themselves can be taken away
	Lane    string
	Here    bool // connected
	Driving bool
	Mark    *Mark // how their own run stands; nothing: they have none
}

// A Team is those who hold a lane.
type Team struct {
	Client string
	Names  []string
}

// A Poll is a question to the room.
type Poll struct {
	Network  bool   // which message arrives next; else a prediction
	Phase    string // first, discuss, second, closed or revealed
	Question string
	Choices  []PollChoice
	Cast     int  // votes in this round
	Of       int  // who may vote
	Open     bool // votes are taken now
}

// A PollChoice is one answer. The counts are there once they are revealed.
type PollChoice struct {
	Text   string
	First  int // votes in the first round
	Second int
	Right  bool // the engine says so
	Mine   bool // the reader has chosen it in this round
}

// An Ask is a question that the presenter can put to the room.
type Ask struct {
	Client   string // about its command in flight; empty: the lesson's own question
	Question string
}

// An Exercise is what everybody does in a run of their own.
type Exercise struct {
	Title string
	Mine  string // the path of the reader's own run; empty: none yet
	Begun int    // how many have one
	Marks []Mark // for the presenter: one for each of them
}

// A Mark says how somebody's own run stands.
type Mark struct {
	Seat    int
	Name    string
	Path    string // of the run
	State   string // safe, broken or stuck
	Actions int
	Solved  bool
}

// A Rank is a place among those who have solved the challenge.
type Rank struct {
	Place   int // equal numbers of actions share one
	Name    string
	Actions int
}

// A TaskLink names a challenge that can be set.
type TaskLink struct{ Name, Title string }

package views

import (
	"slices"

	"lockstep/engine/lang"
)

// A Page is everything that the page of a run shows, at one position of it.
type Page struct {
	Site
	Path string // of the run within the site, such as /t/k3v9m2xq7a
	Tabs []Tab  // the run and its branches
	At   int    // the position: actions done
	Tip  int    // actions of the whole run

	Programs []Program
	Chosen   string // the program whose source is shown first
	Next     Spawn  // what the spawn button does
	Both     string // the action that spawns the first two clients

	Breaks  []int       // the positions of the whole run at which something begins to be wrong
	Caption string      // the latest thing that happened
	Alerts  []Alert     // what is wrong now
	More    int         // how much else is wrong, and has no room here
	Total   int         // events of the whole run
	Events  []Event     // rows of the list: all events, or some of them
	Asked   bool        // the reader has said which
	Pages   []EventPage // all events, where the list has only some of them

	Now     string // true time, s
	Nodes   []Node
	Storage *Storage // the protected resource; nothing: nobody writes to it
	Clients []Client

	Ticks  []Button
	Faults []Button

	Task   *Task   // what the run is for; nothing: whatever the reader likes
	Room   *Room   // that it is in; nothing: none
	Beside *Beside // the run that this one is compared with; nothing: none

	Refusal    string // why what was just asked for has not been done
	Limit      string // why nothing more can be done in this run; empty: it can
	Own        Own
	Properties []Choice // that a lookahead can ask about
	Console    Console
	Downloads  []Download // of the share menu
	Data       Data
}

// called is the site with this page's title: that of its lesson, or of the playground.
func (p Page) called() Site {
	if p.Window == "" {
		p.Window = Say(p.Lang, "playground")
	}
	return p.Site
}

// Past reports a position that the run has left behind.
func (p Page) Past() bool { return p.At < p.Tip }

// Causes are the events that made inevitable what is wrong now, each once.
func (p Page) Causes() []int {
	var seqs []int
	for _, alert := range p.Alerts {
		if alert.Cause > 0 && !slices.Contains(seqs, alert.Cause) {
			seqs = append(seqs, alert.Cause)
		}
	}
	return seqs
}

// A Tab leads to a run of the family.
type Tab struct {
	Name, Path string
	Current    bool
	Compare    string // the path of the page that shows it beside the current run; empty: it is that run
}

// Data is what the scripts of the page begin with, so that the first picture
// waits for no socket.
type Data struct {
	Version  int               `json:"version"`
	Lang     lang.Language     `json:"lang"`
	Base     string            `json:"base"`
	Run      string            `json:"run"`
	Path     string            `json:"path"`
	Step     int               `json:"step"`
	Log      any               `json:"log"` // of the run, as far as there is room; the scripts ask for the rest
	Timeline map[string]any    `json:"timeline"`
	Words    map[string]string `json:"words"`
	Console  ConsoleData       `json:"console"`
	Beside   *BesideData       `json:"beside,omitempty"`
	Task     string            `json:"task,omitempty"` // the name of what the run is for
}

// A Home is the page that a stranger sees first.
type Home struct {
	Site
	State    string // before, step, why or getset
	Before   int    // actions before the surprise
	Scenario string
	Why      string       // the sentence of the violation with its cause
	Guilty   []SourceLine // the program around the guilty command
	Events   []Event
	Lessons  []LessonLink // of the first course
	Taught   CourseLink   // that course
	Data     HomeData
}

// HomeData is what the script of the home page begins with.
type HomeData struct {
	Lang     lang.Language  `json:"lang"`
	State    string         `json:"state"`
	Before   int            `json:"before"`
	Timeline map[string]any `json:"timeline"`
	Race     any            `json:"race"`
	Getset   any            `json:"getset"`
}

// A Button is one action.
type Button struct {
	Action string // a line of scenario text, or what leads to another position
	Label  string
	Title  string // what it does, when the label is short
	Refuse string // why it is not possible now; empty: it is
	ID     string // unique on the page; it keeps the focus when the panel changes
	Keys   string // that press it, as aria-keyshortcuts names them; empty: none, or the chosen client's
}

// Spawn is the action that adds the next client.
type Spawn struct {
	Client string
	Button
}

// A Program is one that a client can be spawned with.
type Program struct {
	Name  string
	Lines []SourceLine
}

// A SourceLine is one line of a program's text, and who is there.
type SourceLine struct {
	Number  int
	Parts   []Part
	Clients []string
	Comment bool // it says nothing to the machine, or stands before what does
}

// A Part is a piece of a line that has one colour.
type Part struct {
	Class string // keyword, literal or comment; empty: none
	Text  string
}

// Own is a program's text as the reader edits it.
type Own struct {
	From, Source string
	Error        string // why it was not accepted; empty: it was, or nothing was sent yet
}

// An Event is a row of the list that says what the picture shows.
type Event struct {
	Seq       int
	Time      string // true time, s
	Lane      string
	Sentence  string
	Cut       bool // the sentence goes on
	Violation bool
	Future    bool // it has not happened yet at the position that is shown
}

// EventsListed is how many events a run has of which the list has all, and
// how many rows a page has at most.
const EventsListed = 400

// An EventPage is a stretch of the list of events, from one event to another.
type EventPage struct {
	From, To int
	Current  bool // its rows are on this page
}

// A Node is one Redis server and what it stores.
type Node struct {
	Name string
	Down bool
	Keys []Key // those that are there and those that were, by name
	More int   // how many have changed earlier, and have no room here
}

// A Storage is the protected resource.
type Storage struct{ Fence string } // the highest fencing token it has accepted; empty: none

// A Key is a name under which a Redis node has stored something, as the
// difference that its last change made.
type Key struct {
	Name   string
	Before *Stored // nothing: there was no such key
	Now    *Stored // nothing: the key is gone
	Change string  // how it changed, a sentence without the number of the command
	Order  int     // of the command that changed it; 0: no command did
	Seq    int     // of the event in which it changed
	Last   bool    // no key has changed since
}

// A Stored value is what a key held or holds.
type Stored struct {
	Value, Writer string
	Expires       string // true time, s; empty: never
}

// A Client is one card.
type Client struct {
	Name      string
	Status    string // the key of its word, such as inside
	Paused    bool
	Violating bool
	Facts     []string // belief, clock, sleep, each a short sentence
	Belief    string
	Flight    string // the command in flight
	FlightIs  string // what precedes it
	FlightTo  string // redis, storage or client; empty: nothing is in flight
	Orphan    string // the command of an earlier life that is still in flight
	Main      []Button
	More      []Button
}

// Alert is a violation, and the event that made it inevitable.
type Alert struct {
	Sentence string
	Cause    int // sequence number of the event; 0: none is known
}

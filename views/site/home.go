package site

import (
	"slices"
	"strings"

	"lockstep/engine/lang"
	"lockstep/views"
	courseview "lockstep/views/course"
)

// A Home is the first page that a newcomer sees. A story grows from nothing by the reader's presses, until the reader delivers the
// requests of two clients in any order.
type Home struct {
	views.Site
	At       string // the query of the state: nothing, beat=1 or order=12
	Kind     string // asks, inside, crashed, begin, press, broken, held; of a broken lock also why, getset
	Order    string // a digit for each press in the race: 1 for C1, 2 for C2
	Here     HomeState
	Programs []HomeProgram // the clients' and its repair
	Events   []string      // what has happened, in sentences, the latest first

	Start  string // the scenario before the race
	Race   string // the address of the race
	Repair string // the program that a breaking order does not break
	Proof  string // that no order breaks the repair

	Courses []HomeCourse // the first one is what the site teaches first
	First   HomeFirst
	On      HomeFirst // where a reader goes on who has met the repair; without a path: nowhere
	Data    HomeData
}

// A HomeProgram is how a program takes the lock.
type HomeProgram struct {
	Name   string
	Here   bool   // the clients on the stage run it
	Lit    int    // the number of the line that the page speaks of; 0: of none
	Light  string // how it is lit: guilty or decides
	Lines  []HomeLine
	Inside []string // the clients that are past its last line
}

// A HomeLine is a line of a program. Its indent is Depth, as there is little room beside the picture.
type HomeLine struct {
	views.SourceLine
	Depth int
	Later bool // who is alone does not come here: the reader meets it in the race
}

// A HomeCourse is a course as the home page lists it.
type HomeCourse struct {
	courseview.Link
	Named              bool   // its heading names it
	Length             string // how many lessons it has, and how long they take; empty: it has none
	Lessons, Incidents []courseview.LessonLink
}

// Express reports whether some of its lessons are a path for a reader short of time.
func (c HomeCourse) Express() bool {
	return slices.ContainsFunc(c.Lessons, func(l courseview.LessonLink) bool { return l.Express })
}

// A HomeFirst leads to where the first course begins, or goes on from here.
type HomeFirst struct{ Path, Says string }

// HomeData is the initial data of the home page's script: every state, so that a press needs no network. An event's number
// is its place in its log.
type HomeData struct {
	Lang     lang.Language        `json:"lang"`
	Timeline map[string]any       `json:"timeline"`
	Start    string               `json:"start"`  // the scenario before the race
	Repair   any                  `json:"repair"` // the events before the race's first press under the repair, with which every twin begins
	States   map[string]HomeState `json:"states"` // by the query of their address; after the repair, whose words are much the same: so the page compresses well
}

// A HomeState is what some presses have led to.
type HomeState struct {
	Before    *string     `json:"before"` // the address of the state before its last press; nil: it is the first
	Kind      string      `json:"kind"`
	Verdict   string      `json:"verdict,omitempty"`
	Meanwhile string      `json:"meanwhile,omitempty"` // while its motions follow each other
	Says      string      `json:"says"`
	Asks      string      `json:"asks,omitempty"`
	Presses   []HomePress `json:"presses"`
	Lets      string      `json:"lets"`   // the address to which the run goes by itself
	Events    any         `json:"events"` // of its last press

	// Of a broken lock
	Cause    int    `json:"cause,omitempty"` // the guilty event
	Line     int    `json:"line,omitempty"`  // of the program, at which it was sent
	Why      string `json:"why,omitempty"`
	Repaired string `json:"repaired,omitempty"` // what the repair does in this order
	Twin     any    `json:"twin,omitempty"`     // the events of the presses with the repair
	TwinLine int    `json:"twinLine,omitempty"` // the line of the repair that decides
}

// A HomePress is what the reader can cause next.
type HomePress struct {
	Client string `json:"client"` // empty: time passes
	Does   string `json:"does"`   // step, crash or tick
	Says   string `json:"says"`   // on the stage
	Name   string `json:"name"`
	To     string `json:"to"`
}

// Said returns the sentence of the card.
func (p Home) Said() string {
	switch p.Kind {
	case "why":
		return p.Here.Why
	case "getset":
		return p.Here.Repaired
	}
	return p.Here.Says
}

// scenario returns the run after the presses of the race, as text.
func (p Home) scenario() string {
	text := p.Start
	for _, press := range p.Order {
		text += "step C" + string(press) + "\n"
	}
	return text
}

// address returns the path of a state of the page.
func (p Home) address(at, show string) string {
	switch {
	case at == "":
		return "/"
	case show == "":
		return "/?" + at
	}
	return "/?" + at + "&show=" + show
}

// here returns the path of the page as it is.
func (p Home) here() string {
	if p.Kind == "why" || p.Kind == "getset" {
		return p.address(p.At, p.Kind)
	}
	return p.address(p.At, "")
}

// A homeSlot is a control of the stage, with what it does now.
type homeSlot struct {
	Client string // empty: time
	Press  HomePress
	Keys   string
	Leads  bool // it is the only one
}

// slots returns the controls of the stage, of which most do nothing now.
func (p Home) slots() []homeSlot {
	slots := []homeSlot{{Client: "C3"}, {}, {Client: "C1"}, {Client: "C2"}}
	for i := range slots {
		for n, press := range p.Here.Presses {
			if press.Client != slots[i].Client || p.Kind == "why" || p.Kind == "getset" {
				continue
			}
			slots[i].Press, slots[i].Leads = press, len(p.Here.Presses) == 1
			var keys []string
			if press.Client != "" {
				keys = append(keys, press.Client[1:])
			}
			if n == 0 {
				keys = append(keys, "Space")
			}
			slots[i].Keys = strings.Join(keys, " ")
		}
	}
	return slots
}

// backTo returns the key of the label for the link back from an error page.
func backTo(path string) string {
	if path == "/" {
		return "back.home"
	}
	return "back"
}

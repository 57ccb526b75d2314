package site

import (
	"lockstep/engine/lang"
	"lockstep/views"
	courseview "lockstep/views/course"
)

// A Home is the first page that a newcomer sees. The reader delivers the requests of two clients in any order.
type Home struct {
	views.Site
	Kind   string // begin, press, broken, held; of a broken lock also why, getset
	Order  string // a digit for each press so far: 1 for C1, 2 for C2
	Here   HomeOrder
	Whys   []HomeWhy
	Events []string // what has happened, in sentences, the latest first

	Start         string // the scenario before the first press
	Breaks        string // an order that breaks the lock
	Repair        string // the program that this order does not break
	Chances       string // how many random orders break the lock, and how long the search took
	RepairChances string

	AloneAt string // the URL of a site that only this machine reaches, for a reader there; empty: others reach it

	Courses []HomeCourse // the first one is what the site teaches first
	First   HomeFirst
	Data    HomeData
}

// A HomeCourse is a course as the home page lists it.
type HomeCourse struct {
	courseview.Link
	Named              bool   // its heading names it
	Length             string // how many lessons it has, and how long they take; empty: it has none
	Lessons, Incidents []courseview.LessonLink
}

// A HomeFirst leads to where the first course begins.
type HomeFirst struct{ Path, Says string }

// A HomeWhy has the lines of the program around the guilty command of an order.
type HomeWhy struct {
	Order string
	Lines []views.SourceLine
}

// HomeData is the initial data of the home page's script: every order, so that a press needs no network. An event's number
// is its place in its log.
type HomeData struct {
	Lang     lang.Language        `json:"lang"`
	Timeline map[string]any       `json:"timeline"`
	Start    string               `json:"start"` // the scenario before the first press
	Breaks   string               `json:"breaks"`
	Repair   any                  `json:"repair"` // the events before the first press under the repair, with which every twin begins
	Orders   map[string]HomeOrder `json:"orders"` // after the repair, whose words are much the same: so the page compresses well
}

// A HomeOrder is what an order of presses has led to.
type HomeOrder struct {
	Kind   string            `json:"kind"`
	Says   string            `json:"says"`
	Asks   string            `json:"asks"`
	Waits  map[string]string `json:"waits"`  // the command in flight, by client
	Events any               `json:"events"` // of its last press

	// Of a broken lock
	Cause    int    `json:"cause,omitempty"` // the guilty event
	Why      string `json:"why,omitempty"`
	Repaired string `json:"repaired,omitempty"` // what the repair does in this order
	Twin     any    `json:"twin,omitempty"`     // the events of the presses with the repair
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

// scenario returns the run after the presses, as text.
func (p Home) scenario() string {
	text := p.Start
	for _, press := range p.Order {
		text += "step C" + string(press) + "\n"
	}
	return text
}

// address returns the path of a state of the page.
func (p Home) address(order, show string) string {
	path := "/"
	if order != "" {
		path += "?order=" + order
	}
	if show != "" {
		path += "&show=" + show
	}
	return path
}

// here returns the path of the page as it is.
func (p Home) here() string {
	if p.Kind == "why" || p.Kind == "getset" {
		return p.address(p.Order, p.Kind)
	}
	return p.address(p.Order, "")
}

// keys returns the shortcuts of a client's press: its digit, and Space where it is the first that waits.
func (p Home) keys(client string) string {
	if p.first() == client {
		return client[1:] + " Space"
	}
	return client[1:]
}

// first returns the first client that waits.
func (p Home) first() string {
	for _, client := range homeClients {
		if p.Here.Waits[client] != "" {
			return client
		}
	}
	return ""
}

var homeClients = []string{"C1", "C2"}

// homeSigns are the signs of the legend that the page explains.
var homeSigns = []string{"request", "reply", "inside", "band"}

// backTo returns the key of the label for the link back from an error page.
func backTo(path string) string {
	if path == "/" {
		return "back.home"
	}
	return "back"
}

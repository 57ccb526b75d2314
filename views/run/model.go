package run

import (
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"lockstep/engine/lang"
	"lockstep/views"
	exploreview "lockstep/views/explore"
)

// Client returns the client with a name; nil: nobody has spawned it.
func (p Page) Client(name string) *Client {
	i := slices.IndexFunc(p.Clients, func(c Client) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return &p.Clients[i]
}

// Stores reports whether a node has any key now.
func (n Node) Stores() bool {
	return slices.ContainsFunc(n.Keys, func(k Key) bool { return k.Now != nil })
}

// A Page holds everything that the page of a run shows, at one position.
type Page struct {
	views.Site
	Path string // of the run within the site, such as /t/k3v9m2xq7a
	Tabs []Tab  // the run and its branches
	At   int    // the position: actions done
	Tip  int    // actions of the whole run

	Draft *Draft // the run is on its page only; nil: the server has it

	Programs []views.Program
	Chosen   string // the program whose source is shown first
	Tongues  Tongues
	Next     Spawn  // the spawn button
	Both     string // the action that spawns the first two clients

	Breaks  []int         // the positions in the whole run where a violation begins
	Doubles []int         // those of them where two clients hold the lock at once
	Caption string        // the latest event, in words
	Alerts  []Alert       // the present violations
	More    int           // violations that do not fit here
	Remarks []string      // what the import that made the run says: what it guessed, and what it left out
	Real    []Real        // what is to say about the real programs behind recordings
	Total   int           // events of the whole run
	Events  []views.Event // rows of the list: all events, or some of them
	Asked   bool          // the reader chose them
	Pages   []EventPage   // stretches of the list, when it does not hold all events

	Now     string // true time, s
	Nodes   []Node
	Storage *Storage // the protected resource; nil: nobody writes to it
	Clients []Client

	Ticks  []Button
	Faults []Button

	Task   *Task   // the purpose of the run; nil: free play
	Room   *InRoom // of the run; nil: none
	OfRoom string  // the path of the room whose own run it is, for what its presenter alone sees; empty: it is no room's
	Beside *Beside // the run to compare with; nil: none

	Refusal    string // the reason for a refusal
	Limit      string // the reason why the run takes no more actions; empty: it does
	Own        Own
	Properties []exploreview.Choice // for the lookahead
	Console    Console
	Downloads  []Download // of the share menu
	Data       Data
}

// InRoom is the room of a run, as far as the run's page must know it.
type InRoom struct {
	Presenter bool   // the reader presents it
	Name      string // of the room
	Run       string // the path of the run that the room shows
	Over      string // the path of the replay; empty: the room is open
	Box       templ.Component
}

// titled returns the site with this page's title, which names both runs of a comparison, and the room of a presenter.
func (p Page) titled() views.Site {
	switch site := p.Site; {
	case p.Beside != nil:
		here, there := p.Beside.Labels()
		return site.Called(here+" / "+there, views.Say(p.Lang, "compare"))
	case p.Room != nil:
		return site.Called(p.Window, p.Room.Name)
	default:
		return site
	}
}

// outside reports whether the page is no page of the reader's room, or one to which the presenter has not brought it.
func (p Page) outside() bool {
	return p.Room == nil || p.Room.Presenter && p.Room.Over == "" && p.Room.Run != p.Path
}

// showing returns what the page's presenter can show: the run at its position, or the task as which it begins.
func (p Page) showing() *views.Showing {
	shown := &views.Showing{Run: strings.TrimPrefix(p.Path, "/t/"), At: p.At}
	if p.Draft != nil {
		shown.Task, shown.Scenario = p.Data.Task, p.Draft.Scenario
	}
	return shown
}

// drawerNames are in the order of the tabs.
var drawerNames = []string{"code", "keys", "events", "wire", "console"}

// These are the widths above which the card says a sentence in smaller letters. A violation has buttons beside it.
const (
	captionWide = 96
	alertWide   = 56
)

// long reports whether a sentence is wider than most. A Chinese character is as wide as two Latin ones.
func long(sentence string, most int) bool {
	width := 0
	for _, r := range sentence {
		width++
		if r >= '\u2e80' {
			width++
		}
	}
	return width > most
}

// Awaited reports whether the clients are programs that somebody starts by hand, and none of them has come.
func (p Page) Awaited() bool {
	return len(p.Clients) == 0 && slices.ContainsFunc(p.Real, func(line Real) bool { return line.Kind == "connect" })
}

// begins reports whether the playground shows what it begins with: clients that have asked for the lock, and nothing else.
func (p Page) begins() bool {
	return p.Task == nil && p.Beside == nil && len(p.Remarks) == 0 && p.At == p.Tip && p.At > 0 && p.At == len(p.Clients) && len(p.Real) == 0
}

// playground returns the address of a new run with a program, and with as many clients.
func (p Page) playground(program string) templ.SafeURL {
	query := url.Values{"program": {program}}
	if n := len(p.Clients); n > 0 && n != 2 {
		query.Set("clients", strconv.Itoa(n))
	}
	return p.URL("/new?" + query.Encode())
}

// chooses reports whether the page leads to the playground with another program. A room and a comparison would be left behind.
func (p Page) chooses() bool { return p.Task == nil && p.Beside == nil && p.Room == nil }

// plays names the program of the last client: by the idea of its family, where it is the one to look at first.
func (p Page) plays() string {
	if chosen := p.chosen(); chosen != nil && chosen.Brief != "" {
		return chosen.Brief
	}
	return p.Chosen
}

// translates says whether a browser may translate what plays returns: an idea, but no program's name.
func (p Page) translates() string {
	if p.plays() == p.Chosen {
		return "no"
	}
	return "yes"
}

// chosen returns the program of the last client; nil: it is none of the page's.
func (p Page) chosen() *views.Program {
	i := slices.IndexFunc(p.Programs, func(program views.Program) bool { return program.Name == p.Chosen })
	if i < 0 {
		return nil
	}
	return &p.Programs[i]
}

// nextIdea returns the program to look at first in the family after that of the last client's; nil: it is the last family, or none.
func (p Page) nextIdea() *views.Program {
	chosen := p.chosen()
	if chosen == nil {
		return nil
	}
	past := false
	for i, program := range p.Programs {
		if past && program.Family != chosen.Family && program.Brief != "" {
			return &p.Programs[i]
		}
		past = past || program.Name == chosen.Name
	}
	return nil
}

// Past reports whether the page shows a position before the end of the run.
func (p Page) Past() bool { return p.At < p.Tip }

// comparing returns the stage's class beside a second run.
func (p Page) comparing() string {
	if p.Beside != nil {
		return "comparing"
	}
	return ""
}

// Causes returns the events that made the present violations inevitable, each once.
func (p Page) Causes() []int {
	var seqs []int
	for _, alert := range p.Alerts {
		if alert.Cause > 0 && !slices.Contains(seqs, alert.Cause) {
			seqs = append(seqs, alert.Cause)
		}
	}
	return seqs
}

// A Draft is a run that nobody has acted in. The reader's first action makes it on the server.
type Draft struct {
	Path  string // of its page within the site, such as /courses/redis-lock/race
	Query string // for addresses below the run's path: it tells the server how the run begins

	Scenario string // the text of a run without a task
}

// form returns the address of one of the run's forms, such as actions.
func (p Page) form(name string) templ.SafeURL { return p.begun(p.Path + "/" + name) }

// file returns the address of the run in a format. The player opens where it is saved.
func (p Page) file(extension string) templ.SafeURL {
	address := p.begun(p.Path + "." + extension)
	if extension == "html" && p.At > 0 {
		return templ.SafeURL(views.WithQuery(string(address), "step="+strconv.Itoa(p.At)))
	}
	return address
}

// begun returns the address of a path. With it, a draft tells the server how the run begins.
func (p Page) begun(path string) templ.SafeURL {
	if p.Draft != nil {
		path += "?" + p.Draft.Query
	}
	return p.URL(path)
}

// A Tab leads to a run of the family.
type Tab struct {
	Name, Path string
	Current    bool
	Compare    string // the path that compares it with the current run; empty: it is that run
}

// Data is the initial data of the page's scripts. With it, the first picture waits for
// no socket.
type Data struct {
	Version  int               `json:"version"`
	Lang     lang.Language     `json:"lang"`
	Base     string            `json:"base"`
	Run      string            `json:"run"`
	Path     string            `json:"path"`
	Step     int               `json:"step"`
	Log      any               `json:"log"` // of the run, as far as it fits; the scripts ask for the rest
	Timeline map[string]any    `json:"timeline"`
	Words    map[string]string `json:"words"`
	Beside   *BesideData       `json:"beside,omitempty"`
	Task     string            `json:"task,omitempty"`  // the name of the run's task
	Draft    string            `json:"draft,omitempty"` // the query of a draft; none: the server has the run
}

// A Button is one action.
type Button struct {
	Action string // a line of scenario text, or a move to another position
	Label  string
	Icon   string // shown in place of the label, where there is little room; empty: none
	Title  string // a description for a short label
	Refuse string // the reason why it is impossible now; empty: it is possible
	Never  bool   // the run's challenge never allows it
	ID     string // unique on the page; it keeps the focus when the panel changes
	Keys   string // its shortcuts, as aria-keyshortcuts names them; empty: none, or the chosen client's
}

// Spawn is the action that adds the next client.
type Spawn struct {
	Client string
	Button
}

// Own is a program's text as the reader edits it.
type Own struct {
	From, Source string
	Error        string // the reason for its refusal; empty: accepted, or not sent yet
}

// EventsListed bounds the rows of a page. The list of a run with at most this many
// events holds them all.
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
	Keys []Key // present and past ones, by name
	More int   // earlier changes that do not fit here
}

// A Storage is the protected resource.
type Storage struct {
	Fence  string   // the highest fencing token it has accepted; empty: none
	Number string   // that it holds; empty: nobody reads or writes one
	Staged []Staged // what open transactions write at their commits
}

// A Staged is what a client's transaction writes at its commit.
type Staged struct{ Client, Number string }

// A Key is a key of a Redis node, as the difference that its last change
// made.
type Key struct {
	Name   string
	Before *Stored // nil: the key did not exist
	Now    *Stored // nil: the key is gone
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
	Label     string // who it is in the system that the run comes from; empty: nobody said
	Status    string // the key of its word, such as inside
	Paused    bool
	Violating bool
	Facts     []string // belief, clock, sleep, each a short sentence
	Belief    string
	Flight    string // the command in flight
	FlightIs  string // the words before it
	FlightTo  string // redis, storage or client; empty: nothing is in flight
	Orphan    string // the command of an earlier life that is still in flight
	Main      []Button
	More      []Button
	Command   string // the title of its recording, such as a command line; empty: its program is none
	Live      bool   // the real program stands behind it
}

// Real is a line about the real programs behind recordings.
type Real struct {
	Kind string // runs, failed, held, connect or guess
	Text string
}

// Alert is a violation with the event that made it inevitable.
type Alert struct {
	Brief    string // the sentence without its cause
	Sentence string
	Cause    int // sequence number of the event; 0: none is known
}

// briefly returns a command line with the last part of each path alone: python3 worker.py.
func briefly(command string) string {
	words := strings.Split(command, " ")
	for i, word := range words {
		if strings.HasPrefix(word, "/") {
			words[i] = path.Base(word)
		}
	}
	return strings.Join(words, " ")
}

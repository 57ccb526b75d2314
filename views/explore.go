package views

import (
	"slices"
	"strconv"

	"lockstep/engine/lang"
)

// An Explore is the page that searches every interleaving.
type Explore struct {
	Site
	Address string // of the question within the site
	Link    string // the same, to be searched
	Program string // the chosen built-in program, or the one from which the reader's own began
	Own     bool   // the program is the reader's own text
	Source  string // of an own program
	Refusal string // why the question cannot be asked; empty: it can
	Line    int    // of the fault in the reader's text; 0: none
	Column  int

	Programs   []string
	Property   string
	Properties []Choice
	Bounds     []Bound
	Delays     []Choice
	Delay      string
	Skews      []Skew
	Nodes      []Choice
	Node       string
	NodeBounds []Bound
	Lose       bool
	Replies    bool
	Apart      bool // states that differ only in the names of clients count apart
	Causes     bool
	Schedules  string // how many the luck meter tries
	Moment     string // how long the page waits for a search

	Outcome Outcome
	Luck    Luck
	Data    ExploreData
}

// A Choice is one of a list.
type Choice struct {
	Value, Label string
	Means        string // details that do not fit the label
}

// A Bound is a number with a slider.
type Bound struct {
	Name               string
	Least, Most, Value int
}

// A Skew sets a client's clock ahead, in seconds; empty: not at all.
type Skew struct {
	Client, Seconds string
	Most            int
}

// An Outcome is the result of a search.
type Outcome struct {
	Site            Site
	Verdict         string // holds, violated, budget, stopped or failed; empty: nothing has been searched
	Sentence        string
	Note            string // the limits of the verdict; empty: none
	Figures         []Figure
	Next            string // the address of the next question that the page suggests; empty: none
	NextLabel       string
	MoreCauses      bool // a further search may find others
	Counterexamples []Counterexample
}

// A Figure is one measure of a search.
type Figure struct{ Name, Value string }

// A Counterexample is the shortest run that violates the property with its cause.
type Counterexample struct {
	Number   int
	Length   int
	Cause    string // the mistake, in words
	Why      string // the sentence of the violation
	Caused   bool   // the picture can point at the event that made the violation inevitable
	Lines    []SourceLine
	Scenario string
	Nodes    int // of Redis: the picture is as high as they need
	Events   []Event
}

func (c Counterexample) id() string { return "counterexample-" + strconv.Itoa(c.Number) }

// A Luck counts how often random schedules violate the property.
type Luck struct {
	Lang      lang.Language
	Sentence  string // empty: nothing has been tried
	Took      string
	Search    string // the effort of one search
	Found     bool   // the search found a counterexample
	Tried     int64
	Violating int64
	Wanted    int64
}

// bar returns the length of a part of the wanted number, on a scale of 1,000. A part
// that is not zero stays visible.
func (k Luck) bar(part int64) string {
	if part == 0 || k.Wanted == 0 {
		return "0"
	}
	return strconv.FormatInt(max(4, part*1000/k.Wanted), 10)
}

// ExploreData is the initial data of the page's script.
type ExploreData struct {
	Lang            lang.Language     `json:"lang"`
	Base            string            `json:"base"`
	Timeline        map[string]any    `json:"timeline"`
	Words           map[string]string `json:"words"`
	Unfinished      bool              `json:"unfinished"` // the question needs longer than a page waits for
	Counterexamples any               `json:"counterexamples"`
	Depths          []int64           `json:"depths"` // the shape of the search: new states at each number of actions
}

// skewed reports whether a clock is ahead.
func (p Explore) skewed() bool {
	return slices.ContainsFunc(p.Skews, func(s Skew) bool { return s.Seconds != "" })
}

// Away returns the words around the number of actions to a violation.
func Away(l lang.Language, n int) string {
	if n == 1 {
		return Say(l, "ahead.away.one")
	}
	return Say(l, "ahead.away")
}

// Actions returns a number of actions in words.
func Actions(l lang.Language, n int) string {
	if n == 1 {
		return Say(l, "ahead.action")
	}
	return Say(l, "ahead.actions", n)
}

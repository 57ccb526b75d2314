package views

import (
	"slices"
	"strconv"

	"lockstep/engine/lang"
)

// An Explore is the page on which every interleaving is searched.
type Explore struct {
	Site
	Address string // of the question within the site
	Link    string // the same, to be searched
	Program string // the built-in program that is chosen, or that the own text began as
	Own     bool   // the program is the reader's own text
	Source  string // of an own program
	Refusal string // why the question cannot be asked; empty: it can
	Line    int    // of the own text, where it is wrong; 0: it is not
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
	Symmetry   bool
	Causes     bool
	Schedules  string // how many the luck meter tries
	Moment     string // how long a search may take that the page waits for

	Outcome Outcome
	Luck    Luck
	Data    ExploreData
}

// A Choice is one of a list.
type Choice struct {
	Value, Label string
	Means        string // what the label has no room for
}

// A Bound is a number with a slider.
type Bound struct {
	Name               string
	Least, Most, Value int
}

// A Skew is how far a client's clock is ahead, in seconds; empty: not at all.
type Skew struct {
	Client, Seconds string
	Most            int
}

// An Outcome is what a search has found.
type Outcome struct {
	Site            Site
	Verdict         string // holds, violated, budget, stopped or failed; empty: nothing has been searched
	Sentence        string
	Note            string // what it does not say; empty: nothing
	Figures         []Figure
	Next            string // the address of another question that the answer suggests; empty: none
	NextLabel       string
	MoreCauses      bool // others may be found
	Counterexamples []Counterexample
}

// A Figure is how far a search came in one respect.
type Figure struct{ Name, Value string }

// A Counterexample is a run that violates the property, of those the shortest with its cause.
type Counterexample struct {
	Number   int
	Length   int
	Cause    string // the mistake, in words
	Why      string // the sentence of the violation
	Caused   bool   // the picture can point at what made it inevitable
	Lines    []SourceLine
	Scenario string
	Nodes    int // of Redis: the picture is as high as they need
	Events   []Event
}

func (c Counterexample) id() string { return "counterexample-" + strconv.Itoa(c.Number) }

// A Luck is how often chance has found what a search finds.
type Luck struct {
	Lang      lang.Language
	Sentence  string // empty: nothing has been tried
	Took      string
	Search    string // what one search needed
	Found     bool   // it has found a counterexample
	Tried     int64
	Violating int64
	Wanted    int64
}

// bar is the length of a part of what is wanted, where a bar is 1,000 long: one
// that is there can be seen.
func (k Luck) bar(part int64) string {
	if part == 0 || k.Wanted == 0 {
		return "0"
	}
	return strconv.FormatInt(max(4, part*1000/k.Wanted), 10)
}

// ExploreData is what the script of the page begins with.
type ExploreData struct {
	Lang            lang.Language     `json:"lang"`
	Base            string            `json:"base"`
	Timeline        map[string]any    `json:"timeline"`
	Words           map[string]string `json:"words"`
	Unfinished      bool              `json:"unfinished"` // the question needs longer than a page waits for
	Counterexamples any               `json:"counterexamples"`
}

// skewed reports that a clock is wrong.
func (p Explore) skewed() bool {
	return slices.ContainsFunc(p.Skews, func(s Skew) bool { return s.Seconds != "" })
}

// Actions is a number of actions, in words.
func Actions(l lang.Language, n int) string {
	if n == 1 {
		return Say(l, "ahead.action")
	}
	return Say(l, "ahead.actions", n)
}

package explore

import (
	"fmt"
	"strconv"
	"strings"

	"lockstep/engine/lang"
	"lockstep/views"
)

// An Page is the page that searches every interleaving.
type Page struct {
	views.Site
	Address string // of the question within the site
	Program string // the chosen built-in program, or the one from which the reader's own began
	Own     bool   // the program is the reader's own text
	Source  string // of an own program
	Refusal string // why the question cannot be asked; empty: it can
	Line    int    // of the fault in the reader's text; 0: none
	Column  int

	Programs   []views.Program
	Property   string
	Properties []Choice
	Values     map[string]Value // of the sentence, by the names of their fields
	Also       string           // what the question has besides its sentence; empty: nothing
	Faults     []Bound
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
	Data    Data
}

// A Choice is one of a list.
type Choice struct {
	Value, Label string
	Means        string // what the label, a name, stands for
}

// A Value is a word of the question's sentence that the reader can change.
type Value struct {
	Name    string
	Choices []Choice
	Chosen  string
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
	Site            views.Site
	Verdict         string // holds, violated, budget, stopped or failed; empty: nothing has been searched
	Stamp           string // the verdict in a word or two
	Feat            string // what is to be said of it
	States          string // that the search has seen, as Feat writes their number
	Sentence        string
	Note            string  // the limits of the verdict; empty: none
	Depths          []int64 // states by how many actions lead to them
	Shape           string  // the same in a sentence
	Figures         []Figure
	Next            string // the address of the next question that the page suggests; empty: none
	NextLabel       string
	Question        string // the question, as the page's address has it
	Own             string // the text of the program that it asks about, if that is the reader's own; empty: it is a built-in one
	Attempt         string // a scenario in which the reader can try what the search has tried; empty: none
	Longer          bool   // the search has not ended, and may go on
	MoreCauses      bool   // a further search may find others
	Source          []views.SourceLine
	Counterexamples []Counterexample
	Also            string // what the question has besides its sentence
}

// stage returns the class of the stage: it has a picture, a proof, or nothing yet.
func (o Outcome) stage() string {
	switch {
	case len(o.Counterexamples) > 0:
		return "pictured"
	case o.Verdict != "":
		return "proof"
	}
	return ""
}

// doubts reports whether the search has not decided, or could not: its sentence says why.
func (o Outcome) doubts() bool {
	return len(o.Counterexamples) == 0 && o.Verdict != "holds"
}

// guilty reports whether the first counterexample begins at a line of the program.
func (o Outcome) guilty(line int) bool {
	return len(o.Counterexamples) > 0 && o.Counterexamples[0].Line == line
}

// A Figure is one measure of a search.
type Figure struct{ Name, Value string }

// A Counterexample is the shortest run that violates the property with its cause.
type Counterexample struct {
	Number   int
	Length   int
	Cause    string // the mistake, in words
	Why      string // the sentence of the violation
	Line     int    // of the program, at which the guilty command was sent; 0: there is none
	Scenario string
	Events   []views.Event
	Story    []Told
}

// A Told is a sentence of a story.
type Told struct {
	Action int // by which what it tells has happened
	Parts  []Part
}

// A Part is some words of it, which may mean a mark of the picture.
type Part struct {
	Words string
	Ref   string // names the mark; static/js/timeline/refs.js finds it; empty: the words mean none
}

func (c Counterexample) id() string { return "counterexample-" + strconv.Itoa(c.Number) }

// title names it among those of an answer.
func (c Counterexample) title(o Outcome) string {
	l, long := o.Site.Lang, Actions(o.Site.Lang, c.Length)
	switch {
	case len(o.Counterexamples) > 1:
		return views.Say(l, "explore.of-cause", c.Number, long)
	case o.Verdict == "failed":
		return views.Say(l, "explore.way", long)
	}
	return views.Say(l, "explore.counterexample", long)
}

// spaced writes numbers with blanks between them.
func spaced(all []int64) string {
	var b strings.Builder
	for _, n := range all {
		fmt.Fprint(&b, n, " ")
	}
	return b.String()
}

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

// Data is the initial data of the page's script.
type Data struct {
	Lang            lang.Language     `json:"lang"`
	Base            string            `json:"base"`
	Timeline        map[string]any    `json:"timeline"`
	Words           map[string]string `json:"words"`
	Unfinished      bool              `json:"unfinished"` // the question needs longer than a page waits for
	Counterexamples any               `json:"counterexamples"`
	Depths          []int64           `json:"depths"` // the shape of the search: new states at each number of actions
}

// Away returns the words around the number of actions to a violation.
func Away(l lang.Language, n int, harm string) string {
	if n == 1 {
		return views.Say(l, "ahead.away.one", harm)
	}
	return views.Say(l, "ahead.away", harm)
}

// Actions returns a number of actions in words.
func Actions(l lang.Language, n int) string {
	if n == 1 {
		return views.Say(l, "ahead.action")
	}
	return views.Say(l, "ahead.actions", n)
}

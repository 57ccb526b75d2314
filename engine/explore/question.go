package explore

import (
	"lockstep/engine"
	"lockstep/engine/program"
)

// Any is the number of delays where the network may take as long as it likes.
const Any = -1

// A Question is what is searched: who takes part, what may happen to them, and
// whether a property holds whatever does.
type Question struct {
	Program *program.Program // what every client runs

	// From is the run from whose present state the search begins. Its clients keep
	// their programs, options and clocks; more are spawned, as the latest was, until
	// there are as many as Clients says. Nil: a search begins with nothing.
	From *engine.Run

	// Property is the name of the one that is asked about. Without one nothing
	// can be violated, and the states are only counted.
	Property string

	Clients int         // spawned in order
	Ticks   int         // how often the clock may move
	Tick    engine.Time // by how much, ms; 0: 1 s
	Timeout engine.Time // how long a lease lasts, ms; 0: as the program says, or 10 s
	Retry   engine.Time // wait after a failed attempt, ms; 0: one tick
	Crashes int         // how many clients may crash
	Delays  int         // how many ticks may pass while a message is in flight; Any: all of them

	Replies bool // a reply takes time too: its delivery is an action of its own

	Skew map[string]engine.Time // own clock minus true time, by client, ms

	Nodes        int  // Redis nodes; 0: one
	NodeCrashes  int  // how often a Redis node may crash
	Lose         bool // a node that crashes loses its data
	RestartDelay int  // how many ticks pass at least before a crashed node is back
	Restarts     bool // a node that is down may come back, also where none may crash

	Symmetry bool // clients that differ only in their names are counted once
}

// Runtime are what a search is handed from outside: the engine itself has no
// goroutines and no clock. The zero value works alone and tells nobody.
type Runtime struct {
	// Go runs work(0) to work(n-1) at once and waits for all; nil: one after another.
	Go func(n int, work func(i int))

	// Workers is how many pieces of work go on at once; 0: one.
	Workers int

	// Progress is called with how far the search is, by one worker at a time and from
	// wherever it works: at least once in a million units of work, which take about
	// 10 ms, but for a single action of the engine that takes longer
	// (engine.MaxQuestionWork). It stops the search by returning false, and may let
	// others use the processor meanwhile. nil: nobody asks.
	Progress func(Figures) bool
}

// Figures are how far a search came.
type Figures struct {
	States      int64 `json:"states"`      // distinct ones
	Transitions int64 `json:"transitions"` // actions tried
	Depth       int   `json:"depth"`       // actions from the start to the latest states
	Memory      int64 `json:"memory"`      // bytes that the search has set aside
	Work        int64 `json:"-"`           // units of the engine, with what the way to a violation took
}

// A Verdict is how a search ended.
type Verdict string

// The verdicts. Only Holds claims something about all that can happen, and only
// within the question's bounds.
const (
	Holds    Verdict = "holds"
	Violated Verdict = "violated"
	Spent    Verdict = "budget"  // the budget ran out first, or another bound was met
	Stopped  Verdict = "stopped" // somebody stopped it
)

// An Answer is what a search found.
type Answer struct {
	Verdict Verdict
	Figures

	// Counterexamples are shortest ones, one for each cause, the shortest first:
	// just one unless more were asked for. Where the search for more did not come to
	// its end, the verdict says why, and they are those found until then.
	Counterexamples []Counterexample

	// Bound is which bound a search with the verdict Spent came to.
	Bound Bound

	// Unshown: a violation was found, but the search came to its end before the way to
	// it was known.
	Unshown bool
}

// A Counterexample is a run that violates the property.
type Counterexample struct {
	Scenario *engine.Scenario // ends with the expectation of its violation
	Length   int              // actions, spawns included; from a run: those after it
	Actions  []engine.Action  // these
	Clients  []string         // whom the violation names
	Cause    Cause
}

// A Cause is what made a violation inevitable, without the names and times of
// the one run: counterexamples of equal Cause are the same mistake.
type Cause struct {
	Kind    engine.Kind // of the guilty event
	Command string      // what Redis executed, such as DEL; empty: no command did it
	Line    int         // of the program, where it was sent; 0: no command did it
}

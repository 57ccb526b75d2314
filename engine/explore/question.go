package explore

import (
	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// Any is the number of delays where the network may take as long as it likes.
const Any = -1

// A Question describes a search: the clients, the actions that may happen, and
// the property that must hold in every interleaving.
type Question struct {
	Program *program.Program // the program of every client

	// Scripts are the Lua of the user's own program, which the user runs on their own machine.
	Scripts redis.Scripts

	// Redis makes the nodes, which may be asked from several goroutines at once. nil: they are the engine's.
	Redis redis.Maker

	// From is the run whose present state the search begins with. Its clients
	// keep their programs, options and clocks. More spawn, with the options of
	// the latest one, until there are Clients of them. Nil: a search begins
	// with nothing.
	From *engine.Run

	// Property names the property to search for. Without one nothing can be
	// violated, and the search only counts states.
	Property string

	Clients int         // spawned in order
	Ticks   int         // how often the clock may move
	Tick    engine.Time // by how much, ms; 0: 1 s

	// Lengths are those among which each tick has one: multiples of Tick, in growing order. Empty: each tick is one Tick.
	Lengths []engine.Time

	Within  engine.Time // of bounded-wait: how long a client may wait for the lock, ms; 0: as the run says, or 10 s
	Timeout engine.Time // how long a lease lasts, ms; 0: as the program says, or 10 s
	Retry   engine.Time // wait after a failed attempt, ms; 0: one tick
	Crashes int         // how many clients may crash
	InTime  bool        // no tick lets a lease lapse under a client that is inside: what breaks the lock then is no overrun
	Delays  int         // how many ticks may pass while a message is in flight, or see Clocked; Any: all of them

	// Clocked says that the clocks of recorded programs stand still with the run's: one that is inside and does not sleep there
	// could leave. For bounded-wait that counts like a message in flight, because what holds it up then is not the lock.
	Clocked bool

	Replies bool // a reply takes time too: its delivery is an action of its own
	Losses  int  // how many messages, requests or replies, may be lost; with any, Replies is true

	Skew map[string]engine.Time // own clock minus true time, by client, ms

	Nodes        int  // Redis nodes; 0: one
	NodeCrashes  int  // how often a Redis node may crash
	Lose         bool // a node that crashes loses its data
	RestartDelay int  // how many ticks pass at least before a crashed node is back
	Failovers    int  // how often a Redis node's replica, which lags, may take over
	Restarts     bool // a node that is down may come back, also where none may crash

	Symmetry bool // the search counts states that differ only in clients' names once
}

// Runtime hands a search its goroutines and its clock, because the engine has
// none. The zero value works alone and reports to nobody.
type Runtime struct {
	// Go runs work(0) to work(n-1) at once and waits for all; nil: one after another.
	Go func(n int, work func(i int))

	// Workers is how many pieces run at once; 0: one.
	Workers int

	// Progress receives the figures of the search, from one worker at a time,
	// on any goroutine. A worker calls it at least once in a million units of
	// work, which take about 10 ms, except during a single action of the engine
	// that takes longer (engine.MaxQuestionWork). Progress stops the search by
	// returning false, and may yield the processor meanwhile. nil: nobody asks.
	Progress func(Figures) bool
}

// Figures tell how far a search came.
type Figures struct {
	States      int64 `json:"states"`      // distinct ones
	Transitions int64 `json:"transitions"` // actions tried
	Depth       int   `json:"depth"`       // actions from the start to the latest states
	Memory      int64 `json:"memory"`      // bytes that the search has set aside
	Work        int64 `json:"-"`           // units of the engine, including those for the path to a violation

	// Depths is the shape of the search: how many states are new at each number of actions, from 0. It has the levels
	// that the search has seen whole, MaxDepths at most. They do not depend on the workers, nor on where a search stops.
	Depths []int64 `json:"depths"`
}

// A Verdict is how a search ended.
type Verdict string

// The verdicts. Only Holds makes a claim about all interleavings, and only
// within the question's bounds.
const (
	Holds    Verdict = "holds"
	Violated Verdict = "violated"
	Spent    Verdict = "budget"  // the budget ran out first, or the search met another bound
	Stopped  Verdict = "stopped" // the caller stopped it
)

// An Answer is the result of a search.
type Answer struct {
	Verdict Verdict
	Figures

	// Counterexamples are shortest ones, one for each cause, the shortest
	// first: just one unless the caller wants more. Where the search for more
	// did not finish, the verdict says why, and these are the ones found until
	// then.
	Counterexamples []Counterexample

	// Bound is the bound that ended a search with the verdict Spent.
	Bound Bound

	// Gaps are what the search had to know of recorded programs or of the effects of their scripts, with the bound OfRecording.
	Gaps []Gap

	// Early: the search found a violation, but ended before it had compared all
	// that it found. With a larger budget another counterexample of the same
	// length may take this one's place.
	Early bool

	// Unshown: the search found a violation, but ended before it knew the path
	// there.
	Unshown bool
}

// A Gap is a history after which a recorded program does something that it does not tell.
type Gap struct {
	Program *program.Program
	History []string    // see program.Recording
	Clock   engine.Time // what the client's own clock said when it came there
}

// A Counterexample is a run that violates the property.
type Counterexample struct {
	Scenario *engine.Scenario // ends with the expectation of its violation
	Length   int              // actions, including spawns; from a run: those after it
	Actions  []engine.Action  // the actions
	Clients  []string         // the clients that the violation names
	Cause    Cause
	Why      lang.Text // the cause, as a sentence; nothing: there is none
	Overrun  bool      // the cause is a lease that has lapsed under a client that was inside
	CausedBy string    // the lane of that event, or the client whose command it was; empty: nothing caused it
}

// A Cause is the event that made a violation inevitable, without names and
// times: counterexamples with equal Cause show the same mistake.
type Cause struct {
	Kind    engine.Kind // of the guilty event
	Command string      // the command that Redis executed, such as DEL; empty: no command did it
	Line    int         // the program's line that sent it; 0: no command did it
}

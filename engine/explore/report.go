package explore

import "lockstep/engine"

// A Report is an answer in the shape of lockstep explore --json. All its fields
// are always there, and missing values are null; the bounds leave out those
// that bound nothing.
type Report struct {
	Program     string  `json:"program"`
	Property    *string `json:"property"` // null: the search only counted states
	Bounds      Limits  `json:"bounds"`
	Verdict     Verdict `json:"verdict"`
	States      int64   `json:"states"`
	Transitions int64   `json:"transitions"`
	Depth       int     `json:"depth"`
	Depths      []int64 `json:"depths"`   // new states at each number of actions
	Length      *int    `json:"length"`   // of the shortest counterexample
	Scenario    *string `json:"scenario"` // the shortest counterexample, as text
	Seconds     float64 `json:"seconds"`
}

// Limits are the bounds of a question. Times are in milliseconds.
type Limits struct {
	Clients      int                    `json:"clients"`
	Ticks        int                    `json:"ticks"`
	TickMs       engine.Time            `json:"tickMs"`
	LengthsMs    []engine.Time          `json:"lengthsMs,omitempty"` // of the ticks; nothing: tickMs
	TimeoutMs    engine.Time            `json:"timeoutMs,omitempty"` // nothing: the program's own
	RetryMs      engine.Time            `json:"retryMs"`
	WithinMs     engine.Time            `json:"withinMs,omitempty"` // of bounded-wait: how long a client may wait for the lock
	Crashes      int                    `json:"crashes"`
	Delays       *int                   `json:"delays,omitempty"` // nothing: any
	InTime       bool                   `json:"inTime,omitempty"` // no lease runs out under a client that is inside
	Replies      bool                   `json:"replies,omitempty"`
	Losses       int                    `json:"losses,omitempty"`
	SkewMs       map[string]engine.Time `json:"skewMs,omitempty"`
	Nodes        int                    `json:"nodes"`
	NodeCrashes  int                    `json:"nodeCrashes,omitempty"`
	Lose         bool                   `json:"lose,omitempty"`
	RestartDelay int                    `json:"restartDelay,omitempty"`
	Failovers    int                    `json:"failovers,omitempty"`
	Symmetry     bool                   `json:"symmetry"`
}

// Report returns the answer for a program to read.
func (q Question) Report(a *Answer, seconds float64) Report {
	q = q.withDefaults()
	r := Report{
		Program: q.Program.Name, Verdict: a.Verdict,
		States: a.States, Transitions: a.Transitions, Depth: a.Depth, Depths: a.Depths, Seconds: seconds,
		Bounds: Limits{
			Clients: q.Clients, Ticks: q.Ticks, TickMs: q.Tick, LengthsMs: q.Lengths, TimeoutMs: q.Timeout, RetryMs: q.Retry, WithinMs: q.Within, Crashes: q.Crashes, InTime: q.InTime, Replies: q.Replies, Losses: q.Losses, SkewMs: q.Skew,
			Nodes: q.Nodes, NodeCrashes: q.NodeCrashes, Lose: q.Lose, RestartDelay: q.RestartDelay, Failovers: q.Failovers, Symmetry: q.Symmetry,
		},
	}
	if q.Property != "" {
		r.Property = &q.Property
	}
	if q.Delays != Any {
		r.Bounds.Delays = &q.Delays
	}
	if len(a.Counterexamples) > 0 {
		shortest := &a.Counterexamples[0]
		r.Length, r.Scenario = &shortest.Length, new(shortest.Scenario.String())
	}
	return r
}

package program

// A Program is a lock program that passed every static check. It never
// changes, so one Program may serve any number of clients at once.
type Program struct {
	Name     string
	Source   string
	Defaults Defaults

	behaviour
}

// A behaviour is the meaning of a program's source: a text in the language of this package, or a recording.
type behaviour interface {
	next(name string, phase Phase, env *Env, seen []Value) Outcome
	believes(name string, env *Env, nowMs int64) (holds bool, work int, err *Error)
	definesHolds() bool
	works() bool
	features() uses
}

// written is the behaviour of a text.
type written struct {
	acquire, release *function
	work, holds      *function // nil: not defined
	uses             uses
}

// Defaults are the options that a program's text suggests for its clients.
type Defaults struct {
	Timeout        int64 // ms, 0: unset; how long a lease lasts
	Retry          int64 // ms, 0: unset; the pause between two attempts
	AcquireTimeout int64 // ms, 0: unset; when to give up
	Blocking       *bool // nil: unset; false: one attempt only
}

// Phase is a part of a client's life that has a function of its own.
type Phase uint8

// The phases, in the order in which a client lives them.
const (
	Acquire Phase = iota
	Work
	Release
)

func (p Phase) String() string {
	switch p {
	case Acquire:
		return "acquire"
	case Work:
		return "work"
	}
	return "release"
}

// Env is all that a client knows by itself.
type Env struct {
	Client  string
	Timeout int64 // ms; c.timeout gives whole seconds
	Attempt int   // 1, 2, …: which call of acquire this is, or which one succeeded
	Nodes   int   // Redis nodes; 0 counts as 1
	Lease   Value // the result of acquire, for Work; with renewals, for Release and Holds
}

// OpKind tells what a client waits for.
type OpKind uint8

// The operations of a client.
const (
	Clock   OpKind = iota + 1 // reads its own clock; observes the ms
	Command                   // sends a command to a Redis node; observes the reply
	Hold                      // is in the critical section; observes None when it leaves
	Storage                   // sends a request to the protected resource; observes its answer
	Renew                     // believes in its lease for longer; observes None

	// Those of a recording, which has no phases. Each observes None, but the last three are the end of what it tells.
	Sleep   // sleeps for as long as For says
	Enter   // is in the critical section from now on
	Leave   // has left the critical section
	Want    // wants the lock again
	Again   // sleeps, and does again what it has done since its latest observations, Back of them
	End     // ends, with Code and Text
	Missing // nobody knows: the program did not run this far
)

// Uncommitted ends the words of a write that waits for its client's commit.
const Uncommitted = "uncommitted"

// Op is one operation of a client.
type Op struct {
	Kind    OpKind
	Node    int      // Command: which Redis node, counted from 0
	Command []string // Command, Storage: the words to send; to the storage read, write or commit, value=…, fence=… and Uncommitted
	Try     bool     // Command, Storage: a failure is an observation, not the end
	Until   int64    // Renew: the new end of the lease on the client's own clock, ms
	For     int64    // Sleep: how long, ms; 0: for as long as a client waits before it tries again
	Back    int      // Again: how many observations the client forgets
	Code    int      // End: exit code of the process; 0: it was content
	Text    string   // End: the last line that it said
}

// Outcome is the state of a phase after the client's observations. Exactly one of
// Op.Kind != 0, Returned and Err != nil tells how the evaluation ended.
type Outcome struct {
	Line     int   // the current line: of the pending call, or the last statement; 0: none
	Op       Op    // the next operation
	Result   Value // what the phase returned
	Returned bool
	Err      *Error // a bound was exceeded, or the program made a mistake
	Work     int    // the cost of the evaluation: statements and expressions, and the bytes that they made, in their time
}

// Next runs a phase from its top over the client's observations since the phase
// began: one Value for each completed operation, in order. It is a pure function of
// its arguments.
func (p *Program) Next(phase Phase, env *Env, seen []Value) Outcome {
	return p.next(p.Name, phase, env, seen)
}

func (w *written) next(name string, phase Phase, env *Env, seen []Value) Outcome {
	f := w.release
	switch phase {
	case Acquire:
		f = w.acquire
	case Work:
		f = w.work
		if f == nil {
			return simpleWork(seen)
		}
	}
	m := machine{program: name, env: *env, seen: seen}
	outcome := m.run(f)
	if phase == Acquire && outcome.Result == Bool(false) {
		outcome.Result = None // "return c.setnx(…) == 1" means what it seems to mean
	}
	return outcome
}

// simpleWork is the critical section of a program that defines none: it lasts
// until the client is stepped.
func simpleWork(seen []Value) Outcome {
	if len(seen) == 0 {
		return Outcome{Op: Op{Kind: Hold}, Work: 1}
	}
	return Outcome{Returned: true, Work: 1}
}

// DefinesHolds reports whether the program has a holds of its own.
func (p *Program) DefinesHolds() bool { return p.definesHolds() }

func (w *written) definesHolds() bool { return w.holds != nil }

// Holds reports whether the client, reading nowMs on its own clock, believes that
// its lease runs, and what the evaluation cost, as in an Outcome. The program's own
// holds decides, if it has one.
func (p *Program) Holds(env *Env, nowMs int64) (holds bool, work int, err *Error) {
	return p.believes(p.Name, env, nowMs)
}

func (w *written) believes(name string, env *Env, nowMs int64) (holds bool, work int, err *Error) {
	if w.holds == nil {
		untilMs, ends, _ := env.Lease.Lease()
		return !ends || nowMs < untilMs, 1, nil
	}
	m := machine{program: name, env: *env, frozen: true, nowMs: nowMs}
	outcome := m.run(w.holds)
	return outcome.Result.truth(), outcome.Work, outcome.Err
}

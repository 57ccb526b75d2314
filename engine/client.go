package engine

import (
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/redis"
)

// Status tells a client's present activity.
type Status string

const (
	Waits     Status = "waits"     // it acquires: a command is in flight
	Asleep    Status = "asleep"    // it waits between two attempts
	Inside    Status = "inside"    // it is in the critical section
	Releasing Status = "releasing" // it has left and releases the lock
	Finished  Status = "done"
	Crashed   Status = "crashed"
	Failed    Status = "failed" // its program stopped with an error
)

// Sentence returns the status as it stands in a sentence.
func (s Status) Sentence(in lang.Language) string {
	return lang.Both(string(s), map[Status]string{
		Waits: "等回复", Asleep: "休眠中", Inside: "临界区内", Releasing: "释放中", Finished: "已结束", Crashed: "已崩溃", Failed: "已出错",
	}[s]).In(in)
}

// A Client is one lane: a pure function of the replies and times that it has
// observed. Callers read its fields; only the World changes them.
type Client struct {
	Name     string
	Program  *program.Program // nil: a person types its commands
	Options  Options
	Status   Status
	Paused   bool
	Skew     Time        // own clock minus true time
	Attempt  int         // calls of acquire so far, over all its lives
	Grant    *Grant      // the value under which it got in; nil: it got in without storing one
	Removed  *Removal    // who removed its stored value in this attempt, before it was in; nil: nobody
	Lease    *Lease      // its latest lease; nil before the first
	Believes bool        // in the critical section and, by its own clock, inside its lease
	Until    Time        // when asleep: true time of its waking
	CutOff   bool        // it has failed because the network lost a message or its script's effect is not recorded, not by a mistake in its program
	Line     int         // the line its program is at
	Replied  redis.Reply // the last reply it received; empty before
	Asked    bool        // of a recorded program: it has named the lock's key since its attempt began
	Missing  bool        // nobody knows what it does next: its program is a recording, which ends here
	Came     Time        // with Missing: what its own clock said when it came here
	Nap      Time        // it sleeps at least as long, whatever its recording says
	Entered  bool        // it has been in the critical section, in some life
	Since    Time        // true time of its first request since it began or was last inside; of a recorded program: of the first that names the lock's key; 0: none
	Overdue  bool        // it has not got in within the header's Within, from Since, and slept then or was told no later

	phase   program.Phase
	wrote   *Grant          // the last value it stored since its attempt began
	began   Time            // true time of the beginning of acquire
	tried   Time            // true time of the beginning of its attempt
	granted program.Value   // the lease as its program returned it
	lease   program.Value   // the same, with its renewals
	seen    []program.Value // observations since the phase began
	idle    int             // attempts since it last sent a command
	holding bool            // its operation outstanding is the critical section itself
	flight  *message        // its request or reply in flight
	orphans []*message      // requests of lives that have ended, oldest first
}

// A Grant is a value that a client stored, and where.
type Grant struct {
	Node   int // counted from 0
	Key    string
	Stored *Stored

	Generation int // how many grants the node had given then, including this one
}

// A Removal tells who removed a value that a client was about to get in by.
type Removal struct {
	By   string // a client
	Time Time   // true time
}

// A message is a command on its way to Redis or a request on its way to the
// storage, or the reply on the way back.
type message struct {
	call      *Call
	node      int    // or toStorage
	grant     *Grant // for a write or a commit: under which its client sent it
	past      bool   // its client has begun a new life since: its session at the storage is over
	try       bool
	execution *Execution // nil: Redis has not executed it
	failure   string     // what the client sees instead of a reply, once the message is lost
}

// answered reports whether the message has something for its client to receive.
func (m *message) answered() bool { return m.execution != nil || m.failure != "" }

// Live reports whether the client has neither finished nor crashed nor failed.
func (c *Client) Live() bool {
	return c.Status != Finished && c.Status != Crashed && c.Status != Failed
}

// History returns what a client of a recorded program has observed in its present life, as the recording has it.
func (c *Client) History() []string {
	if c.Program == nil {
		return nil
	}
	return c.Program.History(&program.Env{Client: c.Name, Attempt: c.Attempt}, c.seen)
}

// Other returns whom a symbol in the client's history means: a client's life, as C2-1, with the number of the value that it
// made, or a client's name and 0.
func (c *Client) Other(symbol string) (owner string, n int) {
	return c.Program.Other(&program.Env{Client: c.Name, Attempt: c.Attempt}, c.seen, symbol)
}

// InFlight returns the client's command in flight, or nil. replied reports
// whether its reply is on its way.
func (c *Client) InFlight() (call *Call, replied bool) {
	if c.flight == nil || c.flight.failure != "" {
		return nil, false
	}
	return c.flight.call, c.flight.execution != nil
}

// Tries reports whether the client's program goes on where its command in flight is lost.
func (c *Client) Tries() bool { return c.flight != nil && c.flight.try }

// Orphan returns the oldest request in flight from a life that has ended, or
// nil.
func (c *Client) Orphan() *Call {
	if len(c.orphans) == 0 {
		return nil
	}
	return c.orphans[0].call
}

// Unconfirmed returns the value that the client has stored in an attempt that
// is not over, or nil. The client may yet get in by it.
func (c *Client) Unconfirmed() *Grant {
	goesOn := c.Status == Releasing || c.Status == Asleep // with what it does, and may enter again
	if c.Status == Waits || goesOn && c.Program != nil && c.Program.Recorded() {
		return c.wrote
	}
	return nil
}

// clock returns the time on the client's own clock, ms.
func (w *World) clock(c *Client) Time { return w.now + c.Skew }

func (w *World) env(c *Client) program.Env {
	return program.Env{Client: c.Name, Timeout: int64(c.Options.Timeout), Attempt: c.Attempt, Nodes: len(w.nodes), Lease: c.lease}
}

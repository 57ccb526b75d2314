package engine

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"unicode/utf8"

	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// Time is virtual time in milliseconds. A run starts at Start.
type Time int64

// Start is the true time of a new run: 1000 s keeps values readable.
const Start Time = 1_000_000

// String returns seconds, with a fraction only where there is one: "1012",
// "1012.5".
func (t Time) String() string {
	return strconv.FormatFloat(float64(t)/1000, 'f', -1, 64)
}

// Kind says what happened in an Event.
type Kind string

// The kinds of event. The comment names the lane and the fields that go with each.
const (
	Spawn         Kind = "spawn"          // client: Spawned
	Send          Kind = "send"           // client: Call
	Deliver       Kind = "deliver"        // node: Call, Execution, Changes; Redis has executed the command
	Reply         Kind = "reply"          // node, storage: Call, Execution; the reply is on its way
	Receive       Kind = "receive"        // client: Call, Execution
	Enter         Kind = "enter"          // client: Lease, Believes
	Renew         Kind = "renew"          // client: Lease; Believes, if it does again
	Leave         Kind = "leave"          // client: Text (a real program ended there)
	AcquireFailed Kind = "acquire-failed" // client: GaveUp
	Sleep         Kind = "sleep"          // client: Until
	Wake          Kind = "wake"           // client
	Done          Kind = "done"           // client: GaveUp; Text (a real program ended with an error)
	Crash         Kind = "crash"          // client: Call (its request, still in flight); node: Changes (the lost keys)
	Restart       Kind = "restart"        // client: Spawned; node
	Failover      Kind = "failover"       // node: Changes (keys that are lost, or are what they were); its replica has taken over
	Pause         Kind = "pause"          // client
	Resume        Kind = "resume"         // client
	Skew          Kind = "skew"           // client: Skew, Believes
	Tick          Kind = "tick"           // no lane: From; Time is the new time
	Expire        Kind = "expire"         // node: Changes (a TTL ran out); client: Believes (its lease ran out by its own clock)
	Drop          Kind = "drop"           // client: Call, Lost
	Error         Kind = "error"          // client: Text; its program stopped
	Read          Kind = "read"           // storage: Call, Execution, Number, Fence; the protected resource tells its number
	Write         Kind = "write"          // storage: Call, Execution, Number, Fence, Overtaken, Loses; the protected resource has accepted a write
	Stage         Kind = "stage"          // storage: Call, Execution, Number, Fence; it keeps a number until its client commits
	Commit        Kind = "commit"         // storage: Call, Execution, Number (nothing: there was no transaction), Fence, Overtaken, Loses
	Reject        Kind = "reject"         // storage: Call, Execution, Fence; the protected resource has refused a read or a write
	Note          Kind = "note"           // no lane: Text
	Violated      Kind = "violation"      // no lane: Violation
	Cleared       Kind = "cleared"        // no lane: Violation
)

// Arrives reports whether a request has come to Redis or to the storage: the event has its execution.
func (k Kind) Arrives() bool {
	switch k {
	case Deliver, Read, Write, Stage, Commit, Reject:
		return true
	}
	return false
}

// An Event is one thing that happened. The state after an event is the fold of
// the events up to it: a viewer with the events needs nothing else. Events
// share pointers, and nobody writes through them.
type Event struct {
	Seq    int    `json:"seq"`            // 1, 2, 3 …
	Action int    `json:"action"`         // the action that caused it, counted from 1
	Time   Time   `json:"time"`           // true time, ms
	Lane   string `json:"lane,omitempty"` // a client, a Redis node, the storage, or nothing
	Kind   Kind   `json:"kind"`
	Line   int    `json:"line,omitempty"` // on a client's lane: the line its program is at

	Call      *Call      `json:"call,omitempty"`
	Execution *Execution `json:"execution,omitempty"`
	Changes   []Change   `json:"changes,omitempty"`
	Spawned   *Spawned   `json:"spawned,omitempty"`
	Lease     *Lease     `json:"lease,omitempty"`
	Violation *Violation `json:"violation,omitempty"`
	Believes  *bool      `json:"believes,omitempty"` // whether the client, by its own clock, still believes in its lease
	GaveUp    bool       `json:"gaveUp,omitempty"`   // no further attempt follows
	Until     Time       `json:"until,omitempty"`    // true time at which a sleep ends, ms
	From      Time       `json:"from,omitempty"`     // true time before a tick, ms
	Skew      Time       `json:"skew,omitempty"`     // own clock minus true time, ms
	Lost      string     `json:"lost,omitempty"`     // "request", "reply", "refused": the node was down, "unrecorded": the script is not here, and its effect is not recorded, or "unexecuted": Text says why
	Text      string     `json:"text,omitempty"`     // of a note, an error, or the end of a real program
	Fence     *int64     `json:"fence,omitempty"`    // the highest fencing token that the storage has accepted so far

	Number *int64 `json:"number,omitempty"` // that the storage has told, taken, or keeps for the commit

	Tried     Time       `json:"-"` // true time at which the long attempt before a sleep began; 0: it was short
	Grant     *Grant     `json:"-"` // under which a client has written to the storage; nothing: it has stored none
	Overtaken *Overtaken `json:"-"` // the write comes after one by a client that took the lock over
	Loses     string     `json:"-"` // the client whose write this one replaces, although its client does not know that one

	chinese string // the Text of an error in the other language
	wall    Wall   // at which the run starts
}

// A Call is one command from one client: the same on send, deliver, reply and
// receive. A request to the storage is one too: the word read, write or
// commit, with the number that it writes and its fencing token, where it has them.
type Call struct {
	ID      int      `json:"id"`
	Client  string   `json:"client"`
	Node    string   `json:"node"`
	Command []string `json:"command"`
}

// Label returns the command for a reader: a script by its name, not its text.
func (c *Call) Label() string { return redis.Label(c.Command) }

// An Execution tells how Redis, or the storage, executed a Call.
type Execution struct {
	Order int         `json:"order"` // Redis executed it as number n, in one order for all nodes; 0: the storage executed it
	Reply redis.Reply `json:"reply"`

	// Recorded: a script's recorded effect is in place of an execution. The script is not here.
	Recorded bool `json:"recorded,omitempty"`
}

// A Change tells how a command, an expiry or a fault changed one key.
type Change struct {
	Key string  `json:"key"`
	Old *Stored `json:"old,omitempty"` // nothing: the key did not exist
	New *Stored `json:"new,omitempty"` // nothing: the key is gone
}

// Stored is a key's value, its writer, and its expiry.
type Stored struct {
	Value   string     `json:"value"` // of another type than a string: its words, as redis.Content has them
	Writer  string     `json:"writer"`
	Order   int        `json:"order"`             // number of the command that wrote it
	Expires Time       `json:"expires,omitempty"` // true time at which its TTL runs out, ms; 0: never
	Counted bool       `json:"counted,omitempty"` // a counter's number: no client holds a lock by it
	Type    redis.Type `json:"-"`                 // see MarshalJSON
}

// MarshalJSON writes hash for a hash, as all readers know it, and the type of a key that only a real server can have.
func (s *Stored) MarshalJSON() ([]byte, error) {
	type plain Stored
	with := struct {
		*plain
		Hash bool       `json:"hash,omitempty"`
		Type redis.Type `json:"type,omitempty"`
	}{plain: (*plain)(s), Hash: s.Type == redis.Hash}
	if !with.Hash {
		with.Type = s.Type
	}
	return json.Marshal(with)
}

// Spawned tells how a client began.
type Spawned struct {
	Program string `json:"program,omitempty"` // empty: a person types its commands
	Options
	Label string   `json:"label,omitempty"` // who it is in the system that the run comes from
	Works bool     `json:"works,omitempty"` // its program says what it does in the critical section
	Lanes []string `json:"lanes,omitempty"` // where it may send: Redis nodes and the storage; nothing: there is but one
}

// A Lease is the lease that a client believes it has.
type Lease struct {
	Until Time   `json:"until,omitempty"` // on the client's own clock, ms; 0: it never ends
	Token string `json:"token,omitempty"`
}

// A Violation is a property that does not hold.
type Violation struct {
	Property  string   `json:"property"`
	Clients   []string `json:"clients"`
	Momentary bool     `json:"momentary,omitempty"` // over as soon as it has happened
	Cause     int      `json:"cause,omitempty"`     // sequence number of the event that made it inevitable

	lang.Text `json:"-"` // the violation, a sentence without its full stop
	Cleared   string     `json:"-"` // the Chinese sentence for its end; empty: for a momentary one
	because   *Event     // the event that Cause numbers
}

// MarshalJSON adds the sentence in both languages, the label of a call and,
// where Redis executes it, its RESP. Readers need no code of their own for
// them. A byte that is not UTF-8 is \xff: the label, which is quoted, tells it
// from a backslash.
func (e Event) MarshalJSON() ([]byte, error) {
	return json.Marshal(e.told(sentences{e.Sentence(lang.English), e.Sentence(lang.Chinese)}))
}

// JSON returns the same as MarshalJSON, with the sentence in one language alone
// and without escapes for HTML: for a known reader that needs no more.
func (e *Event) JSON(in lang.Language) ([]byte, error) {
	told := e.told(sentences{English: e.Sentence(lang.English)})
	if in == lang.Chinese {
		told = e.told(sentences{Chinese: e.Sentence(lang.Chinese)})
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(told)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// sentences holds an event's sentence, in one language or in both.
type sentences struct {
	English string `json:"en,omitempty"`
	Chinese string `json:"zh,omitempty"`
}

func (e *Event) told(said sentences) any {
	type plain Event
	began := Wall(0)
	if e.Seq == 1 {
		began = e.wall
	}
	return struct {
		plain
		Began    Wall      `json:"began,omitempty"` // of the first event: the wall time at which the run starts, Unix ms
		Label    string    `json:"label,omitempty"`
		Request  string    `json:"request,omitempty"`
		Sentence sentences `json:"sentence"`
	}{plain(*e.readable()), began, e.label(), redis.Readable(e.request()), said}
}

// readable returns the event with \xff for each byte that is not UTF-8 in a key, a value or a word of its command. JSON cannot
// hold such a byte. Almost every event stays as it is.
func (e *Event) readable() *Event {
	told := *e
	if c := e.Call; c != nil && slices.ContainsFunc(c.Command, func(word string) bool { return !utf8.ValidString(word) }) {
		call := *c
		call.Command = make([]string, len(c.Command))
		for i, word := range c.Command {
			call.Command[i] = redis.Readable(word)
		}
		told.Call = &call
	}
	for i, c := range e.Changes {
		if utf8.ValidString(c.Key) && c.Old.valid() && c.New.valid() {
			continue
		}
		if &told.Changes[0] == &e.Changes[0] {
			told.Changes = slices.Clone(e.Changes)
		}
		told.Changes[i] = Change{redis.Readable(c.Key), c.Old.readable(), c.New.readable()}
	}
	return &told
}

func (s *Stored) valid() bool { return s == nil || utf8.ValidString(s.Value) }

func (s *Stored) readable() *Stored {
	if s.valid() {
		return s
	}
	told := *s
	told.Value = redis.Readable(s.Value)
	return &told
}

func (e *Event) label() string {
	if e.Call == nil {
		return ""
	}
	return e.Call.Label()
}

func (e *Event) request() string {
	if e.Kind != Deliver {
		return ""
	}
	return redis.Encode(e.Call.Command)
}

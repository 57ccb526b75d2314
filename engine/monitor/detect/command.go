package detect

// A Command is one that a client sent, or that a script ran.
type Command struct {
	Line   int      // in its log, counted from 1
	Time   int64    // Unix time, ns; in a recording: of the reply
	Sent   int64    // in a recording: Unix time, ns; 0: unknown
	DB     int32    // its database
	From   []byte   // the address of the client; nothing in a script
	Script bool     // the script that a client sent last ran it
	Words  [][]byte // valid until the next command
	Reply  Answer
	Value  []byte // of a reply that is a string
}

// An Answer is what is known of a reply.
type Answer uint8

// The answers.
const (
	Unknown Answer = iota
	Done           // granted, deleted, changed
	Not            // refused, nothing to delete
	Failed         // an error: nothing changed
)

// Redis expires a key in the millisecond after its lease, on a clock that it reads a little before MONITOR does. Between Before
// and After the end of a lease, nothing is certain. A release within Margin of something proves nothing: it was sent before. (ns)
const (
	Before = 500_000
	After  = 1_500_000
	Margin = 2_000_000
)

// The bounds of a Detector.
const (
	MaxKeys     = 1 << 15 // that it follows at once
	MaxConns    = 1 << 16 // whose address it knows at once
	MaxFindings = 1000    // that it keeps; it counts all
	MaxStays    = 400     // of a key, that it keeps for the report
	maxHolds    = 8       // of a key, that nobody has released
	maxAsked    = 16      // candidates for a key
	maxWaiting  = 32      // of a key
	maxAskers   = 128     // connections of a key
	maxText     = 48      // bytes of a token
	maxName     = 128     // bytes of a key, an address or a name
)

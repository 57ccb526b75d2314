package engine

// A Property is a claim that should hold in every state. Package check has
// those of the course; the world only knows when to judge them.
type Property struct {
	Name string

	// Judge looks at the state that the latest events led to and returns its
	// present violations. before is the result of the last call. The explorer
	// judges a lasting property by the state alone: latest and before are nil there.
	Judge func(w *World, latest []Event, before []Violation) []Violation

	// Explain finds the cause of a violation in the log, once, when the
	// violation begins.
	Explain func(w *World, v *Violation)

	// Momentary: a violation is over as soon as it has happened (a DEL), and
	// nothing clears it. Any other violation lasts until Judge no longer
	// returns it. The explorer shows a momentary property only the acting client
	// and the client whose value it removes: a rule about more clients must last.
	Momentary bool

	// Inside is how many clients in the critical section a violation needs, and
	// Stores whether stored values matter. Both save calls; and where a client's
	// belief may change in the middle of a tick, the explorer looks there too only
	// for a property with Inside.
	Inside int
	Stores bool
}

package clock

import (
	"errors"
	"net/netip"
	"time"
)

// Options say how a tree starts, and with whom it speaks.
type Options struct {
	Seed string        // of its randomness
	Skew time.Duration // of its clock of the day, which begins in 1970

	// Door is the address at which somebody outside serves the tree, and Idle reports whether they have done all that the tree
	// has asked for by now. nil: nobody does.
	Door netip.AddrPort
	Idle func() bool
}

// A Rest is what a tree waits for when nothing in it goes on.
type Rest struct {
	Now    time.Duration // as Move takes it
	Asleep bool          // a wait or a timer ends at Until
	Until  time.Duration
	Read   bool // a clock has been read since the last Move
}

// Why this machine lets no program have a clock of its own. Lacks and Start wrap one of these.
var (
	ErrSystem  = errors.New("clock: no program has a clock of its own on this system")
	ErrTracing = errors.New("clock: this machine does not let a process trace its children")
	ErrFilter  = errors.New("clock: this machine does not let a process filter the system calls of its children")
	ErrProc    = errors.New("clock: /proc does not tell what a child waits for")
	ErrSockets = errors.New("clock: the kernel does not tell what its connections have sent")
)

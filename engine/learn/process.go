package learn

import (
	"lockstep/engine/lang"
	"lockstep/engine/redis"
)

// A Process is a real program that runs now, as one client. It speaks to nobody but its front, which holds each of its
// commands at the door until Answer or Cut. A Process is not safe for concurrent use.
type Process interface {
	// Next waits until the process has a command at the door or has ended. A command that is there already is returned again:
	// only Answer and Cut take it away.
	Next() Arrival

	// Answer sends the reply to the command at the door.
	Answer(redis.Reply)

	// Cut closes every connection of the process. The command at the door gets no reply.
	Cut()

	// Stale reports whether the process no longer waits for what Next returned last as if no time had passed: it has given up
	// waiting, or may soon, since it has its own clock.
	Stale() bool

	// Kill ends the process and everything that it has started, and returns when nothing of it is left.
	Kill()
}

// An Arrival is what a process does next. Exactly one of Command != nil, Asleep, Ended and Fault != nil tells which.
type Arrival struct {
	Command []string // at the door: a transaction is one command (see redis.Check), a script has its text
	Ended   bool
	Code    int        // exit code of a process that has ended; -1: a signal ended it
	Asleep  bool       // on a clock that stands still: it waits until somebody moves that, or for ever
	For     int64      // with Asleep: ms until its first time-out
	Read    bool       // it has read its clock since the last Answer, Cut or Set
	Said    string     // the last lines that it wrote to its standard error, at most 2 KB
	Fault   *lang.Text // it does what no client of a lock does, such as to flood the door: a sentence
}

// A Clocked is a process on a clock that stands still.
type Clocked interface {
	Process

	// Set sets the clock that the process reads, ms. Its time-outs that are over by then end, but an Answer or a Cut that
	// follows comes before them.
	Set(own int64)
}

// A Launcher starts a process for a client. name is the value of LOCKSTEP_CLIENT. A Clocked process starts at the time own on
// its clock, ms, and reads it apart ns beyond that, less than a millisecond: nobody but the process sees them.
type Launcher func(name string, own, apart int64) (Process, error)

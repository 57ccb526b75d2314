// Package engine is the world in which locks are broken: virtual clients, Redis
// nodes and a clock, driven by a list of actions and nothing else.
//
//	World × Action → World × []Event
//
// A client runs a lock program (package program) and is a pure function of what
// it has observed. It always has exactly one operation outstanding: a command in
// flight, the critical section, a sleep, or nothing. A step delivers the command
// to Redis (package redis) and its reply back; the client then runs on, in an
// instant, until its next operation. Whoever chooses the steps is the network
// and the scheduler. Arguments are fixed when a command is sent, so time that
// passes while it is in flight makes them stale.
//
// The protected resource, which the lock is for, is another place to send to: a
// write arrives there as a command does at Redis, and is accepted unless its
// fencing token is too low. It is there in runs whose programs write to it.
//
// Time is virtual, in milliseconds, and begins at 1000 s. Commands take none;
// only a tick moves the clock. A tick stops at each instant at which something
// is due, so that tick 12s is the same as tick 5s and tick 7s: first keys expire,
// then leases end, then sleepers wake in the order in which they were spawned.
//
// Belief and truth are kept apart. A client believes in its lease while it is in
// the critical section and its program, reading the client's own clock, says
// that the lease runs. What a key holds and who wrote it is truth. Where the two
// part, a Property (package check) puts a violation on the log.
//
// Everything is bounded, so that nobody's program or scenario costs more than it may: the events of a run, their
// bytes, and the work that an action sets off, which is counted and not timed (work.go). An action that would exceed
// a bound is refused with a [FullError] and changes nothing. A question that meets one, as Fork does, has the answer
// that it is not decided.
//
// A Run is its log of actions: the past is a shorter log, a Scenario is the log as
// text, a replay gives the same events byte for byte. The package starts no
// goroutine, reads no wall clock and draws no random number.
//
// The package has more than 25 files: a client, a node, a message and a stored value
// are parts of one world, which its own fork, copy and replay reach into. Each file
// has one of them, or one way into the world (parse, predict, rerun). What can stand
// alone is a package: check, explore, export, program, redis.
package engine

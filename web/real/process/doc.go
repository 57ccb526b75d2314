// Package process runs real programs, in any language, as the clients of a run. It has the Redis that they find, and the
// launcher that starts and ends them.
//
//	program ──RESP──▶ connection ──▶ front: answered at once
//	                      │
//	                      └─▶ door: Next returns the command, Answer or Cut takes it away
//
// Each program has a listener of its own on 127.0.0.1. A connection reads commands, and a command that touches no key
// (HELLO, CLIENT, SCRIPT LOAD, MULTI, …) is answered in front.go. Every other command stands at the door, and its connection
// waits. Replies leave a connection in the order of its commands.
//
// # The rule of the door
//
// Next waits until the program has a command at the door or has ended. A program that does one thing at a time waits for
// its reply then, so Next needs no window of time to know that nothing more comes. Patience bounds a program that does
// neither.
//
// # A clock of its own
//
// With Options.Clock a program runs on the clock of package clock. Next then returns a command when the program rests with one
// at the door, and Asleep when it rests without: no patience is needed to know that. Set moves the clock before an Answer, and
// the program hears the reply before any of its time-outs. Its clock of the day is that of its client in the run. A Server is a
// real redis-server on such a clock, which executes commands for the nodes of any number of worlds: each brings its keys and
// its time.
//
// # One program, one thing at a time
//
// Two commands at the door, from two connections whose program waits for both, are a Fault: the explorer interleaves
// clients and not the threads of one. The first of them is stale instead if its connection is closed, as that of a library
// is that lost its patience and sent again. Stale stays true: such a program depends on how long Lockstep took.
//
// # What is left of a program
//
// A program is a session of its own, or a group on a clock of its own. Its environment has a LOCKSTEP_RUN that nothing else
// has, and Linux ends it with Lockstep. Kill ends its session or group, everything with that LOCKSTEP_RUN, and everything that
// descends from these (see tree_linux.go). A process that ran setsid, that emptied its environment and whose parent has ended escapes.
//
// # Bounds
//
// bounds.go has them. A program that passes one gets a Fault: it does what no client of a lock does.
//
// # Rejected
//
//   - A fixed window after which a program counts as quiet: 5 ms is late in up to 18 % of steps under load.
//   - An answer to NOSCRIPT at the door: it touches no key, and would double the steps of a library.
//   - A half-closed connection that still waits for its reply: real Redis closes it, too.
package process

// Package export translates a run for other tools. What it needs is an
// engine.Trace, what it gives is text; Formats lists what there is, Write writes it.
//
// # Vector clocks
//
// The events of a run stand in one order, which is more than its participants
// know. A vector clock says what an event can have known: a number for every host,
// where hosts are the clients, the Redis nodes, the storage, and "world". A host's
// own number begins at 1 and rises by exactly 1 with each of its events. Knowledge
// travels with messages only: a deliver, or what the storage does with a write,
// takes over what its send knew, a receive what its reply knew. Send, deliver, reply
// and receive are four events, so a command that is in flight, or a reply that is
// lost, is seen as one.
//
// "world" is the host of what happens to nobody: ticks, notes, and violations that
// begin or end. Nobody hears from it, since time is no message: that the clock was
// moved before a command was sent does not make the tick its cause. It hears of
// what it judges: a violation knows what its clients and its cause knew.
//
// # lockstep.trace, version 1
//
// JSON is one object, UTF-8. Readers ignore fields and kinds that they do not know.
//
//	format     "lockstep.trace"
//	version    1
//	scenario   the run as scenario text: all that is needed to run it again
//	meta       generator; start, the true time at which every run begins; timeUnit, "ms"
//	program    the name of the program of clients that name none; may be absent
//	options    of the scenario's header: timeout, retry, acquireTimeout, skew in ms; blocking
//	nodes      the number of Redis nodes
//	programs   name, source and own (the scenario brings it along) of every program that was run
//	actions    lines of scenario text, one per action: event.action counts them from 1
//	lanes      name and kind ("client", "redis", "storage"), in order of appearance; of a client
//	           also program (absent: its commands are typed by hand) and options as decided
//	events     see engine.Event
//
// An event has seq (1, 2, 3 …), action, time (true time, ms), lane (absent:
// nobody's), kind, what belongs to the kind, label (its command as a reader wants
// it), request (on deliver: the RESP), sentence (en, zh) and clock, an object from
// host to number. All times are milliseconds of virtual time, except the arguments
// of commands, which are as the client sent them.
//
// NDJSON is the same object without events in the first line, and then an event a line.
//
// testdata has a sample of each format: the race that the SETNX page of the Redis
// documentation warns of.
package export

// Package export translates a run for other tools. It turns an engine.Trace into text.
//
// Each format is one file, which begins with its Format: the names, the words, and the function that writes. Formats lists
// them. Package web adds the player, which needs pages, and then ranges over one list for the routes, the menu of
// downloads and the command line.
//
// # Vector clocks
//
// A run puts its events in one order, and its participants know less than that order. A vector clock tells which events an
// event can have known: a number for every host. Hosts are the clients, the Redis nodes, the storage, and "world". A
// host's own number begins at 1 and rises by exactly 1 with each of its events. Only messages carry knowledge: a deliver,
// or the arrival of a request at the storage, takes over the clock of its send, and a receive takes over the clock of its reply.
// Send, deliver, reply and receive are four events, so a command in flight and a lost reply are visible.
//
// "world" is the host of events that happen to no participant: ticks, notes, and violations that begin or end. No host
// learns from it, as time is no message: a tick before a send is not the cause of the send. The world learns from the
// events that it judges: a violation knows what its clients and its cause knew.
//
// # lockstep.trace, version 1
//
// JSON is one object, UTF-8. Readers ignore fields and kinds that they do not know.
//
//	format     "lockstep.trace"
//	version    1
//	scenario   the run as scenario text: it can be run again from this alone
//	meta       generator; start, the true time at which every run begins; timeUnit, "ms"; began, the wall
//	           time of the start, Unix ms (absent: the scenario has none)
//	program    the name of the program of clients that name none; may be absent
//	options    of the scenario's header: timeout, retry, acquireTimeout, skew in ms; blocking
//	nodes      the number of Redis nodes
//	within     how long a client may wait for the lock, ms (absent: for ever)
//	programs   name, source and own (the scenario brings it along) of every program in the run
//	actions    lines of scenario text, one per action: event.action counts them from 1
//	lanes      name and kind ("client", "redis", "storage"), in order of appearance; of a client
//	           also program (absent: its commands are typed by hand), options as decided, and label
//	           (who it is in the system that the run comes from; absent: the scenario does not say)
//	events     see engine.Event
//
// An event has seq (1, 2, 3 …), action, time (true time, ms), lane (absent: none), kind, the fields of its kind, label (its
// command in a readable form), request (on deliver: the RESP), sentence (en, zh) and clock, an object from host to number.
// The first event has began, too. All other times are milliseconds of virtual time. Only the arguments of commands are as the client sent them.
//
// NDJSON has the same object without events in its first line, and then one event a line.
//
// testdata has a sample of each format: the race that the SETNX page of the Redis documentation warns of.
package export

// Package engine is the world in which locks are broken: virtual clients, Redis
// nodes and a clock, driven by a list of actions and nothing else.
//
//	World × Action → World × []Event
//
// A client runs a lock program (package program) and is a pure function of its
// observations. It does one thing at a time: it waits for a command in flight,
// is in the critical section, sleeps, or has nothing left to do. A step delivers the
// command to Redis (package redis) and brings its reply back. The client then runs on,
// in an instant, until its next operation. The author of the steps plays the
// network and the scheduler. A client fixes the arguments of a command when it
// sends it, so time that passes while the command is in flight makes them
// stale.
//
// The lock guards a protected resource, the storage. It holds a number, which
// clients read and write, in a transaction if they like. A request arrives there
// as a command does at Redis, and the storage accepts it unless its fencing token
// is too low. The storage exists only in runs whose programs name it.
//
// Time is virtual, in milliseconds, and begins at 1000 s. Commands take none;
// only a tick moves the clock. A tick stops at each instant at which something
// is due, so tick 12s equals tick 5s and tick 7s: first keys expire, then
// leases end, then sleepers wake in the order in which they were spawned.
//
// Each Redis node has a replica that lags: it catches up whenever the clock
// moves. A failover lets it take over, and what clients have written since then
// has never happened. Requests in flight arrive at the new primary, as clients
// connect to it by the node's name. The old primary, and any split between the
// two, is no part of the world.
//
// A lane may run no program. Its commands are typed by hand (do), or come from the
// log of a real Redis (package monitor), on the node that it names (do C1 redis2 GET k) or the first one, and it says itself when it is in the
// critical section (enter, leave). It is taken to believe in its lease for as long
// as the TTL that it asked for. Properties judge it as they judge all others, except
// stuck: nobody knows what it would do next.
//
// The engine keeps belief and truth apart. A client believes in its lease while
// it is in the critical section and its program, reading the client's own
// clock, says that the lease runs. The content of a key and its writer are
// truth. Where belief and truth part, a Property (package check) puts a
// violation on the log.
//
// A key holds a string or a hash, and any bytes. A transaction is one command: do C1 MULTI "SET k v" "PEXPIRE k 1000" EXEC.
// Scenario text and labels write bytes that are not UTF-8 as redis-cli does, "\xff". JSON shows each such byte of a key, a
// value, a word or a reply as \xff.
//
// A script of a user's own program is no part of a run's text. Its effects are (effect.go): where the keys that its command
// names hold these values, Redis gives this reply, and then they hold those. A run without the script repeats an effect where
// exactly this happens again, and its events say so: recorded, not executed.
//
// Everything has a bound: a run's events, their bytes, and the work that an action sets off, which is counted and not
// timed ([Meter]). Nobody's program or scenario can cost more. The engine refuses an action that would exceed a bound
// with a [FullError], and the action changes nothing. A question on a copy of the world, such as one from Fork, stays
// undecided when it meets a bound.
//
// A run that comes from a log (package monitor) says in its header when it began, began 2026-11-27T21:54:07.133Z, and who its
// clients are, label C1 10.0.0.7:40990 worker-3. Sentences then tell times by that wall clock, in UTC. Nothing else changes.
//
// A Run is its log of actions. The past is a shorter log, a Scenario is the log
// as text, and a replay gives the same events byte for byte. The package starts
// no goroutine, reads no wall clock and draws no random number.
//
// The package has more than 25 files. A client, a node, a message and a stored
// value belong to one world, and its fork, copy and replay reach into all of
// them. Each file holds one of them, or one way into the world (parse). A subject
// that can stand alone is a package: ask, check, explore, export, program, redis.
//
// World has more than 40 methods for the same reason: each kind of action and each kind of event changes one world, and is a
// method. What can be counted, judged or asked from outside is none: Meter, judge and package ask have it.
package engine

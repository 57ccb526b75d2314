// Package monitor reads what clients sent to a real Redis, and writes it as a scenario.
//
//	log → Read → Log of entries → Scenario → text
//
// A log is what redis-cli MONITOR prints, or a recording by lockstep record. Read streams it, and keeps only what a
// scenario can hold. An Entry is a command of one connection, with its time and, in a recording, its reply; or it is a
// marker by which a client says that it enters or leaves the critical section. Entries are neutral: Scenario writes
// them as do, tick, enter and leave, and another writer may make something else of them.
//
// A log does not say who is in the critical section. Clients can send markers, which change nothing in Redis:
//
//	PUBLISH lockstep enter
//	PUBLISH lockstep leave
//
// Without markers the writer guesses. The lock is the key that most clients asked for with NX. A client is inside from
// the command that got it the key until its own release, and leaves before Redis executes the release. A client that
// never releases the lock leaves when its TTL runs out. A comment marks each guess.
//
// A MONITOR log begins in the middle and has no replies. The run computes them anew, from an empty Redis. Where a
// recording has another reply than the run, a comment says so.
//
// A recording also has scripts of the clients' own, which no scenario runs. Where a script's text, known from EVAL or SCRIPT
// LOAD, and its reply tell what it did to its first key, a command that does the same stands in its place: DEL for a release
// that replied 1, SET with NX for a grant, PEXPIRE for a renewal. A comment says so. The other scripts are comments alone.
//
// Commands that were under way at the same time stand in a recording in the order of their replies. Where that is not the
// order in which Redis executed them, their replies tell, and the writer puts them right.
//
// A connection is one lane. Two things follow. A client that takes another connection of its pool appears as another
// client; and connections to a Unix socket, which MONITOR shows without a number, appear as one.
//
// A Redactor replaces keys and values by short names, the same text by the same name.
package monitor

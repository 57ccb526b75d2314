// Package monitor reads what clients sent to a real Redis: it reports what that tells about locks, and writes it as a scenario.
//
//	log → Investigate → Account: findings and locks, of the whole log
//	log → Cut → Log of entries in a Window → Scenario → text
//
// A log is what redis-cli MONITOR prints, or a recording by lockstep record. Investigate reads it in one pass and bounded
// memory, with a detector (package detect). Cut reads it again, and keeps only what a scenario can hold: the part around the
// first finding, or around what the user asks for. An Entry is a command of one connection, with its time and, in a recording,
// its reply; or it is a marker by which a client says that it enters or leaves the critical section. Entries are neutral: Scenario
// writes them as do, tick, enter and leave, and another writer may make something else of them.
//
// A line that is no command is left out by its number, and never the file: a reply in between, the prefix of whoever wrote the
// log, a byte order mark, UTF-16, two records on one line, a first line that is cut.
//
// A log does not say who is in the critical section. Clients can send markers, which change nothing in Redis:
//
//	PUBLISH lockstep enter
//	PUBLISH lockstep leave
//
// Without markers the detector says who held the lock, and a plan says who stands in which lane. A client is inside from the
// command that got it the lock until its own release, and leaves before Redis executes the release. A client that never
// releases the lock leaves when its TTL runs out. A comment marks each guess. The run of a scenario accuses nobody whom the
// account does not: where it would, the scenario ends before.
//
// A lane is a connection. Where the log shows a pool, by a release from another connection than the grant, a lane is an owner
// at a time. Then commands on other keys are left out, since nobody knows whose they are. Connections to a Unix socket,
// which MONITOR shows without a number, appear as one.
//
// A MONITOR log begins in the middle and has no replies. The run computes them again, from an empty Redis: the scenario begins
// where the log proves that the lock is free. Where a recording has another reply than the run, a comment says so.
//
// In a MONITOR log the commands of a script follow it. Where its text is that of a named script (package redis), or the log has its text
// and that is one but for its spelling, the scenario has one call of it; otherwise the commands that followed.
//
// A recording also has scripts of the clients' own, which no scenario runs. Where a script's text, known from EVAL or SCRIPT
// LOAD, and its reply tell what it did to its first key, a command that does the same stands in its place: DEL for a release
// that replied 1, SET with NX for a grant, PEXPIRE for a renewal. A comment says so. The other scripts are comments alone.
//
// Commands that were under way at the same time stand in a recording in the order of their replies. Where that is not the
// order in which Redis executed them, their replies tell, and the writer puts them right.
//
// InvestigateNodes reads the logs of the nodes of one Redlock, merged by their times, each with a detector of its own, and a
// detect.Redlock that puts together what each token was granted where:
//
//	logs → InvestigateNodes → NodesAccount: findings and locks, of all nodes
//	logs → CutNodes → scenario: a Redis for each node, a lane for each token
//
// A Redactor replaces keys and values by short names, the same text by the same name.
package monitor

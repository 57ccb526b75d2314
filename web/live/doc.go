// Package live keeps runs in memory, and the viewers who watch them.
//
// A Run is an engine's run, the log that holds it, and its viewers. A [Press] names the position that a person has seen. The
// run does the press in one critical section: recognize a press that comes again, ask the limits, let the engine act, append
// to the log, tell the viewers. When another server is faster, the log refuses the entry, the run reads what is new, and the
// press is stale.
//
//	log ──fold──▶ Run ──present──▶ panels ──Frame──▶ Viewer ──▶ Socket
//
// Under lockstep attach a [Learner] runs real programs. An action that brings a client to the end of its recording is done, told
// and logged like any other. Then a goroutine asks the Learner what the client does next, without the run's lock. The run
// goes on with the larger recording as [engine.Run.Extended] makes it, and its log gets the text, so that a restart, an undo
// and a branch need no program. The epoch changes: events may have come between those that pages have.
//
// Runs has those that are in memory, in a hub. Everything else is logs. See runs a function of a run under its lock.
//
// Run has more than 40 methods: acting and folding the log change one state under one lock, and each question about it takes that lock.
//
// The package knows no room and no HTTP: a server gives it an Environment, and a Socket for each viewer. Package class decides
// who may press. The documentation of package web gives the order of the locks.
package live

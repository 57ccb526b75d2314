// Package session keeps runs and rooms in memory, and the viewers who watch them.
//
// A Run is an engine's run, the log that holds it, and its viewers. A press ([Manager.Press]) names the
// position that a person has seen. The run does the press in one critical section: recognize a press that comes again, ask
// the limits, let the engine act, append to the log, tell the viewers. When another server is faster, the log refuses the
// entry, the run reads what is new, and the press is stale.
//
//	log ──fold──▶ Run ──present──▶ panels ──Frame──▶ Viewer ──▶ Socket
//	log ──fold──▶ LiveRoom ──────▶ panels ──Frame──▶ Viewer
//
// Under lockstep attach a [Learner] runs real programs. An action that brings a client to the end of its recording is done, told
// and logged like any other. Then a goroutine asks the Learner what the client does next, without the run's lock. The run
// goes on with the larger recording as [engine.Run.Extended] makes it, and its log gets the text, so that a restart, an undo
// and a branch need no program. The epoch changes: events may have come between those that pages have.
//
// A LiveRoom is a room of package room with its viewers here and the presences of other servers. A press asks the room
// before the run takes its lock. A form of a room's pages becomes an entry in command.go.
//
// Runs and Rooms have those that are in memory, each in a hub. Everything else is logs.
//
// See and Ask run a function of a run or a room under its lock. Run and LiveRoom still have more than
// thirty methods: acting and folding the log change one state under one lock.
//
// The package knows no HTTP: a server gives it an Environment, and a Socket for each viewer. The documentation of package
// web tells the order of the locks.
package session

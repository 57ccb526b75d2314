// Package session keeps runs and rooms in memory, and the viewers who watch them.
//
// A Run is an engine's run, the log that it is kept in, and its viewers. A press ([Manager.Act],
// [Manager.Schedule]) names the position that somebody has seen. The run does it in one critical section: look for a press that comes
// again, ask the limits, let the engine act, append to the log, tell the viewers. Another server may be faster: then the
// log refuses the append, the run takes in what is new, and the press is stale.
//
//	log ──fold──▶ Run ──present──▶ panels ──Frame──▶ Viewer ──▶ Socket
//	log ──fold──▶ LiveRoom ──────▶ panels ──Frame──▶ Viewer
//
// A LiveRoom is a room of package room together with those who are in it, with this server and with others. What a room
// allows is asked of it before a run's lock is taken.
//
// Registry and Rooms hold what somebody uses, and for a while what nobody uses any more. All the rest is logs.
//
// The package knows no HTTP: a server gives it an Environment, and a Socket for each viewer. The order of its locks is in
// the documentation of package web.
package session

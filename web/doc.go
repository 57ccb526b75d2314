// Package web serves Lockstep over HTTP and websockets.
//
// It translates and carries, and knows no rule of the simulation. A request becomes a line of scenario text for the engine;
// package present makes the engine's world into view models; package session keeps runs and rooms, and tells what an action
// has changed to everybody who watches. The wire is described in PROTOCOL.md.
//
// # Files
//
// Each file answers one question. There are more than 25, as each page has one: a handler is read beside nothing else.
//
//	the server     server.go, flags.go, serve.go, routes.go, logging.go, metrics.go, health.go
//	who asks       visitor.go, address.go, host.go, machine.go, cookie.go, language.go, settings.go
//	how much       guard.go (limits), reading.go (bodies), answer.go (answers), size.go (pages)
//	a run          page.go (page and forms), task.go, claim.go, compare.go, ahead.go, stretch.go (its log), exports.go, onefile.go, link.go
//	a room         room_enter.go, room_pages.go, pairing.go
//	sockets        socket.go (gorilla), socket_live.go (of a run), explore_live.go (of a search)
//	the rest       home.go, help.go, course.go, handout.go, mend.go, explore.go
//
// A handler is named handleX. What it refuses is a refusal.Error, which has its status and its sentence.
//
// # The order of locks
//
// A goroutine that holds one of these locks takes only those below it:
//
//	session.LiveRoom.mu     one room and what its viewers are told
//	session.Run.mu          one run and what its viewers are told
//	session.family.mu       a run's copy of its tabs
//	session.Rooms.mu, session.Registry.mu, session.notes.mu, session.lookaheads.mu
//	session.Viewer.mu       what waits for one viewer
//	session.frame.mu        one message that waits for many
//	the locks of package limit and of the metrics
//
// A run's lock may be taken under a room's and never the other way round, so a room is asked what it allows before the run's
// lock is taken. A run and a room keep their lock while the store appends to their log: the store takes no lock of theirs.
// Sockets.mu, search.Explorer's and the other locks of this package are
// held alone.
package web

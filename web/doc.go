// Package web serves Lockstep over HTTP and websockets.
//
// It translates and carries, and knows no rule of the simulation. It turns a request into a line of scenario text for the
// engine. Package present makes the engine's world into view models. Packages live and class keep runs and rooms, and tell
// everybody who watches what an action has changed. PROTOCOL.md describes the wire.
//
// # Parts
//
//	door           who asks, from where, how much; sockets, answers, errors
//	runpages       runs and links to them
//	roompages      rooms, remotes, results
//	coursepages    lessons, challenges, tests, handouts
//	explorepages   the explorer
//
// A [Server] joins them, and answers for the site itself: home, help, settings, health, metrics. Each group of pages lists its
// addresses in its routes.go; the routes.go here puts them behind the door.
//
// Package attach gives a Server a token and a live.Learner, which runs real programs where recordings end. No package named here
// starts a program, or imports one that does.
//
// # The order of locks
//
// A goroutine that holds one of these locks takes only those below it:
//
//	class.Room.mu           one room and the messages to its viewers
//	live.Run.mu             one run and the messages to its viewers
//	live.family.mu          a run's copy of its tabs
//	hub.Hub.mu, class.notes.mu, live.lookaheads.mu
//	live.Viewer.mu          the messages that wait for one viewer
//	live.frame.mu           one message that waits for many viewers
//	live.frame.encode       one message that is being encoded
//	door.toNobody.mu        the compression of one message
//	the locks of package limit, of the metrics and of floods
//
// A goroutine may take a run's lock while it holds a room's, and never the other way round. It therefore asks a room what
// the room allows before it takes a run's lock. A run and a room keep their lock while the store appends to their log,
// because the store takes none of these locks. Meanwhile another goroutine draws the run's update under that lock. A
// goroutine that holds live.Sockets.mu, search.Explorer.mu or another lock of this package takes no second one.
package web

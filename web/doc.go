// Package web serves Lockstep over HTTP and websockets.
//
// It translates and carries, and knows no rule of the simulation. It turns a request into a line of scenario text for the
// engine. Package present makes the engine's world into view models. Packages live and class keep runs and rooms, and tell
// everybody who watches what an action has changed. PROTOCOL.md describes the wire.
//
// # Parts
//
// Each part embeds the one before it. A method stands on the lowest part that has all it needs:
//
//	journal     the log, the metrics, what was refused          logging.go, metrics.go
//	gateway     where the site is, and who asks                 gateway.go, token.go, address.go, host.go, machine.go, cookie.go, visitor.go, embed.go, language.go
//	guard       how much a network and a person may ask for     guard.go, reading.go, socket.go, prepared.go, incoming.go (gorilla)
//	responder   pages, forms, errors, pictures of links         answer.go, reading.go, settings.go, cards.go, face.go, class.go
//
// The Server and its four groups of pages embed the responder. routes.go is the map of the site:
//
//	Server         home, help, settings, health     server.go, own.go, flags.go, listen.go, serve.go, routes.go, robots.go, oembed.go, health.go, home.go, help.go, tongue.go
//	runPages       runs and links to them           page.go, draft.go, task.go, claim.go, compare.go, ahead.go, stretch.go (the log of a run),
//	                                                size.go, exports.go, onefile.go, link.go, socket_live.go
//	roomPages      rooms, remotes, their tests      room_enter.go, room_pages.go, pairing.go, results.go
//	coursePages    lessons, challenges, tests       course.go, task.go, mend.go, handout.go, again.go, tests.go
//	explorePages   the explorer                     explore.go, explore_answer.go, explore_live.go
//
// Package attach gives a Server a token and a live.Learner, which runs real programs where recordings end. The package itself
// starts no program, and imports nothing that does.
//
// The package has more than 25 files because each page has its own: a reader needs no other to understand a handler.
// A handler is named handleX. It refuses a request with a refusal.Error, which has a status and a sentence.
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
//	the locks of package limit, of the metrics and of floods
//
// A goroutine may take a run's lock while it holds a room's, and never the other way round. It therefore asks a room what
// the room allows before it takes a run's lock. A run and a room keep their lock while the store appends to their log,
// because the store takes none of these locks. A goroutine that holds live.Sockets.mu, search.Explorer.mu or another lock
// of this package takes no second one.
package web

// Package room puts several people in front of one run and decides who may do what.
//
//	Room × Entry → Room
//
// A room is the fold of its entries, as a run is the fold of its actions: the same entries in the same order make the
// same room, after a restart and on another server. Each entry has a verb, and each verb is declared once, with who may
// append it, when it is possible and what it changes (verb.go). Can reports whether somebody may append an entry now, and is
// the whole authorisation. Apply folds an entry in and passes
// over an entry that is not possible where it stands. bounds.go bounds how much each person appends. The package knows no
// time, no chance, no HTTP and no lock: a run is an id, a client a name, a position a number.
//
// The presenter opens the room. A person who joins takes a seat, numbered from 1, under a generated name that says
// nothing about its bearer. Everybody else is a spectator; the projector is one. Keys identify the presenter and the
// seats, and a log holds only the hashes of keys.
//
// The room shows one run to everybody. One person at a time drives: the presenter, or a seat to whom the presenter has
// handed over control. The driver acts on the run and chooses the position that the room looks at.
//
// Lanes make phones clients: a seat with a lane may step and stop that one client. When people outnumber lanes, a team
// shares a lane, and people beyond the teams are the network.
//
// A poll asks the seats for a prediction, alone and once more after a discussion, or asks the network which message
// arrives next. Votes stay secret until they are revealed, even from the presenter, who may be sharing a screen.
//
// In an exercise each seat has a sandbox, a run of its own, and a mark that tells its progress. Only its owner and the
// presenter look into a sandbox; the presenter may show it to the room. Solutions rank by their number of actions, never
// by speed.
//
// A View holds what one person may know. Nothing else leaves the package: a Room cannot be marshalled.
//
// A subject is a file: door, people, display, lanes, poll, exercise, timer, test, playlist. It lists its verbs and folds its
// own part, and record keeps what the class takes home. Room joins them.
package room

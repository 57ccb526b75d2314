// Package room is several people at one run, and which of them may do what.
//
//	Room × Entry → Room
//
// A room is the fold of its entries, as a run is of its actions: whoever applies
// the same entries in the same order has the same room, after a restart or on
// another server. Can says whether somebody may append an entry now, and is the
// whole authorisation; bounds.go says how much anybody may append. Apply folds an entry in, and passes over one that
// is not possible where it stands. The package knows no time, no chance, no HTTP,
// and not what a lock is: a run is an id, a client a name, a position a number.
//
// The presenter opens the room. Whoever joins takes a seat, numbered from 1, under a
// name that is generated and says nothing about its bearer. Everybody
// else is a spectator, the projector among them. The presenter and the
// seats are known by keys, of which a log holds the hashes only.
//
// The room shows one run to everybody. One at a time is its driver: the
// presenter, or a seat to whom the presenter has handed that over. The driver
// acts on the run and says which position is looked at.
//
// Lanes make phones clients: a seat with a lane may step and stop that one client.
// When people outnumber lanes, a lane has a team, and those for whom
// the teams have no place are the network.
//
// A poll asks the seats for a prediction, alone and then once more after a discussion,
// or asks the network which message arrives next. What was voted stays
// in the room until it is revealed, from the presenter too, who may be
// sharing a screen.
//
// In an exercise each seat has a sandbox, a run of its own, and marks that say how
// it goes there. Nobody else looks into it, except for the presenter, who may
// show it to the room. Solutions rank by their number of actions, never by
// speed.
//
// A View is what one of them may know, and the only way to learn it: a Room cannot
// be marshalled.
package room

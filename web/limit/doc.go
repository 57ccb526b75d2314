// Package limit shares one server among everybody who asks it for something, so that a stranger who does their worst
// costs a class nothing.
//
// It knows two kinds of askers. A network is an address, or what one customer of a provider has of IPv6 ([Network]).
// A person is somebody within it, as far as a signed cookie tells them apart; whoever has none is their network. A
// school behind one router is one network of several hundred persons, so the bounds of a network are wide, and within
// it nobody is served twice before everybody else was served once.
//
// What is limited, and by what:
//
//   - [Rates]: how often something is done, by a person and by a network.
//   - [Shares]: how much is held at once, by a network and by all: sockets, bytes of answers that nobody reads, bytes of
//     messages that nobody finishes. [PersonShares] bound a person, too: runs in memory.
//   - [Slots]: who may go on where only a few do at once, and of one network fewer. The network that was served least
//     lately comes first.
//   - [Turns]: the same for what takes long, where those who wait are told their place in the line.
//   - [Work]: what one request sets off, counted in the engine's units. It goes on in a slot for a processor, lets others
//     have it every now and then, and is one of a few when it has set off much.
//   - [Arrivals], in a [Listener]: how fast the server reads what comes from a network.
//   - [Pace]: how fast it reads one socket.
//   - [Idle]: how many connections are open without a request.
//   - [Guesses]: codes of rooms. Wrong ones slow down the network that they come from and nobody else, and there those most
//     who try most.
//
// All of it is memory of one server and forgotten when the server ends.
package limit

// Package limit shares one server among all who use it. A stranger who does their worst costs a class nothing.
//
// There are two kinds of askers. A network is an IPv4 address, or the IPv6 addresses of one customer ([Network]). A
// person is one visitor in a network, told apart by a signed cookie. Visitors without a cookie count as their network.
// A school behind one router is one network of several hundred persons. So the bounds of a network are wide, and within
// it nobody is served twice before everybody else has been served once.
//
// The limits:
//
//   - [Rates]: how often a person or a network does something.
//   - [Shares]: how much a network, and all networks, hold at once: sockets, bytes of unread answers, bytes of unfinished
//     messages. [PersonShares] also bound a person: bytes of runs in memory.
//   - [Slots]: which few requests run at once. One network has fewer slots than there are, and the network that was
//     served least recently comes first.
//   - [Turns]: the same for long work. Those who wait learn their place in the line.
//   - [Work]: what one request sets off, in the engine's units. A request runs in a slot for a processor and yields it
//     now and then. Only a few requests may set off much at once.
//   - [Arrivals], in a [Listener]: how fast the server reads what comes from a network.
//   - [Pace]: how fast it reads one socket.
//   - [Idle]: how many connections are open without a request.
//   - [Guesses]: codes of rooms. Wrong codes slow down their own network only, and in it the persons who try most.
//
// Each server counts for itself, in memory.
package limit

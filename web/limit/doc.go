// Package limit shares one server among its users. A hostile user costs a class nothing.
//
// Limits apply to networks and to persons. A network is an IPv4 address, or the IPv6 addresses of one customer
// ([Network]). A person is one visitor in a network, known by a signed cookie. Visitors without a cookie count as
// their network: all of them together are one person. A school behind one router is one network of several hundred persons. The bounds of a network are
// therefore wide, and within it nobody is served twice before everybody else has been served once.
//
// The limits:
//
//   - [Rates]: how often a person or a network does something.
//   - [Turnstile]: rates whose network waits in line, once it has taken what it gets at once.
//   - [Shares]: how much a network, and all networks, hold at once: sockets, bytes of unread answers, bytes of unfinished
//     messages. [PersonShares] also bound the bytes of a person's runs in memory.
//   - [Slots]: which few requests run at once. No network gets all slots, and the network that was served least recently
//     comes first.
//   - [Turns]: the same for long work. Waiting requests learn their place in the line.
//   - [Work]: how much work one request causes, in the engine's units. A request runs in a slot for a processor and
//     yields it now and then. Only a few requests may cause much work at once.
//   - [Arrivals], in a [Listener]: how fast the server reads from a network.
//   - [Pace]: how fast it reads one socket.
//   - [Idle]: how many connections are open without a request.
//   - [Guesses]: codes of rooms. Wrong codes slow down only their own network, and in it the persons who try most.
//
// Each server counts separately, in memory.
package limit

// Package search shares the explorer of package explore among the visitors of a server.
//
// The engine has no clock and starts no goroutine. This package adds the clock, the processors and the queue:
//
//   - An [Explorer] lets a few requests search at once; the others wait in a queue. A [Turn] is one request: first its
//     place in the queue, then its searches. They share one budget of work and each has a limit of time.
//   - A [Finding] is the answer of a search, a [Draw] the result of random schedules, a [Proof] the answer to all
//     questions of a challenge. An Explorer keeps proofs, because everybody gets the same one.
//   - [Lookouts] look ahead from a position of a run. That is a small search after each action, outside the queue.
//   - [AllProcessors] is for the command line, where nobody else waits.
//
// A search has one worker, so that the searches that go on at once leave processors for a class. It yields whenever it
// reports its progress.
//
// The package knows neither HTTP nor views. Its results are reports of package explore, with the time they took.
package search

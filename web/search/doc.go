// Package search shares the explorer of package explore among the visitors of a server.
//
// The engine has no clock and starts no goroutine. This package adds the clock, the processors and the queue:
//
//   - An [Explorer] lets a few requests search at once; the others wait in a queue. A [Turn] is one request: first its
//     place in the queue, then its searches. The searches share one budget of work, and each has a time limit.
//   - A short search answers at once, outside of the queue ([Explorer.Answer]). Counted work bounds it, and no clock. All who
//     ask the same question wait for one search. What a search decides is kept by its question ([Explorer.Known]).
//   - A [Finding] is the answer of a search. A [Draw] is the result of random schedules. A [Proof] is the answer to all
//     questions of a challenge; an Explorer keeps proofs, because everybody gets the same one.
//   - [Lookouts] look ahead from a position of a run. A lookahead is a small search after each action, outside the queue.
//   - [AllProcessors] is for the command line, where nobody else waits.
//
// A search has one worker, so concurrent searches leave processors for a class. It yields whenever it reports its
// progress.
//
// The package knows neither HTTP nor views. Its results are reports of package explore, with the time that they took.
package search

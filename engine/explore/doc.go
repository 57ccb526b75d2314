// Package explore looks at every interleaving: everything that can happen to a
// few clients of a lock program, within bounds.
//
// # What is explored
//
// A [Question] names a program, a property and bounds. The search begins with no
// client, at 1000 s of true time (or where a run stands), and does in every state
// everything that is possible there:
//
//   - spawn Ci: the next client appears and sends its first command; clients come
//     in order, each at any moment;
//   - step Ci: the command in flight of a client is executed and its reply received,
//     or the client leaves the critical section. With Replies the two halves of it
//     are actions of their own, deliver and receive;
//   - tick: the clock moves by Tick, at most Ticks times, and not while a message is
//     in flight once as many ticks as Delays says have passed so;
//   - crash Ci: a live client dies, at most Crashes times. Its request stays in
//     flight and may be delivered;
//   - redis crash and redis restart, at most NodeCrashes times. Who asks a node that is
//     down hears so at once, and is cut off unless its program tries (try_get): that is
//     no failure of the program, as one that stops by itself is.
//
// Breadth first, so what is found first is found by a shortest way; its length
// counts every action. "Holds" means: within these bounds. A budget that runs out
// is a verdict of its own.
//
// # What it costs
//
// Everything that a question sets off draws on one [Budget] (budget.go). Work is
// counted in the engine's units: those of every world that a lesson, a trial, a
// deadlock or a replay takes, and a few for each state, move and look into a table.
// Memory is counted before it is set aside, to the byte for tables, about for parts.
// With one worker the same question costs the same each time and stops at the same
// state.
//
// Where the budget is at its end, where Progress says that nobody waits, and where
// the engine refuses a lesson because a program does more than an action may, what
// goes on is unwound by a panic that does not leave the package. A lesson that is
// refused leaves its state undecided: the others of its level are looked at, so that
// the verdict does not depend on who came to it first, and the search ends there.
// Half of the work is kept for the way to what is found, which takes no more than the
// search did; the memory for it is that of the states that were visited.
//
// # How
//
// A state is a few small numbers: of each client's part, of what each node stores,
// of the ticks and faults used up. A part is what the engine says it is
// (engine.Client.Key, engine.Store.Key); parts of the same key behave alike, and
// they meet only when a command is executed. So how a part changes is learned by
// letting the engine itself do it once (components.go: the program runs, miniredis
// executes), and is a table look-up from then on (transitions.go). This package holds
// no rule of a lock, a program or Redis, and works for a learner's own program as
// for the built-in ones.
//
// States are packed into one to four words (layout.go) and kept twice: in a table
// that tells whether a state is new (visited.go), and in the order in which they
// were met, which is the list of what is to be looked at and all that is kept of
// the ways (worker.go, search.go). A shortest way is found afterwards by looking at
// the states of each level once more, backwards (trace.go), and is then done again
// in the engine, which names the violation and its cause.
//
// What a search finds does not depend on how many work on it: states and
// transitions are those of whole levels, and of several findings and ways it tells the
// one that comes first by what it means, not by when it was met.
//
// # Properties
//
// The judgement is the engine's own, package check's, asked once for everything
// that looks the same to the property (judge.go). A deadlock is asked without the
// bound on ticks: a state is stuck when no continuation lets a waiting client in,
// however much time passes.
//
// # Symmetry
//
// Clients that differ only in their names can change places, so of the states that
// arise from one another in this way one is kept (symmetry.go).
//
// Rejected: a goroutine for each client, as in checkers of real programs; a state
// would then be a stack that cannot be copied. A hand-written model of each lock:
// it is the program on the screen that has to be right. Hash compaction: a state
// that is lost to a collision would be a lie in the word "holds".
package explore

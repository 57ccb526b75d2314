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
// Breadth first, so what is found first is found by a shortest path; its length
// counts every action. "Holds" means: within these bounds. A budget that runs out
// is a verdict of its own.
//
// # What it costs
//
// Everything that a question sets off draws on one [Budget] (budget.go). Work is
// counted in the engine's units: those of every world that an effect, a trial, a
// deadlock or a replay takes, and a few for each state, transition and table look-up.
// Memory is counted before it is set aside, to the byte for tables, about for
// components. With one worker the same question costs the same each time and stops at
// the same state.
//
// A panic that does not leave the package unwinds the work where the budget runs out,
// where Progress says that nobody waits, and where the engine refuses an effect because
// a program does more than an action may. A refused effect leaves its state undecided.
// The search still looks at the other states of the level, so that the verdict does not
// depend on which worker came first, and ends there. Half of the work is kept for the
// path to a finding, which takes no more than the search did. Its memory is that of the
// visited states.
//
// # How
//
// A state is a few small numbers: one for each client, one for what each node stores,
// and the ticks and faults used up. The numbers stand for components, which the engine
// defines (engine.Client.Key, engine.Store.Key). Components of the same key behave
// alike, and they meet only when a command is executed. So the engine computes the
// effect of an action on a component once (components.go: the program runs, miniredis
// executes), and the search looks it up from then on (transitions.go). This package
// holds no rule of a lock, a program or Redis, and works for a reader's own program as
// for the built-in ones.
//
// States are packed into one to four words (layout.go) and kept twice: in a table
// that tells whether a state is new (visited.go), and in a queue, in the order in
// which they were found (worker.go, search.go). The search keeps no paths. It finds a
// shortest one afterwards, by looking at the states of each level once more, backwards
// (trace.go), and does it again in the engine, which names the violation and its cause.
//
// What a search finds does not depend on how many work on it: states and
// transitions are those of whole levels, and of several findings and paths it tells the
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
// # Files
//
// The package has more than 25 files, because half of them are tests that tell its
// rules a second time: every schedule run one by one, random programs, SPIN. The search
// itself shares one state layout and one budget, and does not divide.
//
// Rejected: a goroutine for each client, as in checkers of real programs; a state
// would then be a stack that cannot be copied. A hand-written model of each lock:
// it is the program on the screen that has to be right. Hash compaction: a state
// that is lost to a collision would be a lie in the word "holds".
package explore

// Package explore looks at every interleaving: everything that can happen to a
// few clients of a lock program, within bounds.
//
// # What is explored
//
// A [Question] names a program, a property and bounds. The search begins with no
// client, at 1000 s of true time, or in a run's present state. In every state it
// tries every enabled transition:
//
//   - spawn Ci: the next client appears and sends its first command; clients come
//     in order, each at any moment;
//   - step Ci: Redis executes the client's command in flight and the client receives
//     the reply, or the client leaves the critical section. With Replies the two
//     halves of a step are separate actions, deliver and receive;
//   - tick: the clock moves by Tick, or by one of Lengths, at most Ticks times. At most Delays of these
//     ticks pass while a message is in flight. Where bounded-wait is asked of programs on the run's
//     clock (Clocked), a client that is inside and could leave counts like one;
//   - drop Ci: a live client's message is lost, at most Losses times. Where any may be,
//     replies travel alone. A lost request of an ended life would be one that never arrives.
//   - crash Ci: a live client dies, at most Crashes times. Its request stays in
//     flight and may be delivered;
//   - redis failover, at most Failovers times: a node's replica takes over with what the
//     node had when the clock last moved. Only such a question distinguishes replicas;
//   - redis crash and redis restart, at most NodeCrashes times. A client that asks a
//     node that is down gets an error at once, and is cut off unless its program
//     handles the error (try_get). A client that is cut off does not count as a failed program.
//
// The search is breadth first: the first counterexample is a shortest one, and its
// length counts every action. "Holds" means: within these bounds. A budget that runs
// out is a verdict of its own.
//
// A recorded program may not tell what a client does next. The search ends on the level where it meets the first such gap,
// and its answer names all gaps of that level (Answer.Gaps): package learn fills them, and asks again.
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
// alike, and they meet only when Redis executes a command. The engine therefore
// computes the effect of an action on a component once (components.go: the program
// runs, miniredis executes), and the search looks it up later (transitions.go). This package
// holds no rule of a lock, a program or Redis, and works for a reader's own program as
// for the built-in ones.
//
// States are packed into one to four words (layout.go) and kept twice: in a table
// that tells whether a state is new (visited.go), and in a queue, in the order in
// which they were found (worker.go, search.go). The search keeps no paths. It finds a
// shortest one afterwards, by looking at the states of each level once more, backwards
// (trace.go), and replays it in the engine, which names the violation and its cause.
//
// The result does not depend on the number of workers. The search counts the states and
// transitions of whole levels, and reports how many states are new on each (Figures.Depths). It
// orders findings and paths by their meaning, not by the time at which a worker met
// them, and reports the first.
//
// # Properties
//
// The engine judges with the properties of package check, once for all states that
// look the same to the property (judge.go). The bound on ticks does not apply to a
// deadlock: a state is stuck when no continuation lets a waiting client in, however
// much time passes.
//
// # Symmetry
//
// Clients that differ only in their names can change places. The search keeps one of
// the states that arise from one another in this way (symmetry.go).
//
// # Size
//
// transitions has more than 40 methods: one for each kind of action, one for what each does to a component, and the lists
// of those that are enabled.
//
// Rejected: a goroutine for each client, as in checkers of real programs. A state
// would then be a stack, and nothing can copy that. A hand-written model of each lock:
// the verdict has to be about the program on the screen. Hash compaction: a collision
// loses a state, and "holds" would be a lie.
package explore

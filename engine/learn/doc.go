// Package learn learns what a real program does, so that everything that can happen to it can be explored.
//
//	processes → Learner → program.Recording → explore → gaps → processes → … → a Result
//
// A client is a function of what it has observed, and a real program is one, too: run alone and given the same replies, it
// does the same. A [Learner] therefore never runs two processes against each other. It gives one process a history of
// replies, notes the next command, and keeps that in a recording (package program). The explorer runs the recording. Where
// it comes to a history that nobody has tried, the gap, the Learner tries it. Two clients of five commands take 9 starts;
// trying all their interleavings takes 504.
//
// # Values that clients make
//
// Each process makes an owner token of its own. A recording serves every client, so such a value is a symbol there. A word
// that nobody has seen before is compared with that of another process after the same history: what differs is a symbol,
// unless it looks like the time of day. The clock of that other process is a fraction of a millisecond ahead, as on another
// machine: a token made from the time differs, too. One made from the milliseconds alone is the same wherever two clients read the
// same time, and the result names it. A value of another client is a symbol with a letter, and a process that is to
// receive it receives one that a process has made.
//
// # When a client is inside
//
// A program can say it: it publishes enter and leave on the channel lockstep. Otherwise it is a guess: from the granted command
// that sets the lock's key to the command that gives it back (redis.Acquires, redis.Releases). A GETSET was granted if the next
// command gives the key back, or a later one of a client that had wanted the lock before. Before the command that gives it
// back, the client stays inside until a step lets it leave, because the process may take its time there. A script that nobody
// knows is tried on a node of its own: it takes a lock if it makes a key and leaves that to somebody else (redis.Try), and one
// that lets others in, too, is a counter or a semaphore and no lock. What gives a lock back without deleting its key is tried,
// too: somebody else gets it then (redis.Frees). An expiry that ends the lock is a release only if the client gives nothing
// back later: a twin shows it. A client that was refused, deletes the lock's key all the same and ends content is inside, too:
// it has taken the refusal for a grant. A process that ends inside is outside from then on.
//
// A key is no lock if it has a client's own value, if a client does the same next whether it was granted or refused, if nobody
// ever gives it back although it never expires or another lock is given back, or if it is a hash of several places: then the
// program is learned again without it (doubt.go). What a guess cannot bear has no verdict: whether anybody was inside at all,
// whether two keys are two locks or two places, whether a client that is refused at last works without the lock, and whether
// one that waits inside ever leaves.
//
// # A client that waits
//
// It sends the same commands again after they came to nothing, or after it has had the same replies to them twice. Before a
// Learner believes that, it refuses the process some more times ([Refusals]): one that gives up meanwhile, or does something
// else, is learned attempt by attempt. The recording of the others says again there, and goes back to where the client was
// before. What a program does only after more refusals is not explored, and the verdict says so.
//
// # Clocks
//
// A process may be on a clock that stands still until the run's own moves it ([Clocked]). What it reads there is an
// observation: the recording says clock where it looks, and branches by what it sees, as after a command by the reply. A
// process that waits for a time sleeps, and its client wakes when a tick has come that far. Where two processes sleep for
// different times after the same history, both have drawn lots. Their recording says sleep and no time, and the client wakes
// with the next tick, so that chance adds no histories.
//
// # What a verdict rests on
//
// What is not executed as Redis would is not judged: a command that the door does not let pass, or a script that calls one, is no
// verdict, with the command and the reason (redis.Node, explore.UnableError).
//
// Each counterexample is replayed with all processes alive at once before it is told ([Learner.Replay]). A process that does
// something else there, or when it is led along a history that is known, is no function of its replies. That is a verdict
// of its own. Holds means: within the bounds, and if the program depends on its replies alone, or on these and a clock that we
// move.
//
// The package starts no process and knows no socket: a [Process] is an interface, and package web/real/process implements it.
//
// Rejected: running all interleavings, with a process for each. Rejected: a fixed time to wait for the next command. The
// process says itself when it has nothing more to send, as it has a command at the door, or has ended.
//
// Learner has more than 40 methods: each question about a session (what came next, what it depends on, what repeats) may start
// another process, and the sessions, the scripts and the count of starts are the Learner's.
package learn

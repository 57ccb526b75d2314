// Package tell tells how a property came to be violated, as one would tell a colleague.
//
//	events + violation → Story → sentences, each with the event that it has come to
//
// "C1 left in time, but its DEL was four seconds on its way. The lease ran out, and C2 took the lock. C1's DEL removed it, and
// C3 went in beside C2."
//
// A story has only what somebody did to a lock, and nothing of what every run has: it leaves out who asked, and what was
// answered. The cause of a violation is always in it. If no telling here names the cause, the story has the cause's own
// sentence, and a violation without a story is told by its own.
//
// teller has more than 40 methods: each kind of event is told in its own way, and all of them go on with the same sentence.
//
// Rejected: a story for each program. Programs break in a few ways, and a reader may ask about a program of their own.
package tell

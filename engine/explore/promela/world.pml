/*
 * What a state is. The models in this directory are the explorer's worlds told
 * once more, in another language and for another checker, so that its counts
 * need not be taken on trust: SPIN must find as many states, and a shortest
 * counterexample of the same length (spin_test.go compares them).
 *
 * A model is three texts: this one, the lock program (del-setnx.pml, getset.pml,
 * set-px.pml: each the file to give to spin), and what can happen (explorer.pml).
 *
 * Two states are one when everything here is equal, so a variable that no longer
 * matters is 0. What does matter is what a client has observed since its phase
 * began, all of it and also what its program no longer looks at: that is how the
 * explorer tells clients apart. Not here is what follows from the rest: whether
 * a client believes follows from its lease and the time, the value under
 * which it is in from its lease or its attempt, and a sleeper's hour is the next
 * tick, because a failed attempt waits for exactly one.
 *
 * Give spin -o2 and pan -DNOREDUCE. Without the first, SPIN drops variables that are
 * only written, such as a lease nobody asks about, and finds fewer states.
 *
 * A tick is one second. Times are seconds since 999 s, so that the start is 1 and
 * 0 can say "none". Clients have no clock skew.
 */

/* The bounds, as of lockstep explore. */
#ifndef CLIENTS
#define CLIENTS 2
#endif
#if CLIENTS > 4
#error "explorer.pml is written for at most 4 clients"
#endif
#ifndef TICKS
#define TICKS 4
#endif
#ifndef CRASHES
#define CRASHES 0
#endif
#ifndef DELAYS
#define DELAYS -1 /* any */
#endif
#ifndef TIMEOUT
#define TIMEOUT 2 /* of the lease, s */
#endif

byte now = 1;
#if CRASHES > 0
byte crashes;
#endif
#if DELAYS >= 0
byte delays; /* ticks that passed while a request was in flight */
#endif

/* lock.foo: what a model keeps of its value is in the model. */
byte writer; /* the client that wrote it, from 1; 0: there is no such key */

/* What a client has outstanding. Whatever is from SENT on is a command in flight. */
#define UNSPAWNED 0
#define NOTHING   1 /* it is done, or has crashed */
#define SLEEP     2
#define INSIDE    3 /* the critical section */
#define SENT      4
byte op[CLIENTS];

byte lease[CLIENTS]; /* until when, since it entered; a crashed client keeps it */

#if CRASHES > 0
bit dead[CLIENTS];
#define ALIVE(c) (!dead[c])
#else
#define ALIVE(c) true
#endif

/* Not of the state: what Redis answered, within one action. SPIN's breadth-first
 * search allows no variable outside the state, so settle() sets it back to 0. */
byte reply;

inline enter(c, until) {
	lease[c] = until;
	op[c] = INSIDE
}

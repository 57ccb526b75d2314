// Package program runs lock programs: the small files that a learner reads,
// edits and breaks.
//
// # What a lock program is
//
// A program says how one client takes a lock, works and gives the lock back.
// What the page shows is what runs:
//
//	def acquire(c):              # one attempt: a lease, or None
//	    if c.setnx("lock.foo", c.name) == 1:
//	        return True
//	    return None
//
//	def release(c, lease):
//	    c.delete("lock.foo")
//
// Around it is a driver, the same for all programs and not part of this
// package: it calls acquire until that returns a lease (waiting between
// attempts, or giving up), then work, then release.
//
//   - acquire(c) and release(c, lease) are required.
//   - work(c, lease) is the critical section. Without it the client is inside
//     until it is stepped, which is what c.work() means in it.
//   - holds(c, lease) is what the client believes about its lease, by its own
//     clock alone. Without it the lease decides.
//
// A lease is whatever acquire returns. A number is the Unix second from which
// on it no longer counts; c.lease(token=…, until=…) or until_ms says it in so
// many words; any other value, such as True or a token, is a lease that never
// ends. None means that the lock was not acquired, and so does False, because
// "return c.setnx(…) == 1" should mean what it seems to.
//
// # A client is a function of what it has seen
//
// Nothing here waits, and nothing runs on: no goroutine, no channel. To learn
// what a client does next, [Program.Next] runs its phase from the top over
// the observations since the phase began. Each builtin that asks the world
// (the clock, Redis, the critical section) takes the next recorded
// observation; the first that finds none ends the evaluation, and is the next
// operation. So a client can be copied, stored, compared and undone: it is a
// phase, a lease and a short list of values. The evaluation is pure: the same
// arguments give the same [Outcome], on any machine, at any time.
//
// The price is that a phase is evaluated again for each of its operations.
// They are few, and a run takes well under a microsecond.
//
// # The language
//
// The syntax is Starlark's, so Python's; the meaning is Python's; the rest of
// both is missing. There are if, for, assignment, return, break, continue,
// pass and def; numbers of 64 bits, strings, None, True and False; + - * // %,
// comparisons, not, and, or, and x if y else z; numbers have an order, strings
// are equal or not. A for goes over c.nodes or range(n). There are int, str, len, min and max. Names at the top of a file
// are constants, and some are defaults of options: timeout, retry and
// acquire_timeout in seconds, the same with _ms in milliseconds, and blocking.
//
// The client c has
//
//   - c.now() and c.now_ms(), its own clock; c.timeout and c.timeout_ms, how
//     long a lease should last; c.name; c.token(), which no other attempt of
//     any client shares;
//   - Redis commands in lower case: c.setnx(key, value), c.set(key, value,
//     nx=True, px=5000), c.delete(key) and so on. An integer reply is a number,
//     a bulk reply a string, nil is None, a status "OK". An error reply stops
//     the client; c.try_get(key) and its like return False instead;
//   - c.eval("compare-and-delete", key, token), a script by its name: no
//     program brings Lua of its own;
//   - c.nodes, each of them with the same commands. A command on c itself goes
//     to the first;
//   - c.storage, the protected resource, which the lock is for:
//     c.storage.write(fence=n) is 1 if it accepted the write and 0 if it had
//     accepted one with a higher fencing token; c.storage.write() shows none and
//     is always accepted;
//   - in work only, c.renew(until=…) or until_ms: from now on the client believes
//     in its lease until then. What Redis holds is another matter: that takes a
//     command.
//
// # Bounds
//
// Programs come from strangers: a link carries one. Parse refuses whatever it
// does not know, each refusal with its line and column, and everything that
// can be seen without running: unknown names and commands, wrong numbers of
// arguments, recursion, a holds that asks Redis. The parser itself is only
// shown text that is short, valid and shallow. What remains is bounded while
// it runs (see bounds.go): steps, numbers, strings, rounds, calls, operations.
// Strings do not double and numbers do not grow, so memory is bounded by the
// steps. Exceeding a bound stops that one client with an [Error]. What an
// evaluation costs is told in steps, too: those that it took, and as many as the
// strings that it made take as long as (see machine.go).
//
// Rejected: running programs in the Starlark interpreter. It bounds steps but
// not memory, as s + s and x * x show, and a callback into Go for each builtin
// would cost a thread, frames and boxed values on every run.
package program

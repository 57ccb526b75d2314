// Package program runs lock programs: the small files that a learner reads,
// edits and breaks.
//
// # What a lock program is
//
// A program tells how one client takes a lock, works and gives the lock back. The
// page shows the very text that runs:
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
//     until its next step; c.work() does the same within work.
//   - holds(c, lease) decides whether the client believes in its lease, by its own
//     clock alone. Without it the lease decides.
//
// acquire returns the lease. A number is the Unix second of its end;
// c.lease(token=…, until=…) or until_ms spells it out; any other value, such as
// True or a token, is a lease that never ends. None and False mean that the
// client did not acquire the lock: "return c.setnx(…) == 1" means what it seems
// to mean.
//
// # A client is a function of what it has seen
//
// Nothing here waits: there is no goroutine and no channel. [Program.Next] runs a
// client's phase from the top over the observations since the phase began, and
// returns the client's next operation. Each builtin that asks the world (the
// clock, Redis, the critical section) takes the next recorded observation; the
// first that finds none ends the evaluation, and is the next operation. A client
// can be copied, stored, compared and undone, as it is a phase, a lease and a
// short list of values. The evaluation is pure: the same
// arguments give the same [Outcome], on any machine, at any time.
//
// The price is to evaluate a phase again for each of its operations. They are
// few, and an evaluation takes well under a microsecond.
//
// # Recordings
//
// There is a second kind of program: a [Recording] of a real one, in any language. It is a tree from histories of
// observations to the next operation, as text (recording_text.go):
//
//	recorded "python3 worker.py"
//	SET lock.foo $1 NX PX 10000
//	= (nil)
//	  again 1
//	= OK
//	  enter
//	  hold
//	  leave
//	  DEL lock.foo
//
// It has no phases. It observes whole replies, errors and lost messages too, and enters, leaves and ends by operations of
// its own. It needs no process: a run, a link and an export have it in their text. Package learn makes recordings.
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
//   - c.now() and c.now_ms(), its own clock; c.timeout and c.timeout_ms, the
//     length of a lease; c.name; c.token(), unique to an attempt of a client;
//   - Redis commands in lower case: c.setnx(key, value), c.set(key, value,
//     nx=True, px=5000), c.delete(key) and so on. An integer reply is a number,
//     a bulk reply a string, nil is None, a status "OK". An error reply stops
//     the client; c.try_get(key) and the other try_ methods return False instead;
//   - c.eval("compare-and-delete", key, token), a script by its name: no
//     program brings Lua of its own;
//   - c.nodes, each of them with the same commands. A command on c itself goes
//     to the first;
//   - c.storage, the resource that the lock protects:
//     c.storage.write(fence=n) is 1 if it accepted the write and 0 if it had
//     accepted one with a higher fencing token; c.storage.write() shows none and
//     is always accepted. It holds a number, 0 at first: c.storage.read() is the
//     number, c.storage.write(number) replaces it. Both take a fencing token;
//     a read with one that is too low is None. c.storage.write(number,
//     commit=False) opens a transaction: nobody else reads the number before
//     c.storage.commit(), which is 1, or 0 if there was nothing to commit. A
//     client has one transaction, which holds the number that it wrote last;
//   - in work only, c.renew(until=…) or until_ms: from now on the client believes
//     in its lease until then. The key in Redis changes only by a command.
//
// # Bounds
//
// Strangers bring programs: a link carries one. Parse refuses, with a line and a
// column, all that it does not know and every mistake that shows without running:
// unknown names and commands, wrong numbers of arguments, recursion, a holds that
// asks Redis. The parser itself sees only text that is short, valid and shallow.
// bounds.go bounds the rest while it runs: steps, numbers, strings, rounds, calls,
// operations. Strings do not double and numbers do not grow, so the steps bound
// the memory. A program that exceeds a bound stops its client with an [Error]. The
// cost of an evaluation is counted in steps: its statements and expressions, and
// the bytes of the strings that it made, in their time (see machine.go).
//
// Rejected: running programs in the Starlark interpreter. It bounds steps but
// not memory, as s + s and x * x show, and a callback into Go for each builtin
// would cost a thread, frames and boxed values on every run.
//
// The package has more than 25 files: each stage of a program (parse, check, evaluate, send) has a few, and a recording of a
// real program, which is one too, has four.
package program

// Package clock runs a program on a clock of its own. The clock stands still until somebody moves it, and everything that the
// program starts is on it. The program is unmodified, in any language.
//
//	program ──system call──▶ filter ──▶ tracer: the time is now; this wait ends at t
//	                                      │
//	           Ask ◀── "it rests until t" ┘ ◀── Move(t)
//
// A filter of the kernel (seccomp) stops the calls that read a clock, wait for a time or ask for randomness, and no others.
// The tracer (ptrace) answers the first kind, and lets the second wait without a time-out. When the clock has come to the
// time of a wait, a signal that the program never sees ends it, and the tracer makes its result that of a time-out. Where the
// kernel lets programs read a clock without a call (the vDSO), the tracer takes that away when a program begins.
//
// # When a tree rests
//
// A program that has nothing left to do sleeps in the kernel. That is hard to see from outside, and each of these looked like
// rest once:
//
//   - Bytes are in flight. The tracer looks at threads first, at connections then, and at the threads again: what arrives
//     after a look at a thread has woken it by the second one.
//   - A thread is ready and not yet on a processor. Its state says so, and its number of switches would tell if it had been.
//   - A thread naps for some microseconds, as Go's runtime does, or spins for a lock. A nap ends without the clock.
//   - A process has ended, and its parent does not know yet.
//   - The receiver has the bytes, and its kernel has not acknowledged them: what the receiver counts is evidence, and what the
//     sender has left to send is not.
//
// # What it does not do
//
// io_uring is refused, and libraries do without. The kernel's own time-outs of a socket (SO_RCVTIMEO) are without effect. Calls
// with a time-out that hardly a program makes run on the machine's clock, and so does a timer beyond the thousandth; times and
// sysinfo tell the machine's time, and a 32-bit program reads it. A program that reads its clock in a loop until it is later gets
// a nanosecond for each 10,000 times. Randomness comes from a seed, but not that of a program which executes RDRAND. Threads run one at a time, on one
// processor, in an order that is the kernel's, and a signal for a process of several threads goes to any of them.
//
// # Rejected
//
//   - A library that is preloaded: Go calls the kernel itself, and static programs load nothing.
//   - A time namespace: it shifts clocks, and cannot stop them.
//   - Polling with short time-outs on duplicated descriptors: to turn a wait into one without an end costs a
//     stop, and nothing while it lasts.
package clock

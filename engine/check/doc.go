// Package check judges the states of a run: what a lock promises, and where the
// promise is broken.
//
// Two things are held against each other and never mixed. Belief is what a
// client thinks: it is in the critical section and, by its own clock, its lease
// runs. Truth is what the key holds and who wrote it.
//
//   - mutual-exclusion: two live clients are in the critical section and both
//     believe in their lease.
//   - overlap: two live clients are in the critical section, whatever they
//     believe; an overrun lease counts.
//   - foreign-delete: a command removes the value under which another client
//     holds the lock. A value whose writer's lease has run out, and one written
//     by a client that did not get the lock (a losing GETSET), protect nobody:
//     to remove those is what recovery and release are for, and is not counted.
//   - lease-drift: the key no longer holds what a client that believes in its
//     lease stored there, because one that did not get the lock wrote over it.
//   - stuck: nobody is in the critical section, and a client that waits for the
//     lock, or gave up waiting, could never get it however long it asked (see
//     stuck.go for what is tried, and when).
//   - stale-write: the protected resource accepts a write although it has accepted
//     one by a client that took the lock over from the writer.
//
// Every violation names its clients and its cause: the event that made it
// inevitable, which is the answer to "why?".
package check

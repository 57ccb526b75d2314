// Package check judges the states of a run: a lock's promises, and the states
// that break them.
//
// The judgement compares belief with truth and never mixes them. Belief is the
// client's view: it is in the critical section and, by its own clock, its lease
// runs. Truth is the key's value and its writer.
//
//   - mutual-exclusion: two live clients are in the critical section and both
//     believe in their lease.
//   - overlap: two live clients are in the critical section, whatever they
//     believe; an overrun lease counts.
//   - foreign-delete: a command removes the value under which another client
//     holds the lock. A value whose writer's lease has run out, and one written
//     by a client that did not get the lock (a losing GETSET), protect nobody:
//     recovery and release may remove them.
//   - lease-drift: the key no longer holds the value of a client that believes in
//     its lease, because a client that did not get the lock wrote over it.
//   - stuck: nobody is in the critical section, and a client that waits for the
//     lock, or gave up waiting, could never get it however long it asked
//     (stuck.go lists the continuations that it tries).
//   - unattended: several clients have come, all have ended their programs, and
//     none was ever in the critical section.
//   - bounded-wait: a client has waited for the lock for longer than the run's
//     header says (within=30s), and is neither in nor gone.
//   - stale-write: the protected resource accepts a write although it has accepted
//     one by a client that took the lock over from the writer.
//   - lost-update: a write replaces a number that its client does not know:
//     another's write has taken effect since the client's last read, or one of its
//     own life before a restart.
//
// Every violation names its clients and its cause: the event that made it
// inevitable, which answers "why?".
package check

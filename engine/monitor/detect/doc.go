// Package detect reads the commands that clients sent to Redis, and tells what they did to locks.
//
//	commands → Detector → Report: who held which lock from when to when, and what went wrong
//
// A Detector is a fold: it sees each command once, keeps a bounded state, and needs no run of the engine. It says what the
// commands prove, and nothing else.
//
// # What is known of a key
//
// A MONITOR log has no replies. Whether a SET with NX was granted follows from the state of its key: absent, held until a
// time, or unknown. A key is unknown at the beginning, near the end of a lease (within Margin), and after a command whose effect
// the Detector does not know. While it is unknown, a request is a candidate. A compare-and-delete that deleted proves which one
// was granted.
//
// # Whose release it is
//
// The owner of a lock is its token, not the connection that asked for it: a process takes its connections from a pool.
//
//   - A compare-and-delete that deleted is the owner's, whatever connection sent it.
//   - One that did not delete, with the token of a hold whose lease has run out, is a release that came too late.
//   - A bare DEL names no owner. It is the holder's, perhaps from another connection of its pool, unless something proves the
//     opposite: its host is not the holder's, and has another hold that nobody has released; or more locks were released
//     than a pool can explain. The second proof is a chain: C1 overruns and deletes C2's lock, C2 deletes C3's, until a DEL of
//     a connection that was granted the lock finds nothing.
//
// A key that clients ask for with NX and never release is no lock: it limits a rate, or finds duplicates.
//
// A bare DEL proves something only on a key that its holders release at least as often as others delete it. Otherwise it is a cache
// or a session. A DEL right before a request of the same connection fills a cache again: it is no release. Where a DEL of somebody
// who held nothing began it all, that DEL must be a rare exception; where clients look first and ask for what they miss, too.
//
// # Several nodes
//
// A Redlock is held by a token that a majority of the nodes has granted. A Redlock follows each attempt by its token: what each node
// granted it, until when, and when it was released there. What a node did is ordered by the lines of its log. Between nodes there is
// only the time, by clocks that differ.
//
//   - Two majorities share a node. Where both were granted by one node, the second before the first one's lease had ended and before
//     its release, by the lines of that node, the node had lost its data. In the logs of nodes that keep their data, that does not
//     happen, whatever the clocks say.
//   - Such two overlap by the clocks if they do for longer than the Allowance, or by how much the logs show the clocks to differ; or by
//     the order of lines, if on each node that has both, the second one's request came before the first one's release.
//   - A compare-and-delete that deleted proves the grant of its token, also on a node of which nothing was known.
//   - A token that asks a node again has begun another attempt. Those of other nodes belong to the one that they are nearest to in
//     time; the clocks are compared by first requests for that, which proves nothing and accuses nobody.
//
// Detector has more than 40 methods: each command that touches a lock, and each way in which a stay ends, changes one key, its
// connections and its tokens together. Redlock has more than 40 methods for the same reason: a grant, a renewal, a release and
// a loss on one node each change the attempt that all nodes share.
package detect

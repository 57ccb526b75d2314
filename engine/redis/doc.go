// Package redis is one Redis node of a run: a real miniredis behind one door
// with two verbs, Do and Advance.
//
// Do executes a command and returns the RESP that a client would have read from
// the wire. Advance is the only thing that moves the node's clock, so that TTLs
// and TIME agree and nothing depends on the wall clock. A node is created
// without a listener; no goroutine outlives New.
//
// Commands come from strangers, so only those of an allow-list reach miniredis,
// in bounds on the number and size of their arguments (see Check). They read and
// write string keys, which is what locks are made of. Lua is limited to the named
// scripts of Script: miniredis' Lua can read files and has no time limit.
//
// A node may be made again at any time from what it stores, by Get and Put, and
// nobody can tell. So a key either expires at a whole millisecond that is still to
// come, at most at MaxExpires, or never: what miniredis would make of a time that
// it cannot count to, or of one that is over, is kept out (expiry.go).
//
// Nothing else here re-implements a Redis command. Where a node is known to differ
// from a real server: a key dies at its expiry, real Redis a millisecond later;
// a time after MaxExpires is refused, real Redis takes it; error texts of Lua and
// of a SET whose PX or EX lacks its number differ; DELEX exists in Redis from 8.4 on.
package redis

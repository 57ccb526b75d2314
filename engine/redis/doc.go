// Package redis is one Redis node of a run: a real miniredis behind one door
// with two verbs, Do and Advance.
//
// Do executes a command and returns the RESP that a client would have read from
// the wire. Only Advance moves the node's clock: TTLs and TIME agree, and nothing
// depends on the wall clock. A node has no listener, and no goroutine outlives New.
//
// Strangers send commands. Only the commands of an allow-list reach miniredis, within bounds on the number and size of
// their arguments (see Check). They read and write string keys, as locks do. Lua is limited to the named scripts of
// Script: miniredis' Lua can read files and has no time limit.
//
// Get and Put copy a node at any time, and the copy behaves like the original. For that, a key expires at a whole
// millisecond in the future and at most at MaxExpires, or never. expiry.go keeps other times away from miniredis: times
// that it cannot count to, and times that are over.
//
// condition.go has the two commands that miniredis lacks: SET with IFEQ or IFNE, and DELIFEQ. Each is a look at the key
// and a command of miniredis.
//
// Nothing else here re-implements a Redis command. A node differs from a real server in these known ways:
//
//   - A key dies at its expiry; in real Redis it dies a millisecond later.
//   - A node refuses a time after MaxExpires; real Redis takes it.
//   - Error texts of Lua, and of a SET whose PX or EX lacks its number, differ.
//   - DELEX, and SET with IFEQ or IFNE, exist in Redis from 8.4 on; DELIFEQ exists in Valkey from 9.0 on, and not in Redis.
package redis

// Package redis is one Redis node of a run: a real miniredis behind one door
// with two verbs, Do and Advance.
//
// Do executes a command and returns the RESP that a client would have read from
// the wire. Only Advance moves the node's clock: TTLs and TIME agree, and nothing
// depends on the wall clock. A node has no listener, and no goroutine outlives New.
//
// Strangers send commands. Only the commands of an allow-list reach miniredis, within bounds on the number and size of
// their arguments (see Check). They read and write strings and hashes, as locks do. A key, a value or an argument may be any
// bytes; Quote writes those that are not UTF-8 as redis-cli does, "\xff". A transaction is one command (transaction.go).
//
// Lua is limited to the scripts of scripts.go: those that lock programs name, and those of well-known lock libraries, by
// their SHA-1. miniredis' Lua can read files, its os.clock and math.random are not deterministic, and nothing ends an endless
// loop. CheckOwn accepts other scripts (see Scripts), for a command line that runs the user's own program: that program has
// more rights than its scripts, and its endless loop is the user's to interrupt. A server never calls it with any. CheckRecorded accepts EVALSHA of scripts that are
// not here: a run may have their recorded effects, and no node executes them.
//
// Get and Put copy a node at any time, and the copy behaves like the original. For that, a key expires at a whole
// millisecond in the future and at most at MaxExpires, or never. expiry.go keeps other times away from miniredis: times
// that it cannot count to, and times that are over.
//
// A reply is Redis' own, or nobody judges by it. A script executes the commands of the allow-list; where it calls another one, or
// does what the Lua of Redis may do otherwise, Unable says so, and the search or the test that asked ends without a verdict
// (unable.go). A real server behind the same interface, Node, executes every command that has one reply (wide.go). A test of
// package web/real/process walks all commands that a real server names: direct, in a transaction and in a script.
//
// table.go has the allow-list, and what each of its commands does. lock.go guesses which command of an unknown program
// acquires a lock, and which gives it up. trial.go tries a script of which
// nobody knows whether it takes one.
//
// condition.go has the two commands that miniredis lacks: SET with IFEQ or IFNE, and DELIFEQ. Each is a look at the key
// and a command of miniredis.
//
// Nothing else here re-implements a Redis command. A node differs from a real server in these known ways:
//
//   - A key dies at its expiry; in real Redis it dies a millisecond later.
//   - HGETALL orders fields by their names; real Redis keeps no order that one may rely on.
//   - DELEX, and SET with IFEQ or IFNE, exist in Redis from 8.4 on; DELIFEQ exists in Valkey from 9.0 on, and not in Redis.
package redis

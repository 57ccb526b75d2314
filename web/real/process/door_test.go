package process

import (
	"runtime"
	"strings"
	"testing"

	"lockstep/engine/redis"
)

// A command stays at the door until it is answered.
func TestDoor(t *testing.T) {
	p := listening(t)
	c := dial(t, p)
	c.sends("SETNX lock C1")
	comes(t, p, "SETNX lock C1")
	comes(t, p, "SETNX lock C1")
	p.Answer(":1\r\n")
	p.Answer(":7\r\n") // there is nothing to answer
	c.reads(":1")
	c.sends("DEL lock")
	comes(t, p, "DEL lock")
	if p.Stale() {
		t.Error("it waits and is stale")
	}
}

// Replies leave in the order of the commands, the front's own too.
func TestPipeline(t *testing.T) {
	p := listening(t)
	c := dial(t, p)
	c.sends("PING", "GET a", "PING", "GET b", "ECHO x")
	c.reads("+PONG")
	comes(t, p, "GET a")
	p.Answer("$1\r\nA\r\n")
	c.reads("$1 A")
	c.reads("+PONG")
	comes(t, p, "GET b")
	p.Answer("$-1\r\n")
	c.reads("$-1")
	c.reads("$1 x")
}

// A script comes to the door with its text, whether the program has loaded it or has run it.
func TestScriptHasItsText(t *testing.T) {
	p := listening(t)
	c := dial(t, p)
	c.sends("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 1 k", `EVAL "return 1" 1 k`, "EVALSHA E0E1F9FABFC9D4800C877A703B823AC0578FF8DB 1 k")
	c.reads("-NOSCRIPT No matching script. Please use EVAL.")
	for range 2 {
		comes(t, p, `EVAL "return 1" 1 k`)
		p.Answer(":1\r\n")
		c.reads(":1")
	}
	c.sends(`SCRIPT LOAD "return 2"`)
	c.reads("$40 7f923f79fe76194c868d7e1d0820de36700eb649")
	// A connection of the same program knows what another has loaded; another program does not.
	again := dial(t, p)
	again.sends("EVALSHA 7f923f79fe76194c868d7e1d0820de36700eb649 1 k")
	comes(t, p, `EVAL "return 2" 1 k`)
	other := dial(t, listening(t))
	other.sends("EVALSHA 7f923f79fe76194c868d7e1d0820de36700eb649 1 k")
	other.reads("-NOSCRIPT No matching script. Please use EVAL.")
}

// A transaction is one command at the door.
func TestTransactionIsOneCommand(t *testing.T) {
	p := listening(t)
	c := dial(t, p)
	c.sends("MULTI", `SET "a key" v`, "PING", `EVAL "return 1" 0`, "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0", "GET none", "EXEC")
	c.reads("+OK")
	for range 5 {
		c.reads("+QUEUED")
	}
	a := p.Next()
	want := []string{"MULTI", `SET "a key" v`, "PING", `EVAL "return 1" 0`, `EVAL "return 1" 0`, "GET none", "EXEC"}
	if strings.Join(a.Command, "|") != strings.Join(want, "|") {
		t.Fatalf("at the door is %q", a.Command)
	}
	p.Answer("*5\r\n+OK\r\n+PONG\r\n:1\r\n:1\r\n$-1\r\n")
	c.reads("*5 +OK +PONG :1 :1 $-1")
}

// After HELLO 3 a reply from the door is RESP3 where that differs.
func TestRESP3(t *testing.T) {
	p := listening(t)
	c := dial(t, p)
	c.sends("HELLO 3")
	if _, err := c.value(); err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct{ sent, reply, read string }{
		{"GET k", "$-1\r\n", "_"},
		{"GET k", "*-1\r\n", "_"},
		{"GET k", "$5\r\n$-1\r\n\r\n", "$5 $-1\r\n"},
		{"SET k v", "+OK\r\n", "+OK"},
		{"INCR k", "-ERR no\r\n", "-ERR no"},
		{"MGET a b", "*2\r\n$1\r\nx\r\n$-1\r\n", "*2 $1 x _"},
		{"HGETALL h", "*4\r\n$1\r\na\r\n$1\r\nb\r\n$1\r\nc\r\n$1\r\nd\r\n", "%2 $1 a $1 b $1 c $1 d"},
		{`EVAL x 0`, "*2\r\n*1\r\n$-1\r\n:1\r\n", "*2 *1 _ :1"},
	} {
		c.sends(row.sent)
		comes(t, p, row.sent)
		p.Answer(redis.Reply(row.reply))
		c.reads(row.read)
	}
	c.sends("MULTI", "GET k", "HGETALL h", "EXEC")
	c.reads("+OK")
	c.reads("+QUEUED")
	c.reads("+QUEUED")
	comes(t, p, `MULTI "GET k" "HGETALL h" EXEC`)
	p.Answer("*2\r\n$-1\r\n*2\r\n$1\r\na\r\n$1\r\nb\r\n")
	c.reads("*2 _ %1 $1 a $1 b")
}

// Cut closes the connections and loses the command at the door. The program may connect again, and is not stale.
func TestCut(t *testing.T) {
	p := listening(t)
	c, idle := dial(t, p), dial(t, p)
	idle.sends("PING")
	idle.reads("+PONG")
	c.sends("SET k v")
	comes(t, p, "SET k v")
	p.Cut()
	c.ends()
	idle.ends()
	p.Answer("+OK\r\n") // to nobody
	again := dial(t, p)
	again.sends("SET k v")
	comes(t, p, "SET k v")
	p.Answer("+OK\r\n")
	again.reads("+OK")
	if p.Stale() {
		t.Error("a cut has made it stale")
	}
}

// A program that closes its connection no longer waits for the command at the door. That is known at once, and stays so.
func TestStale(t *testing.T) {
	p := listening(t)
	c := dial(t, p)
	c.sends("SET k v NX")
	comes(t, p, "SET k v NX")
	c.Close()
	if !p.Stale() {
		t.Error("it has closed its connection and is not stale")
	}
	p.Answer("+OK\r\n") // to nobody
	again := dial(t, p)
	again.sends("SET k v NX", "PING")
	comes(t, p, "SET k v NX")
	p.Answer("$-1\r\n")
	again.reads("$-1")
	again.reads("+PONG")
	if !p.Stale() {
		t.Error("it is no longer stale")
	}
}

// Next alone finds out, too.
func TestNextSeesWhoSendsAgain(t *testing.T) {
	for range 50 {
		p := listening(t)
		c := dial(t, p)
		c.sends("SET k 1")
		comes(t, p, "SET k 1")
		c.Close()
		again := dial(t, p)
		again.sends("SET k 2")
		comes(t, p, "SET k 2")
		if !p.Stale() {
			t.Fatal("it has sent again and is not stale")
		}
		p.Kill()
	}
}

// A program that sends a command, and closes its connection before the command is at the door, did not wait for it.
func TestStaleBeforeTheDoor(t *testing.T) {
	p := listening(t)
	c := dial(t, p)
	c.sends("DEL k")
	c.Close()
	again := dial(t, p)
	again.sends("GET k")
	for !p.Stale() {
		runtime.Gosched()
	}
	comes(t, p, "GET k")
}

// A program that closes its connection with a reply unread did not wait for it.
func TestStaleWithAReplyUnread(t *testing.T) {
	p := listening(t)
	c := dial(t, p)
	c.sends("DEL k")
	comes(t, p, "DEL k")
	p.Answer(":1\r\n")
	if _, err := c.Read(make([]byte, 1)); err != nil { // the reply is here, and the rest of it unread
		t.Fatal(err)
	}
	c.Close()
	again := dial(t, p)
	again.sends("GET k")
	for comes(t, p, "GET k"); !p.Stale(); {
		runtime.Gosched()
	}
}

// Two connections that both wait are two threads.
func TestSeveralThreads(t *testing.T) {
	p := listening(t)
	a, b := dial(t, p), dial(t, p)
	a.sends("GET a")
	comes(t, p, "GET a")
	b.sends("GET b")
	fails(t, untilFault(p), severalThreads(2))
	want := "it sends from 2 connections at once: Lockstep does not interleave the threads of a process"
	if severalThreads(2).English != want {
		t.Error(severalThreads(2).English)
	}
}

// Two connections that take turns are one thread.
func TestConnectionsTakeTurns(t *testing.T) {
	p := listening(t)
	a, b := dial(t, p), dial(t, p)
	for range 3 {
		for _, c := range []*peer{a, b} {
			c.sends("GET k")
			comes(t, p, "GET k")
			p.Answer(":1\r\n")
			c.reads(":1")
		}
	}
}

// Kill ends a Next that waits, and can be called again.
func TestKillEndsNext(t *testing.T) {
	p := listening(t)
	c := dial(t, p)
	c.sends("PING")
	c.reads("+PONG")
	next := make(chan bool)
	go func() { next <- p.Next().Ended }()
	p.Kill()
	if !<-next {
		t.Error("Next says something else")
	}
	p.Kill()
	c.ends()
	if !p.Next().Ended {
		t.Error("Next says something else afterwards")
	}
}

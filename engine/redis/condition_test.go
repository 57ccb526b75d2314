package redis

import (
	"strings"
	"testing"
)

// conditional plays commands on one node and gives their replies.
func conditional(t *testing.T, lines string) {
	t.Helper()
	s := New(1_000_000)
	defer s.Close()
	for _, line := range strings.Split(strings.TrimSpace(lines), "\n") {
		command, want, _ := strings.Cut(line, " -> ")
		if got := ask(t, s, command); got != want {
			t.Errorf("%s: %s, not %s", command, got, want)
		}
	}
}

// Redis' documentation of SET: IFEQ needs the value and so the key; IFNE needs another value or no key. No server is
// installed that has them (Redis 8.4): the next test holds them to a script on the one that is.
func TestSetIfEqualAndIfNotEqual(t *testing.T) {
	conditional(t, `
SET k v IFEQ old -> (nil)
GET k -> (nil)
SET k v IFNE old -> OK
SET k w IFEQ v PX 5000 -> OK
PTTL k -> (integer) 5000
SET k x IFEQ v -> (nil)
PTTL k -> (integer) 5000
SET k x KEEPTTL IFEQ w -> OK
PTTL k -> (integer) 5000
SET k y IFNE x -> (nil)
SET k y IFNE x GET -> "x"
GET k -> "x"
SET k y GET IFEQ x -> "x"
GET k -> "y"
SET k NX IFEQ y -> OK
SET k get IFEQ NX -> OK
set k GET ifeq get -> OK
SET k IFNE IFEQ GET -> OK
GET k -> "IFNE"
SET k v IFEQ -> (error) ERR syntax error
SET k v IFEQ IFNE NX -> (error) ERR syntax error
SET k v XX IFNE a -> (error) ERR syntax error
SET k v IFEQ a IFNE b -> (error) ERR syntax error
SET k v IFEQ IFNE EX 0 -> (error) ERR invalid expire time in 'set' command
SET k v IFEQ other WORD -> (error) ERR syntax error
GET k -> "IFNE"`)
}

// Valkey's documentation of DELIFEQ: 1 and the key is gone, or 0. No server is installed that has it (Valkey 9.0).
func TestDelIfEqual(t *testing.T) {
	conditional(t, `
DELIFEQ k v -> (integer) 0
SET k v PX 5000 -> OK
DELIFEQ k w -> (integer) 0
PTTL k -> (integer) 5000
DELIFEQ k v -> (integer) 1
EXISTS k -> (integer) 0
DELIFEQ k -> (error) ERR wrong number of arguments for 'delifeq' command
DELIFEQ k v w -> (error) ERR wrong number of arguments for 'delifeq' command
DELEX k IFNE v -> (integer) 0
SET k v -> OK
DELEX k IFNE v -> (integer) 0
DELEX k IFNE w -> (integer) 1`)
}

// SET IFEQ and DELIFEQ leave what the scripts that compare and set, or compare and delete, leave on a real server, which
// is Redis 7.0 and has none of the commands.
func TestConditionsAsScriptsOfRedisSevenDecide(t *testing.T) {
	server := startServer(t)
	compared := 0
	for _, first := range []string{"", "SET k v", "SET k w", "SET k v PX 60000"} {
		for _, pair := range []struct{ command, script string }{
			{"SET k n IFEQ v", "compare-and-set 1 k v n"}, {"DELEX k IFEQ v", "compare-and-delete 1 k v"}, {"DELIFEQ k v", "compare-and-delete 1 k v"},
		} {
			s := New(1_000_000)
			server.say(t, "FLUSHALL")
			if first != "" {
				ask(t, s, first)
				server.say(t, strings.Fields(first)...)
			}
			script, refusal := Check(strings.Fields("EVAL " + pair.script))
			if refusal != nil {
				t.Fatal(refusal)
			}
			done := s.Do(strings.Fields(pair.command)...)
			did := server.say(t, script...) == ":1\r\n"
			if got := done == ":1\r\n" || done == "+OK\r\n"; got != did {
				t.Errorf("%q, %s: %s, and on the server %v", first, pair.command, done, did)
			}
			for _, look := range []string{"GET k", "EXISTS k"} {
				compared++
				if got, want := s.Do(strings.Fields(look)...), server.say(t, strings.Fields(look)...); got != want {
					t.Errorf("%q, %s: %s: %s, and on the server %s", first, pair.command, look, got, want)
				}
			}
			s.Close()
		}
	}
	if compared != 24 {
		t.Errorf("%d replies were compared", compared)
	}
}

// A look at the key cannot tell that a SET with IFEQ has stored the same value again: Stores can.
func TestConditionalSetStores(t *testing.T) {
	for _, test := range []struct {
		command string
		reply   Reply
		want    bool
	}{
		{"SET k v IFEQ v", "+OK\r\n", true},
		{"SET k v IFEQ v", "$-1\r\n", false},
		{"SET k v IFEQ v GET", "$1\r\nv\r\n", true},
		{"SET k v IFEQ v GET", "$1\r\nw\r\n", false},
		{"SET k v IFEQ v GET", "$-1\r\n", false},
		{"SET k v IFNE v GET", "$-1\r\n", true},
		{"SET k v IFNE v GET", "$1\r\nw\r\n", true},
		{"SET k v IFNE v GET", "$1\r\nv\r\n", false},
		{"SET k v IFEQ GET", "$-1\r\n", false},
	} {
		if got := Stores(strings.Fields(test.command), test.reply, "k"); got != test.want {
			t.Errorf("%s with %q: %v", test.command, test.reply, got)
		}
	}
}

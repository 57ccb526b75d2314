package redis

import (
	"slices"
	"strings"
	"testing"

	"lockstep/engine/testtools"
)

// ask plays a command through the door, as the engine does.
func ask(t *testing.T, s *Server, line string) string {
	words, refusal := Split(line)
	if refusal != nil {
		t.Fatalf("%s: %v", line, refusal)
	}
	command, refusal := Check(words)
	if refusal != nil {
		t.Fatalf("%s: %v", line, refusal)
	}
	return s.Do(command...).String()
}

// Only Advance moves time, and TTL, TIME and the expiry agree.
func TestOnlyAdvanceMovesTime(t *testing.T) {
	s := New(1_000_000)
	defer s.Close()
	for _, step := range []struct {
		advance    int64
		line, want string
	}{
		{0, "TIME", `["1000", "0"]`},
		{0, "SET lock.foo C1-1 NX PX 10000", "OK"},
		{0, "SET lock.foo C2-1 NX PX 10000", "(nil)"},
		{2500, "PTTL lock.foo", "(integer) 7500"},
		{0, "TIME", `["1002", "500000"]`},
		{7499, "GET lock.foo", `"C1-1"`},
		{1, "GET lock.foo", "(nil)"}, // a real Redis would keep it one millisecond longer
		{0, "SET lock.foo C2-1 NX PX 10000", "OK"},
		{0, "EVAL compare-and-delete 1 lock.foo C1-1", "(integer) 0"},
		{0, "EVAL compare-and-delete 1 lock.foo C2-1", "(integer) 1"},
	} {
		s.Advance(step.advance)
		if got := ask(t, s, step.line); got != step.want {
			t.Errorf("after %d ms more, %s: %s, not %s", step.advance, step.line, got, step.want)
		}
	}
}

// A script may name several keys: the first is the lock, and the others are counters.
func TestKeysOfACommand(t *testing.T) {
	for line, want := range map[string]string{
		"SET lock.foo C1-1 NX":                               "lock.foo",
		"EVAL compare-and-delete 1 lock.foo C1-1":            "lock.foo",
		"EVAL set-and-fence 2 lock.foo fence.foo C1-1 10000": "lock.foo fence.foo:counted",
		"INCR fence.foo":                                     "fence.foo:counted",
		"INCRBY fence.foo 2":                                 "fence.foo:counted",
		"MSET a 1 b 2":                                       "a b",
		"PING":                                               "",
		"EVAL node-redlock-acquire 2 a b t 1000":             "a b",
		"HSET lock C1 1":                                     "lock",
		"HINCRBY lock C1 1":                                  "lock",
		"PUBLISH channel lock":                               "",
		`MULTI "SET a v" "INCR b" "PEXPIRE b 9" PING EXEC`:   "a b:counted b:counted",
		`MULTI "INCR a" "SET a v" EXEC`:                      "a a",
		`MULTI EXEC`:                                         "",
	} {
		words, _ := Split(line)
		command, err := Check(words)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, key := range Keys(command) {
			if Counts(command, key) {
				key += ":counted"
			}
			got = append(got, key)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, not %q", line, got, want)
		}
	}
}

// A recycled node remembers nothing, even if its clock goes back.
func TestClosedNodeForgets(t *testing.T) {
	for range 3 {
		s := New(1_000_000)
		if got := ask(t, s, "SETNX lock.foo C1"); got != "(integer) 1" {
			t.Fatalf("a new node holds lock.foo already: SETNX gives %s", got)
		}
		ask(t, s, "PEXPIRE lock.foo 5000")
		s.Advance(3000)
		if c, _ := s.Get("lock.foo"); c.Expires != 1_005_000 {
			t.Fatalf("lock.foo expires at %d, not at 1005000", c.Expires)
		}
		s.Close()
	}
}

// "Bombs are refused … within 10 MB each."
func TestRefusedCommands(t *testing.T) {
	for _, test := range []struct {
		name    string
		command []string
		want    string
	}{
		{"nothing", nil, "the command is empty"},
		{"an empty name", []string{""}, "the command is empty"},
		{"FLUSHALL", []string{"FLUSHALL"}, `"FLUSHALL" is not one of the commands allowed here`},
		{"SUBSCRIBE", []string{"subscribe", "news"}, `"subscribe" is not one of the commands allowed here`},
		{"a blocking command", []string{"BLPOP", "queue", "0"}, `"BLPOP" is not`},
		{"a transaction of several commands", []string{"MULTI"}, `a transaction is one command here, such as MULTI "SET key value" "PEXPIRE key 1000" EXEC`},
		{"a transaction without its end", []string{"MULTI", "GET k"}, "a transaction is one command here"},
		{"a transaction in another", []string{"MULTI", `MULTI "GET k" EXEC`, "EXEC"}, "a transaction cannot contain another one"},
		{"FLUSHALL in a transaction", []string{"MULTI", "FLUSHALL", "EXEC"}, `"FLUSHALL" is not one of`},
		{"Lua in a transaction", []string{"MULTI", `EVAL "return 1" 0`, "EXEC"}, "EVAL runs only these scripts"},
		{"nothing in a transaction", []string{"MULTI", "", "EXEC"}, "the command is empty"},
		{"an open quotation mark in a transaction", []string{"MULTI", `GET "k`, "EXEC"}, "a quotation mark is missing"},
		{"a value of 1 MB in a transaction", []string{"MULTI", "SET k " + strings.Repeat("v", 1<<20), "EXEC"}, "queued command 1 has 1048582 bytes, more than 65536"},
		{"a large transaction", []string{"MULTI", "MSET a " + strings.Repeat("v", 300) + " b " + strings.Repeat("v", 300), "EXEC"}, "queued command 1 has 610 bytes, more than 512"},
		{"a transaction of 17 words", append(append([]string{"MULTI"}, slices.Repeat([]string{"PING"}, 15)...), "EXEC"), `"MULTI" has 17 arguments, more than 16`},
		{"WATCH", []string{"WATCH", "k"}, `"WATCH" is not`},
		{"a list", []string{"LPUSH", "k", "v"}, `"LPUSH" is not`},
		{"a name of 1 MB", []string{strings.Repeat("A", 1<<20)}, `"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA…" is not`},
		{"a key of 1 MB", []string{"GET", strings.Repeat("k", 1<<20)}, "argument 1 of GET has 1048576 bytes, more than 512"},
		{"a thousand arguments", append([]string{"DEL"}, make([]string, 1000)...), `"DEL" has 1001 arguments, more than 16`},
		{"Lua of one's own", []string{"EVAL", "while true do end", "0"}, "EVAL runs only these scripts"},
		{"a script with another number of keys", []string{"EVAL", "compare-and-delete", "2", "a", "b"}, "this script takes other keys and arguments: EVAL compare-and-delete 1 key value"},
		{"an unknown SHA-1", []string{"EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "0"}, "EVALSHA runs only these scripts: compare-and-delete compare-and-expire compare-and-set set-and-fence node-redlock-acquire"},
		{"a name where a SHA-1 stands", []string{"EVALSHA", "compare-and-delete", "1", "k", "v"}, "EVALSHA runs only these scripts"},
		{"EVALSHA of nothing", []string{"EVALSHA"}, "EVALSHA needs a script"},
		{"too few keys", []string{"EVAL", "node-redlock-acquire", "0", "v", "1000"}, "this script takes other keys and arguments: EVAL node-redlock-acquire numkeys key [key ...] value milliseconds"},
		{"more keys than words", []string{"EVAL", "node-redlock-acquire", "9", "a", "v", "1000"}, "this script takes other keys"},
		{"no number of keys", []string{"EVAL", "node-redlock-acquire", "+1", "a", "v", "1000"}, "this script takes other keys"},
		{"SCRIPT", []string{"SCRIPT", "LOAD", "return 1"}, `"SCRIPT" is not`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var err error
			used := testtools.Allocated(func() { _, err = Check(test.command) })
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, not %s", err, test.want)
			}
			if used > 10<<20 {
				t.Errorf("refusing it took %d bytes", used)
			}
		})
	}
}

// A label can be typed again.
func TestLabel(t *testing.T) {
	lua, _, _, _ := Script("compare-and-delete")
	for _, test := range []struct {
		command []string
		want    string
	}{
		{[]string{"SETNX", "lock.foo", "1011"}, "SETNX lock.foo 1011"},
		{[]string{"SET", "mykey", "Hello World"}, `SET mykey "Hello World"`},
		{[]string{"SET", "mykey", ""}, `SET mykey ""`},
		{[]string{"SET", "mykey", "#1"}, `SET mykey "#1"`},
		{[]string{"EVAL", lua, "1", "lock.foo", "C1-1"}, "EVAL compare-and-delete 1 lock.foo C1-1"},
		{[]string{"EVAL", "return 1", "0"}, "EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0"},
		{[]string{"SET", "k", "\xff\x00a"}, `SET k "\xff\x00a"`},
		{[]string{"SET", "k", "\uFFFD好\xe5"}, "SET k \"\uFFFD好\\xe5\""},
		{[]string{"MULTI", `GET "k`, "EXEC"}, `MULTI "GET \"k" EXEC`},
		{[]string{"MULTI", `SET k "two words"`, Quote([]string{"EVAL", lua, "1", "k", "\xff"}), "EXEC"}, `MULTI "SET k \"two words\"" "EVAL compare-and-delete 1 k \"\\xff\"" EXEC`},
	} {
		if got := Label(test.command); got != test.want {
			t.Errorf("got %s, not %s", got, test.want)
		}
	}
}

func TestReply(t *testing.T) {
	for resp, want := range map[Reply]string{
		":1\r\n":                          "(integer) 1",
		"$4\r\n1011\r\n":                  `"1011"`,
		"$2\r\n\r\n\r\n":                  `"\r\n"`,
		"$-1\r\n":                         "(nil)",
		"+OK\r\n":                         "OK",
		"-ERR syntax error\r\n":           "(error) ERR syntax error",
		"*2\r\n$4\r\n1000\r\n$1\r\n0\r\n": `["1000", "0"]`,
		"*-1\r\n":                         "(nil)",
		"*2\r\n:1\r\n*1\r\n$-1\r\n":       "[(integer) 1, [(nil)]]",
		"$2\r\n\xff\x00\r\n":              `"\xff\x00"`,
		"-ERR \xff\r\n":                   `(error) ERR \xff`,
	} {
		if got := resp.String(); got != want {
			t.Errorf("%q: %s, not %s", resp, got, want)
		}
	}
}

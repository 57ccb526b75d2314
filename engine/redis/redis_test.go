package redis

import (
	"runtime"
	"strings"
	"testing"
)

// ask plays a command through the door, as the engine does.
func ask(t *testing.T, s *Server, line string) string {
	command, err := Check(strings.Fields(line))
	if err != nil {
		t.Fatalf("%s: %v", line, err)
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
	} {
		command, err := Check(strings.Fields(line))
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
		if _, expires, _ := s.Get("lock.foo"); expires != 1_005_000 {
			t.Fatalf("lock.foo expires at %d, not at 1005000", expires)
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
		{"a transaction", []string{"MULTI"}, `"MULTI" is not`},
		{"a name of 1 MB", []string{strings.Repeat("A", 1<<20)}, `"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA…" is not`},
		{"a key of 1 MB", []string{"GET", strings.Repeat("k", 1<<20)}, "argument 1 of GET has 1048576 bytes, more than 512"},
		{"a thousand arguments", append([]string{"DEL"}, make([]string, 1000)...), "the command has 1001 arguments, more than 16"},
		{"Lua of one's own", []string{"EVAL", "while true do end", "0"}, "EVAL runs only these scripts"},
		{"a script with another number of keys", []string{"EVAL", "compare-and-delete", "2", "a", "b"}, "this script takes other keys and arguments: EVAL compare-and-delete 1 key value"},
		{"EVALSHA", []string{"EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "0"}, `"EVALSHA" is not`},
		{"SCRIPT", []string{"SCRIPT", "LOAD", "return 1"}, `"SCRIPT" is not`},
	} {
		t.Run(test.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Check(test.command)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.HasPrefix(err.Error(), test.want) {
				t.Errorf("got %v, not %s", err, test.want)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 10<<20 {
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
	} {
		if got := resp.String(); got != want {
			t.Errorf("%q: %s, not %s", resp, got, want)
		}
	}
}

package redis

import (
	"slices"
	"testing"
)

// What String shows is read back the same, as far as it can be told: nil is one thing, and a status ends at its line.
func TestReadReply(t *testing.T) {
	for _, r := range []Reply{"+OK\r\n", ":-1\r\n", "$-1\r\n", "$0\r\n\r\n", "$4\r\nC1-1\r\n", "$3\r\n\xff\r\n\r\n", "-ERR syntax error, sorry\r\n",
		"*0\r\n", "*2\r\n:1\r\n$-1\r\n", "*2\r\n*1\r\n+OK\r\n$5\r\n], [\"\r\n", "*1\r\n-ERR no\r\n"} {
		if got, ok := ReadReply(r.String()); got != r || !ok {
			t.Errorf("%q is shown as %s and read as %q", r, r, got)
		}
	}
	for _, text := range []string{"", `"open`, "(integer) x", "(nil) x", "[OK", `"a" b`, "(error) "} {
		if got, ok := ReadReply(text); ok {
			t.Errorf("%s is read as %q", text, got)
		}
	}
}

// A transaction has its commands as parts, and any other command is its only one.
func TestParts(t *testing.T) {
	for _, test := range []struct {
		command []string
		parts   int
	}{
		{[]string{"GET", "k"}, 1},
		{[]string{"MULTI", `SET "a b" c`, "INCR n", "EXEC"}, 4},
		{[]string{"MULTI"}, 1},
	} {
		parts := Parts(test.command)
		if len(parts) != test.parts || !slices.Equal(Whole(parts), test.command) {
			t.Errorf("%q: %q, and %q again", test.command, parts, Whole(parts))
		}
	}
}

package monitor

import (
	"strings"
	"testing"
)

// A time that stays in a command stays in a reply: else the two would differ.
func TestATimeStaysInBoth(t *testing.T) {
	r := NewRedactor()
	const now, value = 1_795_816_241_000_000_000, "1795816243.6416955"
	if got := r.Command([]string{"SETNX", "lock", value}, now); got[2] != value {
		t.Errorf("%q", got)
	}
	if got := r.Reply("$18\r\n" + value + "\r\n"); got.Plain() != value {
		t.Errorf("%q", got)
	}
}

// A redacted command shows the key and the value of nobody, and no password. Each key of a command has a name.
func TestARedactedCommandShowsNoKeyValueOrPassword(t *testing.T) {
	r := NewRedactor()
	for _, c := range []struct{ command, want string }{
		{"SET lock:orders 8f14e45f NX PX 10000", "SET key1 value1 NX PX 10000"},
		{"GET lock:orders", "GET key1"},
		{"DEL lock:orders lock:invoices", "DEL key1 key2"},
		{"MSET lock:orders 8f14e45f lock:carts 8f14e45f", "MSET key1 value1 key3 value1"},
		{"HELLO 3 AUTH default hunter2", "HELLO 3 (redacted) (redacted) (redacted)"},
		{"CONFIG SET requirepass hunter2", "CONFIG SET (redacted) (redacted)"},
		{"CLIENT SETNAME orders-7", "CLIENT SETNAME (redacted)"},
	} {
		if got := strings.Join(r.Command(strings.Fields(c.command), 0), " "); got != c.want {
			t.Errorf("%s becomes %s, not %s", c.command, got, c.want)
		}
	}
}

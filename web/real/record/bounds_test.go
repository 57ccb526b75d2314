package record

import (
	"strings"
	"testing"

	"lockstep/engine/lang"
)

// A Redis that hangs leaves commands of many connections waiting. What the proxy holds of them has one bound for all; of what
// is beyond it the recording says so, and every command is in it.
func TestWaitingCommandsHaveOneBound(t *testing.T) {
	for name, commands := range map[string]string{
		"short": strings.Repeat("PING\r\n", maxWaiting),
		"long":  strings.Repeat("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$8000\r\n"+strings.Repeat("x", 8000)+"\r\n", 140) + strings.Repeat("PING\r\n", maxWaiting-140),
	} {
		told := &strings.Builder{}
		tape := newTape(told, 1<<30, false, func(lang.Text) {})
		var all []*conn
		most := int64(0)
		for i := range MaxConns / 8 {
			c := newConn(i+1, tape)
			for rest := commands; rest != ""; {
				n := min(len(rest), 32<<10)
				c.commands([]byte(rest[:n]), 1)
				rest = rest[n:]
				most = max(most, tape.held.Load())
			}
			all = append(all, c)
		}
		if most > maxAllHeld+maxHeld {
			t.Errorf("%s: %d bytes wait", name, most)
		}
		for _, c := range all {
			c.close()
		}
		if left := tape.held.Load(); left != 0 {
			t.Errorf("%s: %d bytes are left", name, left)
		}
		if n := strings.Count(told.String(), `"command"`); n != len(all)*maxWaiting || !strings.Contains(told.String(), "too many commands wait for replies") {
			t.Errorf("%s: %d commands are recorded of %d", name, n, len(all)*maxWaiting)
		}
	}
}

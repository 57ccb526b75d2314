package monitor_test

import (
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/engine/monitor"
)

// A reply whose lengths say more than the line holds is not there: the command is taken without it. The lengths of a line cost
// nothing, nor does how deep it nests.
func TestLengthsAreNotBelieved(t *testing.T) {
	const want = "\ndo C1 SET lock.foo a NX PX 100\n"
	for _, reply := range []string{
		"*1000000000\r\n:1", "*4611686018427387904\r\n:1", "*9223372036854775807", "*-9223372036854775808",
		"$9223372036854775807\r\na", "$9223372036854775806\r\na", "$-2\r\na", "$1000\r\na",
		strings.Repeat("*1\r\n", 9000) + ":1", strings.Repeat("*1000000\r\n", 4000), strings.Repeat("%4611686018427387904\r\n", 17), "|9223372036854775807\r\n:1",
		"+OK\r\n+OK", "hello", "\r\n",
	} {
		text, _ := imported(t, strings.NewReader(recorded([2]string{"SET lock.foo a NX PX 100", reply})), monitor.Options{}, lang.English)
		if !strings.Contains(text, want) || strings.Contains(text, "Those that differ") {
			t.Errorf("%.40q: %q does not occur in\n%s", reply, want, text)
		}
	}
}

// A nil may stand anywhere in the reply to EXEC.
func TestNilAtTheEnd(t *testing.T) {
	log := recorded([2]string{"SET k a NX", "+OK"}, [2]string{"MULTI", "+OK"}, [2]string{"GET k", "+QUEUED"}, [2]string{"SET k b NX", "+QUEUED"}, [2]string{"EXEC", "*2\r\n$1\r\na\r\n$-1"})
	if text, _ := imported(t, strings.NewReader(log), monitor.Options{}, lang.English); !strings.Contains(text, "They are the recorded ones.") {
		t.Error(text)
	}
	log = strings.Replace(log, `$-1"`, `+OK"`, 1)
	if text, _ := imported(t, strings.NewReader(log), monitor.Options{}, lang.English); !strings.Contains(text, "do C1 SET k b NX         # recorded: OK") {
		t.Error(text)
	}
}

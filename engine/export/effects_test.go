package export

import (
	"strings"
	"testing"
)

// A real Redis has no script of which only the effect was recorded. What is sent to it says so, and sets what the script left.
func TestARealRedisIsToldWhatAScriptLeft(t *testing.T) {
	trace := transcripts(t)["recorded-effects"]
	for format, want := range map[string][]string{
		"redis-cli": {"recorded, not executed", "Only the effect of this script was recorded", "DEL lock.foo\nHSET lock.foo C1-1 1\n", "PEXPIRE lock.foo 5000\n", `SET other "\xff"`},
		"gotest":    {"// Redis repeats #1", "recorded, not executed", "// Only the effect of this script was recorded", `args{"HSET", "lock.foo", "C1-1", "1"}`},
	} {
		text := written(t, format, trace)
		for _, part := range want {
			if !strings.Contains(text, part) {
				t.Errorf("%s lacks %s\n%s", format, part, text)
			}
		}
		for line := range strings.Lines(text) {
			if strings.HasPrefix(line, "EVALSHA") || strings.Contains(line, `args{"EVALSHA`) {
				t.Errorf("%s sends %s", format, line)
			}
		}
	}
}

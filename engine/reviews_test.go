package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine"
)

// A client in the critical section makes its program be asked at every second. A
// few lines from a stranger must not make that last for minutes.
func TestReviewsAreBounded(t *testing.T) {
	w := after(t, engine.Header{Program: "getset"}, "spawn C1", "step C1", "tick 24h")
	if got := w.Client("C1").Status; got != engine.Inside {
		t.Fatalf("C1 is %s, not inside", got)
	}
	err := do(w, "tick 24h")
	if err == nil || !strings.Contains(err.Error(), "at most 100000 times") {
		t.Errorf("a second day with a client inside: %v", err)
	}
	for _, line := range []string{"tick 1h", "step C1", "tick 24h", "tick 24h"} {
		if err := do(w, line); err != nil {
			t.Errorf("%s: %v", line, err)
		}
	}

	// Sixteen clocks with fractions of their own stop time at sixteen instants a
	// second, and at each all sixteen are asked.
	text := "define free\n| def acquire(c):\n|     return True\n| def release(c, lease):\n|     pass\n| def holds(c, lease):\n|     return True\n"
	for i := range engine.MaxClients {
		text += fmt.Sprintf("spawn C%d free skew=%dms\n", i+1, i+1)
	}
	for last, want := range map[string]string{"tick 10s": "", "tick 24h": "at most 100000 times"} {
		scenario, err := engine.Parse("many", text+last, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := scenario.Play("many"); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s with sixteen clients inside: %v", last, err)
		}
	}
}

package check_test

import (
	"os"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
)

// Each violation names its clients, its time and its cause: the event that made
// it inevitable. The transcripts show each where it happens.
func TestViolationsNameTheirCause(t *testing.T) {
	for _, test := range []struct {
		transcript, property, clients string
		at                            engine.Time
		cause                         string
	}{
		{"del-setnx-race", "mutual-exclusion", "C1 C2", 1_012_000, "Redis executes #8, DEL lock.foo from C2: lock.foo is gone; it held 1023, written by C1."},
		{"del-setnx-race", "overlap", "C1 C2", 1_012_000, "Redis executes #8, DEL lock.foo from C2: lock.foo is gone; it held 1023, written by C1."},
		{"del-setnx-race", "foreign-delete", "C2 C1", 1_012_000, "Redis executes #8, DEL lock.foo from C2: lock.foo is gone; it held 1023, written by C1."},
		{"late-del", "foreign-delete", "C1 C2", 1_012_000, "Redis executes #5, DEL lock.foo from C1: lock.foo is gone; it held 1023, written by C2."},
		{"late-del", "mutual-exclusion", "C2 C3", 1_012_000, "Redis executes #5, DEL lock.foo from C1: lock.foo is gone; it held 1023, written by C2."},
		{"late-del-unchecked", "overlap", "C1 C2", 1_012_000, "Redis executes #4, GETSET lock.foo 1023 from C2: lock.foo was 1011, written by C1, and is now 1023."},
		{"losing-getset-drift", "lease-drift", "C1", 1_013_000, "Redis executes #7, GETSET lock.foo 1024 from C2: lock.foo was 1023, written by C1, and is now 1024."},
		{"losing-getset-earlier", "mutual-exclusion", "C1 C4", 1_024_000, "Redis executes #7, GETSET lock.foo 1023 from C2: lock.foo was 1025, written by C1, and is now 1023."},
		{"java-null-get", "mutual-exclusion", "C2 C3", 1_000_000, "Redis executes #4, GET lock.foo from C2: nothing changes."},
		{"equal-instant", "mutual-exclusion", "C1 C2", 1_011_000, "Redis executes #4, GETSET lock.foo 1022 from C2: lock.foo was 1011, written by C1, and is now 1022."},
		{"clock-skew", "mutual-exclusion", "C1 C2", 1_000_000, "Redis executes #4, GETSET lock.foo 1023 from C2: lock.foo was 1011, written by C1, and is now 1023."},
		{"set-px-late-lease", "mutual-exclusion", "C1 C2", 1_011_000, "lock.foo has reached its expiry and is gone; it held C1-1, written by C1."},
		{"set-px-pause", "overlap", "C1 C2", 1_010_000, "lock.foo has reached its expiry and is gone; it held C1-1, written by C1."},
		{"crash-deadlock", "stuck", "C2", 1_000_000, "C1 crashes."},
		{"timestamp-stuck", "stuck", "C2", 1_012_000, "C1 is done."},
		{"setnx-expire-crash", "stuck", "C2", 1_000_000, "C1 crashes; its EXPIRE lock.foo 10 is still on its way."},
		{"literal-equal", "stuck", "C2", 1_012_000, "C1 crashes."},
	} {
		t.Run(test.transcript+"/"+test.property, func(t *testing.T) {
			w := play(t, test.transcript)
			for _, e := range w.Events() {
				v := e.Violation
				if e.Kind != engine.Violated || v.Property != test.property || strings.Join(v.Clients, " ") != test.clients {
					continue
				}
				if e.Time != test.at {
					t.Errorf("at %s, not at %s", e.Time, test.at)
				}
				if v.Cause == 0 {
					t.Fatal("it has no cause")
				}
				if got := w.Events()[v.Cause-1].Sentence(engine.English); got != test.cause {
					t.Errorf("the cause is\n%s\nnot\n%s", got, test.cause)
				}
				return
			}
			t.Errorf("there is no violation of %s by %s", test.property, test.clients)
		})
	}
}

// What lasts is cleared when it is over, under its own name.
func TestViolationsEnd(t *testing.T) {
	open := map[string]int{}
	for _, e := range play(t, "set-px-pause").Events() {
		switch e.Kind {
		case engine.Violated:
			open[e.Violation.Property]++
		case engine.Cleared:
			open[e.Violation.Property]--
		}
	}
	if n, ok := open["overlap"]; !ok || n != 0 {
		t.Errorf("C1 has left, and the overlap is still open: %v", open)
	}
}

// A lock that can still be had is not called stuck: its holder crashed, and its
// lease runs out in time.
func TestNotStuckWhileTheLeaseCanRunOut(t *testing.T) {
	for _, program := range []string{"del-setnx", "getset", "getset-plain", "getset-compare-delete", "takeover-cas", "java", "set-px", "set-px-del", "setnx-expire"} {
		w := engine.New(engine.Header{Program: program}, check.All()...)
		script := "spawn C1\nstep C1 2\ncrash C1\nspawn C2\nstep C2 5\ntick 1s\nstep C2 5"
		if program != "setnx-expire" {
			script = strings.Replace(script, "step C1 2", "step C1", 1)
		}
		for line := range strings.Lines(script) {
			a, err := engine.ParseAction(strings.TrimSpace(line))
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Apply(a); err != nil {
				t.Fatalf("%s: %s: %v", program, a, err)
			}
		}
		for _, v := range w.Violations() {
			t.Errorf("%s: a violation of %s by %v", program, v.Property, v.Clients)
		}
	}
}

func play(t *testing.T, transcript string) *engine.World {
	file := "../testdata/" + transcript + ".lock"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := engine.Parse(file, string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play(file, check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	return trace.Run.World()
}

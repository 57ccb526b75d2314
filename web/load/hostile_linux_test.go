package main

import (
	"bytes"
	"context"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// Every kind of harm is done to a class of a handful, by a stranger with a few connections, for a moment. What the class
// notices of it is of no interest here; each kind has to be prepared and done.
func TestBesideAHostileVisitor(t *testing.T) {
	c := class{phones: 9, rate: 40, sits: 250 * time.Millisecond, strength: .01, surface: "page"}
	c.begin = func(program string, args ...string) *exec.Cmd {
		return exec.CommandContext(t.Context(), program, args...)
	}
	for _, same := range []bool{false, true} {
		if c.sameNetwork = same; same {
			c.harms = []string{"seats", "half"}
		}
		var table bytes.Buffer
		if _, err := run(&table, c, []string{"hostile"}); err != nil {
			t.Fatalf("%v\n%s", err, &table)
		}
		text := table.String()
		for _, name := range harmNames() {
			if same && name != "seats" && name != "half" {
				continue
			}
			_, row, ok := strings.Cut(text, "\n  beside "+name+" ")
			if !ok {
				t.Fatalf("the table has no row for %s\n%s", name, text)
			}
			row, _, _ = strings.Cut(row, "\n  beside ")
			row, _, _ = strings.Cut(row, "\n  alone ")
			if hasTarget := strings.Contains(row, "< 60ms"); hasTarget == same {
				t.Errorf("%s: a target is there: %v, from the class's own address: %v", name, hasTarget, same)
			}
			for _, figure := range []string{"(a pupil's own press: p50", "at most ", " MB; ", "newcomers joined", harmCalled(name).what + ": ", "CPU: server", "hostile "} {
				if !strings.Contains(row, figure) {
					t.Errorf("%s: the row does not say %q:\n%s", name, figure, row)
				}
			}
			for _, wrong := range []string{"was not done", ": 0 sent", "press: p50 0s", "left out", "panics"} {
				if strings.Contains(row, wrong) {
					t.Errorf("%s: the row says %q:\n%s", name, wrong, row)
				}
			}
		}
		if !strings.Contains(text, "\n9 phones, 20 events/s for 250ms") || !strings.Contains(text, "\n  alone again") {
			t.Errorf("the class is not alone at the beginning and in the end\n%s", text)
		}
		t.Log("\n" + text)
	}
}

// A process that takes memory has a peak, which can be forgotten.
func TestPeak(t *testing.T) {
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	process := exec.CommandContext(ctx, "dd", "if=/dev/zero", "of=/dev/null", "bs=64M")
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	pid := process.Process.Pid
	var most int64
	for most < 64<<20 && ctx.Err() == nil {
		var err error
		if most, err = peak(pid); err != nil {
			t.Fatal(err)
		}
	}
	if err := forgetPeak(pid); err != nil {
		t.Fatal(err)
	}
	now, err := peak(pid)
	if err != nil || most < 64<<20 || now > most {
		t.Errorf("the peak is %d, and then %d: %v", most, now, err)
	}
	before, err := spend(map[string]int{"dd": pid})
	if err != nil {
		t.Fatal(err)
	}
	for after := before; after.of["dd"] == before.of["dd"]; {
		if after, err = spend(map[string]int{"dd": pid}); err != nil || ctx.Err() != nil {
			t.Fatalf("the process uses no processor: %v", err)
		}
	}
	stop()
	_ = process.Wait() // it says that it was killed
	if _, err := peak(pid); err == nil {
		t.Error("a process that is gone has a peak")
	}
}

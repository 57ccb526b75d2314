package main

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"lockstep/engine/testtools"
)

// A stranger with a few connections does every kind of harm to a small class for a moment. The figures do not matter
// here; each kind of harm has to be prepared and done.
func TestEveryHarmIsDone(t *testing.T) {
	testtools.Exhaustive(t, "it does every kind of harm to a class")
	c := class{server: built(t), phones: 9, rate: 40, sits: time.Second, strength: .01, surface: "page"}
	c.begin = func(program string, args ...string) *exec.Cmd {
		if program == "nice" { // on a busy machine the hostile visitor must get its turn, too
			program, args = args[2], args[3:]
		}
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
		if !strings.Contains(text, "\n9 phones, 20 events/s for 1s") || !strings.Contains(text, "\n  alone again") {
			t.Errorf("the class is not alone at the beginning and in the end\n%s", text)
		}
		t.Log("\n" + text)
	}
}

// A class that has filled its run returns to its beginning, and continues from there.
func TestFullClassStartsOverAndContinues(t *testing.T) {
	defer func(usual time.Duration) { periodGrace = usual }(periodGrace)
	periodGrace = testtools.Patience
	c := class{server: built(t), phones: 9, dir: t.TempDir()}
	c.begin = func(program string, args ...string) *exec.Cmd {
		return exec.CommandContext(t.Context(), program, args...)
	}
	server, err := c.serve()
	if err != nil {
		t.Fatal(err)
	}
	defer server.kill()
	s, err := c.gathers(server)
	if err != nil {
		t.Fatal(err)
	}
	defer s.leave()
	first := s.run
	for i, presses := range []int{10, perRun - beginsActions - 5} { // the second has no room in the run
		if err := s.ready(presses); err != nil {
			t.Fatal(err)
		}
		if i == 0 == (s.run != first) {
			t.Errorf("in period %d the class is at %s, and was at %s first", i+1, s.run, first)
		}
		p, err := s.lasts(100, 100*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if v := p.judge(); len(v.hurts) > 0 || len(v.told) != 80 || len(v.own) != 2 {
			t.Errorf("in period %d %d are told, %d tell themselves, %q", i+1, len(v.told), len(v.own), v.hurts)
		}
	}
	if err := s.ready(perRun); err == nil {
		t.Error("a run takes any number of presses")
	}
	s.phones[3].ear.close() // who comes back
	for s.phones[3].ear.isUp() == nil {
		time.Sleep(time.Millisecond)
	}
	if err := s.ready(1); err != nil || s.phones[3].ear.isUp() != nil || s.phones[3].ear.told() != s.actions {
		t.Errorf("somebody who was disconnected is not back: %v", err)
	}
}

// The package reads and resets the peak memory of a process, and tells its processor time from that of others.
func TestProcessTellsPeakMemoryAndTime(t *testing.T) {
	pid := os.Getpid()
	large := bytes.Repeat([]byte("x"), 128<<20)
	most, err := peak(pid)
	if err != nil || most < int64(len(large)) {
		t.Errorf("with %d bytes in memory the peak is %d: %v", len(large), most, err)
	}
	runtime.KeepAlive(large)
	debug.FreeOSMemory()
	if err := forgetPeak(pid); err != nil {
		t.Fatal(err)
	}
	if now, err := peak(pid); err != nil || now > most-100<<20 {
		t.Errorf("when they are given back the peak is %d: %v", now, err)
	}
	before, err := spend(map[string]int{"this": pid})
	after := before
	grown := func() bool { return after.of["this"] > before.of["this"] && after.all > before.all } // Linux adds them up at different moments
	for began := time.Now(); err == nil && !grown() && time.Since(began) < time.Minute; {
		after, err = spend(map[string]int{"this": pid})
	}
	if err != nil || !grown() {
		t.Errorf("%+v is followed by %+v: %v", before, after, err)
	}
	after = spending{before.when.Add(2 * time.Second), map[string]time.Duration{"this": before.of["this"] + time.Second}, before.all + 3*time.Second}
	if got := after.since(before, "this"); got != "this 50%, others 100%" {
		t.Errorf("a second of this process and two of others in two seconds are %q", got)
	}
	if _, err := spend(map[string]int{"nobody": 1 << 30}); err == nil {
		t.Error("a process that is not there uses processor time")
	}
}

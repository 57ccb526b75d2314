package cli_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lockstep/engine/cli"
	"lockstep/engine/explore"
)

// searching returns a machine on which a search runs to its end.
func searching() *cli.Host {
	h, _ := host("")
	h.Now = time.Now
	h.Interruptible = func() (context.Context, context.CancelFunc) { return context.WithCancel(context.Background()) }
	h.Hands = func(progress func(explore.Figures) bool) explore.Runtime { return explore.Runtime{Progress: progress} }
	return h
}

// question returns the question of explore's flags as they are by default, with fewer ticks.
func question(program string) *cli.Explore {
	return &cli.Explore{Program: program, Property: "mutual-exclusion", Clients: 2, Ticks: 2, Tick: time.Second, Timeout: 2 * time.Second, Delays: "any", Nodes: 1, MaxMemory: 1024}
}

// A script reads the exit code of explore: whether the property holds, is violated or is undecided, or the question makes no sense.
func TestExploreEndsWithItsVerdict(t *testing.T) {
	small, both, odd := question("getset"), question("getset"), question("getset")
	small.MaxStates, both.ProgramFile, odd.Delays = 1, "../program/programs/getset.star", "few"
	deadlock := question("naive")
	deadlock.Property, deadlock.Crashes = "stuck", 1
	for _, c := range []struct {
		name string
		ask  *cli.Explore
		code int
	}{
		{"naive lets in one at a time", question("naive"), 0},
		{"a crash leaves naive's lock behind", deadlock, cli.ExitUnmet},
		{"one state decides nothing", small, cli.ExitUndecided},
		{"a name and a file", both, cli.ExitMalformed},
		{"a number that is none", odd, cli.ExitMalformed},
	} {
		if err := c.ask.Run(searching()); cli.ExitCode(err) != c.code {
			t.Errorf("%s: %v, exit code %d, want %d", c.name, err, cli.ExitCode(err), c.code)
		}
	}
}

// A script reads the exit code of run: whether every expectation was met. A scenario names its programs as seen from itself.
func TestRunEndsWithItsExpectations(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"own.star":   "def acquire(c):\n    return c.setnx(\"k\", c.name) == 1\n\ndef release(c, lease):\n    c.delete(\"k\")\n",
		"met.lock":   "program own.star\nspawn C1\nstep C1\nexpect C1 holds\n",
		"unmet.lock": "program own.star\nspawn C1\nstep C1\nexpect C1 waits\n",
		"wrong.lock": "program own.star\nspawn C1 C1\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for name, code := range map[string]int{"met.lock": 0, "unmet.lock": cli.ExitUnmet, "wrong.lock": cli.ExitMalformed, "none.lock": cli.ExitMalformed} {
		h, _ := host("")
		if err := (&cli.Run{File: filepath.Join(dir, name)}).Run(h); cli.ExitCode(err) != code {
			t.Errorf("%s: %v, exit code %d, want %d", name, err, cli.ExitCode(err), code)
		}
	}
}

// A course with a warning passes check, and fails it with --strict.
func TestStrictFailsOnWarnings(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "right")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join(courses, "right"))); err != nil {
		t.Fatal(err)
	}
	first := filepath.Join(dir, "first.en.md")
	text, err := os.ReadFile(first)
	if err != nil {
		t.Fatal(err)
	}
	at := strings.Index(string(text), "\n---\n") + len("\n---\n")
	long := string(text[:at]) + "\n" + strings.Repeat("word ", 100) + "\n" + string(text[at:])
	if err := os.WriteFile(first, []byte(long), 0o644); err != nil {
		t.Fatal(err)
	}
	for strict, code := range map[bool]int{false: 0, true: cli.ExitUnmet} {
		h := searching()
		if err := (&cli.Check{Course: dir, Strict: strict}).Run(h); cli.ExitCode(err) != code {
			t.Errorf("strict %v: %v, exit code %d, want %d; it prints\n%s", strict, err, cli.ExitCode(err), code, h.Out)
		}
	}
}

package cli_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"lockstep/engine/cli"
	"lockstep/engine/lang"
)

// race is a run in which C2 deletes C1's lock, and both are inside.
const race = "program del-setnx timeout=10s\nspawn C3\nstep C3\ncrash C3\ntick 12s\nspawn C1 C2\nstep C1 2\nstep C2 2\nstep C1 2\nstep C2 2\n"

// The last line names the violations of a run with their actions and times.
func TestRunEndsWithWhatItFound(t *testing.T) {
	const clean = "spawn C1 naive\nstep C1\n"
	for _, c := range []struct {
		name, scenario string
		in             lang.Language
		last           string
	}{
		{"a race", race, lang.English, "3 violations: foreign-delete C2 C1 (action 10, at 1012), mutual-exclusion C1 C2 (action 10, at 1012), overlap C1 C2 (action 10, at 1012)."},
		{"a race, in Chinese", race, lang.Chinese, "违反性质 3 次：foreign-delete C2 C1（动作 10，时刻 1012）、mutual-exclusion C1 C2（动作 10，时刻 1012）、overlap C1 C2（动作 10，时刻 1012）。"},
		{"nothing", clean, lang.English, "No violation."},
		{"nothing, in Chinese", clean, lang.Chinese, "没有违反任何性质。"},
	} {
		for _, quiet := range []bool{false, true} {
			h, out := host(c.scenario)
			h.Language = c.in
			if err := (&cli.Run{File: "-", Quiet: quiet}).Run(h); err != nil {
				t.Fatalf("%s: %v", c.name, err)
			}
			lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
			if got := lines[len(lines)-1]; got != c.last || quiet != (len(lines) == 1) {
				t.Errorf("%s, quiet %v: %d lines, the last is\n%s\nwant\n%s", c.name, quiet, len(lines), got, c.last)
			}
		}
	}
}

// Of many violations the line names the first five.
func TestManyViolationsAreCounted(t *testing.T) {
	h, out := host(strings.Repeat("do C8 SET k a NX\nenter C8\ndo C9 DEL k\nleave C8\n", 43))
	if err := (&cli.Run{File: "-", Quiet: true}).Run(h); err != nil {
		t.Fatal(err)
	}
	if got := out.String(); strings.Count(got, "(action ") != 5 || !strings.HasPrefix(got, "43 violations: foreign-delete C9 C8 (action 3, at 1000), ") || !strings.HasSuffix(got, ", and 38 more.\n") {
		t.Error(got)
	}
}

// --expect stands beside the expectations of the file: each counts.
func TestExpectComposes(t *testing.T) {
	const clean = "spawn C1 naive\nstep C1\n"
	for _, c := range []struct {
		scenario, expect string
		code             int
		says             string
	}{
		{race, "", 0, ""},
		{race, "violation", 0, ""},
		{race, "none", cli.ExitUnmet, "--expect none: there is a violation of foreign-delete by C2 C1, at action 10\n"},
		{race + "expect violation mutual-exclusion C1 C2\n", "none", cli.ExitUnmet, "--expect none: there is a violation of foreign-delete by C2 C1, at action 10\n"},
		{clean, "none", 0, ""},
		{clean, "violation", cli.ExitUnmet, "--expect violation: there is no violation\n"},
		{clean + "expect C1 waits\n", "none", cli.ExitUnmet, "-:3:1: expect C1 waits: C1 is inside, not waits\n"},
		{clean, "some", cli.ExitMalformed, ""},
	} {
		h, _ := host(c.scenario)
		var said bytes.Buffer
		h.Err = &said
		err := (&cli.Run{File: "-", Quiet: true, Expect: c.expect}).Run(h)
		if code := cli.ExitCode(err); code != c.code || said.String() != c.says {
			t.Errorf("--expect %s: %v, exit code %d, want %d; it says %q, want %q", c.expect, err, code, c.code, &said, c.says)
		}
	}
}

// Somebody at a terminal sees once a second how far a search has come, and then the verdict in its place. A pipe gets the verdict alone.
func TestExploreShowsItsProgressOnATerminal(t *testing.T) {
	for _, terminal := range []bool{true, false} {
		h, out := host("")
		var said bytes.Buffer
		h.Err, h.Terminal = &said, terminal
		h.Interruptible = searching().Interruptible
		h.Hands = searching().Hands
		now := time.Unix(0, 0)
		h.Now = func() time.Time { now = now.Add(700 * time.Millisecond); return now }
		ask := question("getset")
		ask.Ticks = 4
		if err := ask.Run(h); cli.ExitCode(err) != cli.ExitUnmet && err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), "mutual-exclusion ") || strings.Contains(out.String(), "\r") {
			t.Errorf("the answer is %q", out)
		}
		lines := strings.Split(said.String(), "\r\x1b[K")
		if !terminal {
			if said.Len() > 0 {
				t.Errorf("a pipe gets %q", &said)
			}
			continue
		}
		if len(lines) < 3 || lines[len(lines)-1] != "" || !strings.Contains(lines[1], " states, ") || !strings.Contains(lines[1], " actions deep, ") {
			t.Errorf("a terminal gets %q", &said)
		}
	}
}

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine/cli"
)

// asLockstep is the variable by which a test runs its own binary as the program.
const asLockstep = "TEST_RUNS_AS_LOCKSTEP"

func TestMain(m *testing.M) {
	switch os.Getenv(asLockstep) {
	case "":
		os.Exit(m.Run())
	case "with a bug":
		defer apologize()
		panic("a client has two heads")
	}
	main()
}

// A script reads the exit code, and a person the one line beside it.
func TestExitCodes(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"met.lock": "spawn C1 naive\nstep C1\nexpect C1 holds\n", "unmet.lock": "spawn C1 naive\nexpect C1 holds\n", "wrong.lock": "spawn C1 C1\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		command, as string
		code        int
		says        string
		lines       int // on the standard error
	}{
		{"run met.lock", "lockstep", 0, "", 0},
		{"run unmet.lock", "lockstep", cli.ExitUnmet, "unmet.lock:2:1: expect C1 holds", 1},
		{"run wrong.lock", "lockstep", cli.ExitMalformed, "wrong.lock:1:", 1},
		{"run none.lock", "lockstep", cli.ExitMalformed, "none.lock: no such file", 1},
		{"run", "lockstep", cli.ExitMalformed, `expected "<file>"`, 1},
		{"dance", "lockstep", cli.ExitMalformed, "unexpected argument dance", 1},
		{"run met.lock", "with a bug", cli.ExitBroken, "Lockstep has a bug and has changed nothing: a client has two heads.", 1},
	} {
		run := exec.Command(os.Args[0], strings.Fields(c.command)...)
		var said bytes.Buffer
		run.Dir, run.Stderr, run.Env = dir, &said, append(os.Environ(), asLockstep+"="+c.as)
		if err := run.Run(); err != nil && !errors.As(err, new(*exec.ExitError)) {
			t.Fatal(err)
		}
		if code := run.ProcessState.ExitCode(); code != c.code || !strings.Contains(said.String(), c.says) || strings.Count(said.String(), "\n") != c.lines {
			t.Errorf("lockstep %s ends with %d, want %d, and says\n%s", c.command, code, c.code, &said)
		}
	}
}

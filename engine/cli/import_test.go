package cli_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine/cli"
	"lockstep/engine/lang"
)

// host returns a machine with the input, and what its command prints.
func host(in string) (*cli.Host, *bytes.Buffer) {
	var out bytes.Buffer
	return &cli.Host{In: strings.NewReader(in), Out: &out, Err: io.Discard, Open: func(path string) (io.ReadCloser, error) { return os.Open(path) }}, &out
}

// The scenario that import prints is one that run takes, and run draws the violations of the incident.
func TestImportAndRun(t *testing.T) {
	h, scenario := host("")
	if err := (&cli.Import{File: "../monitor/testdata/late-del.log"}).Run(h); err != nil {
		t.Fatal(err)
	}
	h, events := host(scenario.String())
	if err := (&cli.Run{File: "-"}).Run(h); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(events.String(), "C1 has deleted C2's lock.") {
		t.Error(events)
	}
}

// A log comes from a file or from standard input. A log that is none is a mistake of the user, in the user's language.
func TestImportRefuses(t *testing.T) {
	h, out := host("secret\n")
	err := (&cli.Import{File: "-", Language: lang.Chinese}).Run(h)
	if err == nil || !strings.Contains(err.Error(), "第 1 行：这不是 MONITOR 的输出") || cli.ExitCode(err) != cli.ExitMalformed || out.Len() > 0 {
		t.Errorf("%v, %q", err, out)
	}
	if err := (&cli.Import{File: filepath.Join(t.TempDir(), "nothing")}).Run(h); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

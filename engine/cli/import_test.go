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

// A report ends with 1 where something was found, and with 0 where nothing was. It says how much it has read.
func TestImportReports(t *testing.T) {
	for file, want := range map[string]struct {
		code int
		text string
	}{
		"dedupe.log":       {cli.ExitUnmet, "10.0.0.1:1 with t1 and 10.0.0.2:1 with t2 were both inside for 100ms."},
		"pool-correct.log": {0, "Read: 406 lines, 405 commands"},
	} {
		for _, form := range []cli.Import{{Report: true}, {Report: true, JSON: true}, {HTML: true}} {
			form.File = "../monitor/testdata/cases/" + file
			h, out := host("")
			if err := form.Run(h); cli.ExitCode(err) != want.code || !strings.Contains(out.String(), want.text) {
				t.Errorf("%s %+v: %v\n%s", file, form, err, out)
			}
		}
	}
	h, out := host("")
	if err := (&cli.Import{File: "../monitor/testdata/cases/dedupe.log", Report: true, Redact: true}).Run(h); cli.ExitCode(err) != cli.ExitUnmet || strings.Contains(out.String(), "10.0.0") || strings.Contains(out.String(), "lock:a") {
		t.Errorf("%v\n%s", err, out)
	}
}

// --key, --db and --lines choose what a report tells of. What it cannot choose by is refused.
func TestAReportTellsOfWhatIsChosen(t *testing.T) {
	one := 1
	for _, test := range []struct {
		form cli.Import
		code int
		text string
	}{
		{cli.Import{Key: []string{"lock:a"}}, cli.ExitUnmet, "Found: 2."},
		{cli.Import{Key: []string{"lock:b"}}, 0, "There is no lock among the keys and databases that you chose."},
		{cli.Import{DB: &one}, 0, "There is no lock among"},
		{cli.Import{Lines: "1:14"}, 0, "What was found is told as far as it shows at lines 1 to 14."},
		{cli.Import{Lines: "1:15"}, cli.ExitUnmet, "lockstep import ../monitor/testdata/cases/dedupe.log --lines 13:15 --key lock:a | lockstep run -"},
		{cli.Import{Lines: "15:1"}, cli.ExitMalformed, ""},
		{cli.Import{Around: "21:46:40"}, cli.ExitMalformed, ""},
	} {
		test.form.File, test.form.Report = "../monitor/testdata/cases/dedupe.log", true
		h, out := host("")
		if err := test.form.Run(h); cli.ExitCode(err) != test.code || !strings.Contains(out.String(), test.text) {
			t.Errorf("%+v: %v\n%s", test.form, err, out)
		}
	}
}

// A log comes from a file or from standard input. A log that is none is a mistake of the user, in the user's language.
func TestImportRefuses(t *testing.T) {
	h, out := host("secret\n")
	h.Language = lang.Chinese
	err := (&cli.Import{File: "-"}).Run(h)
	if err == nil || !strings.Contains(err.Error(), "第 1 行：这不是 MONITOR 的输出") || cli.ExitCode(err) != cli.ExitMalformed || out.Len() > 0 {
		t.Errorf("%v, %q", err, out)
	}
	if err := (&cli.Import{File: filepath.Join(t.TempDir(), "nothing")}).Run(h); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

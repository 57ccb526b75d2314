package export

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
)

var rewrite = flag.Bool("rewrite", false, "write the samples in testdata again")

// hostile is a run whose names, keys, values and notes have a meaning in some format. Its clients are named like words of
// Mermaid's grammar.
const hostile = `program del-setnx timeout=10s nodes=2
define both
| def acquire(c):
|     for node in c.nodes:
|         node.set("lock.foo", c.name, px=c.timeout_ms)
|     return c.timeout
|
| def release(c, lease):
|     for node in c.nodes:
|         node.delete("lock.foo")
note "loop; end # %%{init: {\"theme\":\"dark\"}}%% <script>alert(1)</script> $$x$$"
note "wrap: a note that begins like a command"
note "} t=1 seq=2 kind=note === another trace ==="
note "A byte order mark \ufeff and a line separator \u2028 in it  "
spawn End
spawn Endor
spawn Note
spawn Loop naive
step End 2
crash Endor
deliver Endor
deliver Note
crash Note
do As SET "key\nwith; every # \"thing\" 锁 \u2028\x00\x07" "va\\lue'\v\f\t"
do As GET "key\nwith; every # \"thing\" 锁 \u2028\x00\x07"
do As EVAL compare-and-delete 1 "=== k ===" "} t=1"
do As MGET "=== k ===" "=====" "key\nwith; every # \"thing\" 锁 \u2028\x00\x07"
do As SET x 1 EXAT 1500
do As TTL x
do As EXPIREAT x 1600
do As TTL x
do As GETEX x PXAT 1700000
do As PTTL x
do As TIME
tick 100s
do As TTL x
do As SET y 1 PX 500
spawn Rect both
step Rect
step Rect
step Rect 2
redis crash 2 lose
tick 1h
do As GET x
do As DEL
redis crash 1 lose
redis restart 1
do As GET lock.foo
`

// transcripts returns the runs of the engine's testdata, by name.
func transcripts(t *testing.T) map[string]*engine.Trace {
	t.Helper()
	files, err := filepath.Glob("../testdata/*.lock")
	if err != nil || len(files) < 26 {
		t.Fatalf("%d transcripts, %v", len(files), err)
	}
	runs := map[string]*engine.Trace{"hostile": play(t, "hostile", hostile), "long": long(t)}
	for _, file := range files {
		if filepath.Base(file) == "newer-commands.lock" { // the installed Redis 7.0, and miniredis, lack them
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var scenario strings.Builder
		for line := range strings.Lines(string(text)) {
			if !strings.HasPrefix(line, "#>") { // the lines that the engine's test writes
				scenario.WriteString(line)
			}
		}
		name := strings.TrimSuffix(filepath.Base(file), ".lock")
		runs[name] = play(t, name, scenario.String())
	}
	return runs
}

// long returns a run of 2,000 events: a seeded scheduler steps twelve clients, which start over, crash, and break the
// lock.
func long(t *testing.T) *engine.Trace {
	t.Helper()
	var text strings.Builder
	text.WriteString("program del-setnx timeout=10s\n")
	run := engine.NewRun(engine.Header{Program: "del-setnx", Options: engine.Options{Timeout: 10_000}}, check.All()...)
	do := func(a engine.Action) {
		if run.World().Can(a) != nil {
			return
		}
		if _, err := run.Do(a); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintln(&text, a)
	}
	for n := range 12 {
		do(engine.Action{Verb: engine.VerbSpawn, Client: fmt.Sprint("C", n+1)})
	}
	scheduler := engine.Scheduler{Random: true, Seed: 7}
	for n := 0; len(run.World().Events()) < 2_000; n++ {
		client := fmt.Sprint("C", 1+n*5%12)
		do(engine.Action{Verb: engine.VerbRestart, Client: client})
		switch n % 24 {
		case 5:
			do(engine.Action{Verb: engine.VerbTick, Time: 11_000})
		case 17:
			do(engine.Action{Verb: engine.VerbCrash, Client: client})
		}
		if a, ok := scheduler.Next(run.World()); ok {
			do(a)
		}
	}
	return play(t, "long", text.String())
}

func play(t *testing.T, name, text string) *engine.Trace {
	t.Helper()
	scenario, err := engine.Parse(name, text, nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play(name, check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

func written(t *testing.T, format string, trace *engine.Trace) string {
	t.Helper()
	var b bytes.Buffer
	f, err := Formats.Named(format)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Write(&b, trace, lang.English); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The samples show the race in every format. After a change of a format,
//
//	go test ./engine/export -run Samples -rewrite
//
// rewrites them, and their diff is the review.
func TestSamples(t *testing.T) {
	race := transcripts(t)["del-setnx-race"]
	for _, f := range Formats {
		path := filepath.Join("testdata", "race."+f.Extension)
		got := written(t, f.Name, race)
		if *rewrite {
			if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs from what is written; run with -rewrite and read the diff", path)
		}
	}
}

// The runs of these tests contain all that is hard to write: two holders, a crash, quotes, line ends and Chinese in
// values, 2,000 events.
func TestTranscriptsAreHard(t *testing.T) {
	runs := transcripts(t)
	if n := len(runs["long"].Run.World().Events()); n < 2_000 {
		t.Errorf("the long run has %d events", n)
	}
	for _, name := range []string{"long", "del-setnx-race"} {
		kinds := map[engine.Kind]int{}
		overlaps := 0
		for _, e := range runs[name].Run.World().Events() {
			if kinds[e.Kind]++; e.Kind == engine.Violated && e.Violation.Property == "mutual-exclusion" {
				overlaps++
			}
		}
		if overlaps == 0 || kinds[engine.Crash] == 0 || kinds[engine.Tick] == 0 {
			t.Errorf("%s: %d times two held the lock, events %v", name, overlaps, kinds)
		}
	}
	values := ""
	for _, e := range runs["hostile"].Run.World().Events() {
		if e.Kind == engine.Deliver {
			values += strings.Join(e.Call.Command[1:], " ")
		}
	}
	for _, wanted := range []string{"锁", `"`, "'", "\n", ";", "#", `\`} {
		if !strings.Contains(values, wanted) {
			t.Errorf("no value has %q in it", wanted)
		}
	}
}

func TestUnknownFormat(t *testing.T) {
	_, err := Formats.Named("pdf")
	want := `there is no format "pdf"; expected one of ` + strings.Join(Formats.Names(), ", ")
	if err == nil || err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
}

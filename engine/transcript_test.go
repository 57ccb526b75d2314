package engine_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/export"
	"lockstep/engine/lang"
)

var rewrite = flag.Bool("rewrite", false, "write the events of the transcripts in testdata again")

// told marks the lines of a transcript that tell the events. They are comments
// in the scenario text, and so a transcript is itself a runnable scenario.
const told = "#> "

// TestTranscripts plays every scenario of testdata and compares, under each of
// its lines, the events that the line caused. After a change of the engine,
//
//	go test ./engine -run Transcripts -rewrite
//
// writes them again, and their diff is the review.
func TestTranscripts(t *testing.T) {
	for _, file := range transcripts(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			trace := play(t, file)
			for _, unmet := range trace.Unmet {
				t.Error(unmet)
			}
			got := transcript(trace, withoutEvents(string(want)))
			if *rewrite {
				if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
					t.Fatal(err)
				}
			} else if got != string(want) {
				t.Errorf("the events differ; run with -rewrite and read the diff\n%s", firstDifference(got, string(want)))
			}
		})
	}
}

func transcripts(t testing.TB) []string {
	files, err := filepath.Glob("testdata/*.lock")
	if err != nil || len(files) == 0 {
		t.Fatalf("no transcripts found: %v", err)
	}
	return files
}

// play runs the scenario of a file with every property.
func play(t testing.TB, file string) *engine.Trace {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := engine.Parse(file, withoutEvents(string(text)), nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play(file, check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// withoutEvents returns the scenario without its events.
func withoutEvents(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, told) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// transcript puts under each line of the scenario the events that it caused: in
// English, or in Chinese where the scenario's name asks for it.
func transcript(trace *engine.Trace, scenario string) string {
	var b bytes.Buffer
	actions := 0
	events := trace.Run.World().Events()
	parsed := trace.Scenario.Lines
	number := 0
	for line := range strings.Lines(scenario) {
		number++
		b.WriteString(line)
		if len(parsed) == 0 || parsed[0].Number != number {
			continue
		}
		actions += len(parsed[0].Actions)
		parsed = parsed[1:]
		for len(events) > 0 && events[0].Action <= actions {
			e := &events[0]
			lane := e.Lane
			if lane == "" {
				lane = "-"
			}
			b.WriteString(told + pad(e.Time.String(), 7) + pad(lane, 5) + " " + e.Sentence(lang.English) + "\n")
			b.WriteString(told + pad("", 13) + e.Sentence(lang.Chinese) + "\n")
			events = events[1:]
		}
	}
	return b.String()
}

func pad(s string, width int) string { return s + strings.Repeat(" ", max(0, width-len(s))) }

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range g {
		if i >= len(w) || g[i] != w[i] {
			return "got:  " + g[i] + "\nwant: " + strings.Join(w[min(i, len(w)):min(i+1, len(w))], "")
		}
	}
	return "want goes on: " + w[len(g)]
}

// "The same scenario twice gives the same bytes."
func TestSameScenarioSameBytes(t *testing.T) {
	for _, file := range transcripts(t) {
		var first, second bytes.Buffer
		for _, out := range []*bytes.Buffer{&first, &second} {
			if err := export.NDJSON.Write(out, play(t, file), lang.English); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(first.Bytes(), second.Bytes()) {
			t.Errorf("%s: two runs differ", file)
		}
	}
}

// "Parse, print, round trip": the printed scenario reads back as the same text
// and runs to the same events.
func TestScenarioRoundTrip(t *testing.T) {
	for _, file := range transcripts(t) {
		trace := play(t, file)
		printed := trace.Scenario.String()
		again, err := engine.Parse(file, printed, nil)
		if err != nil {
			t.Fatalf("%s: the printed text does not parse: %v\n%s", file, err, printed)
		}
		if again.String() != printed {
			t.Errorf("%s: printed twice, two texts:\n%s\n%s", file, printed, again)
		}
		replayed, err := again.Play(file, check.All()...)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := sentences(replayed.Run.World()), sentences(trace.Run.World()); got != want {
			t.Errorf("%s: the printed scenario runs differently\n%s", file, firstDifference(got, want))
		}
		// The log of a run, which has no expectations and no comments, is a scenario too.
		log, err := engine.Parse(file, trace.Run.Scenario().String(), nil)
		if err != nil {
			t.Fatalf("%s: the log does not parse: %v", file, err)
		}
		if got, want := log.String(), trace.Run.Scenario().String(); got != want {
			t.Errorf("%s: the log changes when it is read back\n%s", file, firstDifference(got, want))
		}
	}
}

// sentences returns a run as the sentences of its events.
func sentences(w *engine.World) string {
	var b strings.Builder
	for _, e := range w.Events() {
		b.WriteString(e.Time.String() + " " + e.Lane + " " + string(e.Kind) + " " + e.Sentence(lang.English) + " " + e.Sentence(lang.Chinese) + "\n")
	}
	return b.String()
}

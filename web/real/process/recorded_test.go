package process_test

import (
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"lockstep/engine/explore"
	"lockstep/engine/learn"
	"lockstep/engine/program"
	"lockstep/engine/redis"
	"lockstep/engine/testtools"
	"lockstep/web/real/process"
)

var rewrite = flag.Bool("rewrite", false, "make the recordings of the fixtures again, from the programs themselves")

// A recorded is what ./testdata/recordings has of a fixture. Empty lines part its pieces.
type recorded struct {
	source  string              // the SHA-256 of the fixture's text
	of      map[bool]*recording // off the clock and on it; a program of timed has the second alone
	scripts []string            // that the program has sent and that are nobody else's
}

// A recording is what a program does, and what is learned from that: on the clock all that the questions need to know, and off it
// all that it does where up to three clients, one tick, one crash and one cut connection meet.
type recording struct {
	text    string   // in the format of package program
	answers []string // to the questions, a line each
}

// toRecord returns the questions that a recording has to answer. A search that finds a counterexample goes no further, and one
// that knows more to begin with finds it elsewhere: so each is also asked for lost-update, which nothing violates where nobody
// writes to the storage. Such a search learns all there is. Only stuck looks further, behind the bounds, and comes first.
func (f fixture) toRecord(onClock bool) []question {
	asked := f.questions()
	stuck := asked[1]
	asked[1] = question{explore.Question{Property: "lost-update", Clients: 3, Ticks: 1, Crashes: 1, Losses: 1}, holds}
	if onClock {
		asked = slices.Delete(asked, 1, 2)
	}
	for i := range asked {
		if asked[i].Property = "lost-update"; f.overlap != noGuess {
			asked[i].verdict = holds
		}
	}
	return append([]question{stuck}, asked...)
}

// answer returns a verdict as a recording has it.
func answer(q explore.Question, verdict string, r *learn.Result) string {
	line := q.Property + ": " + verdict
	if r.Fault == nil && r.Deviation == nil {
		line += fmt.Sprintf(", %d states", r.Answer.States)
	}
	return line
}

// Each fixture has the verdicts of the table, by what its recording says that it does. The learner does not know that the
// processes are none: it finds out again what is a value of theirs, when they are inside and that they ask for ever.
func TestRecordings(t *testing.T) {
	for _, f := range fixtures {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			if *rewrite {
				f.record(t)
			}
			kept := f.recorded(t)
			if kept.source != f.source(t) {
				t.Errorf("%s is not what it was when it was recorded: with CI=true, go test ./web/real/process -run Recordings -rewrite records it again", f.file)
			}
			for onClock, r := range kept.of {
				if answers := f.replayed(t, kept, onClock); strings.Join(answers, "\n") != strings.Join(r.answers, "\n") {
					t.Errorf("on the clock: %v\n%s\nis to be\n%s", onClock, strings.Join(answers, "\n"), strings.Join(r.answers, "\n"))
				}
			}
			if _, reads := timed[f.file]; kept.of[true] == nil || reads != (kept.of[false] == nil) {
				t.Errorf("%d recordings", len(kept.of))
			}
		})
	}
}

// replayed returns the answers to the questions about a recording, and holds its verdicts to the table.
func (f fixture) replayed(t *testing.T, kept *recorded, onClock bool) []string {
	t.Helper()
	var answers []string
	for _, asked := range f.questions() {
		tape := kept.tape(t, onClock)
		a := recordedAs(f.file, tape, onClock)
		l := a.learner(t)
		got, r := a.verdict(t, l, asked.Question)
		switch {
		case tape.lacks != "":
			t.Fatal(tape.lacks)
		case got != asked.verdict:
			t.Errorf("%s: %s, not %s\n%s\n%s", asked.Property, got, asked.verdict, r.Sentence("en"), l.Program("learned").Source)
		}
		answers = append(answers, answer(asked.Question, got, r))
	}
	return answers
}

func recordedAs(file string, tape *tape, onClock bool) asked {
	return asked{learn.NameOf([]string{file}), file, tape.launch, onClock}
}

// tape returns what plays a recording.
func (r *recorded) tape(t *testing.T, onClock bool) *tape {
	t.Helper()
	read, err := program.ReadRecording(r.of[onClock].text)
	if err != nil {
		t.Fatal(err)
	}
	played := &tape{Recording: read}
	for _, lua := range r.scripts {
		played.scripts = played.scripts.With(lua)
	}
	return played
}

func (f fixture) path() string {
	return filepath.Join("testdata", "recordings", strings.ReplaceAll(f.file, "/", "-")+".txt")
}

// source returns the SHA-256 of the fixture's text.
func (f fixture) source(t *testing.T) string {
	t.Helper()
	path := filepath.Join("fixtures", f.file)
	if filepath.Ext(f.file) == "" {
		path = filepath.Join(path, "main.go")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// The words with which the pieces of a file begin.
const (
	sourceIs   = "source "
	scriptIs   = "script "
	answersAre = "answers\n"
)

// recorded reads what ./testdata/recordings has.
func (f fixture) recorded(t *testing.T) *recorded {
	t.Helper()
	text, err := os.ReadFile(f.path())
	if err != nil {
		t.Fatalf("%v: with CI=true, go test ./web/real/process -run Recordings -rewrite records it", err)
	}
	r := &recorded{of: map[bool]*recording{}}
	var last *recording
	for piece := range strings.SplitSeq(strings.TrimSuffix(string(text), "\n"), "\n\n") {
		if source, ok := strings.CutPrefix(piece, sourceIs); ok {
			r.source = source
		} else if quoted, ok := strings.CutPrefix(piece, scriptIs); ok {
			lua, err := strconv.Unquote(quoted)
			if err != nil {
				t.Fatalf("%s: %v", f.path(), err)
			}
			r.scripts = append(r.scripts, lua)
		} else if answers, ok := strings.CutPrefix(piece, answersAre); ok {
			last.answers = strings.Split(answers, "\n")
		} else {
			title, _, _ := strings.Cut(piece, "\n")
			last = &recording{text: piece + "\n"}
			r.of[strings.Contains(title, onTheClock)] = last
		}
	}
	return r
}

const onTheClock = ", on the clock"

// record runs the program wherever it has to be known what it does, and writes that down.
func (f fixture) record(t *testing.T) {
	t.Helper()
	kept := &recorded{source: f.source(t), of: map[bool]*recording{}}
	for _, onClock := range []bool{false, true} {
		if _, reads := timed[f.file]; reads && !onClock {
			continue
		}
		if why := process.LacksClock(); onClock && why != nil {
			testtools.Absent(t, why.English)
		}
		a := real(t, f.file, onClock)
		a.launch = kept.listens(a.launch)
		l := a.learner(t)
		for _, asked := range f.toRecord(onClock) {
			if got, r := a.verdict(t, l, asked.Question); got != asked.verdict {
				t.Fatalf("%s: %s, not %s\n%s\n%s", asked.Property, got, asked.verdict, r.Sentence("en"), l.Program(a.name).Source)
			}
		}
		kept.of[onClock] = &recording{text: f.told(l.Recording(), onClock)}
	}
	var pieces []string
	for onClock := range kept.of {
		kept.of[onClock].answers = f.replayed(t, kept, onClock)
	}
	pieces = append(pieces, sourceIs+kept.source)
	for _, onClock := range []bool{false, true} {
		if r := kept.of[onClock]; r != nil {
			pieces = append(pieces, strings.TrimSuffix(r.text, "\n"), answersAre+strings.Join(r.answers, "\n"))
		}
	}
	for _, lua := range kept.scripts {
		pieces = append(pieces, scriptIs+strconv.Quote(lua))
	}
	if err := os.WriteFile(f.path(), []byte(strings.Join(pieces, "\n\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
}

// told returns a recording as text, with the fixture's name for its title, and without the ports of one run.
func (f fixture) told(r *program.Recording, onClock bool) string {
	named := *r
	if named.Title = f.file; onClock {
		named.Title += onTheClock
	}
	p, _ := named.Program("fixture")
	return port.ReplaceAllString(p.Source, "${1}6379")
}

var port = regexp.MustCompile(`(127\.0\.0\.1:)\d+`)

// listens returns a launcher whose processes do the same, and keeps the scripts that are nobody else's.
func (r *recorded) listens(launch learn.Launcher) learn.Launcher {
	var mu sync.Mutex
	known := map[string]bool{}
	return func(name string, own, apart int64) (learn.Process, error) {
		p, err := launch(name, own, apart)
		if err != nil {
			return nil, err
		}
		return &heard{p.(learn.Clocked), func(command []string) {
			mu.Lock()
			defer mu.Unlock()
			for _, part := range redis.Parts(command) {
				if len(part) > 1 && strings.EqualFold(part[0], "EVAL") && redis.ScriptName(part[1]) == "" && !known[part[1]] {
					known[part[1]] = true
					r.scripts = append(r.scripts, part[1])
				}
			}
		}}, nil
	}
}

// A heard is a process whose commands somebody hears.
type heard struct {
	learn.Clocked
	hear func(command []string)
}

func (h *heard) Next() learn.Arrival {
	a := h.Clocked.Next()
	h.hear(a.Command)
	return a
}

package export

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
)

// A parsed diagram, as Mermaid's parser returns it.
type diagram struct {
	Error        string
	Participants []string
	Texts        []string
}

// readMermaid has Mermaid's own parser read diagrams, all in one process.
func readMermaid(t *testing.T, texts map[string]string) map[string]diagram {
	t.Helper()
	node := testtools.Find(t, "node")
	module, err := filepath.Abs("../../.ci/node_modules/mermaid/dist/mermaid.core.mjs")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(module); err != nil {
		testtools.Absent(t, "mermaid is not installed (npm ci --prefix .ci)")
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(node, "testdata/mermaid.mjs", module)
	command.Stdin, command.Stderr = bytes.NewReader(in), os.Stderr
	out, err := command.Output()
	if err != nil {
		t.Fatalf("node: %v\n%s", err, out)
	}
	var found map[string]diagram
	if err := json.Unmarshal(out, &found); err != nil {
		t.Fatalf("%v in %s", err, out)
	}
	return found
}

// Mermaid accepts every run and reads what the export meant: all lanes by their names, every command that was executed or
// lost, and every sentence.
func TestMermaidAccepts(t *testing.T) {
	testtools.Long(t, "Node loads Mermaid, which draws in a browser")
	runs := transcripts(t)
	texts := map[string]string{"unbalanced": "sequenceDiagram\nA->>B: x\ndeactivate B\n", "end": "sequenceDiagram\nEnd->>B: x\n"}
	for name, trace := range runs {
		texts[name] = written(t, "mermaid", trace)
	}
	found := readMermaid(t, texts)
	for _, wrong := range []string{"unbalanced", "end"} {
		if found[wrong].Error == "" {
			t.Errorf("the parser accepts what is %s: it proves nothing", wrong)
		}
	}
	for name, trace := range runs {
		read := found[name]
		if read.Error != "" {
			t.Errorf("%s: %s\n%s", name, read.Error, texts[name])
			continue
		}
		var lanes []string
		for _, c := range trace.Run.World().Clients() {
			lanes = append(lanes, c.Name)
		}
		for _, node := range trace.Run.World().Nodes() {
			lanes = append(lanes, engine.Title(node))
		}
		if trace.Run.World().UsesStorage() {
			lanes = append(lanes, "Storage")
		}
		if !slices.Equal(read.Participants, lanes) {
			t.Errorf("%s: the participants are %q, not %q", name, read.Participants, lanes)
		}
		said := read.Texts
		for _, e := range trace.Run.World().Events() {
			var want string
			switch e.Kind {
			case engine.Deliver:
				want = fmt.Sprintf("#%d %s", e.Execution.Order, e.Call.Label())
			case engine.Write, engine.Reject:
				want = e.Call.Label()
			case engine.Receive:
				want = e.Execution.Reply.String()
			case engine.Drop, engine.Enter, engine.Crash, engine.Tick, engine.Note, engine.Pause, engine.Error, engine.Spawn, engine.Expire:
				want = e.Sentence(lang.English)
			case engine.Violated:
				want = e.Violation.Property + ": " + e.Violation.English + "."
			default:
				continue
			}
			i := slices.IndexFunc(said, func(text string) bool { return strings.HasPrefix(text, strings.TrimSpace(want)) })
			if i < 0 {
				t.Errorf("%s: event %d is missing, or not in its place: %s", name, e.Seq, want)
				break
			}
			said = said[i+1:]
		}
	}
}

// A diagram that is too large for Mermaid says so in itself.
func TestMermaidTooLong(t *testing.T) {
	const says = "\n%% This diagram has "
	if text := written(t, "mermaid", long(t)); !strings.HasPrefix(text, "sequenceDiagram"+says) || len(text) < mermaidMost {
		t.Errorf("a diagram of %d bytes begins with %.100s", len(text), text)
	}
	if text := written(t, "mermaid", play(t, "", "spawn C1 naive\n")); strings.Contains(text, says) {
		t.Errorf("a short diagram calls itself long:\n%s", text)
	}
}

// A client is activated when it enters the critical section and deactivated in the end. Every rectangle is closed.
func TestMermaidIsBalanced(t *testing.T) {
	for name, trace := range transcripts(t) {
		active := map[string]int{}
		open, entered := 0, 0
		for line := range strings.Lines(written(t, "mermaid", trace)) {
			words := strings.Fields(line)
			switch words[0] {
			case "activate":
				active[words[1]]++
				entered++
			case "deactivate":
				active[words[1]]--
			case "rect":
				open++
			case "end":
				open--
			}
			for client, n := range active {
				if n < 0 || n > 1 {
					t.Errorf("%s: %s is activated %d times", name, client, n)
				}
			}
			if open < 0 || open > 1 {
				t.Errorf("%s: %d rectangles are open", name, open)
			}
		}
		for client, n := range active {
			if n != 0 {
				t.Errorf("%s: %s stays activated", name, client)
			}
		}
		want := 0
		for _, e := range trace.Run.World().Events() {
			if e.Kind == engine.Enter {
				want++
			}
		}
		if open != 0 || entered != want {
			t.Errorf("%s: %d rectangles stay open, %d activated of %d that entered", name, open, entered, want)
		}
	}
}

// "-x lost" marks a request that Redis never sees and a reply that its client never receives.
func TestMermaidLosses(t *testing.T) {
	for scenario, want := range map[string]string{
		"spawn C1\ndrop C1\n":                          "C1-xredis: SETNX lock.foo C1",
		"redis crash\nspawn C1\nstep C1\n":             "C1-xredis: SETNX lock.foo C1",
		"spawn C1\ndeliver C1\ndrop C1\n":              "redis--xC1: (integer) 1",
		"spawn C1\ncrash C1\ndeliver C1\n":             "redis--xC1: (integer) 1",
		"spawn C1\ndeliver C1\ncrash C1\n":             "redis--xC1: (integer) 1",
		"spawn C1\ndeliver C1\n":                       "Note over redis: (integer) 1 is on its way",
		"spawn C1\n":                                   "Note over C1: SETNX lock.foo C1 is on its way",
		"spawn C1\ndeliver C1\ntick 1s\nreceive C1\n":  "redis-->>C1: (integer) 1",
		"spawn C1\ndeliver C1\ncrash C1\nrestart C1\n": "redis--xC1: (integer) 1",
	} {
		lines := strings.Split(written(t, "mermaid", play(t, "", "program naive\n"+scenario)), "\n")
		if !slices.Contains(lines, want) {
			t.Errorf("%q has no %s:\n%s", scenario, want, strings.Join(lines, "\n"))
		}
	}
}

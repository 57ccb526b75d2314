package monitor_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/monitor"
	"lockstep/engine/monitor/detect"
)

// cutNodes returns the part of logs around their finding as a scenario, and the tokens of each two of whom its run says that both
// were inside.
func cutNodes(t testing.TB, logs []monitor.NodeLog, w monitor.Window, in lang.Language) (text string, both []string) {
	t.Helper()
	scenario, _, err := monitor.CutNodes(logs, w, in)
	if err != nil {
		t.Fatal(err)
	}
	text = scenario.String()
	trace := play(t, text)
	defer trace.Run.World().Close()
	token := map[string]string{}
	for _, l := range trace.Scenario.Labels {
		words := strings.Fields(l.Text)
		token[l.Client] = words[len(words)-1]
	}
	for _, e := range trace.Run.World().Events() {
		if e.Kind == engine.Violated && e.Violation.Property == check.Overlap.Name {
			both = append(both, token[e.Violation.Clients[0]]+" "+token[e.Violation.Clients[1]])
		}
	}
	return text, both
}

// The scenario of a finding sends each command to its node, in the lane of its token.
//
//	go test ./engine/monitor -run NodesScenario -rewrite
func TestTheNodesScenario(t *testing.T) {
	for file, form := range map[string]struct {
		name, both string
		redact     bool
		in         lang.Language
	}{
		"restart.lock":          {"restart", "anna-2 ben-1", false, lang.English},
		"restart.redacted.lock": {"restart", "value1 value2", true, lang.Chinese},
		"right.lock":            {"right", "", false, lang.English},
	} {
		got, both := cutNodes(t, captured(t, form.name), monitor.Window{Options: monitor.Options{Redact: form.redact}}, form.in)
		file = filepath.Join("testdata/nodes", file)
		want, err := os.ReadFile(file)
		if *rewrite {
			err = os.WriteFile(file, []byte(got), 0o666)
		} else if err == nil && got != string(want) {
			t.Errorf("%s: run with -rewrite and read the diff; got\n%s", file, got)
		}
		if err != nil || strings.Join(both, ", ") != form.both {
			t.Errorf("%s: %v, %q", file, err, both)
		}
		if form.redact && (strings.Contains(got, "anna") || strings.Contains(got, "order") || strings.Contains(got, "127.0.0.1")) {
			t.Error(got)
		}
	}
}

// A scenario accuses nobody in the logs of right Redlocks, and where a node has lost its data, the two whom the report names.
func TestTheNodesScenarioAccusesAsTheReport(t *testing.T) {
	entered := 0
	for seed := range uint64(30) {
		m := newRedlock(seed + 500)
		text, both := cutNodes(t, m.run(1_500_000), monitor.Window{}, lang.English)
		if entered += strings.Count(text, "\nenter "); len(both) > 0 {
			t.Errorf("model %d: %q\n%s", seed+500, both, text)
		}
	}
	made, shown := 0, 0
	for seed := uint64(1); made < 8; seed++ {
		m := newRedlock(seed)
		m.plant = []string{"flush", "restart", "silent", "delete"}[seed%4]
		m.keys, m.lossy, m.again = m.keys[:1], 0, false
		m.lease, m.noise = max(m.lease, 2_000_000), 0
		m.clients = m.clients[:min(len(m.clients), 4)]
		m.clients[0].wants = true
		logs := m.run(6_000_000)
		if m.fault.second == "" || m.fault.freed == 0 || !m.fault.shown || m.overlaps != 1 {
			continue
		}
		report := together(t, logs)
		f := overlapOf(report)
		if f == nil {
			continue
		}
		made++
		text, both := cutNodes(t, logs, monitor.Window{At: fmt.Sprintf("%d.%06d", f.From/1e9, f.From%1e9/1e3)}, lang.English)
		told := map[string]bool{}
		for _, f := range report.Findings {
			told[f.First.Token+" "+f.Second.Token] = f.Kind == detect.Overlap || told[f.First.Token+" "+f.Second.Token]
		}
		for _, pair := range both {
			if !told[pair] {
				t.Errorf("model %d accuses %q, and the report does not\n%s", seed, pair, text)
			}
		}
		switch {
		case slices.Contains(both, f.First.Token+" "+f.Second.Token):
			shown++
		default:
			t.Logf("model %d (%s, %s) does not show %+v\n%s", seed, m.plant, m.acquire, m.fault, text)
		}
	}
	t.Logf("%d times somebody is inside; %d of %d faults are shown", entered, shown, made)
	if entered < 30 || shown < made*9/10 {
		t.Errorf("%d times somebody is inside; %d of %d are shown", entered, shown, made)
	}
}

// A time chooses what the scenario shows. What is not there is refused.
func TestANodesScenarioAroundATime(t *testing.T) {
	for at, want := range map[string]string{"soon": "soon is no time", "2026-11-27T08:00:00Z": "is not in the logs, which run from 2026-11-28T20:56:23.609Z"} {
		if _, _, err := monitor.CutNodes(captured(t, "restart"), monitor.Window{At: at}, lang.English); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", at, err)
		}
	}
	if _, _, err := monitor.CutNodes(captured(t, "restart"), monitor.Window{Options: monitor.Options{Keys: []string{"other"}}}, lang.English); err == nil || !strings.Contains(err.Error(), "nobody asked a majority of the nodes for a lock") {
		t.Error(err)
	}
}

package export

import (
	"encoding/json"
	"strings"
	"testing"

	"lockstep/engine"
)

// "Each host's clock starts at 1 and rises by exactly 1; send, deliver, reply and
// receive are separate events." An event that knows an event of another host also knows all that was known there.
func TestClocks(t *testing.T) {
	for name, trace := range transcripts(t) {
		events := trace.Run.World().Events()
		stamps := clocks(events)
		at := map[string][]clock{} // by host, in order
		for i := range events {
			h := host(&events[i])
			if at[h] = append(at[h], stamps[i]); stamps[i][h] != len(at[h]) {
				t.Fatalf("%s: event %d is number %d of %s, its clock says %d", name, i+1, len(at[h]), h, stamps[i][h])
			}
		}
		for i, stamp := range stamps {
			for h, n := range stamp {
				if n < 1 || n > len(at[h]) {
					t.Fatalf("%s: event %d knows of event %d of %s, which has %d", name, i+1, n, h, len(at[h]))
				}
				for other, known := range at[h][n-1] {
					if stamp[other] < known {
						t.Errorf("%s: event %d knows %s up to %d, but not %s up to %d", name, i+1, h, n, other, known)
					}
				}
			}
		}
	}
}

// A message carries knowledge. A lost message carries none.
func TestKnowledgeTravelsWithMessages(t *testing.T) {
	trace := play(t, "", "program naive\nspawn C1 C2\nstep C1\ntick 1s\ndeliver C2\ndrop C2\n")
	events := trace.Run.World().Events()
	stamps := clocks(events)
	find := func(lane string, kind engine.Kind) clock {
		for i, e := range events {
			if e.Lane == lane && e.Kind == kind {
				return stamps[i]
			}
		}
		t.Fatalf("%s has no %s", lane, kind)
		return nil
	}
	for _, test := range []struct {
		lane string
		kind engine.Kind
		want string
	}{
		{"C1", engine.Send, `{"C1":2}`},
		{"redis", engine.Deliver, `{"C1":2,"redis":1}`},
		{"redis", engine.Reply, `{"C1":2,"redis":2}`},
		{"C1", engine.Receive, `{"C1":3,"redis":2}`},
		{"", engine.Tick, `{"world":1}`},
		{"C2", engine.Drop, `{"C2":3}`}, // Redis knows C2's request; C2 does not know the reply
	} {
		if got := string(encode(find(test.lane, test.kind))); got != test.want {
			t.Errorf("%s of %s: %s, not %s", test.kind, test.lane, got, test.want)
		}
	}
}

// JSON and NDJSON have the same content, as the package comment describes it.
func TestJSON(t *testing.T) {
	for name, trace := range transcripts(t) {
		var whole map[string]json.RawMessage
		if err := json.Unmarshal([]byte(written(t, "json", trace)), &whole); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var events []json.RawMessage
		if err := json.Unmarshal(whole["events"], &events); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		lines := strings.Split(strings.TrimSuffix(written(t, "ndjson", trace), "\n"), "\n")
		if len(lines) != 1+len(events) || len(events) != len(trace.Run.World().Events()) {
			t.Fatalf("%s: %d events, %d lines", name, len(events), len(lines))
		}
		for i, event := range events {
			if string(event) != lines[1+i] {
				t.Errorf("%s: event %d differs between JSON and NDJSON", name, i+1)
			}
		}
		var head map[string]json.RawMessage
		if err := json.Unmarshal([]byte(lines[0]), &head); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for _, field := range []string{"format", "version", "scenario", "meta", "options", "nodes", "programs", "actions", "lanes"} {
			if len(head[field]) == 0 || string(head[field]) != string(whole[field]) {
				t.Errorf("%s: %s is %s in NDJSON, %s in JSON", name, field, head[field], whole[field])
			}
		}
	}
}

// The scenario within a trace runs to the same events again.
func TestTraceRunsAgain(t *testing.T) {
	for name, trace := range transcripts(t) {
		again := play(t, name, written(t, "scenario", trace))
		if written(t, "ndjson", again) != written(t, "ndjson", trace) {
			t.Errorf("%s: the scenario of its trace runs differently", name)
		}
	}
}

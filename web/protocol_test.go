package web

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var rewrite = flag.Bool("rewrite", false, "write what the server says into testdata/protocol")

// The samples of PROTOCOL.md are the messages on the wire.
func TestTheSamplesAreTheWire(t *testing.T) {
	s := newSite(t, Options{})
	const path = "/t/k3v9m2xq7a"
	s.act(path, "spawn C1 naive")
	v := s.watch(path + "/live?lang=en")
	v.sample("hello.json")
	for _, exchange := range []struct{ request, answer string }{
		{"act.json", "events.json"},
		{"act.json", "done.json"}, // the same request again, as after a lost connection
		{"look.json", "view.json"},
		{"schedule.json", "error-stale.json"},
		{"rerun.json", "error-program.json"},
		{"restore.json", "error-refused.json"},
	} {
		v.say(string(sample(t, exchange.request)))
		v.sample(exchange.answer)
	}
	v.say(string(sample(t, "branch.json")))
	if m := v.want("events"); !strings.Contains(m.Panels["tabs"], "1: spawn C2 getset timeout=5s") {
		t.Errorf("the tabs are %s", m.Panels["tabs"])
	}
	v.sample("opened.json")
	draft := s.watch("/t/k3v9m2xq7b/live?lang=en")
	draft.want("hello")
	draft.say(string(sample(t, "restore-draft.json")))
	draft.sample("hello-made.json")
	recorded := s.watch("/t/k3v9m2xq7d/live?lang=en")
	recorded.want("hello")
	recorded.say(string(sample(t, "restore-recorded.json")))
	recorded.sample("hello-recorded.json")
}

// The samples of rooms are the messages on the wire, too: the presenter asks, and somebody votes.
func TestTheSamplesOfRoomsAreTheWire(t *testing.T) {
	s := newSite(t, Options{})
	teacher := s.person()
	room, run := teacher.opens("spawn C1 C2 naive")
	phone := s.joins(room).watches(run, "phone")
	phone.want("hello")
	phone.sample("room.json")
	phone.sample("seat.json")
	teacher.does(room, "ask", "kind", "predict", "client", "C1").wants(t, 303)
	teacher.does(room, "timer", "on", "on").wants(t, 303)
	phone.want("room")
	phone.want("seat")
	phone.sample("timer.json")
	for phone.next().Type != "room" {
	}
	phone.say(string(sample(t, "vote.json")))
	for m := phone.next(); m.Type != "done"; m = phone.next() {
		if m.Type == "error" {
			t.Fatalf("the vote is refused: %s", m.Text)
		}
	}
}

func sample(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "protocol", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// sample compares the next message with the file, without the HTML of the panels.
func (v *socketViewer) sample(name string) {
	v.Helper()
	_, data := v.read()
	got := indented(v.T, data)
	if *rewrite {
		if err := os.WriteFile(filepath.Join("testdata", "protocol", name), got, 0o644); err != nil {
			v.Fatal(err)
		}
		return
	}
	if want := sample(v.T, name); !bytes.Equal(got, want) {
		v.Errorf("the server says\n%s\nbut %s is\n%s\n(go test ./web -run 'TestTheSamples' -rewrite writes the samples)", got, name, want)
	}
}

// hidden stands for a panel's HTML or its change.
func hidden(told json.RawMessage) string {
	if told[0] == '[' {
		return `["…"]`
	}
	return `"…"`
}

// indented keeps the order of the fields, as they are sent.
func indented(t *testing.T, data []byte) []byte {
	t.Helper()
	var panels struct{ Panels map[string]json.RawMessage }
	if err := json.Unmarshal(data, &panels); err != nil {
		t.Fatal(err)
	}
	for _, told := range panels.Panels {
		data = bytes.Replace(data, append([]byte(":"), told...), []byte(`:`+hidden(told)), 1)
	}
	// These are random.
	data = regexp.MustCompile(`"epoch":"\w+"`).ReplaceAll(data, []byte(`"epoch":"m4x8d0w2hs"`))
	data = regexp.MustCompile(`"run":"/t/\w+"`).ReplaceAll(data, []byte(`"run":"/t/k3v9m2xq7a"`))
	data = regexp.MustCompile(`("type":"seat","seat":1,"name":)"[^"]*"`).ReplaceAll(data, []byte(`$1"1 · Quiet Otter"`))
	data = regexp.MustCompile(`"left":\d+`).ReplaceAll(data, []byte(`"left":60000`))
	data = regexp.MustCompile(`("type":"opened","id":"b1","run":)"\w+"`).ReplaceAll(data, []byte(`$1"q7c3n5v1zk"`))
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	return b.Bytes()
}

package web

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"
	"time"
)

var rewrite = flag.Bool("rewrite", false, "write what the server says into testdata/protocol")

// The samples of PROTOCOL.md are what goes over the wire.
func TestProtocol(t *testing.T) {
	s := newSite(t, Options{})
	const path = "/t/k3v9m2xq7a"
	s.act(path, "spawn C1 naive")
	v := s.watch(path + "/live?lang=en")
	v.sample("hello.json")
	for _, exchange := range []struct{ request, answer string }{
		{"act.json", "events.json"},
		{"undo.json", "rewind.json"},
		{"undo.json", "error-stale.json"},
		{"define.json", "error-program.json"},
	} {
		v.say(string(sample(t, exchange.request)))
		v.sample(exchange.answer)
	}
	v.say(string(sample(t, "reset.json")))
	v.want("rewind")
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
	if err := v.conn.SetReadDeadline(time.Now().Add(10 * time.Second)); err != nil {
		v.Fatal(err)
	}
	_, data, err := v.conn.ReadMessage()
	if err != nil {
		v.Fatal(err)
	}
	got := indented(v.T, data)
	if *rewrite {
		if err := os.WriteFile(filepath.Join("testdata", "protocol", name), got, 0o644); err != nil {
			v.Fatal(err)
		}
		return
	}
	if want := sample(v.T, name); !bytes.Equal(got, want) {
		v.Errorf("the server says\n%s\nbut %s is\n%s\n(go test ./web -run TestProtocol -rewrite writes the samples)", got, name, want)
	}
}

// indented keeps the order of the fields, as they are sent.
func indented(t *testing.T, data []byte) []byte {
	t.Helper()
	var panels struct{ Panels map[string]string }
	if err := json.Unmarshal(data, &panels); err != nil {
		t.Fatal(err)
	}
	for _, content := range panels.Panels {
		quoted, err := json.Marshal(content)
		if err != nil {
			t.Fatal(err)
		}
		data = bytes.Replace(data, append([]byte(":"), quoted...), []byte(`:"…"`), 1)
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		t.Fatal(err)
	}
	b.WriteByte('\n')
	return b.Bytes()
}

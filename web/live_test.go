package web

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/gorilla/websocket"
)

func TestHello(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 naive")
	m := s.watch(aRun + "/live?lang=zh").want("hello")
	if m.Version != 1 || "/t/"+m.Run != aRun || m.Actions != 1 || len(m.Events.([]any)) != 2 {
		t.Errorf("hello is %+v", m)
	}
	if !strings.Contains(m.Panels["caption"], "C1 发出 SETNX lock.foo C1。") {
		t.Errorf("the caption is %s", m.Panels["caption"])
	}
	for _, id := range []string{"clients", "redis", "toolbar", "program", "sources", "spawn-next", "empty", "alerts"} {
		if !strings.Contains(m.Panels[id], `id="`+id+`"`) {
			t.Errorf("the panel %s is %q", id, m.Panels[id])
		}
	}
}

// Two who act at once and two languages: all see the same events in the same
// order, whoever was first, and only those whose action came too late are told.
func TestViewersSeeTheSame(t *testing.T) {
	const each = 100
	s := newSite(t, Options{})
	viewers := []*socketViewer{s.watch(aRun + "/live?lang=en"), s.watch(aRun + "/live?lang=zh"), s.watch(aRun + "/live?lang=en")}
	logs := make([][]string, len(viewers))
	var all sync.WaitGroup
	for i, v := range viewers {
		all.Go(func() {
			acts := i < 2
			actions, pending, done := v.want("hello").Actions, false, 0
			for {
				if acts && !pending && done < each {
					v.say(fmt.Sprintf(`{"type":"act","id":"%d","at":%d,"action":"tick 1s"}`, i, actions))
					pending = true
				}
				m := v.next()
				if mine := m.ID == fmt.Sprint(i); mine {
					pending = false
				}
				switch m.Type {
				case "events":
					actions = m.Actions
					for _, e := range m.Events.([]any) {
						text, _ := json.Marshal(e)
						logs[i] = append(logs[i], string(text))
					}
					if m.ID == fmt.Sprint(i) {
						done++
					}
				case "error":
					if m.Code != "stale" {
						t.Errorf("viewer %d is told %s", i, m.Text)
						return
					}
				}
				if len(logs[i]) == 2*each {
					return
				}
			}
		})
	}
	all.Wait()
	for i := range logs {
		if strings.Join(logs[i], "\n") != strings.Join(logs[0], "\n") {
			t.Errorf("viewer %d has seen other events than viewer 0", i)
		}
	}
}

func TestStaleAction(t *testing.T) {
	s := newSite(t, Options{})
	v, other := s.watch(aRun+"/live"), s.watch(aRun+"/live?lang=zh")
	v.want("hello")
	other.want("hello")
	v.say(`{"type":"act","id":"a1","at":0,"action":"spawn C1 naive"}`)
	if m := v.want("events"); m.ID != "a1" || m.Actions != 1 {
		t.Errorf("the answer is %+v", m)
	}
	other.want("events")
	for i, stale := range []string{
		`{"type":"act","id":"s0","at":0,"action":"step C1"}`,
		`{"type":"act","id":"s1","at":0,"action":"spawn C1 naive"}`, // the same message again: it is done once
		`{"type":"undo","id":"s2","at":0}`,
		`{"type":"reset","id":"s3","at":7}`,
	} {
		v.say(stale)
		m := v.want("error")
		if m.ID != fmt.Sprintf("s%d", i) || m.Code != "stale" || m.Text != "The run has moved on to action 1; nothing was done." {
			t.Errorf("%s is answered with %+v", stale, m)
		}
	}
	v.say(`{"type":"undo","id":"u","at":1}`)
	for _, viewer := range []*socketViewer{v, other} { // the other has not seen the errors
		if m := viewer.want("rewind"); m.ID != "u" || m.Actions != 0 || m.Events != 0.0 {
			t.Errorf("undo is told as %+v", m)
		}
	}
}

// Whatever comes in, nothing changes, the sender is told, and the run goes on.
func TestBadMessages(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 naive")
	v, other := s.watch(aRun+"/live"), s.watch(aRun+"/live")
	v.want("hello")
	other.want("hello")
	for _, c := range []struct{ message, code string }{
		{``, "malformed"},
		{`{`, "malformed"},
		{`null`, "malformed"},
		{`[]`, "malformed"},
		{`"step C1"`, "malformed"},
		{"\xff\xfe", "malformed"},
		{`{"type":"act","id":"1","action":"step C1"}`, "malformed"},
		{`{"type":"act","id":"1","at":-1,"action":"step C1"}`, "malformed"},
		{`{"type":"act","id":"1","at":1e99,"action":"step C1"}`, "malformed"},
		{`{"type":"act","id":"1","at":"1","action":"step C1"}`, "malformed"},
		{`{"type":"act","id":1,"at":1,"action":"step C1"}`, "malformed"},
		{`{"type":"act","id":"` + strings.Repeat("i", 65) + `","at":1,"action":"step C1"}`, "malformed"},
		{`{"type":"act","id":"1","at":1,"action":"step C1"}{"type":"undo","at":1}`, "malformed"},
		{`{"type":"launch","id":"1"}`, "unknown-type"},
		{`{"type":"hello","id":"1"}`, "unknown-type"},
		{`{"type":"act","id":"1","at":1,"action":""}`, "syntax"},
		{`{"type":"act","id":"1","at":1,"action":"step"}`, "syntax"},
		{`{"type":"act","id":"1","at":1,"action":"step C1\nstep C1"}`, "syntax"},
		{`{"type":"act","id":"1","at":1,"action":"define mine\n| x"}`, "syntax"},
		{`{"type":"act","id":"1","at":1,"action":"spawn C2 mine.star"}`, "syntax"},
		{`{"type":"act","id":"1","at":1,"action":"step C2"}`, "refused"},
		{`{"type":"act","id":"1","at":1,"action":"step C1 2000000000"}`, "syntax"},
		{`{"type":"act","id":"1","at":1,"action":"do C1 FLUSHALL"}`, "syntax"},
		{`{"type":"define","id":"1","name":"mine","source":"def"}`, "program"},
		{`{"type":"define","id":"1","name":"Not A Name","source":""}`, "program"},
	} {
		v.say(c.message)
		if m := v.want("error"); m.Code != c.code || m.Text == "" {
			t.Errorf("%s is answered with %s (%s), want %s", c.message, m.Code, m.Text, c.code)
		}
	}
	if err := v.conn.WriteMessage(websocket.BinaryMessage, []byte(`{"type":"undo","id":"1","at":1}`)); err != nil {
		t.Fatal(err)
	}
	if m := v.want("error"); m.Code != "binary" {
		t.Errorf("a binary message is answered with %+v", m)
	}
	v.say(`{"type":"act","id":"big","at":1,"action":"note \"` + strings.Repeat("x", 64<<10) + `\""}`)
	if m := v.want("error"); m.Code != "too-large" || m.Text != "The message has more than 64 KB; nothing was done." {
		t.Errorf("an oversized message is answered with %+v", m)
	}
	if _, _, err := v.conn.ReadMessage(); err == nil {
		t.Error("after an oversized message the socket stays open")
	}

	s.get(aRun+".txt").wants(t, 200)
	if text := s.get(aRun + ".txt").body; text != "spawn C1 naive\n" {
		t.Errorf("the run is now %q", text)
	}
	other.say(`{"type":"act","id":"on","at":1,"action":"step C1"}`)
	if m := other.want("events"); m.ID != "on" || m.Actions != 2 {
		t.Errorf("the run goes on with %+v", m)
	}
}

func TestDefine(t *testing.T) {
	s := newSite(t, Options{})
	v := s.watch(aRun + "/live")
	v.want("hello")
	source := "def acquire(c):\n    return c.setnx('mine', 1) == 1\n\ndef release(c, lease):\n    c.explode('mine')\n"
	define := func(source string) {
		data, err := json.Marshal(map[string]string{"type": "define", "id": "d", "name": "mine", "source": source})
		if err != nil {
			t.Fatal(err)
		}
		v.say(string(data))
	}
	define(source)
	if m := v.want("error"); m.ID != "d" || m.Code != "program" || m.Line != 5 || m.Column == 0 {
		t.Errorf("a program that cannot be is answered with %+v", m)
	}
	define(strings.Replace(source, "explode", "delete", 1))
	if m := v.want("events"); m.ID != "d" || !strings.Contains(m.Panels["program"], `value="mine"`) || !strings.Contains(m.Panels["sources"], `data-source="mine"`) {
		t.Errorf("a program is told as %+v", m)
	}
	v.say(`{"type":"act","id":"a","at":0,"action":"spawn C1 mine"}`)
	if m := v.want("events"); !strings.Contains(m.Panels["source-mine"], `<span class="badge">C1</span>`) {
		t.Errorf("the badge of C1 is not in %s", m.Panels["source-mine"])
	}
}

// A panel that has not changed is not sent again.
func TestUnchangedPanelsStay(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 naive")
	v := s.watch(aRun + "/live")
	v.want("hello")
	v.say(`{"type":"act","id":"a","at":1,"action":"note \"here\""}`)
	m := v.want("events")
	if _, ok := m.Panels["caption"]; !ok {
		t.Error("the caption has changed and is not sent")
	}
	for _, id := range []string{"redis", "empty", "sources", "source-naive"} {
		if _, ok := m.Panels[id]; ok {
			t.Errorf("%s is sent again", id)
		}
	}
}

// A viewer that does not read is dropped, and nobody waits for it.
func TestSlowReader(t *testing.T) {
	r := newRun("aaaaaaaaaa", (&Server{}).site)
	closed := make(chan struct{})
	slow := newViewer("en", stuckSocket{closed})
	if !r.join(slow, 1) {
		t.Fatal("the viewer cannot join")
	}
	for i := range queue {
		if err := r.act(i, "", "tick 1s"); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-closed:
	default:
		t.Error("a viewer that reads nothing is still there")
	}
}

// stuckSocket is that of a viewer that never reads.
type stuckSocket struct{ closed chan struct{} }

func (stuckSocket) Receive() ([]byte, error) { select {} }
func (stuckSocket) Send(frame) error         { select {} }
func (s stuckSocket) Close() error           { close(s.closed); return nil }

func TestCloseEndsSockets(t *testing.T) {
	s := newSite(t, Options{})
	v := s.watch(aRun + "/live")
	v.want("hello")
	s.server.Close()
	if _, _, err := v.conn.ReadMessage(); err == nil {
		t.Error("the socket is still open")
	}
	if n := s.places(); n != 0 {
		t.Errorf("%d runs are kept for nobody", n)
	}
}

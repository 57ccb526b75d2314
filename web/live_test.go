package web

import (
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/present"
)

func TestHelloHasTheRunAndItsPanels(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 naive")
	m := s.watch(aRun + "/live?lang=zh").want("hello")
	if m.Version != present.ProtocolVersion || "/t/"+m.Run != aRun || len(m.Lines) != 1 || len(m.Events.([]any)) != 2 {
		t.Errorf("hello is %+v", m)
	}
	if !strings.Contains(m.Panels["caption"], "C1 发出 SETNX lock.foo C1。") {
		t.Errorf("the caption is %s", m.Panels["caption"])
	}
	for _, id := range []string{"clients", "redis", "toolbar", "program", "tabs", "spawn-next", "empty", "alerts"} {
		if !strings.Contains(m.Panels[id], `id="`+id+`"`) {
			t.Errorf("the panel %s is %q", id, m.Panels[id])
		}
	}
}

// Two viewers act at once, and read two languages. All viewers see the same events in the same order, and only a
// viewer whose action came too late is told.
func TestViewersSeeTheSame(t *testing.T) {
	const each, round = 100, 25                                   // who only watches may be late by all of a round
	s := newSite(t, Options{Limits: door.Limits{Messages: 1000}}) // faster than any page
	viewers := []*socketViewer{s.watch(aRun + "/live?lang=en"), s.watch(aRun + "/live?lang=zh"), s.watch(aRun + "/live?lang=en")}
	logs := make([][]string, len(viewers))
	actions, pending, done := make([]int, len(viewers)), make([]bool, len(viewers)), make([]int, len(viewers))
	for i, v := range viewers {
		hello := v.want("hello")
		logs[i], actions[i] = texts(hello.Events), len(hello.Lines)
	}
	for most := round; most <= each; most += round {
		var all sync.WaitGroup
		for i, v := range viewers {
			all.Go(func() {
				acts, mine := i < 2, fmt.Sprintf("%d-", i)
				for len(logs[i]) < 2*most {
					if acts && !pending[i] && done[i] < most {
						v.say(fmt.Sprintf(`{"type":"act","id":"%s%d","at":%d,"action":"tick 1s"}`, mine, done[i], actions[i]))
						pending[i] = true
					}
					m := v.next()
					if strings.HasPrefix(m.ID, mine) {
						pending[i] = false
					}
					switch m.Type {
					case "events":
						actions[i] = m.Actions
						logs[i] = append(logs[i], texts(m.Events)...)
						if strings.HasPrefix(m.ID, mine) {
							done[i]++
						}
					case "error":
						if m.Code != "stale" {
							t.Errorf("viewer %d is told %s", i, m.Text)
							return
						}
					}
				}
			})
		}
		all.Wait()
	}
	for i := range logs {
		if strings.Join(logs[i], "\n") != strings.Join(logs[0], "\n") {
			t.Errorf("viewer %d has seen other events than viewer 0", i)
		}
	}
}

// texts returns the events of a message as JSON, without the sentences, which depend on the viewer's language.
func texts(events any) []string {
	var all []string
	for _, e := range events.([]any) {
		delete(e.(map[string]any), "sentence")
		text, _ := json.Marshal(e)
		all = append(all, string(text))
	}
	return all
}

func TestAStaleActionIsRefused(t *testing.T) {
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
		`{"type":"schedule","id":"s1","at":0}`,
		`{"type":"act","id":"s2","at":7,"action":"step C1"}`,
	} {
		v.say(stale)
		m := v.want("error")
		if m.ID != fmt.Sprintf("s%d", i) || m.Code != "stale" || m.Text != "C1 already moved. Showing step 1." {
			t.Errorf("%s is answered with %+v", stale, m)
		}
	}
	v.say(`{"type":"act","id":"b1","at":1,"action":"step C1"}`)
	for _, viewer := range []*socketViewer{v, other} { // the other has not seen the errors
		if m := viewer.want("events"); m.ID != "b1" || m.Actions != 2 {
			t.Errorf("a step is told as %+v", m)
		}
	}
}

// The connection breaks before the answer comes. The viewer asks again with the same id, the server acts once, and the
// viewer gets the events it has missed.
func TestAReconnectedViewerMissesNothing(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 C2 naive")
	v := s.watch(aRun + "/live")
	begun := v.want("hello")
	v.say(`{"type":"act","id":"once","at":2,"action":"step C1"}`)
	v.want("events")
	v.conn.Close()
	s.act(aRun, "step C2")
	again := s.watch(fmt.Sprintf("%s/live?epoch=%s&since=%d", aRun, begun.Epoch, len(begun.Events.([]any))))
	m := again.want("hello")
	if m.Since != len(begun.Events.([]any)) || len(m.Lines) != 4 || len(m.Events.([]any)) == 0 || m.Events.([]any)[0].(map[string]any)["seq"] != float64(m.Since+1) {
		t.Errorf("after the loss the viewer is told %+v", m)
	}
	again.say(`{"type":"act","id":"once","at":2,"action":"step C1"}`)
	if m := again.want("done"); m.ID != "once" {
		t.Errorf("a request that was carried out is answered with %+v", m)
	}
	if text := s.get(aRun + ".txt").body; strings.Count(text, "step C1") != 1 {
		t.Errorf("the run is %q", text)
	}
	// A restarted server has another epoch, and tells everything.
	if m := s.watch(aRun + "/live?epoch=another&since=3").want("hello"); m.Since != 0 {
		t.Errorf("for another epoch the viewer is told only the events after %d", m.Since)
	}
}

// A server that has forgotten a run takes it back from a viewer, once.
func TestAForgottenRunIsRestoredOnce(t *testing.T) {
	s := newSite(t, Options{})
	v, other := s.watch(aRun+"/live"), s.watch(aRun+"/live")
	v.want("hello")
	other.want("hello")
	v.say(`{"type":"restore","id":"r","scenario":"spawn C1 naive\nstep C1\n"}`)
	for _, viewer := range []*socketViewer{v, other} {
		if m := viewer.want("hello"); len(m.Lines) != 2 || !strings.Contains(m.Panels["caption"], "C1 is in the critical section") {
			t.Errorf("the viewer is told %+v", m)
		}
	}
	other.say(`{"type":"restore","id":"r2","scenario":"spawn C9 naive\n"}`)
	if m := other.want("error"); m.Code != "refused" {
		t.Errorf("a run that has begun is replaced: %+v", m)
	}
}

// An action in the past opens a branch, unless it repeats the run's next action.
func TestAnActionInThePastBranches(t *testing.T) {
	s := newSite(t, Options{})
	for _, line := range []string{"spawn C1 C2 naive", "step C1", "step C2"} {
		s.act(aRun, line)
	}
	v := s.watch(aRun + "/live")
	v.want("hello")
	v.say(`{"type":"branch","id":"b1","at":2,"action":"step C1"}`)
	if m := v.want("opened"); "/t/"+m.Run != aRun || m.At != 3 {
		t.Errorf("repeating the run's next action opens %+v", m)
	}
	v.say(`{"type":"branch","id":"b2","at":2,"action":" step  C2 # mine"}`)
	v.want("events") // the tabs
	m := v.want("opened")
	v.say(`{"type":"branch","id":"b2","at":2,"action":" step  C2 # mine"}`) // as after a lost connection
	if again := v.want("opened"); again.Run != m.Run || again.At != m.At {
		t.Errorf("the same request opens %s, and then %s", m.Run, again.Run)
	}
	s.get("/t/"+m.Run).wants(t, 200, "C2 is in the critical section", ">C2 before C1<", "First run")
	s.get("/t/"+m.Run+".txt").wants(t, 200, "spawn C1 naive\nspawn C2 naive\nstep C2\n")
	s.get(aRun+".txt").wants(t, 200, "step C1\nstep C2\n")
	v.say(`{"type":"branch","id":"b3","at":9,"action":"step C2"}`)
	v.want("error")
	for i := range live.MaxBranches - 2 {
		v.say(fmt.Sprintf(`{"type":"branch","id":"more-%d","at":2,"action":"crash C2"}`, i))
		v.want("events")
		v.want("opened")
	}
	v.say(`{"type":"branch","id":"b4","at":2,"action":"crash C2"}`)
	if m := v.want("error"); !strings.Contains(m.Text, "This run already has 12 branches") {
		t.Errorf("one branch too many is answered with %+v", m)
	}
}

// The schedule of the race under getset: two clients are never inside together, and the page counts the actions that
// are no longer possible.
func TestARerunCountsImpossibleActions(t *testing.T) {
	s := newSite(t, Options{})
	for line := range strings.Lines(present.HomeScenario) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "spawn") {
			line += " del-setnx timeout=10s"
		}
		if !strings.HasPrefix(line, "program") {
			s.act(aRun, line)
		}
	}
	v := s.watch(aRun + "/live")
	v.want("hello")
	v.say(`{"type":"rerun","id":"r1","at":14,"program":"getset"}`)
	v.want("events")
	m := v.want("opened")
	if m.Omitted != 2 {
		t.Errorf("%d actions were left out, want 2", m.Omitted)
	}
	s.get("/t/"+m.Run+"?omitted=2").wants(t, 200, "2 actions of the schedule are impossible under this program", "getset")
	if body := s.get("/t/" + m.Run).body; strings.Contains(body, "both in the critical section") {
		t.Error("with getset there is a violation")
	}
	v.say(`{"type":"rerun","id":"r2","at":14,"program":"nothing"}`)
	if m := v.want("error"); m.Text != "There is no such program; nothing was done." {
		t.Errorf("an unknown program is answered with %+v", m)
	}
}

// A bad message changes nothing. Its sender is told, and the run goes on.
func TestABadMessageChangesNothing(t *testing.T) {
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
		{`{"type":"act","id":"1","at":1,"action":"step C1"}{"type":"schedule","at":1}`, "malformed"},
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
		{`{"type":"rerun","id":"1","at":1,"from":"naive","source":"def"}`, "program"},
		{`{"type":"rerun","id":"1","at":1,"program":"nothing"}`, "refused"},
		{`{"type":"look","id":"1","at":2}`, "refused"},
		{`{"type":"branch","id":"1","at":2,"action":"step C1"}`, "refused"},
		{`{"type":"restore","id":"1","scenario":"step C1"}`, "syntax"},
	} {
		v.say(c.message)
		if m := v.want("error"); m.Code != c.code || m.Text == "" {
			t.Errorf("%s is answered with %s (%s), want %s", c.message, m.Code, m.Text, c.code)
		}
	}
	if err := v.conn.WriteMessage(websocket.BinaryMessage, []byte(`{"type":"schedule","id":"1","at":1}`)); err != nil {
		t.Fatal(err)
	}
	if m := v.want("error"); m.Code != "binary" {
		t.Errorf("a binary message is answered with %+v", m)
	}
	v.say(`{"type":"act","id":"big","at":1,"action":"note \"` + strings.Repeat("x", live.MaxMessage) + `\""}`)
	if m := v.want("error"); m.Code != "too-large" || m.Text != "The message has more than 512 KB; nothing was done." {
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

// The server does not send an unchanged panel again.
func TestAnUnchangedPanelIsNotSentAgain(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 naive")
	v := s.watch(aRun + "/live")
	v.want("hello")
	v.say(`{"type":"act","id":"a","at":1,"action":"note \"here\""}`)
	m := v.want("events")
	if _, ok := m.Panels["caption"]; !ok {
		t.Error("the caption has changed and is not sent")
	}
	for _, id := range []string{"redis", "sources", "source-naive"} {
		if _, ok := m.Panels[id]; ok {
			t.Errorf("%s is sent again", id)
		}
	}
}

// A socket that opens while the server ends is told to connect again, like the open ones, and the server waits for it.
// None opens later.
func TestALateSocketIsToldToReconnect(t *testing.T) {
	s := New(Options{})
	if !s.Rooms.Runs.Sockets.Opens() {
		t.Fatal("no socket opens")
	}
	ended := make(chan struct{})
	go func() { defer close(ended); s.Close() }()
	for s.Rooms.Runs.Sockets.Opens() {
		s.Rooms.Runs.Sockets.DoesNot()
		time.Sleep(time.Millisecond)
	}
	told := make(chan struct{})
	late := s.Rooms.Runs.NewViewer(live.Look{Language: "en"}, leavingSocket{told: told})
	s.Rooms.Runs.Sockets.Add(late)
	select {
	case <-told:
	default:
		t.Error("it is told nothing")
	}
	select {
	case <-ended:
		t.Error("the server has ended without it")
	default:
	}
	late.End()
	s.Rooms.Runs.Sockets.Remove(late)
	<-ended
}

// leavingSocket belongs to a viewer who is told to connect again.
type leavingSocket struct {
	discardSocket
	told chan struct{}
}

func (leavingSocket) Prepare(live.Frame) {}
func (s leavingSocket) Leave()           { close(s.told) }

// stuckSocket belongs to a viewer that never reads.
type stuckSocket struct{ closed chan struct{} }

func (stuckSocket) Receive() ([]byte, error) { select {} }
func (s stuckSocket) Ping() error            { <-s.closed; return net.ErrClosed }
func (s stuckSocket) Send(live.Frame) error  { <-s.closed; return net.ErrClosed }
func (stuckSocket) Prepare(live.Frame)       {}
func (stuckSocket) Leave()                   {}
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

// discardSocket belongs to a viewer that reads as fast as it can.
type discardSocket struct{}

func (discardSocket) Receive() ([]byte, error) { select {} }

func (discardSocket) Ping() error { return nil }

func (discardSocket) Send(live.Frame) error { return nil }

func (discardSocket) Close() error { return nil }

func (discardSocket) Prepare(live.Frame) {}
func (discardSocket) Leave()             {}

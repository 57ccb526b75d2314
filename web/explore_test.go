package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"lockstep/engine/explore"
	"lockstep/engine/testtools"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/search"
)

// The usual question works without scripts. The verdict names its bounds, and the counterexample opens in the
// playground with the same violation.
func TestExploreWorksWithoutScripts(t *testing.T) {
	s := newSite(t, Options{SearchMoment: time.Minute}) // a busy machine draws 10,000 schedules in more than 2 s
	s.get("/explore").wants(t, http.StatusOK, "Nothing has been searched yet.", `href="/explore?program=del-setnx`)
	a := s.asks("/explore?run=search")
	a.wants(t, http.StatusOK, "mutual-exclusion is violated. The shortest way takes ",
		"both in the critical section", "Open in the playground")
	scenario := valueOf(t, a.body, `name="scenario" value="`)
	run := s.send("POST", "/runs", url.Values{"scenario": {scenario}})
	run.wants(t, http.StatusSeeOther)
	s.get(runOf(t, run.Header.Get("Location"))).wants(t, http.StatusOK, "both in the critical section, and both believe")

	s.asks("/explore?run=search&lang=zh").wants(t, http.StatusOK, "互斥被破坏：最短 ", "范围：运行 del-setnx 的 3 个客户端，时钟推进 5 次（每次 1 秒）、租约 2 秒、没有崩溃、请求延迟不限。共搜索 ", `value="mutual-exclusion" selected>互斥（mutual-exclusion）<`)
	s.asks("/explore?run=search&program=set-px&clients=2&ticks=3&crashes=0").wants(t, http.StatusOK,
		"mutual-exclusion holds: nothing within the bounds violates it. Bounds: 2 clients of set-px, 3 ticks of 1 s, leases of 2 s, no crash and requests delayed without limit. Searched: ", "States that differ only in the names of clients count once.", "none within these bounds", "Ask again with one more tick")
	s.asks("/explore?run=search&program=set-px&clients=2&ticks=3&apart=1").lacks(t, "count once.")
	s.asks("/explore?run=search&property=none&clients=1&ticks=1").wants(t, http.StatusOK, "Bounds: 1 client of del-setnx, 1 tick of 1 s, ")
	s.asks("/explore?run=search&causes=1&ticks=5").wants(t, http.StatusOK, "counterexamples by cause", "DEL, sent at line")
	s.asks("/explore?run=luck&ticks=5").wants(t, http.StatusOK, "of 10,000 random schedules violated mutual-exclusion.", "The search needed")
}

// asks gets a page of the explorer as a visitor who has been on the site before.
func (s *site) asks(path string) answer {
	s.Helper()
	const name = "aaaaaaaaaa"
	return s.get(path, "Cookie", door.VisitorCookie+"="+name+"."+s.server.Sign("visitor", name))
}

// valueOf returns the text between a prefix and the next quote.
func valueOf(t *testing.T, body, after string) string {
	t.Helper()
	_, rest, found := strings.Cut(body, after)
	if !found {
		t.Fatalf("the page has no %s", after)
	}
	text, _, _ := strings.Cut(rest, `"`)
	return strings.NewReplacer("&#34;", `"`, "&#39;", "'", "&lt;", "<", "&gt;", ">", "&amp;", "&").Replace(text)
}

// A bad question is refused in a sentence, and nothing is searched.
func TestExploreRefusesBadQuestionsInASentence(t *testing.T) {
	s := newSite(t, Options{})
	s.server.explorer.Search = func(explore.Question, explore.Budget, explore.Runtime, int) (*explore.Answer, error) {
		t.Error("a question that makes no sense was searched")
		return nil, live.ErrMalformed
	}
	for query, sentence := range map[string]string{
		"clients=0":                 `Clients: &#34;0&#34; is not a whole number from 1 to 5.`,
		"clients=-1":                `from 1 to 5`,
		"clients=99999999999999999": `from 1 to 5`,
		"ticks=31":                  `Ticks: &#34;31&#34; is not a whole number from 0 to 30.`,
		"ticks=1e3":                 `from 0 to 30`,
		"delays=many":               `Delay of a request, ticks: &#34;many&#34; is not a whole number from 0 to 10.`,
		"skew-C2=NaN":               `Clock skew of C2: &#34;NaN&#34; is not a number of seconds from -30 to 30.`,
		"skew-C2=31":                `Clock skew of C2`,
		"clients=2&skew-C5=1":       `there is no client C5`,
		"clients=1&crashes=3":       `1 clients cannot crash 3 times`,
		"program=fly":               `There is no such program`,
		"property=beauty":           `There is no such property`,
		"property=none&run=luck":    `The luck meter needs a property`,
		"lang=zh&clients=0":         `客户端数：&#34;0&#34; 不是 1 到 5 之间的整数。`,
	} {
		if !strings.Contains(query, "run=") {
			query += "&run=search"
		}
		s.get("/explore?"+query).wants(t, http.StatusUnprocessableEntity, sentence)
	}
	s.send("POST", "/explore", url.Values{"own": {"1"}, "program": {"naive"}, "source": {"def acquire(c): oops"}}).wants(t, http.StatusUnprocessableEntity, "Line 1, column", `data-line="1"`)
	s.get("/explore?own=1&program=naive&run=search").wants(t, http.StatusOK, "Your version of naive", "def acquire(c):", "Nothing has been searched yet.")
	s.send("POST", "/explore", url.Values{"own": {"1"}, "run": {"search"}, "source": {strings.Repeat("#", door.MaxForm)}}).wants(t, http.StatusRequestEntityTooLarge)
}

// The explorer says in a sentence that a program fails, or that it never takes the lock.
func TestExploreNamesAProgramThatFails(t *testing.T) {
	s := newSite(t, Options{})
	for source, sentence := range map[string]string{
		"def acquire(c):\n    return None\n\ndef release(c, lease):\n    c.delete(\"k\")\n":                  "never acquires the lock",
		"def acquire(c):\n    return int(c.get(\"k\")) > 0\n\ndef release(c, lease):\n    c.delete(\"k\")\n": "The program fails, so the explorer cannot judge its lock: C1",
	} {
		s.send("POST", "/explore", url.Values{"own": {"1"}, "run": {"search"}, "source": {source}}).wants(t, http.StatusUnprocessableEntity, sentence)
	}
}

// A mistake far down in a long program is shown with the lines around it.
func TestExploreShowsTheLineOfAMistake(t *testing.T) {
	s := newSite(t, Options{})
	source := strings.Repeat("\n", 1500) + mustSource(t, "del-setnx")
	a := s.send("POST", "/explore", url.Values{"own": {"1"}, "program": {"del-setnx"}, "source": {source}, "run": {"search"}})
	a.wants(t, http.StatusOK, "mutual-exclusion is violated", "c.delete(")
	if lines := strings.Count(a.body, `data-number="15`); lines < 4 || lines > 41 {
		t.Errorf("%d lines are shown", lines)
	}
}

// A program that fails only in some schedules is shown failing in one.
func TestExploreShowsTheWayToAFailure(t *testing.T) {
	s := newSite(t, Options{})
	fails := "def acquire(c):\n    return 1 // c.setnx(\"k\", 1)\n\ndef release(c, lease):\n    c.delete(\"k\")\n"
	s.send("POST", "/explore", url.Values{"own": {"1"}, "run": {"search"}, "source": {fails}}).wants(t, http.StatusOK,
		"The program fails, so the explorer cannot judge its lock: C1", "division by zero", "Shortest way there: ", "Open in the playground")
}

// A client that finds a Redis node down is cut off. Its program has not failed.
func TestAnUnreachableNodeIsNoFailure(t *testing.T) {
	s := newSite(t, Options{})
	s.asks("/explore?run=search&program=naive&property=stuck&losses=1&clients=2&ticks=1").wants(t, http.StatusOK, "at most 1 lost message", "4 actions", "A lost message", `name="losses" min="0" max="3" value="1"`, "losses=1")
	s.asks("/explore?run=search&program=getset&nodes=3&node-crashes=1&clients=1&ticks=1").wants(t, http.StatusOK, "mutual-exclusion holds", "at most 1 crash of a node")
}

// endless is a search that runs until it is stopped or its memory is used up. A short one soon gives up.
func endless(_ explore.Question, b explore.Budget, h explore.Runtime, _ int) (*explore.Answer, error) {
	f := explore.Figures{States: 1_234_567, Transitions: 7_654_321, Depth: 17, Memory: 1 << 20}
	if b.Work < 1_000_000_000 {
		return &explore.Answer{Verdict: explore.Spent, Bound: explore.OfWork, Figures: f}, nil
	}
	for h.Progress(f) {
		time.Sleep(time.Millisecond)
		if f.Memory += 1 << 10; f.Memory > b.Memory {
			return &explore.Answer{Verdict: explore.Spent, Figures: f}, nil
		}
	}
	return &explore.Answer{Verdict: explore.Stopped, Figures: f}, nil
}

// A search that spends its budget is never called a proof.
func TestASpentSearchIsNoProof(t *testing.T) {
	s := newSite(t, Options{MaxSearches: 1})
	s.server.explorer.Search = endless
	if s.server.explorer.Memory > 256<<20 {
		t.Errorf("a search may use %d bytes", s.server.explorer.Memory)
	}
	if twenty := search.New(20, 0, 0); twenty.Memory*20 > 1<<30 {
		t.Errorf("20 searches may use %d bytes each", twenty.Memory)
	}
	s.server.explorer.Memory = 2 << 20
	v := s.explores("/explore/live", `{"type":"search","query":"ticks=3"}`)
	m := v.answer()
	if want := "Not decided: the budget of 2.0 MB of memory ran out after 1,234,567 states, 7,654,321 transitions, 17 actions deep. None of these states violates mutual-exclusion, and"; m.Verdict != "budget" || !strings.HasPrefix(m.Text, want) {
		t.Errorf("the verdict is %q: %s", m.Verdict, m.Text)
	}
	s.server.explorer.Memory, s.server.explorer.Time = 1<<30, 10*time.Millisecond
	m = s.explores("/explore/live?lang=zh", `{"type":"search","query":"ticks=4"}`).answer()
	if m.Verdict != "stopped" || !strings.HasPrefix(m.Text, "尚无定论：10 毫秒的时间已用完") {
		t.Errorf("the verdict is %q: %s", m.Verdict, m.Text)
	}
	verdict, _, _ := strings.Cut(m.HTML, `id="answer-code"`) // a program has a function of that name
	for _, text := range []string{m.Text, verdict} {
		if strings.Contains(text, "成立") || strings.Contains(text, "holds") {
			t.Errorf("a search that ran out says %s", text)
		}
	}
}

// An explorerTold message has the fields of every message on the explorer's socket.
type explorerTold struct {
	Type, Verdict, Text, HTML, Code string
	Place, Line, Column             int
	States, Schedules, Violating    int64
	Depths                          []int64
	Over                            bool
	Counterexamples                 []struct {
		Events []map[string]any
		Line   int
	}
}

// An explorerSocket is a visitor who watches a search.
type explorerSocket struct {
	*testing.T
	conn *websocket.Conn
}

// explores asks at an address. Each call is a visitor of its own unless a cookie is given.
func (s *site) explores(path, inquiry string, cookie ...string) *explorerSocket {
	s.Helper()
	name := live.NewID()
	if len(cookie) > 0 {
		name = cookie[0]
	}
	header := http.Header{"Cookie": {door.VisitorCookie + "=" + name + "." + s.server.Sign("visitor", name)}}
	conn, r, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.url, "http")+path, header)
	if err != nil {
		s.Fatalf("opening %s: %v (%v)", path, err, r)
	}
	s.Cleanup(func() { conn.Close() })
	v := &explorerSocket{s.T, conn}
	v.say(inquiry)
	return v
}

func (v *explorerSocket) say(message string) {
	v.Helper()
	if err := v.conn.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
		v.Fatal(err)
	}
}

func (v *explorerSocket) next() explorerTold {
	v.Helper()
	if err := v.conn.SetReadDeadline(time.Now().Add(testtools.Patience)); err != nil {
		v.Fatal(err)
	}
	_, data, err := v.conn.ReadMessage()
	if err != nil {
		v.Fatalf("waiting for a message: %v", err)
	}
	var m explorerTold
	if err := json.Unmarshal(data, &m); err != nil {
		v.Fatal(err)
	}
	return m
}

// until is the first message of a type.
func (v *explorerSocket) until(kind string) explorerTold {
	v.Helper()
	for {
		if m := v.next(); m.Type == kind {
			return m
		} else if m.Type == "answer" || m.Type == "error" {
			v.Fatalf("told %s (%s), want %s", m.Type, m.Text, kind)
		}
	}
}

func (v *explorerSocket) answer() explorerTold {
	v.Helper()
	return v.until("answer")
}

// A socket shows the progress of a search, and the same answer as the page.
func TestASearchCanBeWatched(t *testing.T) {
	s := newSite(t, Options{})
	s.server.explorer.Time = 10 * time.Minute
	v := s.explores("/explore/live", `{"type":"search","query":"ticks=5&clients=3"}`)
	v.until("progress")
	m := v.answer()
	if m.Verdict != "violated" || len(m.Counterexamples) != 1 || m.Counterexamples[0].Line == 0 || len(m.Counterexamples[0].Events) < 15 || !strings.Contains(strings.ReplaceAll(m.HTML, "\u00a0", " "), m.Text) {
		t.Errorf("told %+v", m)
	}
	last := v.luck(s)
	if last.Schedules != 10_000 || last.Violating == 0 || !strings.Contains(last.HTML, "random schedules violated mutual-exclusion") {
		t.Errorf("told %+v", last)
	}
	own, err := json.Marshal(map[string]string{"type": "search", "query": "own=1&program=naive&property=stuck&clients=2&crashes=1", "source": strings.Replace(mustSource(t, "naive"), "def acquire", "# mine\ndef acquire", 1)})
	if err != nil {
		t.Fatal(err)
	}
	if m := s.explores("/explore/live", string(own)).answer(); !strings.Contains(m.Text, "2 clients of naive-mine") || !strings.Contains(m.HTML, "define naive-mine") {
		t.Errorf("told %+v", m)
	}
	for message, code := range map[string]string{
		`{"type":"search","query":"clients=0"}`: "refused",
		`{"type":"fly"}`:                        "unknown-type",
		`search`:                                "malformed",
		`{"type":"search","query":"%zz"}`:       "malformed",
		`{"type":"search","query":"own=1","source":"def acquire(c):\n    oops"}`: "program",
	} {
		if m := s.explores("/explore/live", message).until("error"); m.Code != code || m.Text == "" || code == "program" && m.Line != 2 {
			t.Errorf("%s is answered with %+v", message, m)
		}
	}
}

// luck is the last that is told of random schedules.
func (v *explorerSocket) luck(s *site) explorerTold {
	v.Helper()
	lucky := s.explores("/explore/live", `{"type":"luck","query":"ticks=5"}`)
	for {
		if m := lucky.until("luck"); m.Over {
			return m
		}
	}
}

func mustSource(t *testing.T, name string) string {
	t.Helper()
	q, err := present.ReadQuestion(url.Values{"program": {name}})
	if err != nil {
		t.Fatal(err)
	}
	return q.Program.Source
}

// Other visitors wait and see their place. A visitor who leaves makes room, and one who asks again gives up the
// earlier question.
func TestVisitorsQueueForSearches(t *testing.T) {
	s := newSite(t, Options{MaxSearches: 1, MaxWaiting: 2})
	s.server.explorer.Search = endless
	const inquiry = `{"type":"search","query":"ticks=3"}`
	first := s.explores("/explore/live", inquiry)
	first.until("progress")
	second := s.explores("/explore/live", inquiry, "bbbbbbbbbb")
	if m := second.until("queue"); m.Place != 1 || m.Text != "The explorer is busy. Place 1 in the queue." {
		t.Errorf("told %+v", m)
	}
	third := s.explores("/explore/live", inquiry)
	if m := third.until("queue"); m.Place != 2 {
		t.Errorf("told %+v", m)
	}
	if m := s.explores("/explore/live", inquiry).until("error"); !strings.Contains(m.Text, "queue is full") {
		t.Errorf("told %+v", m)
	}
	s.asks("/explore?run=search").wants(t, http.StatusServiceUnavailable, "queue is full")

	again := s.explores("/explore/live", inquiry, "bbbbbbbbbb")
	if m := second.until("error"); !strings.Contains(m.Text, "which replaced this one") {
		t.Errorf("told %+v", m)
	}
	if m := third.until("queue"); m.Place != 1 {
		t.Errorf("told %+v", m)
	}
	if m := again.until("queue"); m.Place != 2 {
		t.Errorf("told %+v", m)
	}
	first.conn.Close() // the page is closed
	third.until("progress")
	third.say(`{"type":"stop"}`)
	if m := third.answer(); m.Verdict != "stopped" || !strings.HasPrefix(m.Text, "Not decided: it was stopped after 1,234,567 states") {
		t.Errorf("told %+v", m)
	}
	again.until("progress")
	s.server.Close() // it waits for open requests
}

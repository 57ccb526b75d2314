package web_test

import (
	"bufio"
	"encoding/json"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"lockstep/engine/export"
	"lockstep/web"
	"lockstep/web/runpages"
)

// An outsider is a client that knows PROTOCOL.md and nothing else of Lockstep.
type outsider struct {
	*testing.T
	*http.Client
	site string
	says string // PROTOCOL.md
}

func newOutsider(t *testing.T, site string) *outsider {
	t.Helper()
	says, err := os.ReadFile("PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &outsider{t, &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}, site, string(says)}
}

// documented fails the test unless PROTOCOL.md has all the words in its first part, each as code.
func (o *outsider) documented(words ...string) {
	o.Helper()
	first, _, _ := strings.Cut(o.says, "# The wire")
	for _, w := range words {
		if !strings.Contains(first, "`"+w+"`") && !strings.Contains(first, `"`+w+`"`) {
			o.Errorf("PROTOCOL.md does not say %s", w)
		}
	}
}

// sees sends a documented request, and returns where it leads.
func (o *outsider) sees(request, path string, form ...string) string {
	o.Helper()
	o.documented(request)
	method, _, _ := strings.Cut(request, " ")
	fields := url.Values{}
	for i := 0; i < len(form); i += 2 {
		o.documented(form[i])
		fields.Set(form[i], form[i+1])
	}
	q, err := http.NewRequest(method, o.site+path, strings.NewReader(fields.Encode()))
	if err != nil {
		o.Fatal(err)
	}
	if method == "POST" {
		q.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	a, err := o.Do(q)
	if err != nil {
		o.Fatal(err)
	}
	a.Body.Close()
	if a.StatusCode != http.StatusSeeOther {
		o.Fatalf("%s is answered %s", request, a.Status)
	}
	to, _, _ := strings.Cut(a.Header.Get("Location"), "?")
	return to
}

// An outsideMessage has what PROTOCOL.md promises of messages.
type outsideMessage struct {
	Type, ID, Code string
	Actions        int
	Events         []outsideEvent
	Run            string
	Seat           int
	Name           string
}

type outsideEvent struct {
	Seq, Action int
	Time        int64
	Kind        string
	Violation   *struct {
		Property  string
		Clients   []string
		Momentary bool
		Cause     int
	}
	Sentence map[string]string
}

func (o *outsider) socket(run, query string) *websocket.Conn {
	o.Helper()
	dialer := websocket.Dialer{Jar: o.Jar}
	c, _, err := dialer.Dial("ws"+strings.TrimPrefix(o.site, "http")+run+"/live?"+query, nil)
	if err != nil {
		o.Fatal(err)
	}
	o.Cleanup(func() { c.Close() })
	return c
}

// next returns the next message of a type.
func (o *outsider) next(c *websocket.Conn, kind string) outsideMessage {
	o.Helper()
	for {
		var m outsideMessage
		if err := c.ReadJSON(&m); err != nil {
			o.Fatalf("waiting for %s: %v", kind, err)
		}
		switch m.Type {
		case kind:
			return m
		case "error":
			o.Fatalf("the server refuses: %s", m.Code)
		}
	}
}

const outsideRace = "program del-setnx timeout=10s\nspawn C3\nstep C3\ncrash C3\ntick 12s\nspawn C1 C2\nstep C1 2\nstep C2 2\nstep C1 2\n"

// Whoever has only read PROTOCOL.md makes a run, acts in it and reads its violations, from the socket and from each file.
func TestAClientThatKnowsTheProtocolAlone(t *testing.T) {
	server := web.New(web.Options{})
	defer server.Close()
	site := httptest.NewServer(server.Handler())
	defer site.Close()
	o := newOutsider(t, site.URL)
	run := o.sees("POST /runs", "/runs", "scenario", outsideRace, "step", "end")
	if !regexp.MustCompile(`^/t/[a-z0-9]{10}$`).MatchString(run) {
		t.Fatalf("the run is at %s", run)
	}
	c := o.socket(run, "lang=en")
	o.documented("act")
	if err := c.WriteJSON(map[string]any{"type": "act", "id": "mine-1", "at": o.next(c, "hello").Actions, "action": "step C2 2"}); err != nil {
		t.Fatal(err)
	}
	live := o.next(c, "events").Events
	want := "foreign-delete C2 C1, mutual-exclusion C1 C2, overlap C1 C2"
	o.documented("violation", "cleared", "property", "clients", "cause", "momentary", "action", "time", "sentence", "en", "zh")
	if got := violations(live); got != want {
		t.Errorf("the socket tells of %s, want %s", got, want)
	}
	for _, e := range live {
		if e.Violation != nil && (e.Sentence["en"] == "" || e.Sentence["zh"] != "" || e.Action == 0 || e.Time != 1_012_000 || e.Violation.Momentary != (e.Violation.Property == "foreign-delete") || e.Violation.Cause == 0) {
			t.Errorf("a violation is %+v", e)
		}
	}
	// The same from a file, in both languages.
	var saved []outsideEvent
	lines := bufio.NewScanner(strings.NewReader(o.file(run + ".ndjson")))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var e outsideEvent
		if err := json.Unmarshal(lines.Bytes(), &e); err != nil {
			t.Fatal(err)
		}
		if saved = append(saved, e); e.Violation != nil && (e.Sentence["en"] == "" || e.Sentence["zh"] == "") {
			t.Errorf("a violation in a file says %v", e.Sentence)
		}
	}
	if got := violations(saved); got != want {
		t.Errorf("the file tells of %s, want %s", got, want)
	}
	// Each format of the command line is at the address that stands above its name.
	table := regexp.MustCompile("(?m)^\\| `/t/\\{id\\}(.*)\\|\n\\|[-|]*\\|\n\\|(.*)\\|$").FindStringSubmatch(o.says)
	if table == nil {
		t.Fatal("PROTOCOL.md has no table of addresses")
	}
	addresses, names := regexp.MustCompile(`\.[a-z.-]+`).FindAllString(table[1], -1), strings.Fields(strings.ReplaceAll(table[2], "|", " "))
	if len(addresses) != len(names) || len(names) != len(runpages.Formats) {
		t.Errorf("the table has %q for %q", addresses, names)
	}
	for i, name := range names {
		if !slices.ContainsFunc(runpages.Formats, func(f export.Format) bool { return f.Name == name }) {
			t.Errorf("there is no format %s", name)
		}
		if o.file(run+addresses[i]) == "" {
			t.Errorf("%s is empty", addresses[i])
		}
	}
	o.file(run + "/card.png")
}

// Whoever has only read PROTOCOL.md opens a room, joins it as somebody else, and acts there.
func TestAClientThatKnowsTheProtocolAloneJoinsARoom(t *testing.T) {
	server := web.New(web.Options{})
	defer server.Close()
	site := httptest.NewServer(server.Handler())
	defer site.Close()
	teacher, guest := newOutsider(t, site.URL), newOutsider(t, site.URL)
	run := teacher.sees("POST /runs", "/runs", "scenario", "spawn C1 naive\n")
	where := teacher.sees("POST /rooms", "/rooms", "run", strings.TrimPrefix(run, "/t/"))
	code := regexp.MustCompile(`^/r/([0-9]{6})/present$`).FindStringSubmatch(where)
	if code == nil {
		t.Fatalf("the room is at %s", where)
	}
	guest.sees("POST /r/{code}/seats", "/r/"+code[1]+"/seats")
	shown := guest.sees("GET /r/{code}/run", "/r/"+code[1]+"/run")
	if shown == run || shown != teacher.sees("GET /r/{code}/run", "/r/"+code[1]+"/run") {
		t.Errorf("the room shows %s, a copy of %s", shown, run)
	}
	c := guest.socket(shown, "lang=en")
	guest.next(c, "hello")
	if m := guest.next(c, "room"); m.Run != shown {
		t.Errorf("the room shows %s, its socket says %s", shown, m.Run)
	}
	if m := guest.next(c, "seat"); m.Seat != 1 || m.Name == "" {
		t.Errorf("the seat is %+v", m)
	}
	teachers := teacher.socket(shown, "lang=en")
	at := teacher.next(teachers, "hello").Actions
	if err := teachers.WriteJSON(map[string]any{"type": "act", "id": "teacher-1", "at": at, "action": "step C1"}); err != nil {
		t.Fatal(err)
	}
	if m := guest.next(c, "events"); m.Actions != at+1 {
		t.Errorf("the guest sees %d actions, want %d", m.Actions, at+1)
	}
}

// file returns what stands at an address.
func (o *outsider) file(path string) string {
	o.Helper()
	a, err := o.Get(o.site + path)
	if err != nil {
		o.Fatal(err)
	}
	defer a.Body.Close()
	var b strings.Builder
	if _, err := bufio.NewReader(a.Body).WriteTo(&b); err != nil || a.StatusCode != http.StatusOK {
		o.Fatalf("GET %s is answered %s, %v", path, a.Status, err)
	}
	return b.String()
}

// violations lists the violations that begin.
func violations(events []outsideEvent) string {
	var all []string
	for _, e := range events {
		if e.Kind == "violation" {
			all = append(all, e.Violation.Property+" "+strings.Join(e.Violation.Clients, " "))
		}
	}
	return strings.Join(all, ", ")
}

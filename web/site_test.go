package web

import (
	"cmp"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"

	"lockstep/engine/testtools"
)

// The files attack_*_test.go hold the adversarial tests, each named for what it attacks:
//
//	processor    the work of a request, an action, a page
//	search       the explorer and its queue
//	requests     how many requests and new runs a network may send
//	connections  connections, bodies, sockets and answers that nobody reads
//	frames       what comes over a socket
//	memory       places and bytes in memory, the store
//	size         the largest pages
//	fanout       what one action tells many viewers
//	rooms        names, seats and entries of a room
//	roles        who may do what in a room
//	codes        guessing the code of a room
//	keys         the keys and links by which a room knows somebody
//	secrets      votes, sandboxes, the roster and the log
//
// FuzzStranger attacks all of them at once; see fuzz_test.go.

// TestMain fails if a goroutine is left. It ignores the clock of the regular expressions that colour a program's text,
// which stops by itself a while after the last of them.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/dlclark/regexp2/v2.runClock"))
}

// A site is a server and a reader who does not follow redirects.
type site struct {
	*testing.T
	url    string
	server *Server
	client *http.Client
}

func newSite(t *testing.T, o Options) *site {
	t.Helper()
	o.Lookahead = cmp.Or(o.Lookahead, testtools.Patience) // a busy machine takes longer than 2 s for what a lookahead may cost
	s := &site{T: t, server: New(o)}
	server := httptest.NewServer(s.server.Handler())
	s.url, s.client = server.URL, server.Client()
	s.client.Transport.(*http.Transport).DisableCompression = true // pages are read, not carried: those who ask for gzip hold that
	s.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	t.Cleanup(func() {
		s.server.Close()
		server.Close()
	})
	return s
}

// An answer is a response with its body read.
type answer struct {
	*http.Response
	body string
}

func (s *site) send(method, path string, form url.Values, headers ...string) answer {
	s.Helper()
	if form != nil {
		headers = append([]string{"Content-Type", "application/x-www-form-urlencoded"}, headers...)
	}
	return s.sendBody(method, path, strings.NewReader(form.Encode()), headers...)
}

// sendBody sends a request with a body of any kind.
func (s *site) sendBody(method, path string, body io.Reader, headers ...string) answer {
	s.Helper()
	q, err := http.NewRequest(method, s.url+path, body)
	if err != nil {
		s.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		q.Header.Set(headers[i], headers[i+1])
	}
	if host, ok := q.Header["Host"]; ok {
		q.Host = host[0]
	}
	r, err := s.client.Do(q)
	if err != nil {
		s.Fatal(err)
	}
	defer r.Body.Close()
	answered, err := io.ReadAll(r.Body)
	if err != nil {
		s.Fatal(err)
	}
	return answer{r, string(answered)}
}

func (s *site) get(path string, headers ...string) answer {
	s.Helper()
	return s.send("GET", path, nil, headers...)
}

// act posts the form of an action and wants to be led back to the page.
func (s *site) act(path, line string) {
	s.Helper()
	if a := s.send("POST", path+"/actions", url.Values{"action": {line}}); a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != path {
		s.Fatalf("POST %s: %s, Location %q, want 303 back to %s", line, a.Status, a.Header.Get("Location"), path)
	}
}

func (a answer) lacks(t *testing.T, texts ...string) {
	t.Helper()
	for _, text := range texts {
		if strings.Contains(a.body, text) {
			t.Errorf("%s %s says %q", a.Request.Method, a.Request.URL, text)
		}
	}
}

func (a answer) wants(t *testing.T, status int, texts ...string) {
	t.Helper()
	if a.StatusCode != status {
		t.Errorf("%s %s: %s, want %d", a.Request.Method, a.Request.URL, a.Status, status)
	}
	body := strings.NewReplacer("\u00a0", " ", ` class="whole"`, "").Replace(a.body) // what keeps words in one line
	for _, text := range texts {
		if !strings.Contains(body, text) {
			t.Errorf("%s %s does not say %q", a.Request.Method, a.Request.URL, text)
		}
	}
}

// A socketViewer is somebody who watches a run.
type socketViewer struct {
	*testing.T
	conn *websocket.Conn
	html map[string]string // of each panel of the run and the room
}

func (s *site) watch(path string) *socketViewer {
	s.Helper()
	conn, r, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.url, "http")+path, nil)
	if err != nil {
		s.Fatalf("opening %s: %v (%v)", path, err, r)
	}
	s.Cleanup(func() { conn.Close() })
	return &socketViewer{s.T, conn, map[string]string{}}
}

// A told message has the fields of every message that a server sends.
type told struct {
	Type         string
	Version      int
	Run          string
	ID           string
	Actions      int
	Epoch        string
	Lines        []string
	Since        int
	At           int
	Omitted      int
	Events       any
	Panels       map[string]string          `json:"-"` // as HTML
	Told         map[string]json.RawMessage `json:"panels"`
	Code, Text   string
	Line, Column int

	Seat, Vote, Driver, Gathered int
	Name, Lane, Own, Over, Lost  string
	May, Why                     string
	Driving, Network, Black      bool
	Locked                       bool
	Left                         *int64
}

func (v *socketViewer) next() told {
	v.Helper()
	m, _ := v.read()
	return m
}

// read returns the next message, also as it is on the wire.
func (v *socketViewer) read() (m told, data []byte) {
	v.Helper()
	if err := v.conn.SetReadDeadline(time.Now().Add(testtools.Patience)); err != nil {
		v.Fatal(err)
	}
	_, data, err := v.conn.ReadMessage()
	if err == nil {
		err = json.Unmarshal(data, &m)
	}
	if err != nil {
		v.Fatalf("waiting for a message: %v", err)
	}
	m.Panels = map[string]string{}
	for id, told := range m.Told {
		html := htmlOf(v.T, v.html[id], told)
		m.Panels[id] = html
		if m.Type != "view" { // which tells of another position
			v.html[id] = html
		}
	}
	return m, data
}

// htmlOf returns the HTML that a message tells to somebody who has the HTML before: as static/js/run/change.js does.
func htmlOf(t *testing.T, before string, told json.RawMessage) (html string) {
	t.Helper()
	if json.Unmarshal(told, &html) == nil {
		return html
	}
	var change []any
	if err := json.Unmarshal(told, &change); err != nil {
		t.Fatalf("a panel is told as %s", told)
	}
	pieces := regexp.MustCompile(`^[^<]+|<[^<]*`).FindAllString(before, -1)
	for i := 0; i < len(change); i++ {
		if text, ok := change[i].(string); ok {
			html += text
			continue
		}
		from, n := int(change[i].(float64)), int(change[i+1].(float64))
		html += strings.Join(pieces[from:from+n], "")
		i++
	}
	return html
}

func (v *socketViewer) want(kind string) told {
	v.Helper()
	m := v.next()
	if m.Type != kind {
		v.Fatalf("got a message of type %q (%s %s), want %q", m.Type, m.Code, m.Text, kind)
	}
	return m
}

func (v *socketViewer) say(message string) {
	v.Helper()
	if err := v.conn.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
		v.Fatal(err)
	}
}

// kept reports whether the run of that path has a place.
func (s *site) kept(path string) bool {
	return s.server.Rooms.Runs.Has(strings.TrimPrefix(path, "/t/"))
}

// places returns how many runs have a place.
func (s *site) places() int {
	return s.server.Rooms.Runs.Figures().All
}

// runOf makes a run of a text, and returns its path.
func (s *site) runOf(text string) string {
	s.Helper()
	a := s.send("POST", "/runs", url.Values{"scenario": {text}})
	a.wants(s.T, http.StatusSeeOther)
	path, _, _ := strings.Cut(a.Header.Get("Location"), "?") // at its end
	return path
}

// until waits for a condition, and fails if it never holds.
func until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	if !testtools.Eventually(holds) {
		t.Fatalf("waited in vain until %s", what)
	}
}

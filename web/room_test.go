package web

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// A person is somebody with a browser of their own: what it keeps is theirs.
type person struct {
	*site
	cookies map[string]string
}

func (s *site) person() *person { return &person{s, map[string]string{}} }

func (p *person) cookie() string {
	var all []string
	for name, value := range p.cookies {
		all = append(all, name+"="+value)
	}
	return strings.Join(all, "; ")
}

func (p *person) send(method, path string, form url.Values) answer {
	p.Helper()
	a := p.site.send(method, path, form, "Cookie", p.cookie())
	for _, c := range a.Cookies() {
		p.cookies[c.Name] = c.Value
	}
	return a
}

// opens opens a room with a run that has done these lines, and gives its path and the run's.
func (p *person) opens(lines ...string) (room, run string) {
	p.Helper()
	a := p.send("POST", "/rooms", url.Values{})
	a.wants(p.T, http.StatusSeeOther)
	room = regexp.MustCompile(`/r/[0-9]{6}`).FindString(a.Header.Get("Location"))
	run = p.send("GET", a.Header.Get("Location"), nil).Header.Get("Location")
	for _, line := range lines {
		p.send("POST", run+"/actions", url.Values{"action": {line}}).wants(p.T, http.StatusSeeOther)
	}
	return room, run
}

// does posts a form of the room.
func (p *person) does(room, verb string, fields ...string) answer {
	p.Helper()
	form := url.Values{"verb": {verb}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return p.send("POST", room+"/do", form)
}

// joins takes a seat.
func (s *site) joins(room string) *person {
	s.Helper()
	p := s.person()
	p.send("POST", room+"/seats", url.Values{}).wants(s.T, http.StatusSeeOther)
	return p
}

// watches opens the socket of a run as somebody on a surface.
func (p *person) watches(run, surface string) *socketViewer {
	p.Helper()
	conn, r, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(p.url, "http")+run+"/live?surface="+surface, http.Header{"Cookie": {p.cookie()}})
	if err != nil {
		p.Fatalf("opening %s: %v (%v)", run, err, r)
	}
	p.Cleanup(func() { conn.Close() })
	return &socketViewer{p.T, conn, map[string]string{}}
}

// The presenter spawns two clients and deals them to the phones. Each phone moves its own client and nobody else's.
func TestEachPhoneMovesItsOwnClient(t *testing.T) {
	s := newSite(t, Options{})
	teacher := s.person()
	room, run := teacher.opens("spawn C1 C2 naive")
	ann, bob := s.joins(room), s.joins(room)
	teacher.does(room, "lanes", "size", "1").wants(t, http.StatusSeeOther)
	phone := ann.watches(run, "phone")
	phone.want("hello")
	phone.want("room")
	if seat := phone.want("seat"); seat.Lane != "C1" || seat.Seat != 1 {
		t.Errorf("Ann is %+v", seat)
	}
	phone.say(`{"type":"act","id":"a","at":2,"action":"step C1"}`)
	if m := phone.want("events"); m.ID != "a" || m.Actions != 3 || m.Events != nil {
		t.Errorf("Ann's step is told as %+v", m)
	}
	phone.say(`{"type":"act","id":"b","at":3,"action":"step C2"}`)
	if m := phone.want("error"); m.ID != "b" {
		t.Errorf("Ann moves Bob's client: %+v", m)
	}
	bob.send("POST", run+"/actions", url.Values{"action": {"crash C2"}}).wants(t, http.StatusSeeOther)
	bob.send("POST", run+"/actions", url.Values{"action": {"crash C1"}}).wants(t, http.StatusUnprocessableEntity)
	s.send("POST", run+"/actions", url.Values{"action": {"crash C1"}}).wants(t, http.StatusUnprocessableEntity)
}

// On a bad radio a phone presses on what it saw a second ago. The press counts while only other clients have acted since,
// and is stale once its own client has moved, time has passed, or too much has happened.
func TestAPhonePressesOnWhatItHasSeenOfItsOwnClient(t *testing.T) {
	s := newSite(t, Options{})
	teacher := s.person()
	room, run := teacher.opens("spawn C1 C2 naive")
	ann, bob := s.joins(room), s.joins(room)
	teacher.does(room, "lanes", "size", "1").wants(t, http.StatusSeeOther)
	desk, one, two := teacher.watches(run, "page"), ann.watches(run, "phone"), bob.watches(run, "phone")
	for i, c := range []struct {
		who  *socketViewer
		at   int
		line string
		code string // empty: the action is done
	}{
		{one, 2, "pause C1", ""},
		{two, 2, "pause C2", ""},       // Ann was faster, and Bob's client is as he saw it
		{one, 2, "resume C1", "stale"}, // her own client has moved
		{one, 3, "resume C1", ""},
		{desk, 3, "resume C2", "stale"}, // the presenter acts on everything, and has to see everything
		{desk, 5, "tick 1s", ""},
		{two, 5, "resume C2", "stale"}, // a lock may have expired
		{two, 6, "resume C2", ""},
		{desk, 7, "tick 1s", ""},
	} {
		if a := c.who.ask(acts(c.at, c.line)); a.Code != c.code {
			t.Errorf("%d: %s at %d is answered with %+v, want %q", i, c.line, c.at, a, c.code)
		}
	}
	at := 8
	for between := range 65 { // the actions that come between what Ann sees and her press
		if a := desk.ask(acts(at+between, [2]string{"pause C2", "resume C2"}[between%2])); a.Code != "" {
			t.Fatalf("an action is answered with %+v", a)
		}
	}
	if a := one.ask(acts(at, "pause C1")); a.Code != "stale" {
		t.Errorf("after 65 actions a press is answered with %+v", a)
	}
	if a := one.ask(acts(at+1, "pause C1")); a.Code != "" {
		t.Errorf("after 64 actions a press is answered with %+v", a)
	}
}

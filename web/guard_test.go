package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// Three hundred people behind one address open a page with all that belongs to it,
// make a run each, and open the page again, all in a moment.
func TestClassBehindOneAddress(t *testing.T) {
	s := New(Options{})
	defer s.Close()
	site := s.Handler()
	for range 300 {
		for _, path := range []string{"/new", "/settings", "/healthz", "/t/short", "/static/nothing", "/t/short", "/new", "/new", "/new", "/new"} {
			if a := recorded(site, "GET", path); a.Code == http.StatusTooManyRequests {
				t.Fatalf("%s: %s", path, a.Body)
			}
		}
		if a := recorded(site, "POST", "/runs"); a.Code == http.StatusTooManyRequests {
			t.Fatalf("a run of one's own: %s", a.Body)
		}
	}
}

// recorded is what the site answers a request from 192.0.2.1.
func recorded(site http.Handler, method, path string, headers ...string) *httptest.ResponseRecorder {
	return recordedFrom(site, "192.0.2.1:1", method, path, headers...)
}

func recordedFrom(site http.Handler, remote, method, path string, headers ...string) *httptest.ResponseRecorder {
	w, r := httptest.NewRecorder(), httptest.NewRequest(method, path, nil)
	r.RemoteAddr = remote
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	site.ServeHTTP(w, r)
	return w
}

// Whoever asks too often is told so in their language; others are not concerned.
func TestTooManyRequests(t *testing.T) {
	o := behind(t, "192.0.2.1")
	o.Limits = Limits{Requests: 3}
	s := New(o)
	defer s.Close()
	site := s.Handler()
	from := func(address, path string) *httptest.ResponseRecorder {
		return recorded(site, "GET", path, "X-Forwarded-For", address, "Accept-Language", "zh")
	}
	for range 3 {
		if a := from("203.0.113.5", "/new"); a.Code != http.StatusSeeOther {
			t.Fatalf("a request within the limit is answered with %d", a.Code)
		}
	}
	for range 2 {
		a := from("203.0.113.5", "/new")
		if a.Code != http.StatusTooManyRequests || a.Header().Get("Retry-After") != "60" || a.Body.String() != "来自你所在地址的请求太多。请过一分钟再试。\n" {
			t.Errorf("one too many is answered with %d, %v: %s", a.Code, a.Header(), a.Body)
		}
		if a.Header().Get("Content-Security-Policy") != policy {
			t.Error("the refusal has no policy")
		}
	}
	if a := from("203.0.113.5", "/healthz"); a.Code != http.StatusOK {
		t.Errorf("the health is answered with %d", a.Code)
	}
	for range 3 {
		if a := from("203.0.113.6", "/new"); a.Code != http.StatusSeeOther {
			t.Errorf("another address is answered with %d", a.Code)
		}
	}
	for _, address := range []string{"2001:db8::1", "2001:db8::2", "2001:db8::3"} {
		from(address, "/new")
	}
	if a := from("2001:db8::ffff", "/new"); a.Code != http.StatusTooManyRequests {
		t.Errorf("another address of the same network is answered with %d", a.Code)
	}
}

// What makes a run is counted by itself, whichever way it is made; whoever goes on
// with a run that is there makes none.
func TestTooManyRuns(t *testing.T) {
	s := newSite(t, Options{Limits: Limits{Makings: 2}})
	scenario := url.Values{"scenario": {"spawn C1 naive\n"}}
	s.send("POST", "/runs", scenario).wants(t, http.StatusSeeOther)
	s.act(aRun, "spawn C1 naive")
	s.act(aRun, "step C1")
	s.get(aRun).wants(t, http.StatusOK)

	s.send("POST", "/runs", scenario).wants(t, http.StatusTooManyRequests, "Try again in a minute.")
	s.send("POST", "/rooms", url.Values{}).wants(t, http.StatusTooManyRequests)
	s.send("POST", aRun+"/forks", url.Values{}).wants(t, http.StatusTooManyRequests)
	s.send("POST", "/courses/redis-lock/race", url.Values{}).wants(t, http.StatusTooManyRequests)
	s.send("POST", aRun+"/actions", url.Values{"action": {"tick 1s"}, "at": {"1"}, "past": {"1"}}).wants(t, http.StatusTooManyRequests, "Try again in a minute.")
	s.send("POST", "/t/bbbbbbbbbb/actions", url.Values{"action": {"spawn C1 naive"}}).wants(t, http.StatusTooManyRequests)

	v := s.watch(aRun + "/live")
	v.want("hello")
	v.say(`{"type":"branch","id":"b","at":1,"action":"tick 1s"}`)
	if m := v.want("error"); m.Code != "limit" || m.ID != "b" {
		t.Errorf("a branch is answered with %+v", m)
	}
	v.say(`{"type":"act","id":"c","at":2,"action":"tick 1s"}`)
	v.want("events")
	other := s.watch("/t/bbbbbbbbbb/live")
	other.want("hello")
	other.say(`{"type":"act","id":"a","at":0,"action":"spawn C1 naive"}`)
	if m := other.want("error"); m.Code != "limit" {
		t.Errorf("the first action of a run is answered with %+v", m)
	}
	if text := s.get("/t/bbbbbbbbbb.txt").body; text != "" {
		t.Errorf("a refused run is %q", text)
	}
}

// An address has so many sockets, and gets a place back when one ends.
func TestTooManySockets(t *testing.T) {
	s := newSite(t, Options{Limits: Limits{Sockets: 2}})
	first, second := s.watch(aRun+"/live"), s.watch(aRun+"/live")
	first.want("hello")
	second.want("hello")
	refused := func(path string) bool {
		conn, r, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.url, "http")+path, nil)
		if err == nil {
			conn.Close()
			return false
		}
		if r == nil || r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
			t.Fatalf("opening a third: %v, %v", err, r)
		}
		return true
	}
	if !refused(aRun+"/live") || !refused("/explore/live") {
		t.Error("a third socket is opened")
	}
	first.conn.Close()
	for refused(aRun + "/live") { // until the server has noticed
	}
	second.say(`{"type":"act","id":"a","at":0,"action":"spawn C1 naive"}`)
	second.want("events")
}

// A socket that sends as fast as it can is read as fast as the limit allows. It is
// told once, nothing of what it says is lost, and the class does not notice.
func TestFlood(t *testing.T) {
	s := newSite(t, Options{Limits: Limits{Messages: 10}})
	flood, other := s.watch(aRun+"/live"), s.watch("/t/bbbbbbbbbb/live")
	flood.want("hello")
	other.want("hello")
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range 10_000 {
			if flood.conn.WriteMessage(websocket.TextMessage, []byte("{")) != nil {
				return
			}
		}
	}()
	answers := map[string]int{}
	for answers["malformed"] < 15 {
		m := flood.want("error")
		if answers[m.Code]++; m.Code == "too-fast" && m.Text != "You send more than 10 messages a second. The server now reads them more slowly, and closes the connection if this continues." {
			t.Errorf("it is told %q", m.Text)
		}
	}
	if answers["too-fast"] != 1 || len(answers) != 2 {
		t.Errorf("it is answered %v", answers)
	}
	for i := range 8 {
		other.say(fmt.Sprintf(`{"type":"act","id":"o%d","at":%d,"action":"tick 1s"}`, i, i))
		if m := other.want("events"); m.Actions != i+1 {
			t.Fatalf("the class is told %+v", m)
		}
	}
	flood.conn.Close()
	<-ended
}

// A neighbour who guesses codes keeps nobody out: a right code opens at once where somebody of the network has come in
// by it, and elsewhere when its turn comes. Other networks notice nothing.
func TestGuessingAtRooms(t *testing.T) {
	t.Parallel() // it waits
	o := behind(t, "127.0.0.1")
	o.Limits = Limits{Guesses: 60}
	s := newSite(t, o)
	room := s.send("POST", "/rooms", url.Values{}, "X-Forwarded-For", "203.0.113.5").Header.Get("Location")
	room = strings.TrimSuffix(room, "/present")
	wrong := "/r/" + strings.Map(func(digit rune) rune { return '0' + (digit-'0'+1)%10 }, strings.TrimPrefix(room, "/r/"))
	began := time.Now()
	from := func(network, path string) answer { return s.get(path, "X-Forwarded-For", network) }
	for range 70 { // the room was opened from the first network, and nobody of the second has been in it
		from("203.0.113.5", wrong).wants(t, http.StatusNotFound)
		if a := from("203.0.113.6", wrong); a.StatusCode != http.StatusNotFound && a.StatusCode != http.StatusTooManyRequests {
			t.Fatalf("a wrong code is answered with %d", a.StatusCode)
		}
		if time.Since(began) > 3*time.Second {
			break
		}
	}
	for _, network := range []string{"203.0.113.5", "203.0.113.7"} {
		at := time.Now()
		for _, path := range []string{room, room + "/screen", room + "/present"} {
			if a := from(network, path); a.StatusCode >= 400 {
				t.Errorf("from %s, %s is answered with %d", network, path, a.StatusCode)
			}
		}
		if took := time.Since(at); took > time.Second {
			t.Errorf("from %s a right code takes %s", network, took)
		}
	}
	from("203.0.113.6", room).wants(t, http.StatusOK) // when its turn comes
	from("203.0.113.6", room+"/screen").wants(t, http.StatusOK)
	s.send("POST", room+"/seats", url.Values{}, "X-Forwarded-For", "203.0.113.6").wants(t, http.StatusSeeOther)
}

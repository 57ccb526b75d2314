package web

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"testing"

	"lockstep/web/door"
)

// recorded returns the answer to a request from 192.0.2.1.
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

// A network that sends too many requests is told in its visitors' language. Others are not affected.
func TestRequestsOfANetworkAreBounded(t *testing.T) {
	o := behind(t, "192.0.2.1")
	o.Limits = door.Limits{Requests: 3}
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
		if a.Header().Get("Content-Security-Policy") != door.Policy {
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

// Visitors without a name share what is left for them, and whoever makes many runs leaves room for those who have made few: a
// class behind the same address takes its seats and begins its runs.
func TestNobodyMakesEverything(t *testing.T) {
	c := newClass(t, Options{})
	taken := func(what string, most int, by func() answer) {
		t.Helper()
		n := 0
		for by().StatusCode == http.StatusSeeOther {
			if n++; n > most {
				t.Fatalf("%d %s are made, and %d may be", n, what, most)
			}
		}
		t.Logf("%d %s are made", n, what)
	}
	begins := func() answer { return c.send("POST", "/runs", url.Values{"scenario": {"tick 1s\n"}}) }
	taken("seats by visitors without a name", 200, func() answer { return c.send("POST", c.room+"/seats", url.Values{}) })
	taken("runs by visitors without a name", 600, begins)
	busy := c.person()
	busy.send("GET", "/", nil)
	taken("runs by one who has made few", 30, func() answer { return busy.send("POST", "/runs", url.Values{"scenario": {"tick 1s\n"}}) })
	for i := range 30 {
		pupil := c.person()
		pupil.send("GET", c.room, nil).wants(t, http.StatusOK)
		if a := pupil.send("POST", c.room+"/seats", url.Values{}); a.StatusCode != http.StatusSeeOther {
			t.Fatalf("pupil %d is answered %s: %s", i+1, a.Status, a.body)
		}
		for range 10 {
			pupil.send("POST", "/runs", url.Values{"scenario": {"tick 1s\n"}}).wants(t, http.StatusSeeOther)
		}
	}
}

// New runs have a limit of their own, however they are made. A request that makes a run counts once; going on with a run,
// and moving to another position, count nothing.
func TestNewRunsOfANetworkAreBounded(t *testing.T) {
	s := newSite(t, Options{Limits: door.Limits{Makings: 8}})
	post := func(path string, pairs ...string) answer { return s.send("POST", path, fields(pairs...)) }
	s.act(aRun, "spawn C1 naive") // one
	for range 10 {
		for _, goes := range []string{"first", "back", "last", "schedule"} {
			post(aRun+"/actions", "action", goes, "at", "1", "past", "1").wants(t, http.StatusSeeOther)
		}
	}
	for _, program := range []string{"getset", "del-setnx"} { // two, three
		post(aRun+"/reruns", "program", program, "at", "1", "past", "1").wants(t, http.StatusSeeOther)
	}
	post("/t/cccccccccc/reruns", "program", "getset").wants(t, http.StatusSeeOther) // four
	for _, f := range []form{
		{"/runs", fields("scenario", "spawn C1 naive\n")}, {"/rooms", fields()}, {aRun + "/forks", fields()}, {aRun + "/reruns", fields("program", "naive")}, {"/courses/redis-lock/race", fields()},
		{aRun + "/actions", fields("action", "tick 1s", "at", "1", "past", "1")}, {"/t/bbbbbbbbbb/actions", fields("action", "spawn C1 naive")},
	} {
		s.send("POST", f.path, f.fields).wants(t, http.StatusTooManyRequests, "Try again in a minute.")
	}
	v, other := s.watch(aRun+"/live"), s.watch("/t/bbbbbbbbbb/live")
	at := v.want("hello").Actions
	other.want("hello")
	if m := v.ask(message{"type": "branch", "at": 1, "action": "tick 1s"}); m.Code != "limit" {
		t.Errorf("a branch is answered with %+v", m)
	}
	if m := v.ask(acts(at, "tick 1s")); m.Type != "events" {
		t.Errorf("a run that goes on is answered with %+v", m)
	}
	if m := other.ask(acts(0, "spawn C1 naive")); m.Code != "limit" {
		t.Errorf("the first action of a run is answered with %+v", m)
	}
	if text := s.get("/t/bbbbbbbbbb.txt").body; text != "" {
		t.Errorf("a refused run is %q", text)
	}
}

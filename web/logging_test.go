package web

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"lockstep/web/door"
)

// A notebook holds the lines of a log.
type notebook struct {
	mu   sync.Mutex
	text strings.Builder
}

func (n *notebook) Write(line []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(line)
}

func (n *notebook) String() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.String()
}

// The log of a used, flooded and broken server names nobody, at any level.
func TestTheLogNamesNobody(t *testing.T) {
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelDebug} {
		var log notebook
		s := newSite(t, Options{Logger: door.NewLogger(&log, "json", level), Limits: door.Limits{Sockets: 1, Makings: 4}})
		s.act("/t/k3v9m2xq7a", "spawn C1 naive")
		v := s.watch("/t/k3v9m2xq7a/live?lang=zh")
		v.want("hello")
		v.say(`{"type":"act","id":"secret","at":7,"action":"step C1"}`)
		v.want("error")
		s.get("/t/k3v9m2xq7a/live").wants(t, http.StatusTooManyRequests)
		for range 3 {
			s.send("POST", "/runs", url.Values{"scenario": {"secret"}}, "Cookie", "settings=secret")
		}
		s.server.HttpLog().Println("http: Accept error: accept tcp [::1]:8080: too many files; 127.0.0.1:4711 [fe80::1]:1 again")
		v.conn.Close()
		s.server.Close()
		said := log.String()
		for _, secret := range []string{"127.0.0.1", "::1", "fe80", "k3v9m2xq7a", "secret"} {
			if strings.Contains(said, secret) {
				t.Errorf("at %s the log says %q:\n%s", level, secret, said)
			}
		}
		for line := range strings.Lines(said) {
			if !json.Valid([]byte(line)) {
				t.Errorf("the log has the line %q", line)
			}
		}
		requests := strings.Count(said, `"msg":"request"`)
		if level == slog.LevelInfo && requests != 0 || level == slog.LevelDebug && requests < 5 {
			t.Errorf("at %s %d requests are logged", level, requests)
		}
		if refused := strings.Count(said, `"msg":"refused"`); refused != 2 || !strings.Contains(said, `"sockets":1`) || !strings.Contains(said, `"makings":2`) {
			t.Errorf("the log tells of refusals %d times, want at once and at the end:\n%s", refused, said)
		}
	}
}

// The server logs once that a proxy is not among the trusted ones.
func TestAnUnknownProxyIsLoggedOnce(t *testing.T) {
	for _, c := range []struct {
		remote  string
		proxies []string
		want    int
	}{{"127.0.0.1:1", nil, 1}, {"10.0.0.1:1", []string{"10.0.0.2"}, 1}, {"10.0.0.1:1", []string{"10.0.0.1"}, 0}, {"203.0.113.5:1", nil, 0}} {
		var log notebook
		o := behind(t, c.proxies...)
		o.Logger = door.NewLogger(&log, "text", slog.LevelInfo)
		s := New(o)
		site := s.Handler()
		for range 2 {
			recordedFrom(site, c.remote, "GET", "/new", "X-Forwarded-For", "203.0.113.7")
		}
		s.Close()
		if said := strings.Count(log.String(), "--trusted-proxies names it"); said != c.want {
			t.Errorf("requests through %s are noticed %d times, want %d", c.remote, said, c.want)
		}
	}
}

// A panic in a handler is answered in words, and the log has the stack.
func TestAPanicIsAnsweredAndLogged(t *testing.T) {
	var log notebook
	s := New(Options{Logger: door.NewLogger(&log, "text", slog.LevelInfo)})
	defer s.Close()
	site := s.Recovers(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/late" {
			w.WriteHeader(http.StatusAccepted)
		}
		panic("the cellar is flooded")
	}))
	a := recorded(site, "GET", "/", "Accept-Language", "zh")
	if a.Code != http.StatusInternalServerError || !strings.Contains(a.Body.String(), "这里出错了。错误已记入服务器日志，其他部分不受影响。") {
		t.Errorf("the answer is %d: %s", a.Code, a.Body)
	}
	if a := recorded(site, "GET", "/late"); a.Code != http.StatusAccepted || a.Body.Len() != 0 {
		t.Errorf("an answer that has begun goes on as %d: %s", a.Code, a.Body)
	}
	if said := log.String(); strings.Count(said, "the cellar is flooded") != 2 || !strings.Contains(said, "logging_test.go") {
		t.Errorf("the log says\n%s", said)
	}
	ended := 0
	s.Survives(func() { panic(errors.New("again")) }, func() { ended++ })()
	s.Survives(func() {}, func() { ended++ })()
	if ended != 1 || !strings.Contains(log.String(), "again") {
		t.Errorf("after a panic in a goroutine %d were ended; the log says\n%s", ended, log.String())
	}
	defer func() {
		if recover() != http.ErrAbortHandler {
			t.Error("a request that was given up is logged")
		}
	}()
	s.Recovers(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest("GET", "/", nil))
}

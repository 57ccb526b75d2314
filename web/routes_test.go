package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/static"
	"lockstep/web/door"
)

const aRun = "/t/aaaaaaaaaa"

func TestEveryRouteHasItsTypeAndHeaders(t *testing.T) {
	s := newSite(t, Options{})
	first, second := s.get("/new"), s.get("/new")
	first.wants(t, http.StatusSeeOther)
	if path := regexp.MustCompile(`^/t/[a-z0-9]{10}\?program=del-setnx$`); !path.MatchString(first.Header.Get("Location")) {
		t.Errorf("/new leads to %q, want a run", first.Header.Get("Location"))
	}
	if first.Header.Get("Location") == second.Header.Get("Location") {
		t.Error("/new leads to the same run twice")
	}
	for _, c := range []struct {
		path, kind string
		status     int
	}{
		{"/", "text/html; charset=utf-8", 200},
		{aRun, "text/html; charset=utf-8", 200},
		{aRun + ".txt", "text/plain; charset=utf-8", 200},
		{aRun + ".json", "application/json", 200},
		{aRun + ".ndjson", "application/x-ndjson", 200},
		{aRun + ".mmd", "text/vnd.mermaid; charset=utf-8", 200},
		{aRun + ".shiviz.log", "text/plain; charset=utf-8", 200},
		{aRun + ".redis-cli", "text/plain; charset=utf-8", 200},
		{aRun + ".go", "text/x-go; charset=utf-8", 200},
		{aRun + ".exe", "text/html; charset=utf-8", 404},
		{"/" + static.Path("js/run/page.js"), "text/javascript; charset=utf-8", 200},
		{"/" + static.Path("css/site.css"), "text/css; charset=utf-8", 200},
		{"/static/js/trace/log.test.js", "text/plain; charset=utf-8", 404},
		{"/static/js/", "text/plain; charset=utf-8", 404},
		{"/programs/words", "application/json", 200},
		{"/commands?lang=zh", "application/json", 200},
		{"/programs/set-px", "text/html; charset=utf-8", 200},
		{"/programs/set-px?listing&lang=zh", "text/html; charset=utf-8", 200},
		{"/programs/nothing", "text/html; charset=utf-8", 404},
		{"/programs/nothing/go", "text/html; charset=utf-8", 404},
		{"/programs/set-px/go", "text/html; charset=utf-8", 200},
		{"/programs/set-px/go?listing", "text/html; charset=utf-8", 200},
		{"/programs/set-px/cobol", "text/html; charset=utf-8", 404},
		{"/programs/redlock/go", "text/html; charset=utf-8", 404},
		{"/robots.txt", "text/plain; charset=utf-8", 200},
		{"/explore/answer", "application/json", 200},
		{"/explore/answer?clients=0", "application/json", 422},
		{"/t/short", "text/html; charset=utf-8", 404},
		{"/t/UPPERCASE1", "text/html; charset=utf-8", 404},
		{"/nothing", "text/html; charset=utf-8", 404},
	} {
		a := s.get(c.path)
		a.wants(t, c.status)
		if kind := a.Header.Get("Content-Type"); kind != c.kind {
			t.Errorf("%s has the type %q, want %q", c.path, kind, c.kind)
		}
		if csp := a.Header.Get("Content-Security-Policy"); csp != door.Policy {
			t.Errorf("%s has the policy %q", c.path, csp)
		}
		if a.Header.Get("X-Content-Type-Options") != "nosniff" || a.Header.Get("Referrer-Policy") != "same-origin" {
			t.Errorf("%s lacks a header of security", c.path)
		}
	}
}

// A look at a page, such as a crawler's, takes no place.
func TestALookCreatesNothing(t *testing.T) {
	s := newSite(t, Options{})
	for i := range 50 {
		path := fmt.Sprintf("/t/crawled%03d", i)
		s.get(path).wants(t, 200, "Nobody wants the lock yet.")
		s.get(path+".txt").wants(t, 200)
		s.send("POST", path+"/actions", url.Values{"action": {"step C1"}}).wants(t, http.StatusUnprocessableEntity)
	}
	until(t, "the answered requests have given up their runs", func() bool { return s.places() == 0 })
}

// No page contains anything that the policy forbids.
func TestNoPageHasInlineCode(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 C2 naive")
	s.act(aRun, "step C1")
	body := s.get(aRun).body
	for _, forbidden := range []string{` style=`, `<style`, ` onclick=`, ` onload=`, `javascript:`} {
		if strings.Contains(body, forbidden) {
			t.Errorf("the page contains %q", forbidden)
		}
	}
	for _, script := range regexp.MustCompile(`<script[^>]*>`).FindAllString(body, -1) {
		if !strings.Contains(script, `src="/static/`) && !strings.Contains(script, `type="application/json"`) {
			t.Errorf("the page contains %s", script)
		}
	}
	for _, link := range regexp.MustCompile(`(?:src|href|action)="([^"]*)"`).FindAllStringSubmatch(body, -1) {
		if !strings.HasPrefix(link[1], "/") && !strings.HasPrefix(link[1], "#") && link[1] != "data:," && !strings.HasPrefix(link[1], s.url+"/oembed?") {
			t.Errorf("the page points to %q", link[1])
		}
	}
}

// A stranger's text is shown as text on every page.
func TestAStrangersTextStaysText(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, `note "</script><script>alert(1)</script>"`)
	s.act(aRun, `do C9 SET "<img src=x>" "<b>bold</b>"`)
	body := s.get(aRun).body
	for _, markup := range []string{"<script>alert", "<img", "<b>bold"} {
		if strings.Contains(body, markup) {
			t.Errorf("the page contains %q as markup", markup)
		}
	}
}

// Caches keep what a page's script asks for late. Where the address names no language, they keep it for readers of one language alone.
func TestLateAnswersAreKeptByLanguage(t *testing.T) {
	s := newSite(t, Options{})
	for _, path := range []string{"/programs/getset?listing", "/programs/words?", "/commands?", "/help?text"} {
		for query, cookie := range map[string]bool{"": true, "&lang=none": true, "&lang=zh": false} {
			for _, method := range []string{"GET", "HEAD"} {
				a := s.send(method, path+query, nil)
				a.wants(t, http.StatusOK)
				if kept := a.Header.Get("Cache-Control"); kept != "public, max-age=600" || a.Header.Get("Set-Cookie") != "" {
					t.Errorf("%s %s is kept as %q", method, path+query, kept)
				}
				if vary := strings.Join(a.Header.Values("Vary"), ", "); strings.Contains(vary, "Accept-Language, Cookie") != cookie {
					t.Errorf("%s %s varies by %q", method, path+query, vary)
				}
			}
		}
	}
}

// The server compresses pages and traces for clients that accept it.
func TestPagesAreCompressed(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 naive")
	for _, path := range []string{aRun, aRun + ".txt", aRun + ".ndjson"} {
		if coding := s.get(path, "Accept-Encoding", "gzip").Header.Get("Content-Encoding"); coding != "gzip" {
			t.Errorf("%s is sent as %q, want gzip", path, coding)
		}
		if coding := s.get(path, "Accept-Encoding", "identity").Header.Get("Content-Encoding"); coding != "" {
			t.Errorf("%s is sent as %q to a client that cannot read it", path, coding)
		}
	}
	if vary := strings.Join(s.get(aRun, "Accept-Encoding", "gzip").Header.Values("Vary"), ", "); !strings.Contains(vary, "Accept-Encoding") || !strings.Contains(vary, "Cookie") {
		t.Errorf("a page varies by %q", vary)
	}
}

func TestAPageIsInTheReadersLanguage(t *testing.T) {
	const english, chinese = "Nobody wants the lock yet.", "还没有人想要这把锁。"
	s := newSite(t, Options{})
	for _, c := range []struct {
		path, cookie, accept, want string
	}{
		{aRun, "", "", english},
		{aRun, "", "zh-CN,zh;q=0.9,en;q=0.8", chinese},
		{aRun, "", "fr, en;q=0.5, zh;q=0.7", chinese},
		{aRun, "", "fr", english},
		{aRun, "", "zh;q=0, en;q=0", english},
		{aRun, "lang=en", "zh", english},
		{aRun, "lang=fr", "zh", chinese},
		{aRun + "?lang=zh", "lang=en", "en", chinese},
		{aRun + "?lang=fr", "", "en", english},
	} {
		a := s.get(c.path, "Cookie", c.cookie, "Accept-Language", c.accept)
		a.wants(t, 200, c.want)
	}
	if cookie := s.get(aRun + "?lang=zh").Header.Get("Set-Cookie"); !strings.HasPrefix(cookie, "lang=zh; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax") {
		t.Errorf("the choice is kept as %q", cookie)
	}
	for _, cookie := range s.get(aRun+"?lang=fr", "Accept-Language", "zh").Cookies() {
		if cookie.Name == door.LanguageCookie {
			t.Errorf("an unknown language is kept as %q", cookie)
		}
	}
}

// An address refuses a wrong method in a sentence, and names those it takes.
func TestAWrongMethodNamesTheRightOnes(t *testing.T) {
	s := newSite(t, Options{})
	for path, allow := range map[string][]string{aRun: {"GET"}, aRun + "/events": {"GET"}, aRun + "/actions": {"GET", "POST"}, "/help": {"GET"}, "/runs": {"GET", "POST"}, "/": {"GET"}, "/settings": {"POST"}} {
		for _, method := range []string{"PUT", "OPTIONS", "MADEUP"} {
			a := s.send(method, path+"?lang=zh", nil)
			a.wants(t, http.StatusMethodNotAllowed, "这个网址不接受这种请求。")
			if !slices.Equal(a.Header["Allow"], allow) {
				t.Errorf("%s %s: allowed are %v, want %v", method, path, a.Header["Allow"], allow)
			}
		}
	}
}

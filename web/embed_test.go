package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"

	"lockstep/web/door"
)

var moodle = []string{"https://moodle.example", "http://lms.example:8080"}

// embeddable are the pages that a listed site may frame, without the prefix.
var embeddable = []string{"/courses/redis-lock/race", "/courses/redis-lock/race/break", "/courses/redis-lock/race/mend", "/courses/redis-lock/redis-mutex-6", "/t/aaaaaaaaaa", "/explore", "/explore?program=set-px"}

// Only the sites of --embed-from may frame a page, and only the pages below /embed. Without the flag there are no such pages,
// and nobody may frame anything.
func TestOnlyListedSitesMayFrameAPage(t *testing.T) {
	const nobody = "frame-ancestors 'none'"
	may := func(a *http.Response) string {
		return regexp.MustCompile(`frame-ancestors .*`).FindString(a.Header.Get("Content-Security-Policy"))
	}
	for _, base := range []string{"", "/tools", "/embed"} {
		with, without := newSite(t, Options{BasePath: base, EmbedFrom: moodle}), newSite(t, Options{BasePath: base})
		for _, path := range embeddable {
			framed := with.get(base + "/embed" + path)
			framed.wants(t, http.StatusOK, `<base target="_blank">`)
			if got := may(framed.Response); got != "frame-ancestors https://moodle.example http://lms.example:8080" {
				t.Errorf("%s/embed%s has %q", base, path, got)
			}
			if a := without.get(base + "/embed" + path); a.StatusCode != http.StatusNotFound || may(a.Response) != nobody {
				t.Errorf("without the flag %s/embed%s is %s, with %q", base, path, a.Status, may(a.Response))
			}
			for _, s := range []*site{with, without} {
				if a := s.get(base + path); a.StatusCode != http.StatusOK || may(a.Response) != nobody {
					t.Errorf("%s%s is %s, with %q", base, path, a.Status, may(a.Response))
				}
			}
		}
		// Each other route of the site, and what is none, below the prefix and elsewhere.
		given := strings.NewReplacer("{id}", "aaaaaaaaaa", "{course}", "redis-lock", "{lesson}", "race", "{challenge}", "break", "{code}", "482913", "*", "js/run/page.js")
		paths := []string{"/nothing", "/embed", "/embed/", "/embed/courses", "/embed/courses/redis-lock", "/embed/courses/redis-lock/race/handout", "/embed/t/short", "/embed/t/aaaaaaaaaa/live", "/embed/r/482913"}
		err := chi.Walk(with.server.routes().(chi.Routes), func(_, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
			path := given.Replace(regexp.MustCompile(`\{(\w+):[^/]*\}`).ReplaceAllString(strings.ReplaceAll(route, "{10}", ""), "{$1}"))
			if !strings.HasPrefix(path, "/embed/") {
				paths = append(paths, path)
			}
			return nil
		})
		if err != nil || len(paths) < 40 {
			t.Errorf("%d routes were found: %v", len(paths), err)
		}
		for _, path := range paths {
			if a := with.get(base + path); a.Header.Get("Content-Security-Policy") != "" && !strings.HasPrefix(path, "/favicon") && may(a.Response) != nobody {
				t.Errorf("%s%s may be framed: %q", base, path, may(a.Response))
			}
		}
	}
}

// A framed page is the stage and the card: no header, no way to another page but one link, in a window of its own. It sets
// no cookie, for a browser would refuse it.
func TestAFramedPageIsAlone(t *testing.T) {
	s := newSite(t, Options{EmbedFrom: moodle})
	for _, path := range embeddable {
		for _, l := range []string{"en", "zh"} {
			to := "?"
			if strings.Contains(path, "?") {
				to = "&"
			}
			a := s.get("/embed"+path+to+"lang="+l, "Accept-Language", "fr")
			says := map[string]string{"en": "Open in Lockstep", "zh": "在 Lockstep 中打开"}[l]
			a.wants(t, http.StatusOK, `<h1>`, `id="stage"`, `target="_blank" rel="noopener">`+says+"</a>", `href="`+strings.ReplaceAll(path+to+"lang="+l, "&", "&amp;")+`"`, `data-tongue="`+l+`"`)
			a.lacks(t, `class="top`, `class="top-links"`, `id="settings"`, `id="share"`, `application/json+oembed`)
			if cookies := a.Cookies(); len(cookies) > 0 {
				t.Errorf("%s sets %v", path, cookies)
			}
		}
	}
	s.get("/embed/courses/redis-lock/none").wants(t, http.StatusNotFound, "There is no such lesson in this course.")
	s.get("/embed/courses/redis-lock/race/none").wants(t, http.StatusNotFound, `class="error-page"`)
}

// The form of a program to fix is answered in the frame; no other form is.
func TestAFixIsSearchedInTheFrame(t *testing.T) {
	s := newSite(t, Options{EmbedFrom: moodle})
	const broken = "def acquire(c):\n    return 1\n\ndef holds(c, lease):\n    return True\n\ndef release(c, lease):\n    pass\n"
	s.send("POST", "/embed/courses/redis-lock/race/mend", url.Values{"source": {broken}}).wants(t, http.StatusOK, `data-frame="/embed"`, `id="verdict"`, "violated")
	s.send("POST", "/embed/courses/redis-lock/race/break", nil).wants(t, http.StatusOK, `data-frame="/embed"`, `id="challenge"`)
	if a := s.send("POST", "/embed/courses/redis-lock/race/mend", url.Values{"source": {broken}}, "Origin", "https://moodle.example", "Sec-Fetch-Site", "cross-site"); a.StatusCode != http.StatusForbidden {
		t.Errorf("a form of the page around is answered with %s", a.Status)
	}
	if a := s.send("POST", "/embed/courses/redis-lock/race/mend", url.Values{"source": {broken}}, "Origin", s.url, "Sec-Fetch-Site", "same-origin"); a.StatusCode != http.StatusOK {
		t.Errorf("the frame's own form is answered with %s", a.Status)
	}
}

var visitorIn = regexp.MustCompile(`data-visitor="([^"]*)"`)

// token returns the token of a framed page; empty: it has none.
func (s *site) token(headers ...string) string {
	s.Helper()
	a := s.get("/embed/courses/redis-lock/race", headers...)
	a.wants(s.T, http.StatusOK)
	found := visitorIn.FindStringSubmatch(a.body)
	if found == nil {
		return ""
	}
	return found[1]
}

// A token names somebody as a cookie does, in its network and for a day. Nobody can make one.
func TestATokenNamesAVisitor(t *testing.T) {
	const network, other, name = "203.0.113.5", "203.0.113.6", "aaaaaaaaaa"
	until := time.Now().Add(time.Hour)
	for _, c := range []struct {
		what  string
		token func(s *Server) string
		named bool
		flags []string
	}{
		{"its token", func(s *Server) string { return s.VisitorToken(network, name, until) }, true, moodle},
		{"none", func(*Server) string { return "" }, false, moodle},
		{"a token of another network", func(s *Server) string { return s.VisitorToken(other, name, until) }, false, moodle},
		{"an expired token", func(s *Server) string { return s.VisitorToken(network, name, time.Now().Add(-time.Second)) }, false, moodle},
		{"a token whose time is put off", func(s *Server) string {
			old := strings.Split(s.VisitorToken(network, name, time.Now().Add(-time.Second)), ".")
			return old[0] + "." + strings.Split(s.VisitorToken(network, name, until), ".")[1] + "." + old[2]
		}, false, moodle},
		{"a token with another name", func(s *Server) string {
			return strings.Replace(s.VisitorToken(network, name, until), name, "bbbbbbbbbb", 1)
		}, false, moodle},
		{"a name alone", func(*Server) string { return name }, false, moodle},
		{"a token without a mark", func(s *Server) string {
			return strings.Join(strings.Split(s.VisitorToken(network, name, until), ".")[:2], ".") + "."
		}, false, moodle},
		{"the value of a cookie", func(s *Server) string { return name + "." + s.Sign("visitor", name) }, false, moodle},
		{"a token of another server's secret", func(*Server) string {
			stranger := New(Options{EmbedFrom: moodle})
			defer stranger.Close()
			return stranger.VisitorToken(network, name, until)
		}, false, moodle},
		{"a token to a site that nobody frames", func(s *Server) string { return s.VisitorToken(network, name, until) }, false, nil},
	} {
		s, r := asked(t, Options{EmbedFrom: c.flags}, "site.example", network+":4711")
		r.URL.RawQuery = url.Values{door.VisitorField: {c.token(s)}}.Encode()
		var got door.Visitor
		see := http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { got = door.VisitorOf(r) })
		s.Identify(see).ServeHTTP(nil, r)
		want := door.Visitor{Network: network, Person: network}
		if c.named {
			want.Person = name
		}
		if got != want {
			t.Errorf("%s names %v, want %v", c.what, got, want)
		}
		r.Header.Set("Cookie", door.VisitorCookie+"=cccccccccc."+s.Sign("visitor", "cccccccccc"))
		if s.Identify(see).ServeHTTP(nil, r); got.Person != "cccccccccc" {
			t.Errorf("%s goes before a cookie: %v", c.what, got)
		}
	}
}

// A page hands its token on: to the next page of the frame, and to no cookie. A visitor with a cookie needs none.
func TestAFrameKeepsItsToken(t *testing.T) {
	s := newSite(t, Options{EmbedFrom: moodle})
	token := s.token()
	if parts := strings.Split(token, "."); len(parts) != 3 || s.server.TokenName(token, "127.0.0.1") != parts[0] {
		t.Fatalf("a page in a frame has the token %q", token)
	}
	if next := s.token(); next == token || next == "" {
		t.Errorf("the next visitor has the token %q", next)
	}
	again := s.get("/embed/courses/redis-lock/race/break?visitor=" + token)
	if found := visitorIn.FindStringSubmatch(again.body); found == nil || found[1] != token {
		t.Errorf("the next page of the frame has %v, want %q", found, token)
	}
	again.lacks(t, `/race/break?visitor=`, `name="visitor"`)
	if got := s.token("Cookie", door.VisitorCookie+"=aaaaaaaaaa."+s.server.Sign("visitor", "aaaaaaaaaa")); got != "" {
		t.Errorf("a visitor with a cookie has the token %q", got)
	}
	s.get("/courses/redis-lock/race?visitor="+token).lacks(t, "data-visitor", token)
}

// A school behind one router is one network of many visitors: in frames, too, nobody is refused for what others do. Its
// sockets and forms bring the tokens.
func TestATokenHasLimitsOfItsOwn(t *testing.T) {
	s := newSite(t, Options{EmbedFrom: moodle, Limits: door.Limits{Actions: 1}}) // 10 at once
	s.act(aRun, "spawn C1 naive")
	busy, other := s.watch(aRun+"/live?lang=en&visitor="+s.token()), s.watch(aRun+"/live?lang=en&visitor="+s.token())
	busy.want("hello")
	other.want("hello")
	at, refused, began := 1, false, time.Now()
	for i := 0; !refused; i++ {
		if i > 11+int(time.Since(began).Seconds()) { // one more a second
			t.Fatal("a visitor does more than their limit")
		}
		busy.say(fmt.Sprintf(`{"type":"act","id":"b%d","at":%d,"action":"tick 1s"}`, i, at))
		if m := busy.next(); m.Type == "events" {
			at = m.Actions
		} else {
			refused = m.Type == "error" && m.Code == "limit"
		}
	}
	for other.next().Actions < at {
	}
	other.say(fmt.Sprintf(`{"type":"act","id":"o","at":%d,"action":"tick 1s"}`, at))
	if m := other.next(); m.Type == "error" {
		t.Errorf("another visitor of the network is refused: %s", m.Text)
	}

	many := newSite(t, Options{EmbedFrom: moodle})
	making := func(token string) int {
		return many.send("POST", "/courses/redis-lock/race?visitor="+token, nil).StatusCode
	}
	first, second := many.token(), many.token()
	var told []int
	for began = time.Now(); len(told) < 130+int(time.Since(began).Seconds()) && !slices.Contains(told, http.StatusTooManyRequests); { // one more a second
		told = append(told, making(first))
	}
	if n := slices.Index(told, http.StatusTooManyRequests); n < 120 {
		t.Errorf("a visitor is refused after %d runs, want 120", n)
	}
	if got := making(second); got != http.StatusSeeOther {
		t.Errorf("the next visitor of the network gets %d", got)
	}
}

// A network gets tokens and cookies from one supply: 2,000 at once, and then 20 a second. A visitor without one counts as
// their network, and the page works.
func TestTokensAreBounded(t *testing.T) {
	o := behind(t, "127.0.0.1")
	o.EmbedFrom = moodle
	s := newSite(t, o)
	from := func(address string) []string { return []string{"X-Forwarded-For", address} }
	if s.token(from("203.0.113.5")...) == "" {
		t.Error("a network gets no token")
	}
	allowed, began := 1, time.Now()
	for s.server.Names.Allow("203.0.113.5") {
		allowed++
	}
	if most := 2_001 + int(20*time.Since(began).Seconds()); allowed < 2_000 || allowed > most {
		t.Errorf("a network gets %d tokens, want 2000 to %d", allowed, most)
	}
	s.server.Names.Charge("203.0.113.5", 100_000) // no slow machine waits for what comes back
	if token := s.token(from("203.0.113.5")...); token != "" {
		t.Errorf("a network without tokens gets %q", token)
	}
	if cookies := s.get("/help", from("203.0.113.5")...).Cookies(); len(cookies) != 0 {
		t.Errorf("a network without tokens gets %v", cookies)
	}
	if s.token(from("203.0.113.6")...) == "" {
		t.Error("another network gets no token")
	}
}

// A framed page may be framed whatever it answers: a refusal is told in the frame, and not by the browser.
func TestARefusalIsToldInTheFrame(t *testing.T) {
	s := New(Options{EmbedFrom: moodle, Limits: door.Limits{Requests: 1}})
	defer s.Close()
	for range 3 {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequest("GET", "/embed/explore", nil))
		if got := w.Header().Get("Content-Security-Policy"); !strings.HasSuffix(got, "frame-ancestors "+strings.Join(moodle, " ")) {
			t.Errorf("status %d has %q", w.Code, got)
		}
	}
}

// An origin is a scheme, a host and a port.
func TestEmbedOrigins(t *testing.T) {
	for _, c := range []struct {
		given []string
		want  []string
		why   string
	}{
		{nil, nil, ""},
		{[]string{"https://moodle.example"}, moodle[:1], ""},
		{[]string{"https://MOODLE.example:443", "https://moodle.example."}, moodle[:1], ""},
		{[]string{"http://192.168.1.20:8080", "http://localhost"}, []string{"http://192.168.1.20:8080", "http://localhost"}, ""},
		{[]string{"https://moodle.example/"}, nil, `"https://moodle.example/" has more than a scheme, a host and a port: the origin of that site is https://moodle.example`},
		{[]string{"https://moodle.example/course?id=7"}, nil, "the origin of that site is https://moodle.example"},
		{[]string{"https://me@moodle.example"}, nil, "the origin of that site is https://moodle.example"},
		{[]string{"https://moodle.example?"}, nil, "the origin of that site is https://moodle.example"},
		{[]string{"*"}, nil, `"*" has a wildcard: name each site, such as https://moodle.example`},
		{[]string{"https://*.example"}, nil, "has a wildcard"},
		{[]string{"moodle.example"}, nil, `"moodle.example" is not the origin of a site, such as https://moodle.example`},
		{[]string{"ftp://moodle.example"}, nil, "is not the origin of a site"},
		{[]string{"https://"}, nil, "is not the origin of a site"},
		{[]string{""}, nil, "is not the origin of a site"},
		{[]string{"'self'"}, nil, "is not the origin of a site"},
		{[]string{"https://moodle.example; script-src https://evil.example"}, nil, "is not the origin of a site"},
		{[]string{"https://课堂.example"}, nil, "xn--… for others"},
		{[]string{"https://[2001:db8::1]"}, nil, "browsers know no IPv6 address"},
		{[]string{"https://moodle.example:0"}, nil, "neither a name in ASCII"},
	} {
		got, err := door.EmbedOrigins(c.given)
		if c.why == "" && (err != nil || !slices.Equal(got, c.want)) || c.why != "" && (err == nil || !strings.Contains(err.Error(), c.why)) {
			t.Errorf("%q is read as %q: %v", c.given, got, err)
		}
	}
	var all []string
	for i := range door.MostOrigins + 1 {
		all = append(all, fmt.Sprintf("https://lms%d.example", i))
	}
	if got, err := door.EmbedOrigins(all[:door.MostOrigins]); err != nil || len(got) != door.MostOrigins {
		t.Errorf("%d sites are read as %d: %v", door.MostOrigins, len(got), err)
	}
	if _, err := door.EmbedOrigins(all); err == nil || !strings.Contains(err.Error(), "33 sites are too many: at most 32") {
		t.Errorf("33 sites: %v", err)
	}
}

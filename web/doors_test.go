package web

import (
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/gorilla/websocket"

	"lockstep/web/room"
	"lockstep/web/session"
	"lockstep/web/store"
)

// never is a code that no room has.
func (c *class) never() string {
	for i := range 1_000_000 {
		if code := fmt.Sprintf("%06d", i); len(c.ledger.entries(session.RoomLog(code)+" ")) == 0 {
			return code
		}
	}
	return ""
}

// roomForms are those of a room's pages.
func roomForms(room string) []form {
	return []form{
		{room + "/seats", fields()}, {room + "/do", fields("verb", "gather")}, {room + "/do", fields("verb", "vote", "choice", "0")},
		{room + "/remotes", fields()}, {room + "/remote", fields("pair", session.NewKey())},
	}
}

// To whoever has no key, a room that is over is not told from one that never was: the answers are the same
// to the byte, and are counted as guesses.
func TestRoomThatIsOverIsAsOneThatNeverWas(t *testing.T) {
	c := newClass(t, Options{Limits: Limits{Guesses: 1000}})
	never := "/r/" + c.never()
	c.teacher.does(c.room, "end").wants(t, http.StatusSeeOther)
	answers := func(in string) (all []string) {
		says := strings.NewReplacer(code(in), "CODE", room.FormatCode(code(in)), "CODE")
		add := func(a answer) {
			a.Header.Del("Date")
			all = append(all, says.Replace(fmt.Sprint(a.Request.Method, a.Request.URL, a.Status, a.Header, a.body)))
		}
		p := c.person()
		for _, path := range everyPage(in) {
			if strings.HasPrefix(path, in) || strings.HasPrefix(path, "/join") {
				p.cookies = map[string]string{}
				add(p.send("GET", path, nil))
			}
		}
		for _, f := range roomForms(in) {
			p.cookies = map[string]string{keyCookie(code(in)): "made-up"}
			add(p.send("POST", f.path, f.fields))
		}
		return all
	}
	over, none := answers(c.room), answers(never)
	for i := range over {
		if over[i] != none[i] {
			t.Errorf("a room that is over answers\n%.400s\nand one that never was\n%.400s", over[i], none[i])
		}
	}
	// Whoever was there finds its replay.
	replay := "/t/" + session.Ask(c.hub, func(r *room.Room) string { return r.View(room.Who{}).Replay })
	for _, p := range []*person{c.teacher, c.ann, c.cat} {
		p.send("GET", c.room, nil).wants(t, http.StatusOK, replay)
	}
}

// Whichever address a code is tried at, wrong ones are counted: after three of them the next one waits for its turn, and
// a right one opens when that comes.
func TestEveryWayToGuessIsCounted(t *testing.T) {
	o := behind(t, "127.0.0.1")
	o.Limits = Limits{Guesses: 3}
	c := newClass(t, o)
	never := "/r/" + c.never()
	var ways []form
	for _, page := range []string{"", "/screen", "/present", "/remote", "/remote?pair=something", "/wall"} {
		ways = append(ways, form{page, nil})
	}
	ways = append(ways, roomForms("")...)
	try := func(in string, way form, from string) answer {
		method := "POST"
		if way.fields == nil {
			method = "GET"
		}
		return c.send(method, in+way.path, way.fields, "X-Forwarded-For", from)
	}
	var all sync.WaitGroup
	for i, way := range ways {
		all.Go(func() {
			from := fmt.Sprintf("203.0.113.%d", i+1)
			for range 4 {
				if a := try(never, way, from); a.StatusCode != http.StatusNotFound {
					t.Errorf("%s with a wrong code is answered %s", way.path, a.Status)
				}
			}
			for range 2 {
				try(never, way, from)
			}
			began := time.Now()
			if a := try(c.room, way, from); a.StatusCode == http.StatusNotFound || a.StatusCode == http.StatusTooManyRequests {
				t.Errorf("%s with a right code is answered %s", way.path, a.Status)
			}
			if took := time.Since(began); took < 200*time.Millisecond {
				t.Errorf("after six wrong codes %s is answered in %s", way.path, took)
			}
			if a := try(c.room, way, fmt.Sprintf("198.51.100.%d", i+1)); a.StatusCode == http.StatusNotFound {
				t.Errorf("elsewhere %s with a right code is answered %s", way.path, a.Status)
			}
		})
	}
	all.Wait()
	// The form on the home page knows of no room: it leads to where codes are counted, whatever the code.
	for _, in := range []string{never, c.room} {
		a := c.get("/join?code=" + code(in))
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != in {
			t.Errorf("the code %s leads with %s to %q", code(in), a.Status, a.Header.Get("Location"))
		}
	}
}

// Three hundred people behind one address join at once and look at everything, and a few of them mistype
// the code: nobody has to wait.
func TestThreeHundredJoinBehindOneAddress(t *testing.T) {
	c := newClass(t, Options{})
	never := "/r/" + c.never()
	for i := range 300 {
		if i%10 == 0 {
			c.get(never).wants(t, http.StatusNotFound)
		}
		p := c.person()
		for _, a := range []answer{p.send("GET", "/join?code="+code(c.room), nil), p.send("POST", c.room+"/seats", url.Values{}), p.send("GET", c.room+"/present", nil)} {
			if a.StatusCode != http.StatusSeeOther {
				t.Fatalf("number %d is answered %s: %s", i+1, a.Status, a.body)
			}
		}
	}
	if seats := session.Ask(c.hub, (*room.Room).Seats); seats != 303 {
		t.Errorf("there are %d seats", seats)
	}
}

// No other site posts a form in somebody's name, whatever the form, and whoever they are here; nor opens
// a socket with their cookie.
func TestOtherSitesDoNothingInSomebodysName(t *testing.T) {
	c := newClass(t, Options{})
	before := len(c.ledger.entries(""))
	given := strings.NewReplacer("{id:[a-z0-9]{10}}", strings.TrimPrefix(c.run, "/t/"), "{code:[0-9]{6}}", code(c.room), "{course}", "redis-lock", "{lesson}", "race", "{challenge}", "break")
	posts := 0
	err := chi.Walk(c.server.routes().(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if method != "POST" {
			return nil
		}
		posts++
		path := given.Replace(route)
		for _, headers := range [][]string{
			{"Origin", "https://evil.example"}, {"Origin", "null"}, {"Origin", c.url + ".evil.example"}, {"Origin", strings.Replace(c.url, "http:", "ftp:", 1) + "0"},
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}, {"Sec-Fetch-Site", "cross-site", "Origin", c.url},
		} {
			for _, body := range []url.Values{fields("verb", "end", "action", "tick 1s", "scenario", "spawn C1 naive\n"), nil} {
				a := c.site.send("POST", path, body, append(headers, "Cookie", c.teacher.cookie())...)
				if a.StatusCode != http.StatusForbidden || !strings.Contains(a.body, "The request comes from another site; nothing was done.") || len(a.Cookies()) > 0 {
					t.Errorf("POST %s with %v is answered %s", path, headers, a.Status)
				}
			}
		}
		return nil
	})
	if err != nil || posts < 15 {
		t.Errorf("%d forms were found: %v", posts, err)
	}
	for _, path := range []string{c.run + "/live", c.run + "/live?surface=remote", "/explore/live"} {
		for _, origin := range []string{"https://evil.example", "null", c.url + ".evil.example", "file://"} {
			_, r, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(c.url, "http")+path, http.Header{"Cookie": {c.teacher.cookie()}, "Origin": {origin}})
			if err == nil || r.StatusCode != http.StatusForbidden {
				t.Errorf("a page of %s opens %s", origin, path)
			}
		}
	}
	if kept := c.ledger.entries("")[before:]; len(kept) > 0 {
		t.Errorf("other sites have done %q", kept)
	}
	for _, back := range []string{"//evil.example", "https://evil.example", `/\evil.example`, "evil.example", "javascript:alert(1)", "/\t/evil.example", "///evil.example"} {
		a := c.teacher.does(c.room, "gather", "back", back)
		if a.Header.Get("Location") != "/" {
			t.Errorf("a form leads back to %q", a.Header.Get("Location"))
		}
	}
}

// The key of somebody in a room stays in their browser: no script reads it, no other site sends it, no
// link has it, and behind https it is sent over nothing else.
func TestKeysStayInCookies(t *testing.T) {
	for _, base := range []string{"", "/tools"} {
		for _, scheme := range []string{"http", "https"} {
			o := behind(t, "127.0.0.1")
			o.BasePath = base
			s := newSite(t, o)
			forwarded := []string{"X-Forwarded-Proto", scheme, "X-Forwarded-For", "203.0.113.9"}
			a := s.send("POST", base+"/rooms", url.Values{}, forwarded...)
			in := strings.TrimSuffix(a.Header.Get("Location"), "/present")
			seat := s.send("POST", in+"/seats", url.Values{}, forwarded...)
			for _, a := range []answer{a, seat} {
				cookies := a.Cookies()
				if len(cookies) != 1 {
					t.Fatalf("there are %d cookies: %s", len(cookies), a.Status)
				}
				k := cookies[0]
				if !k.HttpOnly || k.SameSite != http.SameSiteLaxMode || k.Secure != (scheme == "https") || k.Path != base+"/" || k.Domain != "" || len(k.Value) != 26+len(".")+16 || k.MaxAge <= 0 {
					t.Errorf("over %s a key is kept as %s", scheme, k)
				}
				for _, path := range []string{in, in + "/screen"} {
					page := s.get(path, append(forwarded, "Cookie", k.Name+"="+k.Value)...)
					page.lacks(t, k.Value, room.HashKey(k.Value))
					if page.Header.Get("Content-Security-Policy") != policy || page.Header.Get("Cache-Control") != "private, no-cache" {
						t.Errorf("%s has %v", path, page.Header)
					}
				}
			}
		}
	}
}

// A class leaves nothing of itself in the log, whatever the level: no code, name, key, address or run. So it
// is when connections break in the middle of an answer, and when what was kept cannot be read.
func TestLogSaysNothingOfAClass(t *testing.T) {
	for _, level := range []slog.Level{slog.LevelInfo, slog.LevelDebug} {
		var log notebook
		memory := store.Memory(store.Options{})
		c := newClass(t, Options{Logger: NewLogger(&log, "json", level), Limits: Limits{Sockets: 12, Guesses: 2}, Store: memory})
		c.teacher.does(c.room, "switch", "free", "on", "roster", "on").wants(t, http.StatusSeeOther)
		c.ann.does(c.room, "name", "text", "Annabella", "roster", "Wolkenstein").wants(t, http.StatusSeeOther)
		secret := c.pairs(c.teacher)
		c.person().send("GET", c.room+"/remote?pair="+secret, nil)
		c.person().send("POST", c.room+"/remote", fields("pair", secret)).wants(t, http.StatusSeeOther)
		c.teacher.does(c.room, "fork").wants(t, http.StatusSeeOther)
		c.ann.does(c.room, "own").wants(t, http.StatusSeeOther)
		sandbox := session.Ask(c.hub, func(r *room.Room) string { return r.Sandbox(1) })
		v := c.ann.watches("/t/"+sandbox, "page")
		v.ask(acts(2, "step C1"))
		v.say("{")
		v.say(acts(2, `note "Annabella"`).text("Annabella"))
		for range 14 { // more than there may be
			conn, _, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(c.url, "http")+c.run+"/live", http.Header{"Cookie": {c.ann.cookie()}})
			if err == nil {
				defer conn.Close()
			}
		}
		for range 4 {
			c.get("/r/" + c.never())
		}
		for _, request := range []string{c.run, c.room, c.run + "/live"} { // whoever asks is gone before the answer comes
			for range 5 {
				conn, err := net.Dial("tcp", strings.TrimPrefix(c.url, "http://"))
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: x\r\nCookie: %s\r\n\r\n", request, c.ann.cookie())
				_ = conn.(*net.TCPConn).SetLinger(0)
				conn.Close()
			}
		}
		for n := 0; memory.Append(t.Context(), session.RoomLog(code(c.room)), n, []byte(`"no entry"`)) != nil; n++ {
		}
		c.server.news(store.News{Log: session.RoomLog(code(c.room))})
		c.server.news(store.News{Log: "t/" + sandbox})
		c.server.broken(fmt.Errorf("reading r/%s and t/%s for %s", code(c.room), sandbox, v.conn.LocalAddr()))
		c.server.Close()
		said := log.String()
		if !strings.Contains(said, "following the store") || !strings.Contains(said, "panic") {
			t.Errorf("at %s the log does not say what is broken:\n%s", level, said)
		}
		_, port, _ := net.SplitHostPort(v.conn.LocalAddr().String())
		for _, hidden := range []string{
			code(c.room), room.FormatCode(code(c.room)), strings.TrimPrefix(c.run, "/t/"), sandbox, "Annabella", "Wolkenstein", "127.0.0.1", ":" + port, secret,
			c.ann.key(c.room), c.teacher.key(c.room), room.HashKey(c.ann.key(c.room)), room.HashKey(c.teacher.key(c.room)),
		} {
			if strings.Contains(said, hidden) {
				t.Errorf("at %s the log says %q:\n%s", level, hidden, said)
			}
		}
	}
}

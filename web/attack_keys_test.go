package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/gorilla/websocket"

	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/room"
	"lockstep/web/roompages"
)

// All made-up keys share one person's limits, and use up nothing of the class.
func TestMadeUpKeysAreOnePerson(t *testing.T) {
	c := newClass(t, Options{Limits: door.Limits{Entries: 1}})
	refused, began := 0, time.Now()
	for range 100 {
		if a := c.bearing(class.NewKey()).does(c.room, "gather"); a.StatusCode == http.StatusTooManyRequests {
			refused++
		}
	}
	if most := 11 + int(time.Since(began).Seconds()); 100-refused > most { // 10 at once, and one a second
		t.Errorf("of a hundred made-up keys %d are refused, want all but %d", refused, most)
	}
	c.ann.does(c.room, "vote", "choice", "0").wants(t, http.StatusUnprocessableEntity, views.Say(lang.English, "room.no-poll"))
}

// A pairing link that the room refuses still works once the room has place for it.
func TestARefusedLinkIsNotUsedUp(t *testing.T) {
	c := newClass(t, Options{})
	link := c.pairs(c.teacher)
	for i := 1; i < room.MaxKeys; i++ {
		if err := c.hub.As(context.Background(), room.Who{Presenter: true}, room.Entry{Verb: room.VerbPair, Key: room.HashKey(fmt.Sprint(i))}); err != nil {
			t.Fatal(err)
		}
	}
	c.person().send("POST", c.room+"/remote", fields("pair", link)).wants(t, http.StatusUnprocessableEntity, views.Say(lang.English, "room.keys"))
	log := c.server.room.Pairing(code(c.room), link)
	if err := log.Read(func() {}, func(roompages.Pairing) error { return nil }); err != nil || log.Len() != 1 {
		t.Errorf("the link is used up, with %d entries (%v)", log.Len(), err)
	}

	two := newClass(t, Options{})
	link = two.pairs(two.teacher)
	other := room.Entry{ID: class.RequestID("pair", link), Verb: room.VerbPair, Key: room.HashKey("a device whose server has ended in the middle")}
	if err := two.hub.As(context.Background(), room.Who{Presenter: true}, other); err != nil {
		t.Fatal(err)
	}
	two.person().send("POST", two.room+"/remote", fields("pair", link)).wants(t, http.StatusUnprocessableEntity, written(lang.English, "room.pairing"))
	link = two.pairs(two.teacher)
	var all sync.WaitGroup
	paired := make(chan int, 10)
	for range cap(paired) {
		all.Go(func() { paired <- two.person().send("POST", two.room+"/remote", fields("pair", link)).StatusCode })
	}
	all.Wait()
	close(paired)
	made := 0
	for status := range paired {
		if status == http.StatusSeeOther {
			made++
		}
	}
	if made != 1 {
		t.Errorf("one link makes %d devices remotes", made)
	}
}

// Another site can neither post a form for a visitor nor open a socket with their cookie, whatever the form and
// whatever the visitor's role.
func TestOtherSitesCannotActForAVisitor(t *testing.T) {
	c := newClass(t, Options{})
	before := len(c.ledger.entries(""))
	given := strings.NewReplacer("{id:[a-z0-9]{10}}", strings.TrimPrefix(c.run, "/t/"), "{code:[0-9]{6}}", code(c.room), "{course}", "redis-lock", "{lesson}", "race", "{challenge}", "break")
	posts := 0
	_, port, _ := strings.Cut(strings.TrimPrefix(c.url, "http://"), ":")
	err := chi.Walk(c.server.routes().(chi.Routes), func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if method != "POST" {
			return nil
		}
		posts++
		path := given.Replace(route)
		for _, headers := range [][]string{
			{"Origin", "https://evil.example"}, {"Origin", "http://evil.example:" + port}, {"Origin", "null"}, {"Origin", c.url + ".evil.example"}, {"Origin", strings.Replace(c.url, "http:", "ftp:", 1) + "0"},
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
		for _, origin := range []string{"https://evil.example", "http://evil.example:" + port, "null", c.url + ".evil.example", "file://"} {
			_, r, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(c.url, "http")+path, http.Header{"Cookie": {c.teacher.cookie()}, "Origin": {origin}})
			if err == nil || r.StatusCode != http.StatusForbidden {
				t.Errorf("a page of %s opens %s", origin, path)
			}
		}
	}
	if kept := c.ledger.entries("")[before:]; len(kept) > 0 {
		t.Errorf("other sites have done %q", kept)
	}
	c.site.send("POST", c.room+"/do", fields("verb", "gather"), "Origin", c.url, "Cookie", c.teacher.cookie()).wants(t, http.StatusSeeOther)
	for _, back := range []string{"//evil.example", "https://evil.example", `/\evil.example`, "evil.example", "javascript:alert(1)", "/\t/evil.example", "///evil.example"} {
		a := c.teacher.does(c.room, "gather", "back", back)
		if a.Header.Get("Location") != "/" {
			t.Errorf("a form leads back to %q", a.Header.Get("Location"))
		}
	}
}

// A room key stays in its browser. No script reads it, no other site sends it, and no page contains it.
func TestKeysStayInCookies(t *testing.T) {
	s := newSite(t, behind(t, "127.0.0.1"))
	over := []string{"X-Forwarded-Proto", "https", "X-Forwarded-For", "203.0.113.9"}
	opened := s.send("POST", "/rooms", url.Values{}, over...)
	in := strings.TrimSuffix(opened.Header.Get("Location"), "/present")
	for _, a := range []answer{opened, s.send("POST", in+"/seats", url.Values{}, over...)} {
		cookies := slices.DeleteFunc(a.Cookies(), func(c *http.Cookie) bool { return strings.HasSuffix(c.Name, door.VisitorCookie) })
		if len(cookies) != 1 {
			t.Fatalf("there are %d cookies: %s", len(cookies), a.Status)
		}
		k := cookies[0]
		if !k.HttpOnly || k.SameSite != http.SameSiteLaxMode || !k.Secure || k.Path != "/" || k.Domain != "" || len(k.Value) != 26+len(".")+16 || k.MaxAge <= 0 {
			t.Errorf("a key is kept as %s", k)
		}
		for _, path := range []string{in, in + "/screen"} {
			page := s.get(path, append(over, "Cookie", k.Name+"="+k.Value)...)
			page.lacks(t, k.Value, room.HashKey(k.Value))
			if page.Header.Get("Content-Security-Policy") != door.Policy || page.Header.Get("Cache-Control") != "private, no-cache" {
				t.Errorf("%s has %v", path, page.Header)
			}
		}
	}
}

// A pairing link works once, for a few minutes, and for its own room. Neither opening it nor guessing others uses it
// up.
func TestPairingLinkWorksOnce(t *testing.T) {
	c := newClass(t, Options{})
	other := c.person()
	elsewhere, _ := other.opens()
	secret := c.pairs(c.teacher)
	c.person().send("GET", c.room+"/remote?pair="+secret, nil).wants(t, http.StatusOK)
	presents := func(p *person) bool {
		return c.hub.Who(room.HashKey(p.key(c.room))).Presenter
	}
	past := class.NewKey()
	if err := c.server.room.Pairing(code(c.room), past).Append(roompages.Pairing{Until: time.Now().Add(-time.Second)}); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]form{
		"at another room": {elsewhere + "/remote", fields("pair", secret)},
		"made up":         {c.room + "/remote", fields("pair", class.NewKey())},
		"empty":           {c.room + "/remote", fields()},
		"its hash":        {c.room + "/remote", fields("pair", room.HashKey(secret))},
		"expired":         {c.room + "/remote", fields("pair", past)},
		"the room's key":  {c.room + "/remote", fields("pair", c.ann.key(c.room))},
	} {
		p := c.person()
		a := p.send("POST", f.path, f.fields)
		a.wants(t, http.StatusUnprocessableEntity, "This link has been used, or is older than five minutes.")
		if len(a.Cookies()) > 0 || presents(p) {
			t.Errorf("a bad link (%s) pairs", name)
		}
	}
	phone := c.person()
	phone.send("POST", c.room+"/remote", fields("pair", secret)).wants(t, http.StatusSeeOther)
	if !presents(phone) {
		t.Error("the link does not work")
	}
	second := c.person()
	second.send("POST", c.room+"/remote", fields("pair", secret)).wants(t, http.StatusUnprocessableEntity)
	if presents(second) {
		t.Error("the link works twice")
	}
	for _, p := range c.others() {
		p.send("POST", c.room+"/remotes", url.Values{}).lacks(t, "?pair=")
	}
}

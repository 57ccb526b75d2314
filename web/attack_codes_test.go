package web

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/room"
)

// never returns a code that no room has.
func (c *classroom) never() string {
	for i := range 1_000_000 {
		if code := fmt.Sprintf("%06d", i); len(c.ledger.entries(class.RoomLog(code)+" ")) == 0 {
			return code
		}
	}
	return ""
}

// roomForms returns the forms of a room's pages.
func roomForms(room string) []form {
	return []form{
		{room + "/seats", fields()}, {room + "/do", fields("verb", "gather")}, {room + "/do", fields("verb", "vote", "choice", "0")},
		{room + "/remotes", fields()}, {room + "/remote", fields("pair", class.NewKey())},
	}
}

// A visitor without a key cannot tell an ended room from one that never was. Both give the same answers to the byte,
// and both count as guesses.
func TestAnEndedRoomLooksLikeNoRoom(t *testing.T) {
	c := newClass(t, Options{Limits: door.Limits{Guesses: 1000}})
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
			p.cookies = map[string]string{door.KeyCookie(code(in)): "made-up"}
			add(p.send("POST", f.path, f.fields))
		}
		return all
	}
	over, none := answers(c.room), answers(never)
	for i := range over {
		if over[i] != none[i] {
			t.Errorf("an ended room answers\n%.400s\nand one that never was\n%.400s", over[i], none[i])
		}
	}
	// Everybody who was there finds its replay.
	replay := "/t/" + class.Ask(c.hub, func(r *room.Room) string { return r.View(room.Who{}).Replay })
	for _, p := range []*person{c.teacher, c.ann, c.cat} {
		p.send("GET", c.room, nil).wants(t, http.StatusOK, replay)
	}
}

// Wrong codes count at every address. After three of them the next one waits for its turn, and a right code opens when
// its turn comes.
func TestEveryWayToGuessIsCounted(t *testing.T) {
	o := behind(t, "127.0.0.1")
	o.Limits = door.Limits{Guesses: 3}
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
			try(never, way, from)
			began := time.Now() // the next one has its turn later, and then keeps it for half a second
			try(never, way, from)
			if a := try(c.room, way, from); a.StatusCode == http.StatusNotFound || a.StatusCode == http.StatusTooManyRequests {
				t.Errorf("%s with a right code is answered %s", way.path, a.Status)
			}
			if took := time.Since(began); took < 400*time.Millisecond {
				t.Errorf("after six wrong codes %s is answered in %s", way.path, took)
			}
			if a := try(c.room, way, fmt.Sprintf("198.51.100.%d", i+1)); a.StatusCode == http.StatusNotFound {
				t.Errorf("elsewhere %s with a right code is answered %s", way.path, a.Status)
			}
		})
	}
	all.Wait()
	// The form on the home page knows no room. It leads to the address that counts codes, whatever the code.
	for _, in := range []string{never, c.room} {
		a := c.get("/join?code=" + code(in))
		if a.StatusCode != http.StatusSeeOther || a.Header.Get("Location") != in {
			t.Errorf("the code %s leads with %s to %q", code(in), a.Status, a.Header.Get("Location"))
		}
	}
}

// Three hundred people behind one address join at once, open every page and make a run each. A few of them mistype the code,
// and nobody has to wait.
func TestThreeHundredJoinBehindOneAddress(t *testing.T) {
	c := newClass(t, Options{})
	never := "/r/" + c.never()
	for i := range 300 {
		if i%10 == 0 {
			c.get(never).wants(t, http.StatusNotFound)
		}
		p := c.person()
		p.send("GET", c.room, nil).wants(t, http.StatusOK) // a browser has a name from the page on
		for _, path := range []string{"/new", "/settings", "/t/short", "/static/nothing", "/t/short", "/new", "/new"} {
			if a := p.send("GET", path, nil); a.StatusCode == http.StatusTooManyRequests {
				t.Fatalf("number %d at %s: %s", i+1, path, a.body)
			}
		}
		for _, a := range []answer{p.send("POST", "/runs", fields("scenario", "tick 1s\n")), p.send("GET", "/join?code="+code(c.room), nil), p.send("POST", c.room+"/seats", url.Values{}), p.send("GET", c.room+"/present", nil)} {
			if a.StatusCode != http.StatusSeeOther {
				t.Fatalf("number %d is answered %s: %s", i+1, a.Status, a.body)
			}
		}
	}
	if seats := class.Ask(c.hub, (*room.Room).Seats); seats != 303 {
		t.Errorf("there are %d seats", seats)
	}
}

// A right code opens in a network where somebody keeps trying wrong ones, even for the first of a class. A visitor who
// has been in the room waits for nobody. A visitor who only claims so waits with the others.
func TestARightCodeOpensBesideGuesses(t *testing.T) {
	s := newSite(t, behind(t, "127.0.0.1"))
	a := s.send("POST", "/rooms", url.Values{}, "X-Forwarded-For", "198.51.100.1")
	path := strings.TrimSuffix(a.Header.Get("Location"), "/present")
	key := a.Cookies()[0]
	for range 100 {
		s.server.guesses.Wrong("203.0.113.5")
	}
	var all sync.WaitGroup
	defer all.Wait()
	ctx, hangUp := context.WithCancel(t.Context())
	defer hangUp()
	var answered atomic.Int64
	guess := func(code, cookie string) {
		r, err := http.NewRequestWithContext(ctx, "GET", s.url+"/r/"+code, nil)
		if err != nil {
			t.Error(err)
			return
		}
		r.Header.Set("X-Forwarded-For", "203.0.113.5")
		r.Header.Set("Cookie", cookie)
		if a, err := s.client.Do(r); err == nil {
			a.Body.Close()
			answered.Add(1)
		}
	}
	for i := range 40 {
		all.Go(func() { guess(fmt.Sprintf("%06d", i), "") })
	}
	until(t, "all guesses have arrived", func() bool { return s.server.Guard.AtOnce.Held()+answered.Load() >= 40 })
	until(t, "those who are too many are sent away", func() bool { return answered.Load() >= 20 })
	// Half a second lies between two of the guesses that are left.
	opensBefore := func(what string, header ...string) {
		t.Helper()
		waiting := 40 - answered.Load()
		s.get(path, append(header, "X-Forwarded-For", "203.0.113.5")...).wants(t, http.StatusOK)
		if waiting < 4 {
			t.Fatal("too few guesses are left: nothing is proved")
		}
		if answered.Load() == 40 {
			t.Errorf("%s after all of %d guesses", what, waiting)
		}
	}
	opensBefore("somebody who has been in the room gets in", "Cookie", key.Name+"="+key.Value)
	for _, made := range []string{"", class.NewKey(), class.NewKey() + "." + strings.Repeat("a", 16), strings.Split(key.Value, ".")[0]} {
		r, _ := http.NewRequest("GET", path, nil)
		r.Header.Set("Cookie", key.Name+"="+made)
		if s.server.room.HasBeenIn(r, code(path)) {
			t.Errorf("the server believes that the bearer of %q has been in the room", made)
		}
	}
	name := s.get("/help", "X-Forwarded-For", "203.0.113.5").Cookies()[0]
	opensBefore("a right code opens", "Cookie", name.Name+"="+name.Value)
	opensBefore("a code that has opened before opens")
}

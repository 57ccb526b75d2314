package web

import (
	"context"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/class"
	"lockstep/web/live"
	"lockstep/web/room"
)

// written returns the sentence of a key as a page's markup has it.
func written(l lang.Language, key string, arguments ...any) string {
	return html.EscapeString(views.Say(l, key, arguments...))
}

// says reads a page of somebody's in each language, and wants the sentence of a key there.
func (p *person) says(path, key string, status int, arguments ...any) {
	p.Helper()
	for _, l := range slices.Backward(everyLanguage) { // the last one stays, as the person's own
		p.send("GET", path+"?lang="+string(l), nil).wants(p.T, status, written(l, key, arguments...))
	}
}

// loses reads to the message that tells a viewer what they have lost.
func (v *socketViewer) loses(what string) told {
	v.Helper()
	return v.until("what was lost: "+what, func(m told) bool { return m.Type == "seat" && m.Lost == what })
}

// seatNumber returns a person's seat in the room, or 0.
func (c *classroom) seatNumber(p *person) int { return c.hub.Who(room.HashKey(p.key(c.room))).Seat }

// The server tells a removed person at once, on every page. Their key no longer works, and nobody sees their sandbox.
// They can join again.
func TestARemovedSeatIsToldEverywhere(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "fork").wants(t, http.StatusSeeOther)
	c.ann.does(c.room, "own").wants(t, http.StatusSeeOther)
	sandbox := "/t/" + class.Ask(c.hub, func(r *room.Room) string { return r.Sandbox(1) })
	c.teacher.does(c.room, "show", "seat", "1").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "drive", "seat", "1").wants(t, http.StatusSeeOther)
	phone, page, own := c.ann.watches(c.run, "phone"), c.ann.watches(c.run, "page"), c.ann.watches(sandbox, "page")
	projector, bob := c.person().watches(sandbox, "screen"), c.bob.watches(c.run, "phone")
	projector.until("the sandbox", func(m told) bool { return m.Type == "room" && m.Run == sandbox })

	c.teacher.does(c.room, "remove", "seat", "1").wants(t, http.StatusSeeOther)
	for _, v := range []*socketViewer{phone, page, own} {
		if m := v.loses("remove"); m.Seat != 0 || m.Driving || m.Own != "" || m.Lane != "" {
			t.Errorf("the removed person is told %+v", m)
		}
	}
	for name, v := range map[string]*socketViewer{"the projector": projector, "Bob": bob} {
		if m := v.until("the room's run", func(m told) bool { return m.Type == "room" && m.Run == c.run }); m.Driver != 0 {
			t.Errorf("%s is told that seat %d drives", name, m.Driver)
		}
	}
	c.teacher.does(c.room, "switch", "free", "on").wants(t, http.StatusSeeOther)
	ann := somebody{"Ann, who was removed", c.ann}
	c.refusesMessages(ann, c.run, acts(2, "step C1"), asks("vote", "choice", "0"), asks("own"), asks("name", "text", "Ann"), asks("drive", "seat", "0"), asks("cursor", "at", "0"))
	c.refusesForms(ann, form{c.run + "/actions", fields("action", "step C1")}, form{c.room + "/do", fields("verb", "own")}, form{sandbox + "/actions", fields("action", "tick 1s")})
	for name, p := range map[string]*person{"Ann": c.ann, "Bob": c.bob, "a stranger": c.person()} {
		if _, r, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(c.url, "http")+sandbox+"/live", http.Header{"Cookie": {p.cookie()}}); err == nil || r.StatusCode != http.StatusForbidden {
			t.Errorf("%s opens the socket of the sandbox: %v", name, err)
		}
	}
	c.refusesInBoth(c.teacher, c.room+"/do", fields("verb", "show", "seat", "1"), room.ErrNoSandbox)
	for _, path := range []string{c.room + "/wall", c.run, c.room + "/screen"} {
		c.teacher.send("GET", path, nil).lacks(t, sandbox)
	}

	// There is nothing to change: asking again is no error and makes no entry.
	before := len(c.ledger.entries("r/"))
	c.teacher.does(c.room, "remove", "seat", "1").wants(t, http.StatusSeeOther)
	if kept := c.ledger.entries("r/")[before:]; len(kept) > 0 {
		t.Errorf("somebody is removed twice: %q", kept)
	}
	c.refusesInBoth(c.teacher, c.room+"/do", fields("verb", "remove", "seat", "9"), room.ErrNoSeat)
	c.refusesInBoth(c.teacher, c.room+"/do", fields("verb", "remove", "seat", "2 x"), room.ErrNoSeat)

	// Their page says so, and takes no seat unasked. On request it takes one with another number.
	c.ann.says(c.room, "room.removed", http.StatusOK)
	c.ann.send("GET", c.room, nil).lacks(t, "data-at-once")
	c.ann.says(c.run, "room.removed", http.StatusOK)
	c.ann.send("POST", c.room+"/seats", url.Values{}).wants(t, http.StatusSeeOther)
	if number := c.seatNumber(c.ann); number != 4 {
		t.Errorf("Ann has seat %d now", number)
	}
	c.ann.send("GET", c.room, nil).lacks(t, views.Say(lang.English, "room.removed"))
	if m := c.ann.watches(c.run, "phone").until("her seat", func(m told) bool { return m.Type == "seat" }); m.Seat != 4 || m.Lost != "" {
		t.Errorf("Ann is told %+v", m)
	}
}

// The presenter removes several people at once, such as those whose phones are gone.
func TestSeveralAreRemovedAtOnce(t *testing.T) {
	c := newClass(t, Options{})
	v := c.bob.watches(c.run, "phone")
	v.until("the room", func(m told) bool { return m.Type == "seat" })
	until(t, "Bob is here", func() bool {
		return strings.Contains(c.teacher.send("GET", c.run, nil).body, `id="people-gone-remove" type="submit" form="people-remove" name="seat" value="1 3"`)
	})
	c.teacher.does(c.room, "remove", "seat", "1 3").wants(t, http.StatusSeeOther)
	a := c.teacher.send("GET", c.run, nil)
	a.wants(t, http.StatusOK, `id="person-2"`)
	a.lacks(t, `id="person-1"`, `id="person-3"`, "people-gone")
	if entries := c.ledger.entries("r/"); !strings.Contains(entries[len(entries)-1], `"seats":[1,3]`) {
		t.Errorf("the last entry is %s", entries[len(entries)-1])
	}
	many := strings.TrimSpace(strings.Repeat("1 ", room.MaxSeats+1))
	c.refusesInBoth(c.teacher, c.room+"/do", fields("verb", "remove", "seat", many), room.ErrMalformed)
}

// Nobody new joins a locked room, and the pages say so. People who have a seat come and go as before.
func TestALockedRoomTakesNobody(t *testing.T) {
	c := newClass(t, Options{})
	projector := c.person().watches(c.run, "screen")
	c.teacher.send("GET", c.run, nil).wants(t, http.StatusOK, views.Say(lang.English, "present.lock"))
	c.teacher.does(c.room, "lock", "on", "on").wants(t, http.StatusSeeOther)
	if m := projector.until("the lock", func(m told) bool { return m.Type == "room" && m.Locked }); !strings.Contains(m.Panels["room"], views.Say(lang.English, "screen.locked.title")) {
		t.Errorf("the projector shows %s", m.Panels["room"])
	}
	late := c.person()
	late.says(c.room, "room.locked", http.StatusOK)
	late.says(c.room+"/screen", "screen.locked.title", http.StatusOK)
	late.send("GET", c.room, nil).lacks(t, "data-at-once", `id="join"`)
	before := len(c.ledger.entries("r/"))
	for _, l := range slices.Backward(everyLanguage) {
		a := late.send("POST", c.room+"/seats?lang="+string(l), fields())
		a.wants(t, http.StatusUnprocessableEntity, views.Say(l, "room.locked"))
		if strings.Count(a.body, views.Say(l, "room.locked")) != 1 {
			t.Error("the page says it twice")
		}
	}
	if kept := c.ledger.entries("r/")[before:]; len(kept) > 0 || late.key(c.room) != "" {
		t.Errorf("a refused newcomer has left %q", kept)
	}
	c.ann.send("GET", c.room, nil).wants(t, http.StatusOK, `id="phone"`)
	c.ann.send("POST", c.room+"/seats", fields()).wants(t, http.StatusSeeOther)
	if number := c.seatNumber(c.ann); number != 1 {
		t.Errorf("Ann has seat %d", number)
	}
	c.ann.send("POST", c.run+"/actions", fields("action", "step C1")).wants(t, http.StatusSeeOther)
	c.teacher.says(c.run, "present.unlock", http.StatusOK)

	// A person removed now does not come back.
	c.teacher.does(c.room, "remove", "seat", "2").wants(t, http.StatusSeeOther)
	c.bob.says(c.room, "room.removed", http.StatusOK)
	c.bob.says(c.room, "room.locked", http.StatusOK)
	c.refusesInBoth(c.bob, c.room+"/seats", fields(), room.ErrLocked)

	c.teacher.does(c.room, "lock").wants(t, http.StatusSeeOther)
	for _, p := range []*person{late, c.bob} {
		p.send("POST", c.room+"/seats", fields()).wants(t, http.StatusSeeOther)
	}
}

// paired returns a remote of the presenter.
func (c *classroom) paired() *person {
	c.Helper()
	p := c.person()
	p.send("POST", c.room+"/remote", fields("pair", c.pairs(c.teacher))).wants(c.T, http.StatusSeeOther)
	return p
}

// A revoked remote can do nothing any more, even on an open socket. An unused link stops working too.
func TestRevokedRemotesDoNothing(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.send("GET", c.run, nil).lacks(t, `id="revoke"`)
	phone, tablet := c.paired(), c.paired()
	unused := map[lang.Language]string{lang.English: c.pairs(c.teacher), lang.Chinese: c.pairs(c.teacher)}
	c.teacher.send("GET", c.run, nil).wants(t, http.StatusOK, `id="revoke"`, views.Say(lang.English, "present.remotes", 2))
	remote, wall, page := phone.watches(c.run, "remote"), tablet.watches(c.run, "wall"), phone.watches(c.run, "page")
	mine := c.teacher.watches(c.run, "page")

	c.teacher.does(c.room, "revoke").wants(t, http.StatusSeeOther)
	for _, v := range []*socketViewer{remote, wall, page} {
		if m := v.loses("revoke"); m.Driving {
			t.Errorf("a revoked remote is told %+v", m)
		}
	}
	black := asks("black", "on", "on")
	for _, v := range []*socketViewer{remote, wall, page} {
		for _, m := range []message{black, acts(2, "tick 1s"), asks("end"), asks("lock", "on", "on"), asks("revoke")} {
			if a := v.ask(m); a.Type != "error" {
				t.Errorf("a revoked remote says %v and is told %+v", m, a)
			}
		}
	}
	if a := mine.ask(asks("gather")); a.Type != "done" {
		t.Errorf("the presenter is told %+v", a)
	}
	for _, p := range []somebody{{"the phone", phone}, {"the tablet", tablet}} {
		c.refusesForms(p, doing(c.room, leading(atAnyTime))...)
		c.refusesForms(p, form{c.room + "/remotes", fields()})
		p.says(c.room+"/remote", "room.revoked", http.StatusUnprocessableEntity)
		p.says(c.room+"/wall", "room.revoked", http.StatusUnprocessableEntity)
		p.says(c.run, "room.revoked", http.StatusOK)
		p.says(c.room, "room.revoked", http.StatusOK)
	}
	for l, link := range unused {
		stranger := c.person()
		stranger.send("POST", c.room+"/remote?lang="+string(l), fields("pair", link)).wants(t, http.StatusUnprocessableEntity, written(l, "room.revoked"))
		if c.hub.Who(room.HashKey(stranger.key(c.room))) != (room.Who{}) {
			t.Error("a link of before the revocation pairs")
		}
	}
	c.teacher.send("GET", c.run, nil).lacks(t, `id="revoke"`)

	// A new link works. A device paired by it cannot take the room from the device that opened it.
	again := c.paired()
	again.does(c.room, "revoke").wants(t, http.StatusSeeOther)
	for _, p := range []*person{again, c.teacher} {
		p.does(c.room, "gather").wants(t, http.StatusSeeOther)
	}
	c.teacher.does(c.room, "revoke").wants(t, http.StatusSeeOther)
	c.refusesForms(somebody{"the remote", again}, doing(c.room, leading(atAnyTime))...)
}

// The presenter takes a name away, and gives none.
func TestPresenterTakesANameAway(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "switch", "free", "on").wants(t, http.StatusSeeOther)
	const take = `form="people-unname" name="seat" value="1"`
	c.teacher.send("GET", c.run, nil).lacks(t, take)
	c.ann.does(c.room, "name", "text", "Rude Word").wants(t, http.StatusSeeOther)
	c.teacher.send("GET", c.run, nil).wants(t, http.StatusOK, take, "Rude Word")
	c.bob.does(c.room, "name", "seat", "1").wants(t, http.StatusSeeOther) // Bob has no name of his own yet
	c.refusesInBoth(c.teacher, c.room+"/do", fields("verb", "name", "seat", "1", "text", "Nobody"), room.ErrSeatOnly)
	c.refusesInBoth(c.teacher, c.room+"/do", fields("verb", "name", "seat", "9"), room.ErrNoSeat)
	v := c.ann.watches(c.run, "phone")
	v.until("her name", func(m told) bool { return m.Name == "1 · Rude Word" })
	for range 2 { // the second time nothing changes
		c.teacher.does(c.room, "name", "seat", "1").wants(t, http.StatusSeeOther)
	}
	if m := v.until("another name", func(m told) bool { return m.Type == "seat" && !strings.Contains(m.Name, "Rude Word") }); m.Seat != 1 || m.Lost != "" {
		t.Errorf("Ann is told %+v", m)
	}
	c.teacher.send("GET", c.run, nil).lacks(t, take, "Rude Word")
	c.get(c.room+"/screen").lacks(t, "Rude Word")
}

// A removal, a lock and a revocation hold at every server, even at one that has only the log.
func TestRemovalLockAndRevocationHoldElsewhere(t *testing.T) {
	one, two, redis := twoSites(t)
	teacher := one.person()
	path, run := teacher.opens("spawn C1 C2 naive")
	ann, bob := two.joins(path), one.joins(path)
	link := func() string {
		a := teacher.send("POST", path+"/remotes", url.Values{})
		_, rest, _ := strings.Cut(a.body, "/remote?pair=")
		return rest[:26]
	}
	remote := two.person()
	remote.send("POST", path+"/remote", fields("pair", link())).wants(t, http.StatusSeeOther)
	unused := link()
	phone, far := ann.watches(run, "phone"), remote.watches(run, "remote")

	teacher.does(path, "remove", "seat", "1").wants(t, http.StatusSeeOther)
	phone.loses("remove")
	teacher.does(path, "revoke").wants(t, http.StatusSeeOther)
	far.loses("revoke")
	teacher.does(path, "lock", "on", "on").wants(t, http.StatusSeeOther)
	three := newSite(t, Options{Store: redis.store(), Limits: unhurried})
	for _, s := range []*site{two, one, three} {
		ann.at(s).says(path, "room.removed", http.StatusOK)
		ann.at(s).does(path, "own").wants(t, http.StatusUnprocessableEntity, views.Say(lang.English, "room.seat-only"))
		remote.at(s).does(path, "black", "on", "on").wants(t, http.StatusUnprocessableEntity, views.Say(lang.English, "room.presenter-only"))
		s.person().send("POST", path+"/seats", url.Values{}).wants(t, http.StatusUnprocessableEntity, views.Say(lang.English, "room.locked"))
		s.person().send("POST", path+"/remote", fields("pair", unused)).wants(t, http.StatusUnprocessableEntity, written(lang.English, "room.revoked"))
		bob.at(s).send("GET", path, nil).wants(t, http.StatusOK, `id="phone"`)
	}
}

// A full room refuses newcomers and votes in a sentence, and the presenter can still clear it.
func TestAFullRoomCanBeCleared(t *testing.T) {
	c := newClass(t, Options{Limits: unhurried})
	c.teacher.does(c.room, "switch", "free", "on").wants(t, http.StatusSeeOther)
	c.ann.does(c.room, "name", "text", "Rude Word").wants(t, http.StatusSeeOther)
	remote := c.paired()
	var err error
	for i := 0; err == nil; i++ {
		err = c.hub.As(context.Background(), room.Who{Presenter: true}, room.Entry{Verb: room.VerbCursor, At: i})
	}
	if err != room.ErrLong || class.Ask(c.hub, (*room.Room).Len) != room.MaxEntries {
		t.Fatalf("after %d entries: %v", class.Ask(c.hub, (*room.Room).Len), err)
	}
	c.refusesInBoth(c.person(), c.room+"/seats", fields(), room.ErrLong)
	for _, f := range []url.Values{
		fields("verb", "name", "seat", "1"), fields("verb", "remove", "seat", "1"), fields("verb", "lock", "on", "on"), fields("verb", "revoke"), fields("verb", "black", "on", "on"),
	} {
		c.teacher.send("POST", c.room+"/do", f).wants(t, http.StatusSeeOther)
	}
	c.refusesForms(somebody{"the remote", remote}, doing(c.room, leading(atAnyTime))...)
	if c.seatNumber(c.ann) != 0 || !class.Ask(c.hub, (*room.Room).Locked) {
		t.Error("a full room is not cleared")
	}
	c.teacher.does(c.room, "end").wants(t, http.StatusSeeOther)
}

// The presenter's panel has buttons for each person. It takes at most 140 KB for a class of 300, and 420 KB for a full
// room.
func TestThePanelOfAFullRoomFits(t *testing.T) {
	c := newClass(t, Options{})
	for i := 3; i < room.MaxSeats; i++ {
		if err := c.hub.As(context.Background(), room.Who{}, room.Entry{Verb: room.VerbJoin, Key: room.HashKey(fmt.Sprint(i))}); err != nil {
			t.Fatal(err)
		}
		most, measured := map[int]int{299: 140 << 10, room.MaxSeats - 1: 420 << 10}[i]
		if !measured {
			continue
		}
		for _, l := range everyLanguage {
			panel := len(c.hub.Panel(l, live.OnPage, true))
			if panel > most {
				t.Errorf("%s: the panel of %d people takes %d bytes", l, i+1, panel)
			}
		}
	}
}

package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/present"
	"lockstep/web/room"
	"lockstep/web/session"
	"lockstep/web/store"
)

// longRoom opens a room and adds entries to its log that only somebody can have added who leads it.
func (s *site) longRoom(kept store.Store, entries int) (path string) {
	s.Helper()
	path, _ = s.person().opens()
	log := store.NewLog[room.Entry](kept, session.RoomLog(code(path)))
	if err := log.Read(func() {}, func(room.Entry) error { return nil }); err != nil {
		s.Fatal(err)
	}
	for i := 0; log.Len() < entries; i++ {
		if err := log.Append(room.Entry{ID: fmt.Sprintf("%032d", i), Verb: room.VerbCursor, At: i % 2}); err != nil {
			s.Fatal(err)
		}
	}
	return path
}

// The log of a room counts for the network of whoever stays in it, and one that has too much of them in memory opens no
// other.
func TestLogsOfRoomsAreCounted(t *testing.T) {
	kept := store.Memory(store.Options{})
	s := newSite(t, Options{Store: kept})
	path := s.longRoom(kept, 1_000)
	enter := func(network string) error {
		_, done, err := s.server.sessions.Rooms.Enter(s.server.work.Asker(t.Context(), network, "p"), code(path))
		if err == nil {
			t.Cleanup(done)
		}
		return err
	}
	logs := s.server.guard.Logs
	logs.Force("full", 32<<20)
	before := logs.Held()
	if err := enter("full"); !errors.Is(err, session.ErrFullSite) || logs.Held() != before {
		t.Errorf("one log more: %v", err)
	}
	if err := enter("n"); err != nil || logs.Held() < before+60_000 {
		t.Errorf("1,000 entries take %d bytes (%v)", logs.Held()-before, err)
	}
	h := s.server.sessions.Rooms.Of(code(path))
	before = logs.Held()
	if err := h.As(nil, room.Who{Presenter: true}, room.Entry{Verb: room.VerbGather}); err != nil || logs.Held() <= before {
		t.Errorf("one entry more takes %d bytes (%v)", logs.Held()-before, err)
	}
}

// Whoever does something in a room, or comes to it, has it told to all who are there.
func TestWhatARoomIsToldIsCharged(t *testing.T) {
	c := newClass(t, Options{})
	for _, on := range []string{"page", "screen", "phone", "wall"} {
		c.teacher.watches(c.run, on).want("hello")
	}
	a := c.server.work.Asker(t.Context(), "n", "p")
	if err := c.hub.As(a, room.Who{Presenter: true}, room.Entry{Verb: room.VerbGather}); err != nil || a.Spent() < 4*session.Drawing(500) {
		t.Errorf("telling four kinds of viewers is %d units of work (%v)", a.Spent(), err)
	}
	r := c.server.sessions.Runs.Of(strings.TrimPrefix(c.run, "/t/"))
	v := c.server.sessions.NewViewer(session.Look{Language: lang.Chinese, Surface: session.OnWall, Run: r, Room: c.hub}, discardSocket{})
	defer v.End()
	a = c.server.work.Asker(t.Context(), "n", "p")
	c.hub.Join(a, v)
	defer c.hub.Leave(v)
	if a.Spent() < session.Drawing(500) {
		t.Errorf("telling one who comes is %d units of work", a.Spent())
	}
	a = c.server.work.Asker(t.Context(), "n", "p")
	panels, err := r.Look(a, 1, session.Audience{Language: lang.Chinese, Surface: session.OnPage})
	size := 0
	for _, html := range panels {
		size += len(html)
	}
	if err != nil || size == 0 || a.Spent() < session.Drawing(int64(size)) {
		t.Errorf("a look of %d bytes is %d units of work (%v)", size, a.Spent(), err)
	}
}

// What a page begins with is charged beside its HTML, and so is each drawing of a page that is too long.
func TestWhatAPageTakesIsCharged(t *testing.T) {
	s := newSite(t, Options{})
	path := s.runOf(strings.Repeat("do A1 GET lock.foo\n", 1200))
	r := s.server.sessions.Runs.Of(strings.TrimPrefix(path, "/t/"))
	if r == nil {
		var done func()
		var err error
		if r, done, err = s.server.sessions.Runs.Use(nil, strings.TrimPrefix(path, "/t/")); err != nil {
			t.Fatal(err)
		}
		defer done()
	}
	a := s.server.work.Asker(t.Context(), "n", "p")
	page, err := r.Page(a, session.Anywhere, present.Rows{}, s.server.site(lang.English))
	if size := page.Data.Log.(*present.Piece).Size; err != nil || size < 100<<10 || a.Spent() < session.Drawing(int64(size)) {
		t.Errorf("a page that begins with %d bytes of its log is %d units of work (%v)", size, a.Spent(), err)
	}
	before := a.Spent()
	for range 2 {
		page.Events = append(page.Events, page.Events...)
	}
	page.Events = append(page.Events, page.Events...)
	if present.Markup(inPageSize(a, page)); a.Spent()-before < session.Drawing(present.PageSize) {
		t.Errorf("drawing a page again is %d units of work", a.Spent()-before)
	}
}

// Those who watch a run hear once of each tab.
func TestATabIsToldOnce(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 naive")
	branch := func(line string) string {
		a := s.send("POST", aRun+"/actions", url.Values{"action": {line}, "at": {"0"}, "past": {"1"}})
		a.wants(t, http.StatusSeeOther)
		path, _, _ := strings.Cut(a.Header.Get("Location"), "?")
		return path
	}
	other := branch("tick 1s")
	here, there := s.watch(aRun+"/live"), s.watch(other+"/live")
	here.want("hello")
	there.want("hello")
	branch("tick 2s")
	s.act(aRun, "step C1")
	s.act(other, "tick 3s")
	for name, v := range map[string]*socketViewer{"the run": here, "its branch": there} {
		tabs := 0
		for m := v.want("events"); len(m.Lines) == 0; m = v.want("events") {
			tabs++
		}
		if tabs != 1 {
			t.Errorf("%s is told %d times of a tab", name, tabs)
		}
	}
}

// A claim that is known tells nobody anything new.
func TestAClaimIsToldOnce(t *testing.T) {
	s := newSite(t, Options{Limits: Limits{Actions: 1}})
	run := s.begin("race/break", nil)
	v := s.watch(run + "/live")
	v.want("hello")
	for range 50 {
		s.send("POST", run+"/claims", url.Values{}).wants(t, http.StatusSeeOther)
	}
	s.act(run, "tick 1s")
	claims := 0
	for m := v.want("events"); len(m.Lines) == 0; m = v.want("events") {
		claims++
	}
	if claims != 1 {
		t.Errorf("who watches is told %d times of a claim", claims)
	}
}

// Keys that somebody makes up use up nothing that the class has.
func TestMadeUpKeysAreOnePerson(t *testing.T) {
	c := newClass(t, Options{})
	refused := 0
	for range 100 {
		if a := c.bearing(session.NewKey()).does(c.room, "gather"); a.StatusCode == http.StatusTooManyRequests {
			refused++
		}
	}
	if refused < 50 {
		t.Errorf("of a hundred made-up keys %d are refused", refused)
	}
	c.ann.does(c.room, "vote", "choice", "0").wants(t, http.StatusUnprocessableEntity, views.Say(lang.English, "room.no-poll"))
}

// Whoever comes without a name ends nobody's search, and is given a name however many have come before.
func TestVisitorsWithoutAName(t *testing.T) {
	s := newSite(t, Options{Limits: unhurried})
	e := s.server.explorer
	first, err := e.Join(t.Context(), "n", "n")
	if err != nil {
		t.Fatal(err)
	}
	defer first.End(nil)
	second, err := e.Join(t.Context(), "n", "n")
	if err != nil {
		t.Fatal(err)
	}
	defer second.End(nil)
	if err := first.Err(); err != nil {
		t.Errorf("a search is replaced by that of somebody else: %v", err)
	}
	for range 1_000 {
		s.server.guard.names.Allow("127.0.0.1")
	}
	if cookies := s.get("/help").Cookies(); len(cookies) != 1 || cookies[0].Name != visitorCookie {
		t.Errorf("after a thousand names there is %v", cookies)
	}
}

// A right code opens from a network in which somebody tries wrong ones on and on, also for the first of a class. Somebody who
// has been in the room waits for nobody, and whoever only says so waits with all others.
func TestARightCodeWhereSomebodyGuesses(t *testing.T) {
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
		}
	}
	for i := range 40 {
		all.Go(func() { guess(fmt.Sprintf("%06d", i), "") })
	}
	time.Sleep(200 * time.Millisecond)
	began := time.Now()
	s.get(path, "X-Forwarded-For", "203.0.113.5", "Cookie", key.Name+"="+key.Value).wants(t, http.StatusOK)
	if took := time.Since(began); took > time.Second {
		t.Errorf("somebody who has been in the room waits for %s", took)
	}
	for _, made := range []string{"", session.NewKey(), session.NewKey() + "." + strings.Repeat("a", 16), strings.Split(key.Value, ".")[0]} {
		r, _ := http.NewRequest("GET", path, nil)
		r.Header.Set("Cookie", key.Name+"="+made)
		if s.server.hasBeenIn(r, code(path)) {
			t.Errorf("whoever brings %q has been in the room", made)
		}
	}
	name := s.get("/help", "X-Forwarded-For", "203.0.113.5").Cookies()[0]
	began = time.Now()
	s.get(path, "X-Forwarded-For", "203.0.113.5", "Cookie", name.Name+"="+name.Value).wants(t, http.StatusOK)
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("a right code opens after %s", took)
	}
	// Now it has opened there, it opens at once.
	began = time.Now()
	s.get(path, "X-Forwarded-For", "203.0.113.5").wants(t, http.StatusOK)
	if took := time.Since(began); took > time.Second {
		t.Errorf("a code that has opened before opens after %s", took)
	}
}

// What cannot be done now because many others wait is answered with 503, wherever it is asked for.
func TestAFullQueueIsBusyEverywhere(t *testing.T) {
	s := newSite(t, Options{MaxSearches: 1, MaxWaiting: 1})
	s.server.explorer.Search = endless
	run := s.begin("race/break", nil)
	for _, name := range []string{"ann", "bob"} {
		turn, err := s.server.explorer.Join(t.Context(), "elsewhere "+name, name)
		if err != nil {
			t.Fatal(err)
		}
		defer turn.End(nil)
	}
	s.get("/explore?run=search").wants(t, http.StatusServiceUnavailable, "queue is full")
	s.send("POST", run+"/claims", url.Values{}).wants(t, http.StatusServiceUnavailable, "queue is full")
}

// A link that the room refuses can be used when the room has place for it.
func TestALinkThatIsRefusedIsNotUsedUp(t *testing.T) {
	c := newClass(t, Options{})
	link := c.pairs(c.teacher)
	for i := 1; i < room.MaxKeys; i++ {
		if err := c.hub.As(nil, room.Who{Presenter: true}, room.Entry{Verb: room.VerbPair, Key: room.HashKey(fmt.Sprint(i))}); err != nil {
			t.Fatal(err)
		}
	}
	c.person().send("POST", c.room+"/remote", fields("pair", link)).wants(t, http.StatusUnprocessableEntity, views.Say(lang.English, "room.keys"))
	log := c.server.pairing(link)
	if err := log.Read(func() {}, func(pairing) error { return nil }); err != nil || log.Len() != 1 {
		t.Errorf("the link is used up, with %d entries (%v)", log.Len(), err)
	}

	two := newClass(t, Options{})
	link = two.pairs(two.teacher)
	other := room.Entry{ID: session.RequestID("pair", link), Verb: room.VerbPair, Key: room.HashKey("a device whose server has ended in the middle")}
	if err := two.hub.As(nil, room.Who{Presenter: true}, other); err != nil {
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

// What makes a run is counted once, and what only looks at another position not at all.
func TestMakingsAreCountedOnce(t *testing.T) {
	s := newSite(t, Options{Limits: Limits{Makings: 4}})
	s.act(aRun, "spawn C1 naive") // one
	for range 10 {
		for _, goes := range []string{"first", "back", "last", "schedule"} {
			s.send("POST", aRun+"/actions", url.Values{"action": {goes}, "at": {"1"}, "past": {"1"}}).wants(t, http.StatusSeeOther)
		}
	}
	for _, program := range []string{"getset", "del-setnx"} { // two, three
		s.send("POST", aRun+"/reruns", url.Values{"program": {program}, "at": {"1"}, "past": {"1"}}).wants(t, http.StatusSeeOther)
	}
	s.send("POST", "/t/bbbbbbbbbb/reruns", url.Values{"program": {"getset"}}).wants(t, http.StatusSeeOther) // four
	s.send("POST", aRun+"/reruns", url.Values{"program": {"naive"}}).wants(t, http.StatusTooManyRequests)
}

// Strangers who ask for the metrics get a line: no limit is on that address.
func TestMetricsTellStrangersNothing(t *testing.T) {
	s := newSite(t, Options{})
	a := s.get("/metrics")
	a.wants(t, http.StatusNotFound, views.Say(lang.English, "error.none"))
	if len(a.body) > 200 || !strings.HasPrefix(a.Header.Get("Content-Type"), "text/plain") || len(a.Cookies()) > 0 {
		t.Errorf("they get %d bytes of %s", len(a.body), a.Header.Get("Content-Type"))
	}
}

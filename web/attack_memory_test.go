package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gorilla/websocket"

	"lockstep/engine/program"
	"lockstep/web/class"
	"lockstep/web/door"
	"lockstep/web/present"
	"lockstep/web/room"
	"lockstep/web/store"
)

// fillsMemory opens long runs on sockets until their network may have no more in memory.
func (s *site) fillsMemory(begin func(actions int) string) {
	s.Helper()
	for n := 250; n > 0; n -= 5 {
		run := begin(n)
		if run == "" {
			continue // it was refused already
		}
		conn, r, err := websocket.DefaultDialer.Dial("ws"+strings.TrimPrefix(s.url, "http")+run+"/live", nil)
		if err == nil {
			s.Cleanup(func() { conn.Close() })
		} else if r == nil || r.StatusCode != http.StatusTooManyRequests {
			s.Fatalf("opening one of many runs: %v, %v", err, r)
		}
	}
}

// A neighbour who fills the network's memory with long runs shuts the presenter out of neither the room nor its run.
// Rooms have a bounded share of their own.
func TestARoomHasItsPlaceBesideLongRuns(t *testing.T) {
	s := newSite(t, Options{Limits: door.Limits{Runs: 1200 << 10}})
	teacher := s.person()
	room, run := teacher.opens("spawn C1 naive")
	long := func(s *site, actions int) string {
		return s.runOf(strings.Repeat("do A1 GET lock.foo\n", actions))
	}
	s.fillsMemory(func(actions int) string { return long(s, actions) })
	s.get(long(s, 100)).wants(t, http.StatusTooManyRequests)
	teacher.send("GET", run, nil).wants(t, http.StatusOK, "C1")
	teacher.send("GET", room+"/screen", nil).wants(t, http.StatusOK)

	s = newSite(t, Options{Limits: door.Limits{Runs: 1200 << 10}})
	s.fillsMemory(func(actions int) string {
		p := s.person()
		a := p.send("POST", "/rooms", url.Values{"run": {strings.TrimPrefix(long(s, actions), "/t/")}})
		if a.StatusCode != http.StatusSeeOther {
			return ""
		}
		return p.send("GET", a.Header.Get("Location"), nil).Header.Get("Location")
	})
	rooms, others := s.server.Guard.RoomRuns.Held(), s.server.Guard.Runs.Held()
	if rooms == 0 || rooms > 1200<<10 || others > 1200<<10 {
		t.Errorf("the runs of rooms take %d bytes, and other runs %d", rooms, others)
	}
}

// A first action that the store refuses leaves the address unused. It takes neither a place nor a byte.
func TestARefusedFirstActionTakesNoPlace(t *testing.T) {
	kept := &refusing{Store: store.Memory(store.Options{})}
	s := newSite(t, Options{Store: kept})
	s.watch(aRun + "/live").want("hello")
	kept.refuses.Store(true)
	s.send("POST", aRun+"/actions", url.Values{"action": {"tick 1s"}}).wants(t, http.StatusServiceUnavailable)
	g := s.server.Rooms.Runs
	if s.server.Rooms.Runs.Figures().Begun != 0 || s.server.Guard.Runs.Held() != 0 || g.Of(strings.TrimPrefix(aRun, "/t/")).Bytes() != 0 {
		t.Errorf("%d runs have begun, with %d bytes", s.server.Rooms.Runs.Figures().Begun, s.server.Guard.Runs.Held())
	}
	kept.refuses.Store(false)
	s.act(aRun, "tick 1s")
	if s.server.Rooms.Runs.Figures().Begun != 1 || s.server.Guard.Runs.Held() == 0 {
		t.Errorf("%d runs have begun, with %d bytes", s.server.Rooms.Runs.Figures().Begun, s.server.Guard.Runs.Held())
	}
}

// A refusing store says at times that it is full.
type refusing struct {
	store.Store
	refuses atomic.Bool
}

func (r *refusing) Append(ctx context.Context, log string, n int, entry []byte) error {
	if r.refuses.Load() {
		return store.ErrFull
	}
	return r.Store.Append(ctx, log, n, entry)
}

// A server counts what an open run takes, even when the run grows at another server.
func TestARunThatGrowsElsewhereIsCounted(t *testing.T) {
	kept := store.Memory(store.Options{})
	here, there := newSite(t, Options{Store: kept}), newSite(t, Options{Store: kept})
	here.watch(aRun + "/live").want("hello")
	bytes := func() int64 { return here.server.Guard.Runs.Held() }
	for range 3 {
		before := bytes()
		there.act(aRun, "do A1 SET k "+strings.Repeat("x", 400))
		here.get(aRun).wants(t, http.StatusOK)
		if bytes() < before+400 {
			t.Errorf("a run that has grown by 400 bytes elsewhere takes %d bytes after %d", bytes(), before)
		}
	}
	if here.server.Rooms.Runs.Figures().Begun != 1 {
		t.Errorf("%d runs have begun", here.server.Rooms.Runs.Figures().Begun)
	}
}

// A network that has filled its share of the store begins neither a run nor a room. Its runs go on, and other networks
// notice nothing.
func TestANetworkHasAShareOfTheStore(t *testing.T) {
	o := behind(t, "127.0.0.1")
	o.Store = store.Memory(store.Options{MaxBytes: 1 << 20})
	s := newSite(t, o)
	text := url.Values{"scenario": {strings.Repeat("do A1 GET lock.foo\n", 1000)}}
	from := func(network, path string, form url.Values) answer {
		return s.send("POST", path, form, "X-Forwarded-For", network)
	}
	first := runOf(t, from("203.0.113.5", "/runs", text).Header.Get("Location"))
	began := 1
	for ; from("203.0.113.5", "/runs", text).StatusCode == http.StatusSeeOther; began++ {
	}
	if began < 10 || began > 13 {
		t.Errorf("%d runs of 20 KB are begun in a quarter of 1 MB", began)
	}
	from("203.0.113.5", "/rooms", url.Values{"run": {strings.TrimPrefix(first, "/t/")}}).wants(t, http.StatusTooManyRequests)
	from("203.0.113.5", first+"/actions", url.Values{"position": {"1000"}, "action": {"tick 1s"}}).wants(t, http.StatusSeeOther)
	from("203.0.113.6", "/runs", text).wants(t, http.StatusSeeOther)
	from("203.0.113.6", "/rooms", url.Values{}).wants(t, http.StatusSeeOther)
}

// longRoom opens a room and adds entries to its log that only its presenter can have added.
func (s *site) longRoom(kept store.Store, entries int) (path string) {
	s.Helper()
	path, _ = s.person().opens()
	log := store.NewLog[room.Entry](kept, class.RoomLog(code(path)))
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

// The log of a room counts for the network of each visitor in it. A network with too many logs in memory opens no
// other room.
func TestLogsOfRoomsAreCounted(t *testing.T) {
	kept := store.Memory(store.Options{})
	s := newSite(t, Options{Store: kept})
	path := s.longRoom(kept, 1_000)
	enter := func(network string) error {
		_, done, err := s.server.Rooms.Enter(s.server.Work.Asker(t.Context(), network, "p").Context(), code(path))
		if err == nil {
			t.Cleanup(done)
		}
		return err
	}
	logs := s.server.Guard.Logs
	logs.Force("full", 32<<20)
	before := logs.Held()
	if err := enter("full"); !errors.Is(err, class.ErrFullSite) || logs.Held() != before {
		t.Errorf("one log more: %v", err)
	}
	if err := enter("n"); err != nil || logs.Held() < before+60_000 {
		t.Errorf("1,000 entries take %d bytes (%v)", logs.Held()-before, err)
	}
	h := s.roomOf(path)
	before = logs.Held()
	if err := h.As(context.Background(), room.Who{Presenter: true}, room.Entry{Verb: room.VerbGather}); err != nil || logs.Held() <= before {
		t.Errorf("one entry more takes %d bytes (%v)", logs.Held()-before, err)
	}
}

// An evicted run comes back from its log unchanged: its events byte by byte, its tabs, its task, and its page in both
// languages.
func TestEvictedRunsComeBackTheSame(t *testing.T) {
	s := newSite(t, Options{MaxRuns: 2, Limits: unhurried})
	post := func(path string, pairs ...string) string {
		t.Helper()
		a := s.send("POST", path, fields(pairs...))
		a.wants(t, http.StatusSeeOther)
		return runOf(t, a.Header.Get("Location"))
	}
	const plain = "/t/plainplain"
	naive, _ := program.Builtin("naive")
	own := strings.Replace(naive.Source, "lock.foo", "lock.bar", -1)
	runs := []string{plain}
	for _, line := range []string{"spawn C1 C2 del-setnx timeout=10s skew=2s", "step C1 2", "tick 12s", "crash C1", `note "时间到了"`, "step C2 2"} {
		s.act(plain, line)
	}
	runs = append(runs,
		post(plain+"/actions", "action", "restart C1", "at", "5", "past", "1"),
		post(plain+"/reruns", "program", "getset"),
		post(plain+"/reruns", "from", "del-setnx", "source", own),
		post("/runs", "scenario", present.HomeScenario),
		post("/courses/redis-lock/race"),
	)
	for _, run := range runs[1:] {
		s.send("POST", run+"/actions", url.Values{"action": {"tick 3s"}})
		s.send("POST", run+"/actions", url.Values{"action": {"schedule"}})
	}

	look := func() map[string]string {
		all := map[string]string{}
		for i, run := range runs {
			for _, what := range []string{".ndjson", ".txt", "?lang=en", "?lang=zh", "?step=2"} {
				a := s.get(run + what)
				a.wants(t, http.StatusOK)
				all[fmt.Sprintf("run %d%s", i, what)] = a.body
			}
		}
		until(t, "the answered requests have given up their runs", func() bool { return s.server.Guard.AtOnce.Held() == 0 })
		return all
	}
	// evict uses other runs until none of these is in memory.
	evict := func() {
		t.Helper()
		until(t, "they are no longer in memory", func() bool { // a handler may still use one
			for i := range 2 {
				s.act(fmt.Sprintf("/t/otherrun%02d", i), "tick 1s")
			}
			return !slices.ContainsFunc(runs, s.kept)
		})
	}
	first := look()
	if tabs := strings.Count(first["run 0?lang=en"], `?beside=`); tabs < 3 {
		t.Fatalf("the family has %d tabs", tabs)
	}
	evict()
	for what, page := range look() {
		if page != first[what] {
			t.Errorf("%s was\n%s\nand comes back as\n%s", what, first[what], page)
		}
	}

	// A viewer goes on where they were, and hears nothing twice.
	v := s.watch(plain + "/live").witness()
	seen := len(v.events)
	v.conn.Close()
	until(t, "nobody watches", func() bool {
		for i := range 2 {
			s.act(fmt.Sprintf("/t/otherrun%02d", i), "tick 1s")
		}
		return !s.kept(plain)
	})
	again := s.watch(fmt.Sprintf("%s/live?epoch=%s&since=%d", plain, v.epoch, seen))
	if m := again.want("hello"); m.Since != seen || m.Epoch != v.epoch || len(m.Events.([]any)) != 0 {
		t.Errorf("a viewer who has %d events is told again: %+v", seen, m)
	}
}

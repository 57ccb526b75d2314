package web

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/gorilla/websocket"

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

// Somebody beside the presenter who fills their network's memory with long runs shuts them out of neither the room nor its
// run. Rooms have a share of their own, which is bounded as well.
func TestARoomHasItsPlaceBesideLongRuns(t *testing.T) {
	s := newSite(t, Options{Limits: Limits{Runs: 1200 << 10}})
	teacher := s.person()
	room, run := teacher.opens("spawn C1 naive")
	long := func(s *site, actions int) string {
		return s.runOf(strings.Repeat("do A1 GET lock.foo\n", actions))
	}
	s.fillsMemory(func(actions int) string { return long(s, actions) })
	s.get(long(s, 100)).wants(t, http.StatusTooManyRequests)
	teacher.send("GET", run, nil).wants(t, http.StatusOK, "C1")
	teacher.send("GET", room+"/screen", nil).wants(t, http.StatusOK)

	s = newSite(t, Options{Limits: Limits{Runs: 1200 << 10}})
	s.fillsMemory(func(actions int) string {
		p := s.person()
		a := p.send("POST", "/rooms", url.Values{"run": {strings.TrimPrefix(long(s, actions), "/t/")}})
		if a.StatusCode != http.StatusSeeOther {
			return ""
		}
		return p.send("GET", a.Header.Get("Location"), nil).Header.Get("Location")
	})
	rooms, others := s.server.guard.RoomRuns.Held(), s.server.guard.Runs.Held()
	if rooms == 0 || rooms > 1200<<10 || others > 1200<<10 {
		t.Errorf("the runs of rooms take %d bytes, and %d of what others have", rooms, others)
	}
}

// A first action that the store refuses leaves an address that nobody has begun anything at: it takes neither a place nor a byte.
func TestAFirstActionThatIsRefused(t *testing.T) {
	kept := &refusing{Store: store.Memory(store.Options{})}
	s := newSite(t, Options{Store: kept})
	s.watch(aRun + "/live").want("hello")
	kept.refuses.Store(true)
	s.send("POST", aRun+"/actions", url.Values{"action": {"tick 1s"}}).wants(t, http.StatusServiceUnavailable)
	g := s.server.sessions.Runs
	if s.server.sessions.Figures().Begun != 0 || s.server.guard.Runs.Held() != 0 || g.Of(strings.TrimPrefix(aRun, "/t/")).Bytes() != 0 {
		t.Errorf("%d runs have begun, with %d bytes", s.server.sessions.Figures().Begun, s.server.guard.Runs.Held())
	}
	kept.refuses.Store(false)
	s.act(aRun, "tick 1s")
	if s.server.sessions.Figures().Begun != 1 || s.server.guard.Runs.Held() == 0 {
		t.Errorf("%d runs have begun, with %d bytes", s.server.sessions.Figures().Begun, s.server.guard.Runs.Held())
	}
}

// refusing is a store that at times has no room.
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

// What a run takes that goes on at another server is counted here, too, for whoever has it open.
func TestARunThatGrowsElsewhereIsCounted(t *testing.T) {
	kept := store.Memory(store.Options{})
	here, there := newSite(t, Options{Store: kept}), newSite(t, Options{Store: kept})
	here.watch(aRun + "/live").want("hello")
	bytes := func() int64 { return here.server.guard.Runs.Held() }
	for range 3 {
		before := bytes()
		there.act(aRun, "do A1 SET k "+strings.Repeat("x", 400))
		here.get(aRun).wants(t, http.StatusOK)
		if bytes() < before+400 {
			t.Errorf("a run that has grown by 400 bytes elsewhere takes %d bytes after %d", bytes(), before)
		}
	}
	if here.server.sessions.Figures().Begun != 1 {
		t.Errorf("%d runs have begun", here.server.sessions.Figures().Begun)
	}
}

package class

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
	"lockstep/web/store"
)

// newRooms returns Rooms whose limits are far away.
func newRooms(t testing.TB) *Rooms {
	t.Helper()
	shares := func() *limit.Shares { return limit.NewShares(48<<20, 128<<20) }
	rates := func() *limit.Rates { return limit.NewRates(4, 40) }
	return New(live.Environment{
		Server: "here", Store: store.Memory(store.Options{}), Work: limit.NewWork(2), Courses: func() []*course.Course { return []*course.Course{course.Builtin()} },
		MaxRuns: 3000, MaxViewers: 3000,
		Limits: &live.Limits{
			Runs: limit.NewPersonShares(shares(), shares()), RoomRuns: shares(), Rooms: shares(), Logs: shares(), Frames: shares(),
			Actions: rates(), OwnActions: rates(), Entries: limit.NewRates(200, 2000), OwnEntries: rates(), Presenting: rates(),
		},
		Site:     func(l lang.Language) views.Site { return views.Site{Lang: l} },
		Sign:     func(what, text string) string { return "signed" },
		MayMake:  func(network, person string) error { return nil },
		Refused:  func(string) {},
		Slow:     func() {},
		Survives: func(do, after func()) func() { return func() { defer after(); do() } },
		Debug:    func(string, error) {},
	}, Options{MaxRooms: 3000})
}

// opens opens a room that stays in use as long as the test.
func (g *Rooms) opens(t testing.TB) *Room {
	t.Helper()
	code, _, err := g.Create(context.Background(), "", func(code string) (*live.Run, error) {
		return g.Runs.Add(context.Background(), engine.NewRun(engine.Header{}, check.All()...), live.Beginning{Place: live.Place{Room: code}})
	})
	if err != nil {
		t.Fatal(err)
	}
	h, done, err := g.Use(context.Background(), code)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	return h
}

// longRoom opens a room and appends entries that only its presenter can append.
func (g *Rooms) longRoom(t testing.TB, entries int) (code string) {
	t.Helper()
	code, _, err := g.Create(context.Background(), "", func(code string) (*live.Run, error) {
		return g.Runs.Add(context.Background(), engine.NewRun(engine.Header{}, check.All()...), live.Beginning{Place: live.Place{Room: code}})
	})
	if err != nil {
		t.Fatal(err)
	}
	log := store.NewLog[room.Entry](g.Store, RoomLog(code))
	if err := log.Read(func() {}, func(room.Entry) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for i := 0; log.Len() < entries; i++ {
		if err := log.Append(room.Entry{ID: fmt.Sprintf("%032d", i), Verb: room.VerbCursor, At: i % 2}); err != nil {
			t.Fatal(err)
		}
	}
	return code
}

// Reading a long room is work of its first reader. The next readers find it read. It takes no place from other rooms, and
// is forgotten after a while.
func TestALongRoomIsReadOnce(t *testing.T) {
	const entries = 8_000
	first := newRooms(t)
	long, other := first.longRoom(t, entries), first.longRoom(t, 10)
	e := newRooms(t).Environment
	e.Store = first.Store
	g := New(e, Options{MaxRooms: 1})
	open := func(code string) int64 {
		t.Helper()
		a := g.Work.Asker(t.Context(), "n", "p")
		defer a.Done()
		_, done, err := g.Use(a.Context(), code)
		if err != nil {
			t.Fatal(err)
		}
		done()
		return a.Spent()
	}
	if spent := open(long); spent < entries*FoldWork {
		t.Errorf("reading %d entries is %d units of work", entries, spent)
	}
	if spent := open(long); spent > entries*FoldWork/10 {
		t.Errorf("asking for them again is %d units of work", spent)
	}
	if _, _, err := g.Use(context.Background(), "999999"); !errors.Is(err, ErrNoRoom) { // the long room gives way to it
		t.Fatal(err)
	}
	if open(long); g.Of(long) == nil {
		t.Error("a room is forgotten at once")
	}
	if open(other); g.Of(long) != nil || g.Of(other) == nil {
		t.Error("a room that nobody uses keeps its place")
	}
}

// A person who looks away for a moment, over and over, wakes the room no more often than by entries. A spectator does not
// wake the room.
func TestLookingAwayIsPaced(t *testing.T) {
	g := newRooms(t)
	h := newRoom(g.opens(t).Code(), g)
	h.Stop() // now only this test hears wake
	time.Sleep(2 * calm)
	if err := h.Load(context.Background()); err != nil {
		t.Fatal(err)
	}
	ann := room.HashKey("ann")
	if err := h.As(context.Background(), room.Who{}, room.Entry{Verb: room.VerbJoin, Key: ann}); err != nil {
		t.Fatal(err)
	}
	r, done, err := g.Runs.Use(context.Background(), Ask(h, (*room.Room).Run))
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	woken := func(key string) (times int) {
		v, a := g.Runs.NewViewer(live.Look{Language: "en", Run: r, Key: key, Surface: live.OnWall}, make(mute, 1)), g.Work.Asker(t.Context(), "n", key)
		defer v.End()
		h.Join(context.Background(), v)
		defer h.Leave(v)
		<-h.wake // it has come
		for i := range 200 {
			h.goAway(a.Context(), v, i%2 == 0)
			select {
			case <-h.wake:
				times++
			default:
			}
		}
		return times
	}
	for len(h.wake) > 0 {
		<-h.wake
	}
	if n := woken(""); n > 0 {
		t.Errorf("a spectator wakes the room %d times", n)
	}
	began := time.Now()
	if n := woken(ann); n == 0 || n > 41+int(4*time.Since(began).Seconds()) {
		t.Errorf("a seat wakes the room %d times in %s", n, time.Since(began))
	}
}

// A server that has been silent for too long does not count, and neither do the people with it.
func TestADeadServerCountsNoMore(t *testing.T) {
	h := newRooms(t).opens(t)
	if err := h.As(context.Background(), room.Who{}, room.Entry{Verb: room.VerbJoin, Key: room.HashKey("ann")}); err != nil {
		t.Fatal(err)
	}
	h.mu.Lock()
	h.elsewhere["dead"] = presence{Server: "dead", Here: []int{1}, heard: time.Now().Add(-gone)}
	h.mu.Unlock()
	h.soon()
	if !testtools.Eventually(func() bool { return h.Here() == 0 }) {
		t.Fatal("the dead server still counts")
	}
}

// Who is on the way while a room is being forgotten hears so, of the run and of the room.
func TestWhoComesTooLateHearsThatTheRoomIsGone(t *testing.T) {
	g := newRooms(t)
	h := g.opens(t)
	r, done, err := g.Runs.Use(context.Background(), Ask(h, (*room.Room).Run))
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	r.LetGo()
	h.mu.Lock()
	h.letGo()
	h.mu.Unlock()
	for what, joins := range map[string]func(*live.Viewer){
		"the run":  func(v *live.Viewer) { r.Join(context.Background(), v, present.Extent{}) },
		"the room": func(v *live.Viewer) { h.Join(context.Background(), v) },
	} {
		told := make(mute, 1)
		v := g.Runs.NewViewer(live.Look{Language: "en", Run: r}, told)
		joins(v)
		v.End()
		if f := <-told; f != live.GoneFrame {
			t.Errorf("%s tells a viewer %v", what, f)
		}
	}
}

// A mute is the socket of a viewer who says nothing. It keeps the first frame that it gets.
type mute chan live.Frame

func (mute) Receive() ([]byte, error) { select {} }
func (mute) Ping() error              { return nil }
func (mute) Close() error             { return nil }
func (mute) Prepare(live.Frame)       {}
func (mute) Leave()                   {}

func (m mute) Send(f live.Frame) error {
	select {
	case m <- f:
	default:
	}
	return nil
}

// Ann takes a seat at another server, and this one has not heard of it. It refuses nobody by what it had in memory.
func TestARefusalIsReadAgain(t *testing.T) {
	g := newRooms(t)
	h, ann := g.opens(t), room.HashKey("ann")
	sandbox, err := g.Runs.Add(context.Background(), engine.NewRun(engine.Header{}, check.All()...), live.Beginning{Place: live.Place{Room: h.Code(), Seat: 1}})
	if err != nil {
		t.Fatal(err)
	}
	if err := g.MayLook(context.Background(), ann, sandbox); !errors.Is(err, room.ErrNotYours) {
		t.Fatalf("before she has the seat, she sees its run: %v", err)
	}
	there, done, err := New(g.Environment, g.Options).Use(context.Background(), h.Code())
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if err := there.As(context.Background(), room.Who{}, room.Entry{Verb: room.VerbJoin, Key: ann}); err != nil {
		t.Fatal(err)
	}
	if Ask(h, func(in *room.Room) bool { return in.Knows(ann) }) {
		t.Fatal("this server has heard of it")
	}
	if err := g.MayLook(context.Background(), ann, sandbox); err != nil {
		t.Errorf("the run of her own seat is refused: %s", refusal.Of(err))
	}
}

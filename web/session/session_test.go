package session

import (
	"errors"
	"fmt"
	"net"
	"runtime"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
	"lockstep/web/store"
)

// newManager returns a Manager whose limits are far away.
func newManager(t testing.TB) *Manager {
	t.Helper()
	shares := func() *limit.Shares { return limit.NewShares(48<<20, 128<<20) }
	rates := func() *limit.Rates { return limit.NewRates(4, 40) }
	return New(Environment{
		Server: "here", Store: store.Memory(store.Options{}), Work: limit.NewWork(2), Courses: func() []*course.Course { return []*course.Course{course.Builtin()} },
		MaxRuns: 3000, MaxRooms: 3000, MaxViewers: 3000,
		Limits: &Limits{
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
	})
}

// opens opens a room that stays in use as long as the test.
func (m *Manager) opens(t testing.TB) *LiveRoom {
	t.Helper()
	code, _, err := m.Rooms.Create(nil, "", func(code string) (*Run, error) {
		return m.Runs.Add(nil, engine.NewRun(engine.Header{}, check.All()...), Beginning{Place: Place{Room: code}})
	})
	if err != nil {
		t.Fatal(err)
	}
	h, done, err := m.Rooms.Use(nil, code)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(done)
	return h
}

// longRoom opens a room and appends entries that only its presenter can append.
func (m *Manager) longRoom(t testing.TB, entries int) (code string) {
	t.Helper()
	code, _, err := m.Rooms.Create(nil, "", func(code string) (*Run, error) {
		return m.Runs.Add(nil, engine.NewRun(engine.Header{}, check.All()...), Beginning{Place: Place{Room: code}})
	})
	if err != nil {
		t.Fatal(err)
	}
	log := store.NewLog[room.Entry](m.Store, RoomLog(code))
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
	first := newManager(t)
	long, other := first.longRoom(t, entries), first.longRoom(t, 10)
	e := newManager(t).Environment
	e.Store, e.MaxRooms = first.Store, 1
	m := New(e)
	m.Rooms.swept = true // when the test says so
	open := func(code string) int64 {
		t.Helper()
		a := m.Work.Asker(t.Context(), "n", "p")
		defer a.Done()
		_, done, err := m.Rooms.Use(a, code)
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
	if _, _, err := m.Rooms.Use(nil, "999999"); !errors.Is(err, ErrNoRoom) { // the long room gives way to it
		t.Fatal(err)
	}
	if open(long); m.Rooms.Of(long) == nil {
		t.Error("a room is forgotten at once")
	}
	if open(other); m.Rooms.Of(long) != nil || m.Rooms.Of(other) == nil {
		t.Error("a room that nobody uses keeps its place")
	}
	g := m.Rooms
	g.mu.Lock()
	g.all[other].since = time.Now().Add(-unusedTime)
	g.mu.Unlock()
	if g.sweep(); g.Of(other) != nil || g.idle.Len() > 0 || g.spare != 0 {
		t.Errorf("after a while %d rooms are there, with %d bytes", g.idle.Len(), g.spare)
	}
}

// A person who looks away for a moment, over and over, wakes the room no more often than by entries. A spectator does not
// wake the room.
func TestLookingAwayIsPaced(t *testing.T) {
	m := newManager(t)
	h := newLiveRoom(m.opens(t).Code(), m)
	h.stop() // now only this test hears wake
	time.Sleep(2 * calm)
	if err := h.load(nil); err != nil {
		t.Fatal(err)
	}
	ann := room.HashKey("ann")
	if err := h.As(nil, room.Who{}, room.Entry{Verb: room.VerbJoin, Key: ann}); err != nil {
		t.Fatal(err)
	}
	woken := func(key string) (times int) {
		v, a := &Viewer{key: key}, m.Work.Asker(t.Context(), "n", key)
		for i := range 200 {
			h.goAway(a, v, i%2 == 0)
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

// A run that was left torn in memory does not become another run.
func TestARunThatWasLeftBecomesNothing(t *testing.T) {
	m := newManager(t)
	r, done, err := m.Runs.Use(nil, "cccccccccc")
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	r.gone = true
	if !refusal.Is(r.become(nil, "x", r.engine, course.Task{}), refusal.Stale) {
		t.Error("it becomes another run")
	}
}

// A server that has been silent for too long does not count, and neither do the people with it.
func TestADeadServerCountsNoMore(t *testing.T) {
	h := newManager(t).opens(t)
	if err := h.As(nil, room.Who{}, room.Entry{Verb: room.VerbJoin, Key: room.HashKey("ann")}); err != nil {
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
	m := newManager(t)
	r, h := newRun("aaaaaaaaaa", m.Runs), m.opens(t)
	r.mu.Lock()
	r.letGo()
	r.mu.Unlock()
	h.mu.Lock()
	h.letGo()
	h.mu.Unlock()
	for what, joins := range map[string]func(*Viewer){
		"the run":  func(v *Viewer) { r.viewers.join(nil, v, 1, present.Extent{}) },
		"the room": func(v *Viewer) { h.Join(nil, v) },
	} {
		v := m.NewViewer(Look{Language: "en"}, stuckSocket{make(chan struct{})})
		defer v.drop()
		joins(v)
		v.mu.Lock()
		if len(v.waiting) != 1 || v.waiting[0] != goneFrame {
			t.Errorf("%s tells a viewer %v", what, v.waiting)
		}
		v.mu.Unlock()
	}
}

// A viewer who does not read is dropped when the shares are full. Viewers who read are told everything.
func TestFramesThatNobodyReads(t *testing.T) {
	m := newManager(t)
	m.Limits.Frames = limit.NewShares(64<<10, 48<<20)
	r := newRun("aaaaaaaaaa", m.Runs)
	closed := make(chan struct{})
	stuck, reads := m.NewViewer(Look{Language: "en"}, stuckSocket{closed}), m.NewViewer(Look{Language: "zh"}, discardSocket{})
	for _, v := range []*Viewer{stuck, reads} {
		if !r.viewers.join(nil, v, 2, present.Extent{}) {
			t.Fatal("a viewer cannot join")
		}
	}
	stuck.mu.Lock()
	stuck.since = time.Now().Add(-time.Minute) // it has not read for a minute
	stuck.mu.Unlock()
	for i := range 20 {
		if err := r.press(nil, ReadPress("", i, "spawn C"+fmt.Sprint(i+1)+" naive")); err != nil && i < engine.MaxClients {
			t.Fatal(err)
		}
		if !testtools.Eventually(func() bool { reads.mu.Lock(); defer reads.mu.Unlock(); return len(reads.waiting) == 0 }) {
			t.Fatal("who reads is not told")
		}
	}
	select {
	case <-closed:
	default:
		t.Error("who does not read is not let go")
	}
	reads.mu.Lock()
	slow := reads.slow.Load()
	reads.mu.Unlock()
	if slow {
		t.Error("who reads is let go")
	}
	stuck.End()
	reads.End()
	if held := m.Limits.Frames.Held(); held != 0 {
		t.Errorf("%d bytes are held for nobody", held)
	}
}

// A viewer that does not read is dropped, and nobody waits for it.
func TestSlowReader(t *testing.T) {
	m := newManager(t)
	r := newRun("aaaaaaaaaa", m.Runs)
	closed := make(chan struct{})
	slow := m.NewViewer(Look{Language: "en"}, stuckSocket{closed})
	if !r.viewers.join(nil, slow, 1, present.Extent{}) {
		t.Fatal("the viewer cannot join")
	}
	for i := range Queue {
		if err := r.press(nil, ReadPress("", i, "tick 1s")); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-closed:
	default:
		t.Error("a viewer that reads nothing is still there")
	}
}

// BenchmarkOpenRuns fills every place with the race of the sources, and reports how much memory one run takes.
func BenchmarkOpenRuns(b *testing.B) {
	const places = 1000
	race := []string{
		"spawn C3 del-setnx timeout=10s", "step C3", "crash C3", "tick 12s", "spawn C1 C2 del-setnx timeout=10s",
		"step C1 2", "step C2 2", "step C1 2", "step C2 2",
	}
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		e := newManager(b).Environment
		e.MaxRuns = places
		g := New(e).Runs
		for i := range places {
			r, done, err := g.Use(nil, fmt.Sprintf("run%07d", i))
			if err != nil {
				b.Fatal(err)
			}
			for _, line := range race {
				if err := r.press(nil, ReadPress("", r.Length(), line)); err != nil {
					b.Fatal(err)
				}
			}
			done()
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapInuse-before.HeapInuse)/1024/places, "KB/run")
		runtime.KeepAlive(g)
	}
}

// BenchmarkAct measures one action with the panels for two languages: the server's part of a click.
func BenchmarkAct(b *testing.B) {
	m := newManager(b)
	r := newRun("aaaaaaaaaa", m.Runs)
	for _, l := range []lang.Language{lang.English, lang.Chinese} {
		v := m.NewViewer(Look{Language: l}, discardSocket{})
		defer v.End()
		if !r.viewers.join(nil, v, 2, present.Extent{}) {
			b.Fatal("the viewer cannot join")
		}
	}
	if err := r.press(nil, ReadPress("", 0, "spawn C1 C2 C3 del-setnx")); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := r.press(nil, ReadPress("", r.Length(), "note \"x\"")); err != nil {
			b.Fatal(err)
		}
		if r.Length() > 1000 {
			b.StopTimer()
			r.engine = r.engine.Prefix(3)
			b.StartTimer()
		}
	}
}

// stuckSocket is the socket of a viewer that never reads.
type stuckSocket struct{ closed chan struct{} }

func (stuckSocket) Receive() ([]byte, error) { select {} }
func (s stuckSocket) Ping() error            { <-s.closed; return net.ErrClosed }
func (s stuckSocket) Send(Frame) error       { <-s.closed; return net.ErrClosed }
func (stuckSocket) Leave()                   {}
func (s stuckSocket) Close() error           { close(s.closed); return nil }

// discardSocket is the socket of a viewer that reads as fast as it can.
type discardSocket struct{}

func (discardSocket) Receive() ([]byte, error) { select {} }
func (discardSocket) Ping() error              { return nil }
func (discardSocket) Send(Frame) error         { return nil }
func (discardSocket) Close() error             { return nil }
func (discardSocket) Leave()                   {}

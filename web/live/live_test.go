package live

import (
	"context"
	"fmt"
	"net"
	"runtime"
	"testing"
	"time"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/store"
)

// newRuns returns Runs whose limits are far away.
func newRuns(t testing.TB) *Runs {
	t.Helper()
	return New(farAway(), func(Place, Standing) {})
}

// farAway is an Environment whose limits are far away.
func farAway() Environment {
	shares := func() *limit.Shares { return limit.NewShares(48<<20, 128<<20) }
	rates := func() *limit.Rates { return limit.NewRates(4, 40) }
	return Environment{
		Server: "here", Store: store.Memory(store.Options{}), Work: limit.NewWork(2), Courses: func() []*course.Course { return []*course.Course{course.Builtin()} },
		MaxRuns: 3000, MaxViewers: 3000,
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
	}
}

// A run that was left torn in memory does not become another run.
func TestARunThatWasLeftBecomesNothing(t *testing.T) {
	g := newRuns(t)
	r, done, err := g.Use(context.Background(), "cccccccccc")
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	r.gone = true
	if !refusal.Is(r.become(context.Background(), "x", r.engine, course.Task{}), refusal.Stale) {
		t.Error("it becomes another run")
	}
}

// A viewer who does not read is dropped when the shares are full. Viewers who read are told everything.
func TestFramesThatNobodyReads(t *testing.T) {
	g := newRuns(t)
	g.Limits.Frames = limit.NewShares(64<<10, 48<<20)
	r := newRun("aaaaaaaaaa", g)
	closed := make(chan struct{})
	stuck, reads := g.NewViewer(Look{Language: "en"}, stuckSocket{closed}), g.NewViewer(Look{Language: "zh"}, discardSocket{})
	for _, v := range []*Viewer{stuck, reads} {
		if !r.Join(context.Background(), v, present.Extent{}) {
			t.Fatal("a viewer cannot join")
		}
	}
	stuck.mu.Lock()
	stuck.since = time.Now().Add(-time.Minute) // it has not read for a minute
	stuck.mu.Unlock()
	for i := range 20 {
		if err := r.Press(context.Background(), ReadPress("", i, "spawn C"+fmt.Sprint(i+1)+" naive")); err != nil && i < engine.MaxClients {
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
	if held := g.Limits.Frames.Held(); held != 0 {
		t.Errorf("%d bytes are held for nobody", held)
	}
}

// A viewer that does not read is dropped, and nobody waits for it.
func TestSlowReader(t *testing.T) {
	g := newRuns(t)
	r := newRun("aaaaaaaaaa", g)
	closed := make(chan struct{})
	slow := g.NewViewer(Look{Language: "en"}, stuckSocket{closed})
	if !r.Join(context.Background(), slow, present.Extent{}) {
		t.Fatal("the viewer cannot join")
	}
	for i := range Queue {
		if err := r.Press(context.Background(), ReadPress("", i, "tick 1s")); err != nil {
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
		e := farAway()
		e.MaxRuns = places
		g := New(e, func(Place, Standing) {})
		for i := range places {
			r, done, err := g.Use(context.Background(), fmt.Sprintf("run%07d", i))
			if err != nil {
				b.Fatal(err)
			}
			for _, line := range race {
				if err := r.Press(context.Background(), ReadPress("", r.Length(), line)); err != nil {
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
	g := newRuns(b)
	r := newRun("aaaaaaaaaa", g)
	for _, l := range []lang.Language{lang.English, lang.Chinese} {
		v := g.NewViewer(Look{Language: l}, discardSocket{})
		defer v.End()
		if !r.Join(context.Background(), v, present.Extent{}) {
			b.Fatal("the viewer cannot join")
		}
	}
	if err := r.Press(context.Background(), ReadPress("", 0, "spawn C1 C2 C3 del-setnx")); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := r.Press(context.Background(), ReadPress("", r.Length(), "note \"x\"")); err != nil {
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
func (stuckSocket) Prepare(Frame)            {}
func (stuckSocket) Leave()                   {}
func (s stuckSocket) Close() error           { close(s.closed); return nil }

// discardSocket is the socket of a viewer that reads as fast as it can.
type discardSocket struct{}

func (discardSocket) Receive() ([]byte, error) { select {} }
func (discardSocket) Ping() error              { return nil }
func (discardSocket) Send(Frame) error         { return nil }
func (discardSocket) Close() error             { return nil }
func (discardSocket) Prepare(Frame)            {}
func (discardSocket) Leave()                   {}

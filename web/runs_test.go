package web

import (
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"testing"

	"lockstep/views"
	"lockstep/web/present"
)

// When every place in memory is taken, the run that nobody uses for the longest
// time gives up its own. It is its log then, and back when it is asked for.
func TestLeastRecentlyUsedRunGivesWay(t *testing.T) {
	s := newSite(t, Options{MaxRuns: 3})
	path := func(i int) string { return fmt.Sprintf("/t/run000000%d", i) }
	watcher := s.watch(path(0) + "/live")
	watcher.want("hello")
	for i := range 3 {
		s.act(path(i), "spawn C1 naive")
	}
	watcher.want("events")
	s.get(path(1)).wants(t, 200) // used again: now 2 is the oldest, 0 is watched
	s.act(path(3), "spawn C1 naive")
	for i, kept := range []bool{true, true, false, true} {
		if s.kept(path(i)) != kept {
			t.Errorf("run %d is kept: %t, want %t", i, !kept, kept)
		}
	}
	s.get(path(2)).wants(t, 200, "C1 sends SETNX lock.foo C1.")
	s.act(path(2), "step C1")
}

func TestEveryPlaceIsWatched(t *testing.T) {
	s := newSite(t, Options{MaxRuns: 1})
	for i := range 5 { // an address that nobody has begun anything at takes none
		s.watch(fmt.Sprintf("/t/unbegun00%d/live", i)).want("hello")
	}
	s.watch(aRun + "/live").want("hello")
	s.act(aRun, "spawn C1 naive")
	s.send("POST", "/t/bbbbbbbbbb/actions", url.Values{"action": {"spawn C1 naive"}}).wants(t, http.StatusServiceUnavailable, "Every place for a run is taken")
	s.get("/t/bbbbbbbbbb").wants(t, 200)
}

func TestTooManyViewers(t *testing.T) {
	s := newSite(t, Options{MaxViewers: 2})
	s.watch(aRun + "/live").want("hello")
	s.watch(aRun + "/live").want("hello")
	s.get(aRun+"/live").wants(t, http.StatusServiceUnavailable)
}

// BenchmarkOpenRuns fills every place with the race of the sources and reports
// what one run costs in memory.
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
		g := New(Options{MaxRuns: places}).runs
		for i := range places {
			r, done, err := g.use(nil, fmt.Sprintf("run%07d", i))
			if err != nil {
				b.Fatal(err)
			}
			for _, line := range race {
				if err := r.act(nil, press{at: r.length()}, readLine(line).actions...); err != nil {
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

// BenchmarkAct is one action with the panels for two languages: what the server
// adds to a click.
func BenchmarkAct(b *testing.B) {
	s := New(Options{})
	r := newRun("aaaaaaaaaa", s.runs)
	for _, l := range []views.Language{views.English, views.Chinese} {
		v := s.newViewer(l, discardSocket{})
		defer v.end()
		if !r.join(nil, v, 2, present.Extent{}) {
			b.Fatal("the viewer cannot join")
		}
	}
	if err := r.act(nil, press{at: 0}, readLine("spawn C1 C2 C3 del-setnx").actions...); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := r.act(nil, press{at: r.length()}, readLine("note \"x\"").actions...); err != nil {
			b.Fatal(err)
		}
		if r.length() > 1000 {
			b.StopTimer()
			r.engine = r.engine.Prefix(3)
			b.StartTimer()
		}
	}
}

// discardSocket is that of a viewer that reads as fast as it can.
type discardSocket struct{}

func (discardSocket) Receive() ([]byte, error) { select {} }
func (discardSocket) Send(frame) error         { return nil }
func (discardSocket) Close() error             { return nil }
func (discardSocket) Leave()                   {}

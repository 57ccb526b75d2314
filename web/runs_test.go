package web

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"

	"lockstep/web/session"
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
	s.send("POST", "/t/bbbbbbbbbb/actions", url.Values{"action": {"spawn C1 naive"}}).wants(t, http.StatusServiceUnavailable, "The server has no space for another run")
	s.get("/t/bbbbbbbbbb").wants(t, 200)
}

func TestTooManyViewers(t *testing.T) {
	s := newSite(t, Options{MaxViewers: 2})
	s.watch(aRun + "/live").want("hello")
	s.watch(aRun + "/live").want("hello")
	s.get(aRun+"/live").wants(t, http.StatusServiceUnavailable)
}

// discardSocket is that of a viewer that reads as fast as it can.
type discardSocket struct{}

func (discardSocket) Receive() ([]byte, error) { select {} }
func (discardSocket) Ping() error              { return nil }
func (discardSocket) Send(session.Frame) error { return nil }
func (discardSocket) Close() error             { return nil }
func (discardSocket) Leave()                   {}

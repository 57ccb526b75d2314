package web

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
)

// When every place is taken, the run that nobody uses for the longest time goes.
func TestLeastRecentlyUsedRunGoes(t *testing.T) {
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
}

func TestEveryPlaceIsWatched(t *testing.T) {
	s := newSite(t, Options{MaxRuns: 1})
	s.watch(aRun + "/live").want("hello")
	s.send("POST", "/t/bbbbbbbbbb/actions", url.Values{"action": {"spawn C1 naive"}}).wants(t, http.StatusServiceUnavailable, "Every place for a run is taken")
	s.get("/t/bbbbbbbbbb").wants(t, 200)
}

func TestTooManyViewers(t *testing.T) {
	s := newSite(t, Options{MaxViewers: 2})
	s.watch(aRun + "/live").want("hello")
	s.watch(aRun + "/live").want("hello")
	s.get(aRun+"/live").wants(t, http.StatusServiceUnavailable)
}

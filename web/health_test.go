package web

import (
	"context"
	"errors"
	"net/http"
	"testing"
)

// The health names the part that does not work, and comes back with it.
func TestHealth(t *testing.T) {
	s := newSite(t, Options{})
	s.get("/healthz").wants(t, http.StatusOK, "ok\n")
	if r := s.send("HEAD", "/healthz", nil); r.StatusCode != http.StatusOK {
		t.Errorf("HEAD is answered with %s", r.Status)
	}
	broken, asked := error(nil), 0
	h := &s.server.health
	h.parts = append(h.parts, part{"cellar", func(context.Context) error { asked++; return broken }})
	for _, c := range []struct {
		broken error
		status int
		said   string
	}{{nil, http.StatusOK, "ok\n"}, {errors.New("flooded"), http.StatusServiceUnavailable, "cellar\n"}, {nil, http.StatusOK, "ok\n"}} {
		h.looked, broken, asked = h.looked.Add(-pingEvery), c.broken, 0
		for range 3 {
			if a := s.get("/healthz"); a.StatusCode != c.status || a.body != c.said {
				t.Errorf("when the cellar is %v: %s, %q", c.broken, a.Status, a.body)
			}
		}
		if asked != 1 {
			t.Errorf("three questions at once ask the cellar %d times", asked)
		}
	}
	h.end()
	s.get("/healthz").wants(t, http.StatusServiceUnavailable, "ending\n")
}

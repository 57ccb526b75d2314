package web

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/room"
)

// An action in a room is charged for every kind of viewer that it is told to. A newcomer is charged for the first
// message.
func TestTellingARoomIsCharged(t *testing.T) {
	c := newClass(t, Options{})
	for _, on := range []string{"page", "screen", "phone", "wall"} {
		c.teacher.watches(c.run, on).want("hello")
	}
	a := c.server.Work.Asker(t.Context(), "n", "p")
	if err := c.hub.As(a.Context(), room.Who{Presenter: true}, room.Entry{Verb: room.VerbGather}); err != nil || a.Spent() < 4*live.Drawing(500) {
		t.Errorf("telling four kinds of viewers is %d units of work (%v)", a.Spent(), err)
	}
	r := c.server.Rooms.Runs.Of(strings.TrimPrefix(c.run, "/t/"))
	v := c.server.Rooms.Runs.NewViewer(live.Look{Language: lang.Chinese, Surface: live.OnWall, Run: r}, discardSocket{})
	defer v.End()
	a = c.server.Work.Asker(t.Context(), "n", "p")
	c.hub.Join(a.Context(), v)
	defer c.hub.Leave(v)
	if a.Spent() < live.Drawing(500) {
		t.Errorf("telling a newcomer is %d units of work", a.Spent())
	}
	a = c.server.Work.Asker(t.Context(), "n", "p")
	panels, err := r.Look(a.Context(), 1, live.Audience{Language: lang.Chinese, Surface: live.OnPage})
	size := 0
	for _, html := range panels {
		size += len(html)
	}
	if err != nil || size == 0 || a.Spent() < live.Drawing(int64(size)) {
		t.Errorf("a look of %d bytes is %d units of work (%v)", size, a.Spent(), err)
	}
}

// The viewers of a run hear of each tab once.
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

// A claim that is known already is told to nobody.
func TestAClaimIsToldOnce(t *testing.T) {
	s := newSite(t, Options{Limits: door.Limits{Actions: 1}})
	run := s.begin("race/break", nil)
	v := s.watch(run + "/live")
	v.want("hello")
	for range 50 {
		s.send("POST", run+"/claims", url.Values{}).wants(t, http.StatusSeeOther)
	}
	s.act(run, "step C1")
	claims := 0
	for m := v.want("events"); len(m.Lines) == 0; m = v.want("events") {
		claims++
	}
	if claims != 1 {
		t.Errorf("a viewer is told %d times of a claim", claims)
	}
}

package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/web/session"
)

// A run that can take no more says so, and what is there can be taken on and out.
func TestLimits(t *testing.T) {
	s := newSite(t, Options{})
	// Typed commands make the most events: the run is full of them first.
	text := "spawn C1 naive\n" + strings.Repeat("do A1 GET k\n", 1300)
	a := s.send("POST", "/runs", url.Values{"scenario": {text}})
	a.wants(t, http.StatusUnprocessableEntity, "Line 1251, column 4: this action makes more events than the run takes, which is at most 5000 in all")

	line := strings.Count(a.body[:strings.Index(a.body, "</textarea>")], "\n") // every line was given back
	if line < 1300 {
		t.Fatalf("only %d lines were given back", line)
	}
	a = s.send("POST", "/runs", url.Values{"scenario": {"spawn C1 naive\n" + strings.Repeat("do A1 GET k\n", 1248) + "tick 1s\ntick 1s\n"}})
	a.wants(t, http.StatusSeeOther)
	full := a.Header.Get("Location")
	for range 20 {
		if a = s.send("POST", full+"/actions", url.Values{"action": {"tick 1s"}}); a.StatusCode != http.StatusSeeOther {
			break
		}
	}
	a.wants(t, http.StatusUnprocessableEntity, `<div id="limit" class="limit"><p>The run has 500`, `action="`+full+`/forks"`, `href="`+full+`.txt"`)

	v := s.watch(full + "/live")
	actions := len(v.want("hello").Lines)
	v.say(fmt.Sprintf(`{"type":"act","id":"1","at":%d,"action":"tick 1s"}`, actions))
	if m := v.want("error"); m.Code != "limit" {
		t.Errorf("an action on a full run is answered with the code %s: %s", m.Code, m.Text)
	}

	fork := s.send("POST", full+"/forks", url.Values{"at": {"2"}})
	fork.wants(t, http.StatusSeeOther)
	where := fork.Header.Get("Location")
	s.get(where).wants(t, http.StatusOK, `<div id="limit" class="limit" hidden>`)
	s.get(where+".txt").wants(t, http.StatusOK, "spawn C1 naive\ndo A1 GET k\n")
	if text := s.get(where + ".txt").body; strings.Count(text, "\n") != 2 {
		t.Errorf("the fork is\n%s", text)
	}
	s.act(where, "step C1")

	// One branch too many.
	for range session.MaxBranches {
		a = s.send("POST", where+"/actions", url.Values{"action": {"tick 3s"}, "at": {"1"}, "past": {"1"}})
	}
	a.wants(t, http.StatusUnprocessableEntity, "This run already has 12 branches", `<div id="limit" class="limit">`)
}

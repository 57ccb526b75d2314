package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/engine/testtools"
	"lockstep/web/live"
	"lockstep/web/store"
)

// A full run says so, and offers its log as a fork or a file.
func TestAFullRunSaysSo(t *testing.T) {
	s := newSite(t, Options{})
	// Typed commands make the most events, so the run fills up with events first.
	text := "spawn C1 naive\n" + strings.Repeat("do A1 GET k\n", 1300)
	a := s.send("POST", "/runs", url.Values{"scenario": {text}})
	a.wants(t, http.StatusUnprocessableEntity, "Line 1251, column 4: this action makes more events than fits: a run has at most 5000 in all")

	line := strings.Count(a.body[:strings.Index(a.body, "</textarea>")], "\n") // every line was given back
	if line < 1300 {
		t.Fatalf("only %d lines were given back", line)
	}
	a = s.send("POST", "/runs", url.Values{"scenario": {"spawn C1 naive\n" + strings.Repeat("do A1 GET k\n", 1248) + "tick 1s\ntick 1s\n"}})
	a.wants(t, http.StatusSeeOther)
	full := runOf(t, a.Header.Get("Location"))
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
	for range live.MaxBranches {
		a = s.send("POST", where+"/actions", url.Values{"action": {"tick 3s"}, "at": {"1"}, "past": {"1"}})
	}
	a.wants(t, http.StatusUnprocessableEntity, "This run already has 12 branches", `<div id="limit" class="limit">`)
}

// A run from a server with wider bounds is shown up to today's bounds, and says that it is full.
func TestARunBeyondTheBoundsIsShownUpToThem(t *testing.T) {
	kept := store.Memory(store.Options{})
	s := newSite(t, Options{Store: kept})
	for i, entry := range []string{
		`{"begin":{"epoch":"e","scenario":` + quoted(testtools.Flip+"spawn C1 flip\ntick 10s\ntick 24h\ntick 1s\n") + `,"family":"aaaaaaaaaa"}}`,
		`{"id":"a/x","lines":["tick 24h"]}`, `{"id":"a/y","lines":["step C1"]}`,
	} {
		if err := kept.Append(t.Context(), "t/aaaaaaaaaa", i, []byte(entry)); err != nil {
			t.Fatal(err)
		}
	}
	s.get(aRun).wants(t, http.StatusOK, "C1 starts flip")
	if lines := strings.Count(s.get(aRun+".txt").body, "tick"); lines != 1 {
		t.Errorf("%d of its ticks are there", lines)
	}
	s.send("POST", aRun+"/actions", url.Values{"action": {"tick 1s"}}).wants(t, http.StatusUnprocessableEntity, "This action makes more events than fits")
	s.send("POST", aRun+"/forks", url.Values{"at": {"1"}}).wants(t, http.StatusSeeOther)
}

func quoted(text string) string {
	return `"` + strings.NewReplacer("\n", `\n`, `"`, `\"`).Replace(text) + `"`
}

package web

import (
	"html"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
)

// The race of the sources by forms alone gives the same events as its scenario on the command line, in a list that
// needs no script.
func TestTheRaceWorksWithoutScripts(t *testing.T) {
	text, err := os.ReadFile("../engine/testdata/del-setnx-race.lock")
	if err != nil {
		t.Fatal(err)
	}
	scenario, err := engine.Parse("race", string(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	trace, err := scenario.Play("race", check.All()...)
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, Options{})
	for _, action := range scenario.Actions() {
		form := url.Values{"action": {action.String()}}
		if action.Verb == engine.VerbSpawn {
			form.Set("program", "del-setnx")
			form.Set("timeout", "10s")
		}
		if a := s.send("POST", aRun+"/actions", form); a.StatusCode != http.StatusSeeOther {
			t.Fatalf("%s: %s", action, a.Status)
		}
	}
	for lang, in := range map[string]lang.Language{"en": lang.English, "zh": lang.Chinese} {
		body := s.get(aRun + "?lang=" + lang).body
		rows := regexp.MustCompile(`<td class="sentence">([^<]+)</td>`).FindAllStringSubmatch(body, -1)
		events := trace.Run.World().Events()
		if len(rows) != len(events) {
			t.Fatalf("%s: the list has %d rows for %d events", lang, len(rows), len(events))
		}
		for i, e := range events {
			if got := strings.ReplaceAll(html.UnescapeString(rows[i][1]), "\u00a0", " "); got != e.Sentence(in) {
				t.Errorf("%s: row %d says %q, want %q", lang, i+1, got, e.Sentence(in))
			}
		}
	}
	s.get(aRun).wants(t, 200, "C1 and C2 are both in the critical section, and both believe that they hold the lock")
	s.get(aRun+".txt").wants(t, 200, "spawn C3 del-setnx timeout=10s\nstep C3\ncrash C3\ntick 12s\n")
	if lines := strings.Count(s.get(aRun+".ndjson").body, "\n"); lines != 1+len(trace.Run.World().Events()) {
		t.Errorf("the trace has %d lines, want a header and a line for each event", lines)
	}
}

func TestARunWorksByFormsAlone(t *testing.T) {
	s := newSite(t, Options{})
	post := func(form url.Values) answer { return s.send("POST", aRun+"/actions", form) }
	back := func() answer { return s.get(aRun) }

	post(url.Values{"action": {"spawn C1"}, "program": {"naive"}, "retry": {"3s"}, "skew": {""}, "blocking": {"false"}, "at": {"0"}}).wants(t, 303)
	s.get(aRun+".txt").wants(t, 200, "spawn C1 naive retry=3s blocking=false\n")
	post(url.Values{"action": {"spawn C2"}, "program": {"naive"}, "at": {"0"}}).wants(t, 422, "C1 already moved. Showing step 1.")
	post(url.Values{"action": {"spawn C2"}, "program": {"naive"}, "timeout": {"soon"}}).wants(t, 422, "timeout=soon is not a length of time")
	post(url.Values{"action": {"step C7"}}).wants(t, 422, "there is no client C7")
	post(url.Values{"action": {""}}).wants(t, 422, "Expected an action")
	post(url.Values{"action": {"program naive"}}).wants(t, 422, "Expected an action")
	post(url.Values{"action": {"tick 1s\ntick 1s"}}).wants(t, 422, "Expected an action")
	post(url.Values{"action": {"expect no violation"}}).wants(t, 422, "Expected an action")
	post(url.Values{"action": {"step C1"}, "at": {"x"}}).wants(t, 422)
	post(url.Values{"action": {"spawn C1 C5"}, "program": {"naive"}}).wants(t, 422, "there is a client C1 already")
	post(url.Values{"action": {"spawn C5 C1"}, "program": {"naive"}}).wants(t, 422, "there is a client C1 already")
	if text := s.get(aRun + ".txt").body; strings.Contains(text, "C5") {
		t.Errorf("half of a line was done: %s", text)
	}
	s.act(aRun, "step C1")
	page := back()
	page.wants(t, 200, "C1 is in the critical section")
	forms := regexp.MustCompile(`(?s)<form[^>]* action="[^"]*/actions\b.*?</form>`).FindAllString(page.body, -1)
	for _, form := range forms { // a press on a page that is old is refused as stale
		if !strings.Contains(form, `name="at" value="2"`) {
			t.Errorf("a form acts on any state: %s", form)
		}
	}
	if len(forms) < 3 {
		t.Errorf("the page has %d forms that act", len(forms))
	}
	s.get(aRun+"?step=1").wants(t, 200, "C1 sends SETNX lock.foo", `name="past"`, `class="future"`)
	s.get(aRun+"?step=0").wants(t, 200, "Nobody wants the lock yet.")
	s.get(aRun+"?step=77").wants(t, 200, "C1 is in the critical section")
	for action, want := range map[string]string{"first": "?step=0", "back": "?step=1", "last": "", "schedule": ""} {
		a := post(url.Values{"action": {action}, "at": {"2"}})
		if a.StatusCode != 303 || a.Header.Get("Location") != aRun+want {
			t.Errorf("%s leads to %s %q, want %q", action, a.Status, a.Header.Get("Location"), aRun+want)
		}
	}
	s.get(aRun+".txt").wants(t, 200, "step C1\nstep C1\n") // the scheduler's choice: C1 leaves
	branch := post(url.Values{"action": {"crash C1"}, "at": {"2"}, "past": {"1"}})
	branch.wants(t, 303)
	if where := branch.Header.Get("Location"); where == aRun {
		t.Error("acting in the past has opened no branch")
	}
	s.get(branch.Header.Get("Location")).wants(t, 200, "C1 crashes.", `aria-current="page">C1 crashes<`)
	back().wants(t, 200, "C1 leaves the critical section")
}

func TestAnOwnProgramReplacesTheBuiltIn(t *testing.T) {
	s := newSite(t, Options{})
	post := func(from, source string) answer {
		return s.send("POST", aRun+"/reruns", url.Values{"from": {from}, "source": {source}})
	}
	const good = "def acquire(c):\r\n    return c.setnx(\"mine\", 1) == 1\r\n\r\ndef release(c, lease):\r\n    c.delete(\"mine\")\r\n"
	bad := strings.Replace(good, "c.delete", "c.explode", 1)
	a := post("naive", bad)
	a.wants(t, 422, "Line 5, column ")
	textarea := regexp.MustCompile(`(?s)<textarea[^>]*>\n?(.*?)</textarea>`).FindStringSubmatch(a.body)
	if textarea == nil || html.UnescapeString(textarea[1]) != strings.ReplaceAll(bad, "\r\n", "\n") {
		t.Errorf("the typed text came back as %q", textarea)
	}
	post("naive", good).wants(t, 303)
	s.act(aRun, "spawn C1 naive-mine")
	s.act(aRun, "step C1")
	s.get(aRun).wants(t, 200, "C1 is in the critical section", `data-source="naive-mine"`, `name="program" value="naive-mine" form="spawn-form" checked`)
	s.get(aRun+".txt").wants(t, 200, "define naive-mine\n| def acquire(c):\n", "\nspawn C1 naive-mine\n")
}

func TestALargeFormIsRefused(t *testing.T) {
	s := newSite(t, Options{})
	s.send("POST", aRun+"/reruns", url.Values{"source": {strings.Repeat("x", 1<<20)}}).wants(t, 413)
	if n := s.places(); n != 0 {
		t.Errorf("%d runs are kept, want none", n)
	}
}

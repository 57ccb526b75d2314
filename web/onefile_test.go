package web

import (
	"bytes"
	"compress/gzip"
	"os"
	"regexp"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	runview "lockstep/views/run"
	"lockstep/web/runpages"
)

// A run as one file requests nothing from any server, and a stranger's text in it stays text.
func TestAFileOfARunRequestsNothing(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, `note "</script><script>alert(1)</script>"`)
	s.act(aRun, "spawn C1 naive")
	a := s.get(aRun + ".html?lang=zh")
	a.wants(t, 200, `<html lang="zh-Hans">`, `"format":"lockstep.trace","version":1,"scenario":"note`)
	if saved := a.Header.Get("Content-Disposition"); saved != `attachment; filename="lockstep-aaaaaaaaaa.html"` {
		t.Errorf("it is saved as %q", saved)
	}
	if strings.Contains(a.body, "<script>alert") {
		t.Error("a note is a script")
	}
	if found := regexp.MustCompile(`(?:src|action)="|href="[^d#]|url\(|@import|\bimport\b|fetch\(|WebSocket`).FindString(a.body); found != "" {
		t.Errorf("the file asks for something: %s", found)
	}
	if n := strings.Count(a.body, "<script"); n != 2 {
		t.Errorf("the file has %d scripts, want the trace and the player", n)
	}
	var gzipped bytes.Buffer
	zip := gzip.NewWriter(&gzipped)
	if _, err := zip.Write([]byte(a.body)); err != nil || zip.Close() != nil {
		t.Fatal(err)
	}
	t.Logf("the file of a run of two actions: %d KB, gzipped %d KB", len(a.body)>>10, gzipped.Len()>>10)
	if len(a.body) > 188<<10 || gzipped.Len() > 65<<10 {
		t.Errorf("the file of a run of two actions has %d bytes, gzipped %d", len(a.body), gzipped.Len())
	}
}

// A file that a page saves opens where the page was, and one that it saves before the first action is ready to be played.
func TestAFileOpensWhereItWasSaved(t *testing.T) {
	s := newSite(t, Options{})
	run := s.runOf("spawn C1 C2 naive\nstep C1 2\n")
	for page, wants := range map[string][2]string{
		run: {run + ".html?step=3", `"actions":3,"step":3,`}, run + "?step=2": {run + ".html?step=2", `"actions":3,"step":2,`}, run + "?step=0": {run + ".html", `"actions":3,"events"`},
	} {
		s.get(page).wants(t, 200, `href="`+wants[0]+`"`)
		s.get(wants[0]).wants(t, 200, wants[1])
	}
}

// The player has every word that its script puts in.
func TestThePlayerHasItsWords(t *testing.T) {
	said := runview.PlayerWords(lang.Chinese, check.Flags(lang.Chinese))
	for _, name := range []string{"title", "begin", "play", "pause"} {
		if text, ok := said[name].(string); !ok || strings.Contains(text, name) {
			t.Errorf("%s is %v", name, said[name])
		}
	}
}

// A file opens at what went wrong in a run that comes from a real system; any other is ready to be played.
func TestAFileOfAnIncidentOpensAtItsFinding(t *testing.T) {
	text, err := os.ReadFile("../engine/monitor/testdata/late-del.lock")
	if err != nil {
		t.Fatal(err)
	}
	incident, _, _ := strings.Cut(string(text), "\n# lockstep run prints")
	correct := "began 2026-11-24T09:50:35.272Z\ndo C1 SET lock a NX PX 800\nenter C1\nleave C1\ndo C1 DEL lock\n"
	_, made, _ := strings.Cut(incident, "# ")
	for name, test := range map[string]struct{ scenario, want string }{
		"an incident":                {incident, `"actions":17,"step":5,`},
		"a log without a finding":    {correct, `"actions":4,"events"`},
		"a run that somebody writes": {"# " + made, `"actions":17,"events"`},
	} {
		scenario, err := engine.Parse(name, test.scenario, nil)
		if err != nil {
			t.Fatal(err)
		}
		trace, err := scenario.Play(name, check.All()...)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if err := runpages.WriteHTML(&b, trace, lang.English); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(b.String(), test.want) {
			actions := strings.Index(b.String(), `"actions":`)
			t.Errorf("%s: no %s, but %s", name, test.want, b.String()[actions:actions+60])
		}
	}
}

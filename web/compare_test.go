package web

import (
	"encoding/json"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	runview "lockstep/views/run"
	"lockstep/web/present"
)

// compared opens the race of the home page beside its schedule under another program, as the button on the home page
// does.
func (s *site) compared(program string) (here, there string, answer answer) {
	s.Helper()
	a := s.send("POST", "/runs", url.Values{"scenario": {present.HomeScenario}, "program": {program}})
	if a.StatusCode != http.StatusSeeOther {
		s.Fatalf("POST /runs: %s", a.Status)
	}
	target, err := url.Parse(a.Header.Get("Location"))
	if err != nil {
		s.Fatal(err)
	}
	return target.Path, "/t/" + target.Query().Get("beside"), s.get(target.String())
}

// begins reads the data that a page hands to its scripts.
func (a answer) begins(t *testing.T) (data struct {
	Log    begun
	Beside *besideBegun
}) {
	t.Helper()
	found := regexp.MustCompile(`(?s)<script id="run-data" type="application/json">(.*?)</script>`).FindStringSubmatch(a.body)
	if found == nil {
		t.Fatalf("the page has no data: %s", a.Status)
	}
	if err := json.Unmarshal([]byte(found[1]), &data); err != nil {
		t.Fatal(err)
	}
	return data
}

// A begun log is the part of a run's log that its page contains.
type begun struct {
	Epoch          string
	Actions, Total int
	Header         *string
	Lines          []string
	Events         []any
}

type besideBegun struct {
	Run, Path, Here, There string
	Log                    begun
	Omitted                runview.Omitted
}

func TestTwoRunsStandSideBySide(t *testing.T) {
	s := newSite(t, Options{})
	here, there, page := s.compared("getset")
	page.wants(t, 200, `id="beside-timeline"`, `id="compare-back" href="`+there+`"`, "Back to del-setnx", `href="`+here+`" title="Go to this run"`, "2 actions of the schedule are impossible", here+"?beside="+strings.TrimPrefix(there, "/t/")+"&amp;lang=zh")
	data := page.begins(t)
	if data.Beside == nil || data.Beside.Here != "getset" || data.Beside.There != "del-setnx" {
		t.Fatalf("the page compares %+v", data.Beside)
	}
	if events := data.Beside.Log.Events; len(events) != 47 {
		t.Errorf("the other run has %d events", len(events))
	}
	// C1 is inside at the place of its former DEL and SETNX, and C2 sleeps at its last step.
	if got := data.Beside.Omitted; !slices.Equal(got.Here, []int{12, 14}) || len(got.There) != 0 || len(data.Log.Lines) != 12 {
		t.Errorf("left out: %+v of %q", got, data.Log.Lines)
	}

	// The other way round, and two reruns of one schedule.
	if back := s.get(there + "?beside=" + strings.TrimPrefix(here, "/t/")).begins(t).Beside; !slices.Equal(back.Omitted.There, data.Beside.Omitted.Here) || len(back.Omitted.Here) != 0 {
		t.Errorf("from the first run: %+v", back.Omitted)
	}
	again := s.send("POST", there+"/reruns", url.Values{"program": {"set-px"}})
	again.wants(t, 303)
	if to := again.Header.Get("Location"); !strings.Contains(to, "?beside="+strings.TrimPrefix(there, "/t/")) {
		t.Errorf("a rerun leads to %s", to)
	}
	sister, _, _ := strings.Cut(again.Header.Get("Location"), "?")
	if got := s.get(sister + "?beside=" + strings.TrimPrefix(here, "/t/")).begins(t).Beside; got.Here != "set-px" || got.There != "getset" || !slices.Equal(got.Omitted.There, data.Beside.Omitted.Here) {
		t.Errorf("two reruns: %+v", got.Omitted)
	}

	// Every tab but that of the page offers it.
	body := s.get(there).body
	for _, other := range []string{here, sister} {
		if !strings.Contains(body, `href="`+there+"?beside="+strings.TrimPrefix(other, "/t/")+`"`) {
			t.Errorf("%s offers no comparison with %s", there, other)
		}
	}
	if strings.Contains(body, "?beside="+strings.TrimPrefix(there, "/t/")) {
		t.Error("a run offers to be compared with itself")
	}
}

// Two runs of the same program are named for their tabs, and unrelated runs for their addresses.
func TestComparedRunsHaveDifferentNames(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 naive")
	s.act(aRun, "step C1")
	branch := s.send("POST", aRun+"/actions", url.Values{"action": {"crash C1"}, "at": {"1"}, "past": {"1"}}).Header.Get("Location")
	page := s.get(branch + "?beside=" + strings.TrimPrefix(aRun, "/t/"))
	page.wants(t, 200, `id="compare-back" href="`+branch+`"`, "Back to C1 crashes")
	if got := page.begins(t).Beside; got.Here != "C1 crashes" || got.There != "First run" {
		t.Errorf("a branch: %q and %q", got.Here, got.There)
	}
	s.act("/t/bbbbbbbbbb", "spawn C1 naive")
	if got := s.get(aRun + "?beside=bbbbbbbbbb").begins(t).Beside; got.Here != "First run" || got.There != "/t/bbbbbbbbbb" {
		t.Errorf("strangers: %q and %q", got.Here, got.There)
	}
}

// A lesson's run leads to a comparison, and the comparison back to the lesson: its words are there and not here.
func TestAComparisonLeadsBackToItsLesson(t *testing.T) {
	s := newSite(t, Options{})
	lesson := s.send("POST", "/courses/redis-lock/race", url.Values{"moment": {"showed"}}).Header.Get("Location")
	path := runOf(t, lesson)
	again := s.send("POST", path+"/reruns", url.Values{"program": {"getset"}}).Header.Get("Location")
	page := s.get(again)
	page.wants(t, 200, `id="compare-back" href="`+path+`"`, "Back to the lesson", `id="beside-timeline"`)
	if strings.Contains(page.body, `id="task-box"`) {
		t.Error("the lesson's card lies below two pictures")
	}
	s.get(path).wants(t, 200, `id="task-box"`)
}

// An impossible comparison is refused in a sentence, on a page that works.
func TestAnImpossibleComparisonSaysSo(t *testing.T) {
	s := newSite(t, Options{})
	s.act(aRun, "spawn C1 naive")
	for beside, want := range map[string]string{
		"zzzzzzzzzz":                    "This server no longer has the run to compare with",
		`"><script>`:                    "This server no longer has the run to compare with",
		strings.TrimPrefix(aRun, "/t/"): "That is this run itself",
	} {
		a := s.get(aRun + "?" + url.Values{"beside": {beside}}.Encode())
		a.wants(t, 200, want, "C1 sends SETNX")
		if a.begins(t).Beside != nil || strings.Contains(a.body, `id="beside"`) {
			t.Errorf("%q: there is a second picture", beside)
		}
	}
	if a := s.get(aRun + "?lang=zh&beside=zzzzzzzzzz"); !strings.Contains(html.UnescapeString(a.body), "没有要对照的那次运行") {
		t.Error("the sentence is not in Chinese")
	}
	s.send("POST", "/runs", url.Values{"scenario": {present.HomeScenario}, "program": {"nonsense"}}).wants(t, 422, "There is no such program")
}

package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"lockstep/engine/course"
	"lockstep/web/present"
)

// begin opens a run for a lesson or a challenge and returns its address.
func (s *site) begin(path string, form url.Values) string {
	s.Helper()
	a := s.send("POST", "/courses/redis-lock/"+path, form)
	a.wants(s.T, http.StatusSeeOther)
	return a.Header.Get("Location")
}

// Lesson 5 works by forms alone. It stops before the surprise, asks, goes on, and answers each guess.
func TestALessonWorksWithoutScripts(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("race", nil)
	s.get(run).wants(t, 200, `data-moment=""`, "0 / 6", "Let it happen", `data-client="C3"`)
	on := func(at string, form url.Values) string {
		t.Helper()
		form.Set("at", at)
		a := s.send("POST", run+"/lesson", form)
		a.wants(t, http.StatusSeeOther)
		return a.Header.Get("Location")
	}
	for _, at := range []string{"1", "3", "6", "10"} {
		s.get(run).lacks(t, `name="guess"`)
		on(at, url.Values{})
	}
	s.get(run).wants(t, 200, `data-moment="late"`, "4 / 6", "what happens when it arrives?</h3>", `value="removes"`, "Not sure")
	s.get(run).lacks(t, "C2 deleted C1", "has deleted C1&#39;s lock")

	s.get(on("12", url.Values{"guess": {"refused"}})).wants(t, 200, `data-moment="gone"`, "Not this time.", "C2 has deleted C1&#39;s lock")
	shown := s.get(on("13", url.Values{"guess": {"not-sure"}})).body
	for _, want := range []string{"The answer is", "both in the critical section", "Challenge:", `<div data-after="not-sure"><p`, `<div class="outcome-wrong" data-after="waits" hidden>`} {
		if !strings.Contains(shown, want) {
			t.Errorf("the page does not say %s", want)
		}
	}
	s.send("POST", run+"/lesson", url.Values{"at": {"14"}}).wants(t, http.StatusUnprocessableEntity, "The lesson is over")
	s.send("POST", run+"/lesson", url.Values{"at": {"3"}}).wants(t, http.StatusUnprocessableEntity, "Showing step 14.")
	s.get(run+"?lang=zh&step=12").wants(t, 200, `data-moment="late"`, "C1 快了一步")
	// In the past the lesson asks nothing, as the outcome is known.
	s.get(run+"?lang=en&step=12").lacks(t, `name="guess"`)
	if a := s.send("POST", run+"/lesson", url.Values{"at": {"6"}, "past": {"1"}}); a.Header.Get("Location") != run+"?step=10" {
		t.Errorf("from the past the lesson goes on to %s", a.Header.Get("Location"))
	}
	if a := s.send("POST", run+"/lesson", url.Values{"at": {"100000"}, "past": {"1"}}); a.Header.Get("Location") != run {
		t.Errorf("from where the run never was the lesson goes on to %s", a.Header.Get("Location"))
	}
}

// In a lesson Step does the lesson's next action. Elsewhere the scheduler chooses.
func TestStepFollowsTheLesson(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("race", nil)
	for range 13 { // C3 has come already
		s.send("POST", run+"/actions", url.Values{"action": {"schedule"}}).wants(t, http.StatusSeeOther)
	}
	s.get(run+".txt").wants(t, 200, "program del-setnx timeout=10s\nspawn C3\nstep C3\ncrash C3\ntick 12s\nspawn C1\nspawn C2\nstep C1\nstep C1\nstep C2\nstep C2\nstep C1\nstep C1\nstep C2\nstep C2\n")
	s.send("POST", run+"/actions", url.Values{"action": {"schedule"}}).wants(t, http.StatusSeeOther) // and after it the scheduler goes on
	s.get(run+".txt").wants(t, 200, "step C2\nstep C2\nstep C")
}

// A learner who leaves the lesson's path is told, and led back.
func TestLeavingALessonLeadsBack(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("race", url.Values{"moment": {"crashed"}})
	s.get(run).wants(t, 200, `data-moment="crashed"`, "1 / 6")
	s.act(run, "tick 1s")
	s.get(run).wants(t, 200, `data-moment="crashed"`, "From here on, this run is yours.", "Back to the lesson")
	s.send("POST", run+"/lesson", url.Values{}).wants(t, http.StatusUnprocessableEntity, "The lesson is over, or the run has left it")
	branch := s.send("POST", run+"/actions", url.Values{"action": {"tick 12s"}, "at": {"3"}, "past": {"1"}}).Header.Get("Location")
	s.get(branch).wants(t, 200, `data-moment="crashed"`, "Go on") // a branch on the lesson's own path follows it again
}

// The run decides a challenge: by a shortest way, and by one that does not count, which only a file can bring.
func TestTheRunDecidesAChallenge(t *testing.T) {
	s := newSite(t, Options{})
	shortest := []string{"step C1", "step C1", "step C2", "step C2", "step C1", "step C1", "step C2", "step C2"}
	run := s.begin("race/break", nil)
	s.get(run).wants(t, 200, `data-challenge="break"`, "It cannot be broken", "Hint")
	s.get(run).lacks(t, "So far")
	s.get(run).lacks(t, "data-solved", "There is no shorter way.")
	for _, line := range shortest {
		s.act(run, line)
	}
	s.get(run).wants(t, 200, "data-solved", `data-actions="8"`, "Broken in 8", "There is no shorter way.", "Next challenge:", "Fix it", `id="challenge-share"`)
	s.get(run+"?lang=zh").wants(t, 200, "8 个动作攻破", "没有更短的办法了。", "下一个挑战：")
	s.get(run+"?lang=en&step=13").wants(t, 200, "So far: 7 actions.") // it was not yet broken there

	v := s.watch(aRun + "/live")
	v.want("hello")
	scenario := append([]string{"program del-setnx timeout=2s retry=1s", "spawn C3", "step C3", "crash C3", "tick 4s", "spawn C1 C2", "pause C2", "tick 1s", "resume C2"}, shortest...)
	brought, _ := json.Marshal(map[string]string{"type": "restore", "id": "r", "scenario": strings.Join(scenario, "\n"), "task": "redis-lock/race/break"})
	v.say(string(brought))
	v.want("hello")
	// While the clock moved, a request of C1 was under way.
	s.get(aRun+"?lang=en").wants(t, 200, "In this challenge no message is under way while time passes: C1&#39;s is.", "Undo it, or start over.")
	s.get(aRun).lacks(t, "data-solved")
}

// A challenge whose time passes in tenths of a second has a button for them.
func TestAChallengeHasAButtonForItsTick(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("lease/short", nil)
	for _, line := range []string{"step C2", "tick 100ms", "step C1"} {
		s.get(run).wants(t, 200, `value="tick 100ms"`, "+0.1 s")
		s.act(run, line)
	}
	s.get(run).lacks(t, `value="tick 1s"`, `value="tick 10s"`)
	s.get(run).wants(t, 200, "Broken in 3", "There is no shorter way.")
}

// A search decides the claim that nothing breaks the program, for both answers.
func TestASearchDecidesAClaim(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("race/break", nil)
	s.send("POST", run+"/claims", url.Values{}).wants(t, http.StatusSeeOther)
	s.get(run).wants(t, 200, "It can be broken: the search has found a way.", "Look at a shortest way", `name="scenario"`)
	s.get(run).lacks(t, "data-solved")

	run = s.begin("getset/whole", nil)
	s.send("POST", run+"/claims", url.Values{}).wants(t, http.StatusSeeOther)
	s.get(run).wants(t, 200, "13,441 states: none breaks it.", "data-solved", `data-actions="0"`, "Holds")
	// One search finds it, and then everybody knows it.
	if p := s.server.explorer.Proof(course.Find(s.server.Shelf.All(), "redis-lock/getset/whole").Challenge); p == nil || p.States == 0 {
		t.Errorf("the proof is not kept: %v", p)
	}
	s.send("POST", aRun+"/claims", url.Values{}).wants(t, http.StatusUnprocessableEntity)
}

// The page of a fix begins with the attack on the program as it is, shows one as long as there is one, and never loses the typed text.
func TestAProgramIsFixedByForms(t *testing.T) {
	s := newSite(t, Options{})
	const path = "/courses/redis-lock/race/mend"
	s.get(path).wants(t, 200, "c.delete(&#34;lock.foo&#34;)", "Broken in 16", "mutual-exclusion is violated", "3 clients, 5 ticks of 1 s, at most 1 crash")
	try := func(source string) answer { return s.send("POST", path, url.Values{"source": {source}}) }
	challenge := course.Find(s.server.Shelf.All(), "redis-lock/race/mend").Challenge

	broken := try(challenge.Program().Source)
	broken.wants(t, 200, "mutual-exclusion is violated", "data-answered")
	broken.lacks(t, "data-solved")
	try(challenge.Fix.Source).wants(t, 200, "data-solved", "Fixed", "states: none breaks it.")
	// A lock that lets nobody in breaks nothing, and is no solution.
	nobody := try("def acquire(c):\n    c.get(\"lock.foo\")\n    return None\n\ndef release(c, lease):\n    c.delete(\"lock.foo\")\n")
	nobody.wants(t, http.StatusUnprocessableEntity, "never acquires the lock, not even for a single client")
	nobody.lacks(t, "data-solved")
	wrong := try("def acquire(c):\n    return c.explode()\n")
	wrong.wants(t, http.StatusUnprocessableEntity, "Line 2, column ", "return c.explode()", `data-line="2"`)
	try("").wants(t, http.StatusUnprocessableEntity)
	s.get("/courses/redis-lock/race/nothing").wants(t, http.StatusNotFound)
	for _, nowhere := range []string{"nowhere/race", "redis-lock/nowhere", "redis-lock/race/nothing"} {
		s.send("POST", "/courses/"+nowhere, nil).wants(t, http.StatusNotFound)
	}
}

// A hint looks ahead within the challenge's bounds, and at its property.
func TestAHintStaysWithinTheBounds(t *testing.T) {
	s := newSite(t, Options{})
	run := s.begin("race/break", nil)
	var a present.Ahead
	if err := json.Unmarshal([]byte(s.get(run+"/ahead?property=mutual-exclusion").body), &a); err != nil {
		t.Fatal(err)
	}
	if a.Verdict != "violated" || a.Length != 8 {
		t.Errorf("from the start it is %s in %d actions, not violated in 8", a.Verdict, a.Length)
	}
	s.get(run).wants(t, 200, `<option value="mutual-exclusion">`)
	s.get(run).lacks(t, `<option value="overlap">`)
}

// A page tells a restarted server the task of its run.
func TestAPageRestoresItsTask(t *testing.T) {
	s := newSite(t, Options{})
	v := s.watch(aRun + "/live")
	v.want("hello")
	v.say(`{"type":"restore","id":"r","scenario":"program del-setnx timeout=10s\nspawn C3\n","task":"redis-lock/race"}`)
	v.want("hello")
	s.get(aRun).wants(t, 200, `data-lesson="race"`, "0 / 6")
	s.send("POST", aRun+"/actions", url.Values{"action": {"schedule"}}).wants(t, http.StatusSeeOther)
	s.get(aRun+".txt").wants(t, 200, "spawn C3\nstep C3\n")
}

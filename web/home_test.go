package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/web/present"
)

// "Join a room" is a plain form on the home page, so a phone needs no script to get in. The form that starts a room is
// plain too.
func TestHomeLeadsToRooms(t *testing.T) {
	s := newSite(t, Options{BasePath: "/tools/lockstep"})
	for language, words := range map[string][2]string{"en": {"Join a room", "Start a room"}, "zh": {"加入房间", "创建房间"}} {
		s.get("/tools/lockstep/?lang="+language).wants(t, http.StatusOK,
			`<form class="home-join" method="get" action="/tools/lockstep/join"><label for="join-code">`+words[0]+`</label> <input id="join-code" name="code" inputmode="numeric" autocomplete="off"`,
			`<form method="post" action="/tools/lockstep/rooms"><button class="button" type="submit">`+words[1]+`</button></form>`)
	}
}

// The live region of the home page has the sentences. The code stands outside it, as nobody listens to a program.
func TestHomeReadsSentencesAloud(t *testing.T) {
	body := newSite(t, Options{}).get("/?order=1122&show=why").body
	live := regexp.MustCompile(`(?s)<div class="card-text" id="home-says" aria-live="polite">.*?</div>`).FindString(body)
	if !strings.Contains(live, "DEL removed C1&#39;s lock: DEL names a key, not the value that C2 had read.") || strings.Contains(live, "source") {
		t.Errorf("the live region has %s", live)
	}
	if !strings.Contains(body, `c.delete(`) {
		t.Error("the guilty line is not on the page")
	}
}

// pressed finds the links that deliver a request. A hidden one is no way on.
var pressed = regexp.MustCompile(`(?s)<a class="home-press[^"]*" id="press-\w+" data-press="[^"]*"[^>]*? href="([^"]*)"([^>]*)>[^<]*</a>`)

// Without scripts a press is a link. The links lead through every beat and every order, each of which ends broken or held. One control
// at a time is the primary one, or two equal ones stand side by side.
func TestHomeIsPlayedWithoutScripts(t *testing.T) {
	s := newSite(t, Options{BasePath: "/tools/lockstep"})
	ends := map[string]string{}
	var follow func(path string)
	follow = func(path string) {
		body := s.get(path).body
		primary := 0
		for _, control := range regexp.MustCompile(`<(?:a|button) [^>]*class="[^"]*\bprimary\b[^>]*>`).FindAllString(body, -1) {
			if !regexp.MustCompile(`\shidden[\s>]`).MatchString(control) {
				primary++
			}
		}
		before, equal := len(ends), 0
		for _, link := range pressed.FindAllStringSubmatch(body, -1) {
			if !strings.Contains(link[2], "hidden") {
				equal++
				follow(strings.ReplaceAll(link[1], "&amp;", "&"))
			}
		}
		if primary != 1 && (primary != 0 || equal != 2) {
			t.Errorf("%s has %d primary controls and %d presses", path, primary, equal)
		}
		if len(ends) == before {
			_, order, _ := strings.Cut(path, "order=")
			ends[order] = regexp.MustCompile(`data-kind="(\w+)"`).FindStringSubmatch(body)[1]
		}
	}
	follow("/tools/lockstep/")
	if got, want := fmt.Sprint(ends), "map[1122:broken 1212:held 1221:held 2112:held 2121:held 2211:broken]"; got != want {
		t.Errorf("the orders end\n%s, want\n%s", got, want)
	}
}

// An address that names no order shows the beginning, however long it is.
func TestHomeKnowsItsOrdersOnly(t *testing.T) {
	s := newSite(t, Options{})
	for _, query := range []string{"order=3", "order=111", "order=11222", "order=" + strings.Repeat("12", 1000), "order=%00", "show=why", "beat=4", "beat=0", "beat=x", "order=12&show=why&show=x", "order[]=1"} {
		body := s.get("/?" + query).body
		if kind := regexp.MustCompile(`data-kind="(\w+)"`).FindStringSubmatch(body)[1]; kind != "asks" && !(strings.HasPrefix(query, "order=12&") && kind == "press") {
			t.Errorf("%.40s shows %s", query, kind)
		}
	}
}

// The run that a broken lock offers to the playground is the run on the page, and so is its twin under the repair.
func TestHomeOpensItsRun(t *testing.T) {
	s := newSite(t, Options{})
	body := s.get("/?order=1122&show=getset").body
	field := regexp.MustCompile(`data-scenario value="([^"]*)"`).FindStringSubmatch(body)
	if field == nil || strings.ReplaceAll(field[1], "&#10;", "\n") != present.HomeScenario {
		t.Fatalf("the page offers %q, want\n%s", field, present.HomeScenario)
	}
	s.send("POST", "/runs", url.Values{"scenario": {present.HomeScenario}, "program": {"getset"}}).wants(t, http.StatusSeeOther)
}

// The figure of the home page comes from the engine: anybody who asks the explorer finds the same. The search fits into its budget,
// which therefore bounds what the first visitor waits for.
func TestHomeCountsItsProof(t *testing.T) {
	proof := homeProof()
	if proof.Verdict != explore.Holds || proof.States != 2_438 {
		t.Errorf("%s after %d states, want that it holds after 2438", proof.Verdict, proof.States)
	}
	if proof.Work > homeBudget.Work/2 {
		t.Errorf("the search takes %d units, and its budget is %d", proof.Work, homeBudget.Work)
	}
	for _, l := range []lang.Language{lang.English, lang.Chinese} {
		newSite(t, Options{}).get("/?lang="+string(l)).wants(t, http.StatusOK, "2,438")
	}
}

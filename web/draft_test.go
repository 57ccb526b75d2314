package web

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/testtools"
	"lockstep/web/door"
	"lockstep/web/store"
)

// formOf returns the address of the first form of a page that ends in a name, with its query.
func (a answer) formOf(t *testing.T, name string) string {
	t.Helper()
	found := regexp.MustCompile(`action="([^"]*/` + name + `\?[^"]*)"`).FindStringSubmatch(a.body)
	if found == nil {
		t.Fatalf("%s has no form %s of a draft", a.Request.URL, name)
	}
	return html.UnescapeString(found[1])
}

// runOf returns the path of the run to which an answer leads, or below which an address lies.
func runOf(t *testing.T, address string) string {
	t.Helper()
	run := regexp.MustCompile(`^/t/[a-z0-9]{10}`).FindString(address)
	if run == "" {
		t.Fatalf("%q is not below a run", address)
	}
	return run
}

// A thousand looks at lessons and challenges leave nothing: no run, no entry in the store, no memory, no refusal.
func TestALookAtALessonMakesNothing(t *testing.T) {
	testtools.Long(t, "it asks for a hundred lessons")
	kept := &ledger{Store: store.Memory(store.Options{})}
	s := newSite(t, Options{Store: kept, Metrics: here, Limits: door.Limits{Makings: 1}})
	before := s.server.Rooms.Runs.Figures()
	written := len(kept.entries(""))
	for i := range testtools.InCircle(0, 25, 250) {
		for _, path := range []string{"race", "race/break", "race?moment=late", "five-servers?done=1000"} {
			a := s.get("/courses/redis-lock/" + path)
			a.wants(t, http.StatusOK, `data-client="C`)
			if i > 0 {
				continue
			}
			form := a.formOf(t, "actions")
			run, query, _ := strings.Cut(form, "/actions")
			for _, below := range []string{".txt", ".json", "/events", "/ahead"} {
				s.get(run+below+query).wants(t, http.StatusOK)
			}
		}
	}
	until(t, "the looks have given up their places", func() bool { return s.places() == 0 })
	if after := s.server.Rooms.Runs.Figures(); after != before {
		t.Errorf("in memory are %+v, and before were %+v", after, before)
	}
	if n := len(kept.entries("")); n != written {
		t.Errorf("the store has %d new entries", n-written)
	}
	s.get("/metrics").wants(t, http.StatusOK, "lockstep_runs_in_memory 0\n")
	s.get("/metrics").lacks(t, `lockstep_refused_total{reason="makings"}`)
}

// Without scripts each form of a draft makes the run, does what it says and leads to the run.
func TestTheFirstFormMakesTheRun(t *testing.T) {
	s := newSite(t, Options{})
	for _, c := range []struct {
		lesson, form string
		fields       url.Values
		header       string
		done         string // the last line of the scenario
	}{
		{"race", "lesson", url.Values{}, "program del-setnx timeout=10s\n", "crash C3\n"},
		{"race?moment=late", "lesson", url.Values{"guess": {"removes"}}, "program del-setnx timeout=10s\n", "step C2\n"},
		{"race", "actions", url.Values{"action": {"schedule"}}, "program del-setnx timeout=10s\n", "spawn C3\nstep C3\n"},
		{"race", "actions", url.Values{"action": {"tick 1s"}, "at": {"1"}}, "program del-setnx timeout=10s\n", "spawn C3\ntick 1s\n"},
		{"race/break", "actions", url.Values{"action": {"step C1"}}, "program del-setnx timeout=2s retry=1s\n", "step C1\n"},
		{"race/break", "claims", url.Values{}, "program del-setnx timeout=2s retry=1s\n", "spawn C2\n"},
	} {
		page := s.get("/courses/redis-lock/" + c.lesson)
		form := page.formOf(t, c.form)
		a := s.send("POST", form, c.fields)
		a.wants(t, http.StatusSeeOther)
		run := runOf(t, form)
		if to := runOf(t, a.Header.Get("Location")); to != run {
			t.Errorf("%s of %s leads to %s, not to %s", c.form, c.lesson, to, run)
		}
		task, _, _ := strings.Cut(c.lesson, "?")
		s.get(run).wants(t, http.StatusOK, `"task":"redis-lock/`+task+`"`)
		if text := s.get(run + ".txt").body; !strings.HasPrefix(text, c.header) || !strings.HasSuffix(text, c.done) {
			t.Errorf("%s of %s makes\n%s", c.form, c.lesson, text)
		}
		// The made run needs the query no more, and no second form of the old page makes it again.
		s.send("POST", form, c.fields)
		if n := strings.Count(s.get(run+".txt").body, c.header); n != 1 {
			t.Errorf("the same form again writes the header %d times", n)
		}
	}
	s.get("/courses/redis-lock/race?moment=late&lang=en").wants(t, http.StatusOK, `name="guess"`, "4 / 6")
}

// A rerun, a fork and a room of a draft have what its page shows.
func TestADraftHasAllThatARunHas(t *testing.T) {
	s := newSite(t, Options{})
	page := s.get("/courses/redis-lock/race?done=14&lang=en")
	for _, form := range []string{"reruns", "forks"} {
		a := s.send("POST", page.formOf(t, form), url.Values{"program": {"getset"}, "at": {"14"}})
		a.wants(t, http.StatusSeeOther)
		if text := s.get(runOf(t, a.Header.Get("Location")) + ".txt").body; !strings.Contains(text, "spawn C3") {
			t.Errorf("%s makes\n%s", form, text)
		}
		page = s.get("/courses/redis-lock/race?done=14&lang=en")
	}
	form := page.formOf(t, "actions")
	run, query, _ := strings.Cut(form, "/actions")
	if text := s.get(run + ".txt" + query).body; strings.Count(text, "\n") != 15 {
		t.Errorf("the export of the draft is\n%s", text)
	}
	rooms := regexp.MustCompile(`action="(/rooms\?[^"]*)"`).FindStringSubmatch(page.body)
	if rooms == nil {
		t.Fatal("the page opens no room")
	}
	teacher := s.person()
	a := teacher.send("POST", html.UnescapeString(rooms[1]), url.Values{"run": {strings.TrimPrefix(run, "/t/")}, "at": {"14"}})
	a.wants(t, http.StatusSeeOther)
	shown := teacher.send("GET", a.Header.Get("Location"), nil).Header.Get("Location")
	teacher.send("GET", shown, nil).wants(t, http.StatusOK, `data-lesson="race"`, `data-over`)
	s.get(run+".txt").lacks(t, "spawn") // the draft itself is made by nobody
}

// Where there is no room for a run, a first action is refused in a sentence, and the page is the draft's: the reader
// tries again.
func TestARefusedFirstActionKeepsTheDraft(t *testing.T) {
	s := newSite(t, Options{Limits: door.Limits{Makings: 4}})
	forms := []string{}
	for range 4 {
		forms = append(forms, s.get("/courses/redis-lock/race?lang=en").formOf(t, "lesson"))
	}
	for _, form := range forms[:2] {
		s.send("POST", form, url.Values{}).wants(t, http.StatusSeeOther)
	}
	for _, form := range forms[2:] {
		a := s.send("POST", form, url.Values{})
		a.wants(t, http.StatusTooManyRequests, "Try again in a minute.", "0 / 6", `data-client="C3"`)
		if again := a.formOf(t, "lesson"); again != form {
			t.Errorf("the page's form is now %s, not %s", again, form)
		}
		s.get(runOf(t, form)+".txt").lacks(t, "spawn")
	}
	s.send("POST", forms[0], url.Values{}).wants(t, http.StatusSeeOther) // what is there goes on
}

// Odd numbers and names in the address of a draft make no error page.
func TestADraftTakesAnyNumber(t *testing.T) {
	s := newSite(t, Options{})
	for _, query := range []string{"done=-5", "done=x", "done=0", "moment=nowhere", "done=99999999999999999999"} {
		s.get("/courses/redis-lock/race?"+query).wants(t, http.StatusOK, "0 / 6")
	}
	s.get("/courses/redis-lock/race?done=5000").wants(t, http.StatusOK, "6 / 6", "data-over")
	s.get("/t/nobodyhere?begin=redis-lock/nowhere").wants(t, http.StatusOK, "Nobody wants the lock yet.")
	s.send("POST", "/t/nobodyhere/actions?begin=redis-lock/nowhere", url.Values{"action": {"spawn C1 naive"}}).wants(t, http.StatusSeeOther)
}

// The playground says what one can try until it has happened, and then what next. At any time it leads to another program, with as
// many clients.
func TestThePlaygroundLeadsOn(t *testing.T) {
	s := newSite(t, Options{})
	for asked, clients := range map[string]int{"": 2, "3": 3, "99": engine.MaxClients, "-1": 2, "no": 2} {
		page := s.get(s.get("/new?program=getset&clients=" + asked).Header.Get("Location"))
		page.wants(t, http.StatusOK, "Can you get two clients to hold the lock at once?", fmt.Sprintf(`data-client="C%d"`, clients))
		page.lacks(t, fmt.Sprintf(`data-client="C%d"`, clients+1), "You broke it.")
	}
	s.get(s.get("/new?theme=dark&mode=projector").Header.Get("Location")).wants(t, http.StatusOK, `data-theme="dark"`, `data-mode="projector"`)
	race, _ := s.begins("program del-setnx timeout=10s\nspawn C3\nstep C3\ncrash C3\ntick 12s\nspawn C1 C2\n" +
		strings.Repeat("step C1\nstep C1\nstep C2\nstep C2\n", 2))
	for step, want := range map[string][]string{
		"?step=8":  {"Can you get two clients", `name="clients" value="3"`},
		"?step=13": {"Can you get two clients", "C2 has deleted C1&#39;s lock."}, // nobody has come in beside C1
		"":         {"You broke it.", `href="/new?clients=3&amp;program=getset">Now try: GETSET`, `name="clients" value="3"`},
	} {
		s.get(race+step).wants(t, http.StatusOK, want...)
	}
	// A client that has outstayed its lease holds nothing: the page goes on asking.
	outstayed, _ := s.begins("program del-setnx timeout=1s\nspawn C1\nstep C1\ntick 3s\nspawn C2\n" + strings.Repeat("step C2\n", 4))
	s.get(outstayed).wants(t, http.StatusOK, "Can you get two clients", "C1 and C2 are both in the critical section.")

	// Where everybody sleeps, time is what leads on.
	tick := regexp.MustCompile(`<button id="tick-1" class="button( primary)?"`)
	asleep, _ := s.begins("program getset timeout=10s\nspawn C1 C2\nstep C1\nstep C2\nstep C2\n")
	for step, leads := range map[string]bool{"?step=3": false, "": true} {
		if found := tick.FindStringSubmatch(s.get(asleep + step).body); found == nil || (found[1] != "") != leads {
			t.Errorf("at %q the button is %q", step, found)
		}
	}
}

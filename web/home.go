package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"

	"lockstep/engine"
	"lockstep/engine/program"
	"lockstep/views"
)

// homeScenario is the race of the sources: C3 has crashed with the lock, its time
// has passed, and C1 and C2 have both seen that. The last step is the surprise.
const homeScenario = `program del-setnx timeout=10s
spawn C3
step C3
crash C3
tick 12s
spawn C1
spawn C2
step C1
step C1
step C2
step C2
step C1
step C1
step C2
step C2
`

// homeRuns are the run of the home page, and its schedule under getset.
var homeRuns = sync.OnceValues(func() (race, getset *engine.Run) {
	trace, err := play(nil, homeScenario)
	if err != nil {
		panic(err) // a test runs it
	}
	p, _ := program.Builtin("getset")
	getset, _, err = trace.Run.Rerun(len(trace.Run.Actions()), "", p)
	if err != nil {
		panic(err) // a test runs it
	}
	return trace.Run, getset
})

// home is the page that shows in ten seconds what this is about. Each of its
// states has an address, so that it works without scripts.
func (s *Server) home(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	race, getset := homeRuns()
	site := s.siteFor(r)
	state := r.URL.Query().Get("show")
	switch state {
	case "step", "why", "getset":
	default:
		state = "before"
	}
	page := views.Home{Site: site, State: state, Scenario: homeScenario, Before: len(race.Actions()) - 1}
	in := teacher{site.Lang}
	page.Taught, page.Lessons = in.course(s.courses[0]), in.lessons(s.courses[0], s.courses[0].Lessons)
	for _, e := range race.World().Events() {
		row := views.Event{Seq: e.Seq, Time: e.Time.String(), Lane: e.Lane, Sentence: e.Sentence(engineLanguage(site.Lang)), Violation: e.Kind == engine.Violated}
		if e.Action <= page.Before || state == "step" || state == "why" {
			page.Events = append(page.Events, row)
		}
		if v := e.Violation; v != nil && v.Property == "mutual-exclusion" {
			page.Why = row.Sentence
			guilty := race.World().Events()[v.Cause-1]
			page.Guilty = programLines(race, guilty.Call.Client, guilty)
		}
	}
	if state == "getset" {
		page.Events = nil
		for _, e := range getset.World().Events() {
			page.Events = append(page.Events, views.Event{Seq: e.Seq, Time: e.Time.String(), Lane: e.Lane, Sentence: e.Sentence(engineLanguage(site.Lang))})
		}
	}
	page.Data = views.HomeData{
		Lang: site.Lang, State: state, Before: page.Before, Timeline: site.Lang.TimelineWords(),
		Race: drawn(race, site.Lang), Getset: drawn(getset, site.Lang),
	}
	s.render(w, r, http.StatusOK, views.HomePage(page))
}

// drawn are the events of a run with no more than the picture shows: the sentence
// in the reader's language, and nothing of the wire. The page is the first that a
// reader waits for.
func drawn(r *engine.Run, l views.Language) []map[string]any {
	all := make([]map[string]any, len(r.World().Events()))
	for i, e := range r.World().Events() {
		text, err := json.Marshal(e)
		if err == nil {
			err = json.Unmarshal(text, &all[i])
		}
		if err != nil {
			panic(fmt.Errorf("an event of the home page: %w", err)) // a test renders it
		}
		delete(all[i], "request")
		all[i]["sentence"] = map[views.Language]string{l: e.Sentence(engineLanguage(l))}
	}
	return all
}

// programLines are the lines of a program around the one at which the client
// sent the guilty command.
func programLines(r *engine.Run, client string, guilty engine.Event) []views.SourceLine {
	line := 0
	for _, e := range r.World().Events() {
		if e.Kind == engine.Send && e.Call.ID == guilty.Call.ID {
			line = e.Line
		}
	}
	in := presenter{world: r.World()}
	lines := in.lines(r.World().Client(client).Program)
	lines = lines[max(0, line-4):min(len(lines), line+3)]
	for i := range lines {
		lines[i].Clients = nil
		if lines[i].Number == line {
			lines[i].Clients = []string{client}
		}
	}
	return inSpace(lines)
}

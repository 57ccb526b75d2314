package present

import (
	"sync"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/program"
	"lockstep/views"
)

// HomeScenario is the race of the sources: C3 has crashed with the lock, the lock has expired, and C1 and C2 have
// both seen the expiry. The last step is the surprise.
const HomeScenario = `program del-setnx timeout=10s
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

// homeRuns returns the run of the home page, and the same schedule with getset.
var homeRuns = sync.OnceValues(func() (race, getset *engine.Run) {
	scenario, err := engine.Parse("home", HomeScenario, nil)
	if err != nil {
		panic(err) // a test runs it
	}
	trace, err := scenario.Play("home", check.All()...)
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

// Home makes the view model of the home page, which shows in ten seconds what the site is about. Each of its states has
// an address, so the page works without scripts.
func Home(c *course.Course, state string, site views.Site) views.Home {
	race, getset := homeRuns()
	switch state {
	case "step", "why", "getset":
	default:
		state = "before"
	}
	page := views.Home{Site: site, State: state, Scenario: HomeScenario, Before: len(race.Actions()) - 1}
	in := teacher{site.Lang}
	page.Taught, page.Lessons = in.course(c), in.lessons(c, c.Lessons)
	for _, e := range race.World().Events() {
		row := views.Event{Seq: e.Seq, Time: e.Time.String(), Lane: e.Lane, Sentence: e.Sentence(site.Lang), Violation: e.Kind == engine.Violated}
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
			page.Events = append(page.Events, views.Event{Seq: e.Seq, Time: e.Time.String(), Lane: e.Lane, Sentence: e.Sentence(site.Lang)})
		}
	}
	page.Data = views.HomeData{
		Lang: site.Lang, State: state, Before: page.Before, Timeline: views.TimelineWords(site.Lang, check.Flags(site.Lang)),
		Race: drawn(race, site.Lang), Getset: drawn(getset, site.Lang),
	}
	return page
}

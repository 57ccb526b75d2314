package present

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"lockstep/engine"
	"lockstep/engine/ask"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
	siteview "lockstep/views/site"
)

// homeStart leads to the race of the sources: C3 crashes with the lock, the lock expires, and C1 and C2 have both seen
// the expiry. From there the reader is the network.
const homeStart = `program del-setnx timeout=10s
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
`

// homeBeats is how many actions of it have happened in each beat before the race. The reader causes what follows.
var homeBeats = [...]int{1, 2, 3}

// homeRace is the address of the race.
const homeRace = "beat=3"

// HomeScenario is the race of the sources, played to its surprise.
const HomeScenario = homeStart + `step C1
step C1
step C2
step C2
`

const (
	homeProperty = "mutual-exclusion"
	homeRepair   = "getset" // the program that the same order does not break
)

// homePlayers are the clients whose requests the reader delivers.
var homePlayers = [...]struct{ client, key string }{{"C1", "1"}, {"C2", "2"}}

// A homeState is the run after some presses. Each press causes the next beat or, in the race, delivers the request of one client.
type homeState struct {
	at     string     // the query of its address
	before *homeState // nil: it is the first
	order  string     // in the race, a digit for each press: 1 for C1, 2 for C2
	next   []engine.Action
	run    *engine.Run
	fresh  int           // events before the last press
	twin   *engine.Run   // a broken lock's, and the race's beginning: the same order with the repair
	cause  *engine.Event // a broken lock's: the guilty command
	why    *engine.Event // a broken lock's: the violation
}

// homeStates returns every state, the first beat first. A client that is inside or asleep has nothing in flight,
// so no order is longer than homeMost.
var homeStates = sync.OnceValue(func() []*homeState {
	scenario, err := engine.Parse("home", homeStart, nil)
	if err != nil {
		panic(err) // a test runs it
	}
	trace, err := scenario.Play("home", check.All()...)
	if err != nil {
		panic(err) // a test runs it
	}
	repair, _ := program.Builtin(homeRepair)
	actions := trace.Run.Actions()
	var all []*homeState
	then := func(s *homeState) {
		if n := len(all); n > 0 && s.before == nil {
			s.before = all[n-1]
		}
		if s.before != nil {
			s.fresh = len(s.before.run.World().Events())
		}
		all = append(all, s)
	}
	for i, done := range homeBeats {
		s := &homeState{run: trace.Run.Prefix(done), next: actions[done : done+1]}
		if i > 0 {
			s.at = fmt.Sprintf("beat=%d", i)
		}
		then(s)
	}
	race := len(all)
	then(&homeState{at: homeRace, run: trace.Run})
	for i := race; i < len(all); i++ {
		s := all[i]
		s.judge(repair)
		for _, p := range homePlayers {
			if s.waits(p.client) == nil || len(s.order) == homeMost {
				continue
			}
			step := engine.Action{Verb: engine.VerbStep, Client: p.client, Count: 1}
			s.next = append(s.next, step)
			order := s.order + p.key
			next := &homeState{at: "order=" + order, before: s, order: order, run: s.run.Prefix(len(s.run.Actions()))}
			if _, err := next.run.Do(step); err != nil {
				panic(err) // a test runs it
			}
			then(next)
		}
	}
	return all
})

// homeMost bounds the presses of an order.
const homeMost = 8

// homeStateAt returns the state at an address, and the first for an unknown one.
func homeStateAt(at string) *homeState {
	for _, s := range homeStates() {
		if s.at == at {
			return s
		}
	}
	return homeStates()[0]
}

// judge finds the violation of an order, its cause, and the same order with the repair.
func (s *homeState) judge(repair *program.Program) {
	events := s.run.World().Events()
	for i := range events {
		if v := events[i].Violation; v != nil && v.Property == homeProperty {
			s.why, s.cause = &events[i], &events[v.Cause-1]
		}
	}
	if s.why == nil && s.order != "" {
		return
	}
	var err error
	if s.twin, _, err = ask.Rerun(s.run, len(s.run.Actions()), "", repair); err != nil {
		panic(err) // a test runs it
	}
}

// waits returns the command that a client has in flight, or nothing.
func (s *homeState) waits(client string) []string {
	c := s.run.World().Client(client)
	if c == nil {
		return nil
	}
	call, replied := c.InFlight()
	if call == nil || replied {
		return nil
	}
	return call.Command
}

// kind names the state for the page.
func (s *homeState) kind() string {
	switch {
	case s.at == homeRace:
		return "begin"
	case s.why != nil:
		return "broken"
	case s.order == "":
		return map[engine.Verb]string{engine.VerbStep: "asks", engine.VerbCrash: "inside", engine.VerbTick: "crashed"}[s.next[0].Verb]
	case len(s.next) == 0:
		return "held"
	}
	return "press"
}

// lets returns the address to which the run goes by itself: where it breaks the lock, if it still can.
func (s *homeState) lets() string {
	end := ""
	for _, o := range homeStates() {
		if len(o.next) > 0 || !strings.HasPrefix(o.order, s.order) {
			continue
		}
		if end = o.at; o.why != nil {
			break
		}
	}
	return end
}

// HomeQuestion asks the explorer about the repair, from an empty Redis: as many clients, crashes and ticks as the race needs.
func HomeQuestion() explore.Question {
	p, _ := program.Builtin(homeRepair)
	return explore.Question{
		Program: p, Property: homeProperty, Clients: 3, Ticks: 1, Tick: 12_000, Timeout: 10_000, Crashes: 1,
	}
}

// homeCourses bounds the courses whose lessons the home page lists. The contents of a course link to all others.
const homeCourses = 3

// Home makes the view model of the home page. Each of its states has an address, so the page works without scripts:
// the beat or the order of the presses so far, and what of a broken lock is shown. An unknown address shows the beginning.
func Home(courses []*course.Course, at, show string, proof *explore.Answer, site views.Site) siteview.Home {
	in := teacher{site.Lang}
	here := homeStateAt(at)
	page := siteview.Home{
		Site: site, At: here.at, Kind: here.kind(), Start: homeStart, Order: here.order, Race: homeRace, First: in.first(courses[0]), On: in.goesOn(courses[0]),
		Repair: homeRepair, Proof: views.Say(site.Lang, "home.proof", explore.Count(proof.States)),
		Data: siteview.HomeData{Lang: site.Lang, Timeline: views.TimelineWords(site.Lang, check.Flags(site.Lang)), Start: homeStart, States: map[string]siteview.HomeState{}},
	}
	for _, c := range courses[:min(len(courses), homeCourses)] {
		page.Courses = append(page.Courses, in.atHome(c, len(courses) > 1))
	}
	for _, s := range homeStates() {
		page.Data.States[s.at] = s.data(site.Lang)
	}
	page.Data.Repair = numberless(homeStateAt(homeRace).twin, 0, site.Lang)
	if page.Kind == "broken" && (show == "why" || show == "getset") {
		page.Kind = show
	}
	page.Here = page.Data.States[here.at]
	shown, lit, light := here.run, 0, ""
	switch page.Kind {
	case "why":
		lit, light = page.Here.Line, "guilty"
	case "getset":
		shown, lit, light = here.twin, page.Here.TwinLine, "decides"
	}
	for _, of := range []*engine.Run{homeStates()[0].run, homeStateAt(homeRace).twin} {
		p := homeProgram(of.World().Clients()[0].Program, shown, site.Lang)
		p.Lit, p.Light = lit, light
		page.Programs = append(page.Programs, p)
	}
	for _, e := range slices.Backward(shown.World().Events()) {
		page.Events = append(page.Events, e.Sentence(site.Lang))
	}
	return page
}

// atHome returns a course as the home page lists it. Its heading names it where it is not the built-in one alone.
func (in teacher) atHome(c *course.Course, named bool) siteview.HomeCourse {
	listed := siteview.HomeCourse{Link: in.course(c), Lessons: in.lessons(c, c.Lessons), Incidents: in.lessons(c, c.Incidents)}
	listed.Named = named || c != course.Builtin()
	switch length := in.takes("home.lessons", "home.lessons-one", c.Lessons, whole); {
	case length != "":
		listed.Length = length
	case len(c.Lessons) == 1:
		listed.Length = views.Say(in.lang, "home.lesson-only")
	case len(c.Lessons) > 1:
		listed.Length = views.Say(in.lang, "home.lessons-only", len(c.Lessons))
	}
	return listed
}

// first returns where a course begins, and what the link there says: its first lesson or, as it may have none, its contents.
func (in teacher) first(c *course.Course) siteview.HomeFirst {
	if len(c.Lessons) == 0 {
		link := in.course(c)
		return siteview.HomeFirst{Path: link.Path, Says: link.Title.Say}
	}
	link := in.lesson(c, c.Lessons[0])
	return siteview.HomeFirst{Path: link.Path, Says: views.Say(in.lang, "home.lesson", link.Title.Say)}
}

// goesOn returns where a course goes on from the repair, for a reader who needs no beginning: the first lesson that runs it, if there is one.
func (in teacher) goesOn(c *course.Course) siteview.HomeFirst {
	for _, l := range c.Lessons {
		if l.Scenario != nil && l.Scenario.Program == homeRepair {
			link := in.lesson(c, l)
			return siteview.HomeFirst{Path: link.Path, Says: views.Say(in.lang, "home.on", link.Title.Say)}
		}
	}
	return siteview.HomeFirst{}
}

// numberless returns the events of a run after the first ones, with what the picture of the home page shows. Its script
// numbers them. A first visit pays for each byte: there is no list of the wire here, and no script whose command needs a
// shorter label.
func numberless(r *engine.Run, first int, in lang.Language) []map[string]any {
	events := drawn(r, in)[first:]
	for _, e := range events {
		delete(e, "seq")
		delete(e, "label")
		if execution, ok := e["execution"].(map[string]any); ok {
			delete(execution["reply"].(map[string]any), "resp")
		}
	}
	return events
}

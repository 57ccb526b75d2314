package present

import (
	"slices"
	"strings"
	"sync"
	"time"

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

// homeStart leads to the race of the sources: C3 has crashed with the lock, the lock has expired, and C1 and C2 have
// both seen the expiry. From here the reader is the network.
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

// homeBreaks is the order that the page plays by itself. A test finds that it breaks the lock.
const homeBreaks = "1122"

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

// A homeOrder is the run after some presses. Each press delivers the request of one client.
type homeOrder struct {
	order string // a digit for each press: 1 for C1, 2 for C2
	run   *engine.Run
	fresh int           // events before the last press
	twin  *engine.Run   // a broken lock's, and the beginning's: the same order with the repair
	cause *engine.Event // a broken lock's: the guilty command
	why   *engine.Event // a broken lock's: the violation
}

// homeOrders returns every order of presses, the beginning first. A client that is inside or asleep has nothing in flight,
// so no order is longer than homeMost.
var homeOrders = sync.OnceValue(func() []*homeOrder {
	scenario, err := engine.Parse("home", homeStart, nil)
	if err != nil {
		panic(err) // a test runs it
	}
	trace, err := scenario.Play("home", check.All()...)
	if err != nil {
		panic(err) // a test runs it
	}
	repair, _ := program.Builtin(homeRepair)
	all := []*homeOrder{{run: trace.Run}}
	for i := 0; i < len(all); i++ {
		o := all[i]
		o.judge(repair)
		for _, p := range homePlayers {
			if o.waits(p.client) == "" || len(o.order) == homeMost {
				continue
			}
			next := &homeOrder{order: o.order + p.key, run: o.run.Prefix(len(o.run.Actions())), fresh: len(o.run.World().Events())}
			if _, err := next.run.Do(engine.Action{Verb: engine.VerbStep, Client: p.client, Count: 1}); err != nil {
				panic(err) // a test runs it
			}
			all = append(all, next)
		}
	}
	return all
})

// homeMost bounds the presses of an order.
const homeMost = 8

// judge finds the violation of an order, its cause, and the same order with the repair.
func (o *homeOrder) judge(repair *program.Program) {
	events := o.run.World().Events()
	for i := range events {
		if v := events[i].Violation; v != nil && v.Property == homeProperty {
			o.why, o.cause = &events[i], &events[v.Cause-1]
		}
	}
	if o.why == nil && o.order != "" {
		return
	}
	var err error
	if o.twin, _, err = ask.Rerun(o.run, len(o.run.Actions()), "", repair); err != nil {
		panic(err) // a test runs it
	}
}

// waits returns the name of the command that a client has in flight, or nothing.
func (o *homeOrder) waits(client string) string {
	call, replied := o.run.World().Client(client).InFlight()
	if call == nil || replied {
		return ""
	}
	return call.Command[0]
}

// settled reports whether nothing is left to press.
func (o *homeOrder) settled() bool {
	for _, p := range homePlayers {
		if o.waits(p.client) != "" {
			return false
		}
	}
	return true
}

// kind returns the state of the page after the order.
func (o *homeOrder) kind() string {
	switch {
	case o.order == "":
		return "begin"
	case o.why != nil:
		return "broken"
	case o.settled():
		return "held"
	}
	return "press"
}

// inside returns the first of the players in the critical section of a run.
func inside(r *engine.Run) string {
	for _, p := range homePlayers {
		if r.World().Client(p.client).Status == engine.Inside {
			return p.client
		}
	}
	return ""
}

// other returns the other player.
func other(client string) string {
	if client == homePlayers[0].client {
		return homePlayers[1].client
	}
	return homePlayers[0].client
}

// says tells in a sentence or two what the last press did.
func (o *homeOrder) says(in lang.Language) string {
	switch o.kind() {
	case "begin":
		return views.Say(in, "home.begin")
	case "broken":
		return views.Say(in, "home.broken", o.why.Violation.Clients[0], o.why.Violation.Clients[1])
	case "held":
		alone := inside(o.run)
		return views.Say(in, "home.held", alone, other(alone))
	}
	var said []string
	for _, e := range o.run.World().Events()[o.fresh:] {
		switch e.Kind {
		case engine.Deliver, engine.Enter:
			said = append(said, e.Sentence(in))
		}
	}
	between := " "
	if in == lang.Chinese {
		between = ""
	}
	return strings.Join(said, between)
}

// asks is the question before the next press.
func (o *homeOrder) asks(in lang.Language) string {
	var waiting []string
	for _, p := range homePlayers {
		if command := o.waits(p.client); command != "" {
			waiting = append(waiting, p.client, command)
		}
	}
	switch {
	case len(waiting) == 0:
		return ""
	case len(waiting) == 2:
		return views.Say(in, "home.asks-one", waiting[0], waiting[1])
	case waiting[1] == waiting[3]:
		return views.Say(in, "home.asks-same", waiting[1])
	}
	return views.Say(in, "home.asks")
}

// HomeQuestion asks the explorer about a program of the home page, from an empty Redis: as many clients, crashes and ticks
// as its race needs.
func HomeQuestion(repair bool) explore.Question {
	name := homeOrders()[0].run.Header().Program
	if repair {
		name = homeRepair
	}
	p, _ := program.Builtin(name)
	return explore.Question{
		Program: p, Property: homeProperty, Clients: 3, Ticks: 1, Tick: 12_000, Timeout: 10_000, Crashes: 1,
	}
}

// Chances compare luck with a search: how many random schedules break a lock, and how long the explorer takes to find a
// way, or to find that there is none.
type Chances struct {
	Luck   explore.Sample
	Search explore.Answer
	Took   time.Duration // of the search
}

// sentence tells the chances of a program.
func (c Chances) sentence(in lang.Language, repair bool) string {
	ms := int64((c.Took + time.Millisecond - 1) / time.Millisecond)
	if repair {
		return views.Say(in, "home.chances-holds", explore.Count(c.Luck.Schedules), explore.Count(c.Search.States), explore.Count(ms))
	}
	return views.Say(in, "home.chances", explore.Count(c.Luck.Violating), explore.Count(c.Luck.Schedules), explore.Count(ms))
}

// HomeChances are the chances of the race's program, and of its repair.
type HomeChances struct{ Race, Repair Chances }

// homeCourses bounds the courses whose lessons the home page lists. The contents of a course link to all others.
const homeCourses = 3

// Home makes the view model of the home page. Each of its states has an address, so the page works without scripts:
// the order of the presses so far, and what of a broken lock is shown. An unknown address shows the beginning.
func Home(courses []*course.Course, order, show string, chances HomeChances, site views.Site) siteview.Home {
	in := teacher{site.Lang}
	page := siteview.Home{
		Site: site, Start: homeStart, First: in.first(courses[0]),
		Repair: homeRepair, Breaks: homeBreaks, Chances: chances.Race.sentence(site.Lang, false), RepairChances: chances.Repair.sentence(site.Lang, true),
		Data: siteview.HomeData{Lang: site.Lang, Timeline: views.TimelineWords(site.Lang, check.Flags(site.Lang)), Start: homeStart, Breaks: homeBreaks, Orders: map[string]siteview.HomeOrder{}},
	}
	for _, c := range courses[:min(len(courses), homeCourses)] {
		page.Courses = append(page.Courses, in.atHome(c, len(courses) > 1))
	}
	here := homeOrders()[0]
	page.Data.Repair = numberless(here.twin, 0, site.Lang)
	for _, o := range homeOrders() {
		if o.order == order {
			here = o
		}
		page.Data.Orders[o.order] = o.data(site.Lang)
		if o.why != nil {
			page.Whys = append(page.Whys, siteview.HomeWhy{Order: o.order, Lines: programLines(o.run, o.cause.Call.Client, *o.cause, site.Lang)})
		}
	}
	page.Order, page.Kind = here.order, here.kind()
	if page.Kind == "broken" && (show == "why" || show == "getset") {
		page.Kind = show
	}
	page.Here = page.Data.Orders[here.order]
	shown := here.run
	if page.Kind == "getset" {
		shown = here.twin
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

// numberless returns the events of a run after the first ones, with what the picture of the home page shows. Its script
// numbers them. A first visit pays for each byte: there is no list of the wire here, no program beside the picture, and
// no script whose command needs a shorter label.
func numberless(r *engine.Run, first int, in lang.Language) []map[string]any {
	events := drawn(r, in)[first:]
	for _, e := range events {
		delete(e, "seq")
		delete(e, "line")
		delete(e, "label")
		if execution, ok := e["execution"].(map[string]any); ok {
			delete(execution["reply"].(map[string]any), "resp")
		}
	}
	return events
}

// explains says why the order breaks the lock: the DEL of a client that has read the key too early.
func (o *homeOrder) explains(in lang.Language) string {
	late := o.cause.Call.Client
	return views.Say(in, "home.stale", late, other(late), late)
}

// data returns an order for the page's script: the events of its last press, and its words.
func (o *homeOrder) data(in lang.Language) siteview.HomeOrder {
	d := siteview.HomeOrder{Kind: o.kind(), Says: o.says(in), Asks: o.asks(in), Waits: map[string]string{}, Events: numberless(o.run, o.fresh, in)}
	for _, p := range homePlayers {
		if command := o.waits(p.client); command != "" {
			d.Waits[p.client] = command
		}
	}
	if o.why != nil {
		alone := inside(o.twin)
		d.Cause, d.Why, d.Repaired, d.Twin = o.cause.Seq, o.explains(in), views.Say(in, "home.repaired", other(alone), alone, alone), numberless(o.twin, len(homeOrders()[0].twin.World().Events()), in)
	}
	return d
}

package present

import (
	"fmt"
	"strconv"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/engine/tell"
	"lockstep/views"
	exploreview "lockstep/views/explore"
	"lockstep/web/search"
)

// ExploreForm makes the view model of the page with a question, before the answer. moment is the time that the page
// waits for the answer. schedules is the number of schedules that chance tries.
func ExploreForm(q Question, moment time.Duration, schedules int64, site views.Site) exploreview.Page {
	l := site.Lang
	page := exploreview.Page{
		Site: site, Address: "/explore?" + q.Query(), Program: q.From, Own: q.Own, Source: q.Source,
		Programs: families(l), Property: q.Property, Replies: q.Replies, Lose: q.Lose, Apart: q.Apart, Causes: q.Causes,
		Values: values(q, l), Also: also(q, l), Node: strconv.Itoa(q.Nodes), Moment: duration(moment, l), Schedules: explore.Count(schedules),
		Outcome: exploreview.Outcome{Site: site}, Luck: exploreview.Luck{Lang: l},
	}
	if from, ok := program.Builtin(q.From); ok && q.Source == from.Source { // nobody has edited it
		page.Source = editable(q.Source, l)
	}
	for _, p := range check.Properties {
		page.Properties = append(page.Properties, exploreview.Choice{Value: p.Name, Label: propertyName(p, l), Means: p.Holds.In(l)})
	}
	page.Properties = append(page.Properties, exploreview.Choice{Value: nothing, Label: views.Say(l, "explore.property.none")})
	if q.Property == "" {
		page.Property = nothing
	}
	for i, value := range []int{q.Losses, q.Failovers} {
		b := faultBounds[i]
		page.Faults = append(page.Faults, exploreview.Bound{Name: b.name, Least: b.least, Most: b.most, Value: value})
	}
	ofNodes := []int{q.NodeCrashes, q.RestartDelay}
	for i, b := range nodeBounds {
		if q.Nodes < 2 {
			ofNodes[i] = b.usual
		}
		page.NodeBounds = append(page.NodeBounds, exploreview.Bound{Name: b.name, Least: b.least, Most: b.most, Value: ofNodes[i]})
	}
	for n := nodes.least; n <= nodes.most; n++ {
		page.Nodes = append(page.Nodes, exploreview.Choice{Value: strconv.Itoa(n), Label: strconv.Itoa(n)})
	}
	for n := range bounds[0].most {
		skew := exploreview.Skew{Client: fmt.Sprintf("C%d", n+1), Most: mostSkew}
		if by, ok := q.Skew[skew.Client]; ok {
			skew.Seconds = by.String()
		}
		page.Skews = append(page.Skews, skew)
	}
	page.Window, page.About = q.Title(l), sentenceCase(q.Bounds(l), l)
	page.Picture = pictureOf("/explore") + "?" + q.asked("").Query()
	page.Data = exploreview.Data{
		Lang: l, Base: site.Base, Timeline: views.TimelineWords(l, check.Flags(l)), Counterexamples: []Pictured{}, Depths: []int64{},
		Words: exploreSayings(l),
	}
	return page
}

// families returns the built-in programs by family, each with its promise.
func families(l lang.Language) []views.Program {
	var all []views.Program
	for _, f := range program.Families() {
		for _, m := range f.Programs {
			all = append(all, listed(f, m, l))
		}
	}
	return all
}

// listed returns a built-in program as menus list it.
func listed(f program.Family, m program.Member, l lang.Language) views.Program {
	p := views.Program{Name: m.Name, Path: views.ProgramsPath + m.Name, Family: f.Title.In(l), Promise: m.Promise.In(l), Lang: m.Promise.Foreign(l)}
	if m.Name == f.First {
		p.Brief = f.Brief.In(l)
	}
	return p
}

// A Pictured has the data from which the scripts draw a counterexample.
type Pictured struct {
	Events   []map[string]any `json:"events"`
	Line     int              `json:"line"` // of the program, at which the guilty command was sent; 0: there is none
	Scenario string           `json:"scenario"`
}

// A Play plays a scenario.
type Play func(*engine.Scenario) (*engine.Trace, error)

// Outcome makes the view model of a finding. It plays each counterexample, and returns the data for their pictures.
func Outcome(f search.Finding, q Question, play Play, site views.Site) (exploreview.Outcome, []Pictured, error) {
	l := site.Lang
	o := exploreview.Outcome{
		Site: site, Verdict: string(f.Verdict), Sentence: verdict(f, q.Question, l), Question: q.Query(), Also: also(q, l), Figures: Figures(f.Figures, f.Took, l),
	}
	if q.Own {
		o.Own = q.Source
	}
	if f.Answer != nil {
		o.Depths, o.Shape = f.Depths, shapeOf(f.Depths, l)
	}
	pictures := []Pictured{}
	for i, c := range f.Counterexamples {
		shown, picture, err := counterexample(i+1, c, q, play, l)
		if err != nil {
			return o, nil, err
		}
		o.Counterexamples, pictures = append(o.Counterexamples, shown), append(pictures, picture)
	}
	guilty := 0
	if len(o.Counterexamples) > 0 {
		guilty = o.Counterexamples[0].Line
	}
	o.Source = source(q.Program, guilty, l)
	switch {
	case f.Failure != nil:
		o.Verdict, o.Figures = "failed", nil
	case len(pictures) > 0:
		o.Verdict = string(explore.Violated)
		o.MoreCauses = !q.Causes
		if f.Verdict == explore.Spent || f.Verdict == explore.Stopped {
			o.Note = views.Say(l, "explore.unfinished", ended(f, l))
		}
	case f.Verdict == explore.Holds:
		o.Attempt = attempt(q)
		if q.Property != "" {
			o.Note = views.Say(l, "explore.none")
		}
	default:
		o.Longer = true
	}
	o.Stamp, o.Feat = stamp(o, q, f, l)
	if o.Feat != "" {
		o.States = explore.Count(f.States)
	}
	if !q.Own && f.Failure == nil { // the address has no room for an own program's text
		o.Next, o.NextLabel = next(f, q, l)
	}
	return o, pictures, nil
}

// attempt returns the scenario in which a reader can try what the search has tried: its clients, before their first step.
func attempt(q Question) string {
	h := engine.Header{Program: q.Program.Name, Options: engine.Options{Timeout: q.Timeout}}
	if q.Nodes > 1 {
		h.Nodes = q.Nodes
	}
	if q.Own {
		h.Own = []*program.Program{q.Program}
	}
	scenario := engine.Scenario{Header: h}
	for i := range q.Clients {
		name := fmt.Sprintf("C%d", i+1)
		spawn := engine.Action{Verb: engine.VerbSpawn, Client: name, Options: engine.Options{Skew: q.Skew[name]}}
		scenario.Lines = append(scenario.Lines, engine.Line{Number: i + 1, Actions: []engine.Action{spawn}})
	}
	return scenario.String()
}

// counterexample plays a counterexample: its events tell the reader what happens.
func counterexample(number int, c explore.Counterexample, q Question, play Play, l lang.Language) (exploreview.Counterexample, Pictured, error) {
	shown := exploreview.Counterexample{Number: number, Length: c.Length, Cause: causeOf(c.Cause, l), Scenario: c.Scenario.String()}
	trace, err := play(c.Scenario)
	if err != nil {
		return shown, Pictured{}, fmt.Errorf("playing a counterexample: %w", err)
	}
	picture := Pictured{Events: drawn(trace.Run, l), Scenario: shown.Scenario}
	events := trace.Run.World().Events()
	for _, e := range events {
		shown.Events = append(shown.Events, views.Event{Seq: e.Seq, Sentence: e.Sentence(l), Violation: e.Kind == engine.Violated})
		if e.Kind != engine.Violated || e.Violation.Property != q.Property {
			continue
		}
		story := tell.Story(events, e.Seq, l)
		shown.Why, shown.Story = tell.Plain(story, l), sentences(story, events, l)
		if e.Violation.Cause > 0 {
			picture.Line = sentAt(events, events[e.Violation.Cause-1])
			shown.Line = picture.Line
		}
	}
	if shown.Why == "" { // the counterexample ends with a failure of its program
		last := events[len(events)-1]
		shown.Why = last.Sentence(l)
		shown.Story = []exploreview.Told{{Action: last.Action, Parts: []exploreview.Part{{Words: shown.Why}}}}
	}
	return shown, picture, nil
}

// sentences makes the view model of a story.
func sentences(story []tell.Sentence, events []engine.Event, l lang.Language) (all []exploreview.Told) {
	for i, s := range story {
		t := exploreview.Told{Action: events[s.Seq-1].Action}
		if i > 0 && l != lang.Chinese {
			t.Parts = append(t.Parts, exploreview.Part{Words: " "})
		}
		for _, p := range s.Parts {
			part := exploreview.Part{Words: p.Words}
			if p.Event > 0 {
				part.Ref = markOf(p, events)
			}
			t.Parts = append(t.Parts, part)
		}
		all = append(all, t)
	}
	return all
}

// markOf names the mark that some words of a story mean.
func markOf(p tell.Part, events []engine.Event) string {
	e := &events[p.Event-1]
	switch {
	case p.Lease: // a key whose time is over ends there, and one whose value is a time stays
		for i := p.Event - 1; i >= 0 && events[i].Time == e.Time; i-- {
			if events[i].Kind == engine.Expire && len(events[i].Changes) > 0 {
				return fmt.Sprint("seq ", events[i].Seq)
			}
		}
		return "expired"
	case e.Kind == engine.Deliver:
		return fmt.Sprint("#", e.Execution.Order)
	}
	return fmt.Sprint("seq ", e.Seq)
}

// next returns the next question that an answer suggests: a wider question if the search
// found nothing, and a smaller question if it was too large.
func next(f search.Finding, q Question, l lang.Language) (address, label string) {
	q = q.asked("search")
	switch {
	case f.Verdict == explore.Violated:
		return "", ""
	case f.Verdict == explore.Holds && q.Ticks < bounds[1].most:
		q.Ticks++
		label = views.Say(l, "explore.more-ticks")
	case f.Verdict == explore.Holds && q.Clients < bounds[0].most:
		q.Clients++
		label = views.Say(l, "explore.more-clients")
	case f.Verdict == explore.Holds:
		return "", ""
	case q.Apart && q.Clients > 1:
		q.Apart = false
		label = views.Say(l, "explore.less-apart")
	case q.Ticks > 1:
		q.Ticks--
		label = views.Say(l, "explore.less-ticks")
	case q.Clients > 1:
		q.Clients--
		label = views.Say(l, "explore.less-clients")
	default:
		return "", ""
	}
	return "/explore?" + q.Query(), label
}

// Figures returns the numbers of a search.
func Figures(f explore.Figures, took time.Duration, l lang.Language) []exploreview.Figure {
	return []exploreview.Figure{
		{Name: "states", Value: explore.Count(f.States)},
		{Name: "transitions", Value: explore.Count(f.Transitions)},
		{Name: "depth", Value: strconv.Itoa(f.Depth)},
		{Name: "speed", Value: perSecond(f.States, took)},
		{Name: "memory", Value: bytesOf(f.Memory)},
		{Name: "time", Value: duration(took, l)},
	}
}

// Luck puts the result of chance beside the result of the search.
func Luck(d search.Draw, f search.Finding, q Question, l lang.Language) exploreview.Luck {
	k := exploreview.Luck{
		Lang: l, Tried: d.Schedules, Violating: d.Violating, Wanted: d.Wanted, Found: len(f.Counterexamples) > 0,
		Sentence: views.Say(l, "explore.luck.broke", explore.Count(d.Violating), explore.Count(d.Schedules), violated(q.Property, l)),
		Took:     views.Say(l, "explore.luck.took", explore.Count(d.Actions), duration(d.Took, l)),
	}
	if d.Verdict != "" {
		why := ended(search.Finding{Answer: &explore.Answer{Verdict: d.Verdict, Bound: d.Bound}, Limit: d.Limit, Memory: d.Memory, Spent: d.Spent}, l)
		k.Took = views.Say(l, "explore.luck.early", k.Took, why)
	}
	switch took, states := duration(f.Took, l), explore.Count(f.States); {
	case k.Found:
		k.Search = views.Say(l, "explore.luck.found", took, states)
	case f.Verdict == explore.Holds:
		k.Search = views.Say(l, "explore.luck.none", took, states)
	default:
		k.Search = views.Say(l, "explore.luck.undecided", took, states)
	}
	return k
}

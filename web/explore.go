package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"strconv"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/program"
	"lockstep/views"
	"lockstep/web/limit"
	"lockstep/web/refusal"
)

// explore is the page that asks about every interleaving. What a moment suffices
// for it answers at once, also without scripts; the script goes on from there.
func (s *Server) explore(w http.ResponseWriter, r *http.Request) {
	s.remember(w, r)
	if !s.parseForm(w, r, maxForm) {
		return
	}
	q, err := readQuestion(r.Form)
	site := s.siteFor(r)
	if r.Method == http.MethodPost {
		site.Here = "/explore?" + q.query()
	}
	page := exploreForm(q, site)
	status := http.StatusOK
	switch run := q.run; {
	case err != nil:
		refuse(&page, err)
		status = http.StatusUnprocessableEntity
	case q.own && r.Method == http.MethodGet: // its text is not in the address; only the script can know it
	case run == "search" || run == "luck":
		if err := s.answerNow(r.Context(), visitorOf(r), q, &page); err != nil {
			refuse(&page, err)
			status = refusal.Of(err).Status
		}
	}
	s.render(w, r, status, views.ExplorePage(page))
}

// answerNow puts on the page what a moment suffices for.
func (s *Server) answerNow(ctx context.Context, v visitor, q question, page *views.Explore) error {
	turn, err := s.soon(ctx, v)
	if err != nil {
		return err
	}
	defer turn.End(nil)
	if q.run == "luck" { // it is measured by one search for one way
		q.causes = false
	}
	work := s.explorer.work
	found, err := s.explorer.find(turn, q, moment, &work, func(explore.Figures, time.Duration) {})
	if err != nil {
		return err
	}
	if q.run == "luck" && found.failure == nil {
		d, err := s.explorer.try(turn, q, moment, &work, func(draw) {})
		if err != nil {
			return err
		}
		page.Luck = luckOf(d, found, q, page.Lang)
	}
	if cause := context.Cause(turn); cause != nil {
		return queued(cause)
	}
	page.Data.Unfinished = found.spent && found.Verdict == explore.Stopped
	page.Outcome, page.Data.Counterexamples, err = outcome(found, q, page.Site)
	return err
}

// refuse says on the page why its question is not answered.
func refuse(page *views.Explore, err error) {
	why := refusal.Of(err)
	page.Refusal, page.Line, page.Column = why.In(page.Lang), why.Line, why.Column
}

// exploreForm is the page with a question, before it is answered.
func exploreForm(q question, site views.Site) views.Explore {
	l := site.Lang
	page := views.Explore{
		Site: site, Address: "/explore?" + q.query(), Link: "/explore?" + q.asked("search").query(), Program: q.from, Own: q.own, Source: q.source,
		Programs: program.Names(), Property: q.Property, Replies: q.Replies, Lose: q.Lose, Symmetry: q.Symmetry, Causes: q.causes,
		Delay: delayWord(q.Delays), Node: strconv.Itoa(q.Nodes), Moment: duration(moment, l), Schedules: explore.Count(mostLuck),
		Outcome: views.Outcome{Site: site}, Luck: views.Luck{Lang: l},
	}
	for _, p := range check.All() {
		means := l.Say("explore.holds." + p.Name)
		page.Properties = append(page.Properties, views.Choice{Value: p.Name, Label: l.Say("explore.property.label", propertyName(p, l), means), Means: means})
	}
	page.Properties = append(page.Properties, views.Choice{Value: nothing, Label: l.Say("explore.property.none")})
	if q.Property == "" {
		page.Property = nothing
	}
	for i, value := range []int{q.Clients, q.Ticks, int(q.Timeout / 1000), q.Crashes} {
		page.Bounds = append(page.Bounds, views.Bound{Name: bounds[i].name, Least: bounds[i].least, Most: bounds[i].most, Value: value})
	}
	ofNodes := []int{q.NodeCrashes, q.RestartDelay}
	for i, b := range nodeBounds {
		if q.Nodes < 2 {
			ofNodes[i] = b.usual
		}
		page.NodeBounds = append(page.NodeBounds, views.Bound{Name: b.name, Least: b.least, Most: b.most, Value: ofNodes[i]})
	}
	page.Delays = append(page.Delays, views.Choice{Value: "any", Label: l.Say("explore.delay.any")})
	for n := delays.least; n <= delays.most; n++ {
		page.Delays = append(page.Delays, views.Choice{Value: strconv.Itoa(n), Label: strconv.Itoa(n)})
	}
	for n := nodes.least; n <= nodes.most; n++ {
		page.Nodes = append(page.Nodes, views.Choice{Value: strconv.Itoa(n), Label: strconv.Itoa(n)})
	}
	for n := range bounds[0].most {
		skew := views.Skew{Client: fmt.Sprintf("C%d", n+1), Most: mostSkew}
		if by, ok := q.Skew[skew.Client]; ok {
			skew.Seconds = by.String()
		}
		page.Skews = append(page.Skews, skew)
	}
	page.Data = views.ExploreData{
		Lang: l, Base: site.Base, Timeline: l.TimelineWords(), Counterexamples: []pictured{},
		Words: map[string]string{"searching": l.Say("explore.searching"), "lost": l.Say("explore.lost")},
	}
	return page
}

// A pictured counterexample is what its picture is drawn from.
type pictured struct {
	Events []map[string]any `json:"events"`
	Cause  int              `json:"cause"` // the event that made the violation inevitable; 0: none is known
}

// outcome is a finding as the page shows it, and what its pictures are drawn from.
func outcome(f finding, q question, site views.Site) (views.Outcome, []pictured, error) {
	l := site.Lang
	o := views.Outcome{Site: site, Verdict: string(f.Verdict), Sentence: verdict(f, q, l), Figures: figuresOf(f.Figures, f.took, l)}
	pictures := []pictured{}
	left := f.left
	for i, c := range f.Counterexamples {
		shown, picture, err := counterexample(i+1, c, q, &left, l)
		if err != nil {
			return o, nil, err
		}
		o.Counterexamples, pictures = append(o.Counterexamples, shown), append(pictures, picture)
	}
	switch {
	case f.failure != nil:
		o.Verdict, o.Figures = "failed", nil
		return o, pictures, nil
	case len(pictures) > 0:
		o.Verdict = string(explore.Violated)
		o.MoreCauses = !q.causes
		if f.Verdict == explore.Spent || f.Verdict == explore.Stopped {
			o.Note = l.Say("explore.unfinished", ended(f, l))
		}
	case f.Verdict == explore.Holds && q.Property != "":
		o.Note = l.Say("explore.none")
	}
	if !q.own { // its text could not be in the address
		o.Next, o.NextLabel = next(f, q, l)
	}
	return o, pictures, nil
}

// counterexample plays a counterexample with what is left of the request's work, as what it shows is told by its events.
func counterexample(number int, c explore.Counterexample, q question, left *int64, l views.Language) (views.Counterexample, pictured, error) {
	shown := views.Counterexample{Number: number, Length: c.Length, Cause: causeOf(c.Cause, l), Scenario: c.Scenario.String(), Nodes: q.Nodes}
	trace, err := q.play(c.Scenario, left)
	if err != nil {
		return shown, pictured{}, fmt.Errorf("playing a counterexample: %w", err)
	}
	picture := pictured{Events: drawn(trace.Run, l)}
	events := trace.Run.World().Events()
	for _, e := range events {
		shown.Events = append(shown.Events, views.Event{Seq: e.Seq, Sentence: e.Sentence(engineLanguage(l)), Violation: e.Kind == engine.Violated})
		if e.Kind != engine.Violated || e.Violation.Property != q.Property {
			continue
		}
		shown.Why, picture.Cause = e.Sentence(engineLanguage(l)), e.Violation.Cause
		if shown.Caused = picture.Cause > 0; shown.Caused {
			if guilty := events[picture.Cause-1]; guilty.Call != nil {
				shown.Lines = programLines(trace.Run, guilty.Call.Client, guilty)
			}
		}
	}
	if shown.Why == "" { // it ends with the failure of its program
		shown.Why = shown.Events[len(shown.Events)-1].Sentence
	}
	return shown, picture, nil
}

// playWork is how much work the picture of a counterexample may take, in units, with every property judged; and with only that
// of the question where less is left of the request's work.
const playWork = 20_000_000

// play plays a counterexample. Where it takes too much work to judge every property, only that of the question is, as
// it was in the search.
func (q question) play(s *engine.Scenario, left *int64) (*engine.Trace, error) {
	within := func(most int64) engine.Pace {
		return func(units int64) error {
			runtime.Gosched()
			*left -= units
			if most -= units; most < 0 {
				return limit.ErrTooMuch
			}
			return nil
		}
	}
	trace, err := s.PlayAt(within(playWork), "counterexample", check.All()...)
	if p, ok := check.Named(q.Property); errors.Is(err, limit.ErrTooMuch) && ok {
		return s.PlayAt(within(max(*left, playWork)), "counterexample", p)
	}
	return trace, err
}

// next is the question that an answer suggests: a wider one where nothing was
// found, a smaller one where there was too much.
func next(f finding, q question, l views.Language) (address, label string) {
	q = q.asked("search")
	switch {
	case f.Verdict == explore.Violated:
		return "", ""
	case f.Verdict == explore.Holds && q.Ticks < bounds[1].most:
		q.Ticks++
		label = l.Say("explore.more-ticks")
	case f.Verdict == explore.Holds && q.Clients < bounds[0].most:
		q.Clients++
		label = l.Say("explore.more-clients")
	case f.Verdict == explore.Holds:
		return "", ""
	case !q.Symmetry && q.Clients > 1:
		q.Symmetry = true
		label = l.Say("explore.more-symmetry")
	case q.Ticks > 1:
		q.Ticks--
		label = l.Say("explore.less-ticks")
	case q.Clients > 1:
		q.Clients--
		label = l.Say("explore.less-clients")
	default:
		return "", ""
	}
	return "/explore?" + q.query(), label
}

// figuresOf are the numbers of a search.
func figuresOf(f explore.Figures, took time.Duration, l views.Language) []views.Figure {
	return []views.Figure{
		{Name: "states", Value: explore.Count(f.States)},
		{Name: "transitions", Value: explore.Count(f.Transitions)},
		{Name: "depth", Value: strconv.Itoa(f.Depth)},
		{Name: "speed", Value: perSecond(f.States, took)},
		{Name: "memory", Value: bytesOf(f.Memory)},
		{Name: "time", Value: duration(took, l)},
	}
}

// luckOf puts what chance has found beside what the search has.
func luckOf(d draw, f finding, q question, l views.Language) views.Luck {
	k := views.Luck{
		Lang: l, Tried: d.Schedules, Violating: d.Violating, Wanted: mostLuck, Found: len(f.Counterexamples) > 0,
		Sentence: l.Say("explore.luck.broke", explore.Count(d.Violating), explore.Count(d.Schedules), q.Property),
		Took:     l.Say("explore.luck.took", explore.Count(d.Actions), duration(d.took, l)),
	}
	if d.Verdict != "" {
		why := ended(finding{Answer: &explore.Answer{Verdict: d.Verdict, Bound: d.Bound}, limit: d.limit, memory: d.memory, spent: d.spent}, l)
		k.Took = l.Say("explore.luck.early", k.Took, why)
	}
	switch took, states := duration(f.took, l), explore.Count(f.States); {
	case k.Found:
		k.Search = l.Say("explore.luck.found", took, states)
	case f.Verdict == explore.Holds:
		k.Search = l.Say("explore.luck.none", took, states)
	default:
		k.Search = l.Say("explore.luck.undecided", took, states)
	}
	return k
}

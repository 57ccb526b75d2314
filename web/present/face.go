package present

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/views"
	courseview "lockstep/views/course"
	exploreview "lockstep/views/explore"
	runview "lockstep/views/run"
	"lockstep/web/picture"
	"lockstep/web/search"
)

// pictureOf returns the path of the picture of a page's link.
func pictureOf(path string) string { return path + views.SitePicture }

// A story says what happened in a run, where somebody pastes its link.
type story struct {
	about    string // what the run is about: its lesson, or its programs
	title    string
	sentence string
	stamp    string // the verdict; empty: there is none
	holds    bool
	until    int // the action after which there is nothing to tell
}

// story tells the shown actions of a run. In a challenge, its umpire decides.
func (r Run) story(shown *engine.Run, c *runview.Challenge, l lang.Language) story {
	t := told(shown, r.Side(l).shown.Program, l)
	if c != nil {
		t.stamp, t.holds = c.Stamp, c.Holds
	}
	if t.holds {
		t.sentence = c.Feat
	}
	return t
}

// told tells a run of a program; empty: of none. Of the properties that are violated, the first in teaching order counts.
func told(run *engine.Run, program string, l lang.Language) story {
	w := run.World()
	t := story{title: views.Say(l, "playground"), sentence: views.Say(l, "face.about"), until: w.Actions()}
	if program != "" {
		t.title = program
	}
	if n := len(w.Clients()); n > 0 {
		t.about = views.Say(l, "face.clients", clientCount(n, l), exploreview.Actions(l, w.Actions()))
	}
	if events := w.Events(); len(events) > 0 {
		t.sentence = events[len(events)-1].Sentence(l)
	}
	if e, p := broken(w.Events()); e != nil {
		t.about, t.title, t.sentence, t.until = t.title, p.Broken.In(l), e.Sentence(l), e.Action
		t.stamp = views.Say(l, "challenge.broken", e.Action)
	}
	return t
}

func clientCount(n int, l lang.Language) string {
	if n == 1 {
		return views.Say(l, "face.client")
	}
	return views.Say(l, "face.many", n)
}

// broken returns where the most important property begins to be violated; nil: none is.
func broken(events []engine.Event) (*engine.Event, *check.Property) {
	for _, p := range check.Properties {
		for i := range events {
			if e := &events[i]; e.Kind == engine.Violated && e.Violation.Property == p.Name {
				return e, p
			}
		}
	}
	return nil, nil
}

// introduce gives the page of a run its title, its sentence and its picture. A run of a room has no picture: only the
// room may see it.
func (r Run) introduce(page *runview.Page, shown *engine.Run) {
	var c *runview.Challenge
	if page.Task != nil {
		c = page.Task.Challenge
	}
	t := r.story(shown, c, page.Lang)
	page.Window, page.About = t.title, t.sentence
	if t.about != "" {
		page.Window += " · " + t.about
	}
	switch {
	case page.Task != nil:
		page.Window = titleOf(page.Task)
		if t.stamp == "" {
			page.About = page.Task.Lesson.Goal.Say
		}
	case len(shown.Actions()) == 0:
		page.Picture = ""
		return
	}
	page.Picture = pictureOf(page.Path) + "?step=" + strconv.Itoa(page.At)
	if r.Draft != "" {
		page.Picture = pictureOf(draftPath(r.Task, 0))
	}
}

// TaskTitle returns the title of the page of a lesson or a challenge.
func TaskTitle(t course.Task, l lang.Language) string {
	v := teacher{l}.task(t)
	if t.Challenge != nil {
		v.Challenge = &runview.Challenge{}
	}
	return titleOf(&v)
}

// titleOf returns the title of a lesson, or of a challenge with its lesson's.
func titleOf(t *runview.Task) string {
	if t.Challenge != nil {
		return plain(t.Heading.Say) + " · " + t.Lesson.Title.Say
	}
	if t.About != nil {
		return views.Say(t.Lang, "recall.title", t.About.Title.Say)
	}
	return t.Lesson.Title.Say
}

func (in teacher) handoutTitle(page courseview.Handout) string {
	title := page.Lesson.Title.Say + " · " + views.Say(in.lang, "face.handout")
	if page.Answers {
		title += " · " + views.Say(in.lang, "face.answers")
	}
	return title
}

// Card makes the picture of the link to the shown actions of a run.
func (r Run) Card(shown *engine.Run, l lang.Language) picture.Card {
	var c *runview.Challenge
	if challenge := r.Task.Challenge; challenge != nil {
		u := challenge.Umpire(shown)
		defer u.Close()
		c = teacher{l}.challenge(r, shown, u.Standing)
	}
	t := r.story(shown, c, l)
	card := picture.Card{Kind: t.about, Titles: []string{t.title}, Sentence: t.sentence}
	if r.Task.Lesson != nil {
		card = teacher{l}.card(r.Task)
		if t.stamp != "" {
			card.Sentence = t.sentence
		}
	}
	card.Stamp, card.Holds = t.stamp, t.holds
	show(&card, shown.World().Events(), t.until, l)
	return card
}

// TaskCard makes the picture of the link to a lesson, up to its first question, or to a challenge at its start.
func TaskCard(t course.Task, l lang.Language) picture.Card {
	in := teacher{l}
	card := in.card(t)
	switch {
	case t.Challenge != nil:
		run := t.Begin(0)
		defer run.World().Close()
		show(&card, run.World().Events(), run.World().Actions(), l)
	case t.Lesson.Scenario != nil:
		run := t.Lesson.Run(len(t.Lesson.Scenario.Actions()))
		defer run.World().Close()
		show(&card, run.World().Events(), asksAt(t.Lesson), l)
	}
	return card
}

// asksAt returns after how many actions a lesson asks its first question.
func asksAt(l *course.Lesson) int {
	for _, m := range l.Moments {
		if len(m.Answers) > 0 {
			return m.At
		}
	}
	return len(l.Scenario.Actions())
}

// card returns the words on the card of a lesson or a challenge.
func (in teacher) card(t course.Task) picture.Card {
	v := in.task(t)
	card := picture.Card{Kind: kindOf(t, in.lang), Titles: []string{plain(v.Heading.Say)}, Sentence: v.Lesson.Goal.Say}
	if card.Titles = append(card.Titles, card.Kind); t.Challenge != nil {
		card.Kind += " · " + v.Lesson.Title.Say
	}
	return card
}

func kindOf(t course.Task, l lang.Language) string {
	switch {
	case t.Challenge != nil:
		return views.Say(l, "face.challenge")
	case t.Lesson.Question != nil:
		return views.Say(l, "recall.again")
	case slices.Contains(t.Course.Incidents, t.Lesson):
		return views.Say(l, "course.incident", slices.Index(t.Course.Incidents, t.Lesson)+1)
	}
	return views.Say(l, "course.lesson", slices.Index(t.Course.Lessons, t.Lesson)+1)
}

// show puts the events up to an action on a card, if the card has room for all of them: the timeline begins at the
// beginning.
func show(card *picture.Card, events []engine.Event, until int, l lang.Language) {
	bytes := 0
	var all []json.RawMessage
	for i := range events {
		if events[i].Action > until {
			break
		}
		event, err := events[i].JSON(l)
		if err != nil {
			panic(fmt.Errorf("encoding an event: %w", err)) // all of them are plain data
		}
		if bytes += len(event); len(all) == picture.MostEvents || bytes > picture.MostBytes {
			return
		}
		all = append(all, event)
	}
	card.Events, card.Words = all, views.TimelineWords(l, check.Flags(l))
}

// HomeCard makes the picture of the link to the site: the race of the home page, broken.
func HomeCard(l lang.Language) picture.Card {
	card := picture.Card{Kind: views.Say(l, "face.kind"), Titles: []string{views.Say(l, "home.claim")}, Sentence: views.Say(l, "face.about")}
	race(&card, l)
	return card
}

// CourseCard makes the picture of the link to a course.
func CourseCard(c *course.Course, l lang.Language) picture.Card {
	in := teacher{l}
	card := picture.Card{
		Kind:   views.Say(l, "face.lessons", len(c.Lessons)),
		Titles: []string{in.text(c.Title).Say}, Sentence: plain(in.text(c.About).Say),
	}
	race(&card, l)
	return card
}

// race shows the race of the home page on a card.
func race(card *picture.Card, l lang.Language) {
	w := homeStateAt(homeStateAt(homeRace).lets()).run.World()
	show(card, w.Events(), w.Actions(), l)
}

// AskedCard makes the picture of the link to a question for the explorer.
func AskedCard(q Question, l lang.Language) picture.Card {
	return picture.Card{Kind: views.Say(l, "explore") + " · " + clientCount(q.Clients, l), Titles: []string{q.asks(l)}, Sentence: sentenceCase(q.Bounds(l), l)}
}

// AnsweredCard makes the picture of the link to a question whose answer is known: a proof with the shape of its search, or
// the counterexample.
func AnsweredCard(q Question, f search.Finding, play Play, l lang.Language) (picture.Card, error) {
	card := AskedCard(q, l)
	switch {
	case f.Failure != nil:
	case len(f.Counterexamples) > 0:
		c := f.Counterexamples[0]
		trace, err := play(c.Scenario)
		if err != nil {
			return card, fmt.Errorf("playing a counterexample: %w", err)
		}
		defer trace.Run.World().Close()
		w := trace.Run.World()
		card.Stamp, card.Sentence = views.Say(l, "challenge.broken", c.Length), verdict(f, q.Question, l)
		if p, ok := check.Named(q.Property); ok {
			card.Kind, card.Titles = card.Kind+" · "+q.From, []string{p.Broken.In(l)}
		}
		show(&card, w.Events(), w.Actions(), l)
	case f.Verdict == explore.Holds && q.Property != "":
		card.Stamp, card.Holds, card.Depths = views.Say(l, "challenge.holds"), true, f.Depths
		card.Sentence = views.Say(l, "face.then", views.Say(l, "challenge.states", explore.Count(f.States)), card.Sentence)
	}
	return card, nil
}

// Title returns the title of the page that answers a question.
func (q Question) Title(l lang.Language) string { return q.asks(l) + " · " + views.Say(l, "explore") }

// asks returns a question in words.
func (q Question) asks(l lang.Language) string {
	p, ok := check.Named(q.Property)
	if !ok {
		return views.Say(l, "face.count", q.From)
	}
	return views.Say(l, "face.ask", q.From, p.Holds.In(l))
}

// sentenceCase makes a clause a sentence.
func sentenceCase(clause string, l lang.Language) string {
	if l == lang.Chinese {
		return clause + "。"
	}
	return strings.ToUpper(clause[:1]) + clause[1:] + "."
}

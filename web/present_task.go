package web

import (
	"fmt"
	"slices"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/views"
)

// presentTask makes the view model of what a run is for, as it stands at the
// position that is shown; nil: it is for nothing. Whoever calls it holds the run's lock.
func presentTask(r *run, shown *engine.Run, l views.Language) *views.Task {
	t := r.family.task
	if t.lesson == nil {
		return nil
	}
	in := engineLanguage(l)
	task := &views.Task{
		Lang: l, Course: t.course.Name, Lesson: t.lesson.Name, Words: wordsLanguage(t.course, l),
		Title: lessonTitle(t.course, t.lesson, l),
	}
	if t.challenge != nil {
		task.Heading, task.Text = t.challenge.Heading.In(in), t.challenge.Text.In(in)
		task.Challenge = presentChallenge(t.challenge, r.claimed, shown, l)
		return task
	}
	task.Guide = presentGuide(t, r, shown, l)
	task.Heading, task.Text = t.lesson.Title.In(in), t.lesson.Lead.In(in)
	if m := t.lesson.Moment(task.Guide.Moment); m != nil {
		task.Heading, task.Text = m.Heading.In(in), m.Text.In(in)
	}
	return task
}

// wordsLanguage is that of a course's texts for a reader: theirs, or the one there is.
func wordsLanguage(c *course.Course, l views.Language) views.Language {
	if slices.Contains(c.Languages, engineLanguage(l)) || len(c.Languages) == 0 {
		return l
	}
	if c.Languages[0] == engine.Chinese {
		return views.Chinese
	}
	return views.English
}

// lessonTitle names a lesson, with its number unless it is an incident.
func lessonTitle(c *course.Course, lesson *course.Lesson, l views.Language) string {
	title := lesson.Title.In(engineLanguage(l))
	if slices.Contains(c.Incidents, lesson) {
		return title
	}
	return fmt.Sprintf("%d. %s", lesson.Number, title)
}

func presentGuide(t task, r *run, shown *engine.Run, l views.Language) *views.Guide {
	in, lesson, actions := engineLanguage(l), t.lesson, shown.Actions()
	moment, follows := lesson.Here(actions)
	g := &views.Guide{Until: lesson.Following(actions), Own: !follows, Place: l.Say("task.place", 0, len(lesson.Moments))}
	i := slices.Index(lesson.Moments, moment)
	if moment != nil {
		g.Moment, g.Place = moment.Name, l.Say("task.place", i+1, len(lesson.Moments))
	}
	guesses := func(m *course.Moment) []views.Guess {
		var all []views.Guess
		for _, a := range m.Answers {
			all = append(all, views.Guess{Name: a.Name, Text: a.Text.In(in), After: a.After.In(in), Right: a.Right})
		}
		return all
	}
	if i > 0 {
		g.To, g.Came = lesson.Moments[i-1].Name, guesses(lesson.Moments[i-1])
	}
	if moment != nil && follows && moment.At == len(actions) && len(actions) == len(r.engine.Actions()) {
		g.Answers = guesses(moment)
		g.Asks = len(g.Answers) > 0
	}
	if g.Over = follows && len(actions) >= len(lesson.Scenario.Actions()); g.Over {
		g.On = lesson.On.In(in)
		g.Ventures = ventures(t.course, lesson, l)
		if next := t.course.After(lesson); next != nil {
			g.Next = &views.TaskLink{Path: "/courses/" + t.course.Name + "/" + next.Name, Title: lessonTitle(t.course, next, l)}
		}
	}
	return g
}

// ventures lead to the challenges of a lesson.
func ventures(c *course.Course, lesson *course.Lesson, l views.Language) []views.TaskLink {
	var all []views.TaskLink
	for _, challenge := range lesson.Challenges {
		t := task{c, lesson, challenge}
		all = append(all, views.TaskLink{Path: "/courses/" + t.name(), Title: challenge.Heading.In(engineLanguage(l)), Name: challenge.Name, Fix: challenge.Fix != nil})
	}
	return all
}

func presentChallenge(c *course.Challenge, claimed *proof, shown *engine.Run, l views.Language) *views.Challenge {
	in, standing := engineLanguage(l), c.Judge(shown)
	v := &views.Challenge{Name: c.Name, Bounds: c.Bounds(in), Hint: true}
	if standing.Foul != nil {
		v.Foul = standing.Foul.Sentence(in)
	}
	switch {
	case standing.Broken && standing.Actions <= c.Par:
		v.Says = l.Say("task.shortest", l.Actions(standing.Actions))
	case standing.Broken:
		v.Says = l.Say("task.longer", l.Actions(standing.Actions), c.Par)
	default:
		v.Says = l.Say("task.so-far", l.Actions(standing.Actions))
	}
	if standing.Broken {
		v.Actions, v.Solved = standing.Actions, c.Solved.In(in)
	}
	if claimed == nil {
		return v
	}
	v.Claim = verdict(claimed.finding, question{Question: claimed.question}, l)
	switch claimed.Verdict {
	case explore.Holds:
		v.Says, v.Foul, v.Solved = "", "", c.Solved.In(in)
	case explore.Violated:
		v.Wrong, v.Attack = true, claimed.Counterexamples[0].Scenario.String()
	}
	return v
}

package present

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/search"
)

// task makes the view model of the run's task after the shown actions; nil: the run has no task.
func (r Run) task(shown *engine.Run, l lang.Language) *views.Task {
	t := r.Task
	if t.Lesson == nil {
		return nil
	}
	in := teacher{l}
	task := in.task(t)
	if t.Challenge != nil {
		task.Challenge = in.challenge(t.Challenge, r.Claimed, shown)
		return &task
	}
	task.Guide = in.guide(t, shown, len(shown.Actions()) < len(r.Engine.Actions()))
	if m := t.Lesson.Moment(task.Guide.Moment); m != nil {
		task.Heading, task.Text = in.text(m.Heading), in.text(m.Text)
	}
	return &task
}

// task returns the view model of a lesson or a challenge before any action.
func (in teacher) task(t course.Task) views.Task {
	task := views.Task{
		Lang: in.lang, Course: in.course(t.Course), Lesson: in.lesson(t.Course, t.Lesson),
		Heading: in.text(t.Lesson.Title), Text: in.text(t.Lesson.Lead),
	}
	if t.Challenge != nil {
		task.Heading, task.Text = in.text(t.Challenge.Heading), in.text(t.Challenge.Text)
	}
	return task
}

// guide returns the position of a run in its lesson. The run's past has no questions.
func (in teacher) guide(t course.Task, shown *engine.Run, past bool) *views.Guide {
	lesson, actions := t.Lesson, shown.Actions()
	moment, follows := lesson.Here(actions)
	g := &views.Guide{Until: lesson.Following(actions), Own: !follows}
	i := slices.Index(lesson.Moments, moment)
	g.Place = views.Say(in.lang, "task.place", i+1, len(lesson.Moments))
	if i > 0 {
		before := lesson.Moments[i-1]
		g.To, g.Came = before.Name, in.answers(before)
	}
	if moment != nil {
		g.Moment = moment.Name
	}
	if asked, _ := lesson.Asked(actions); asked != nil && !past {
		g.Answers = in.answers(asked)
	}
	if g.Over = follows && len(actions) >= len(lesson.Scenario.Actions()); g.Over {
		g.On, g.Challenges = in.text(lesson.On), in.challenges(t.Course, lesson)
		if next := t.Course.After(lesson); next != nil {
			link := in.lesson(t.Course, next)
			g.Next = &link
		}
	}
	return g
}

func (in teacher) answers(m *course.Moment) []views.Answer {
	var all []views.Answer
	for _, a := range m.Answers {
		all = append(all, views.Answer{Name: a.Name, Text: in.text(a.Text), After: in.text(a.After), Right: a.Right})
	}
	return all
}

// challenge returns a run's progress in a challenge, and the outcome of the claim that it cannot be broken.
func (in teacher) challenge(c *course.Challenge, claimed *search.Proof, shown *engine.Run) *views.Challenge {
	l, standing := in.lang, c.Judge(shown)
	v := &views.Challenge{Name: c.Name, Bounds: c.Bounds.In(l), Solved: in.text(c.Solved), IsOver: standing.Broken}
	switch actions := views.Actions(in.lang, standing.Actions); {
	case standing.Foul != nil:
		v.Foul = standing.Foul.Sentence(l)
	case standing.Broken && standing.Actions <= c.Par:
		v.Actions, v.Says = standing.Actions, views.Say(in.lang, "task.shortest", actions)
	case standing.Broken:
		v.Actions, v.Says = standing.Actions, views.Say(in.lang, "task.longer", actions, c.Par)
	default:
		v.Says = views.Say(in.lang, "task.so-far", actions)
	}
	if claimed == nil || standing.Broken {
		return v
	}
	switch claimed.Verdict {
	case explore.Holds:
		v.Claim = views.Say(in.lang, "task.proved", explore.Count(claimed.Seen))
		v.Says, v.Foul, v.IsOver = "", "", true
	case explore.Violated:
		v.Attack = claimed.Counterexamples[0].Scenario.String()
	default:
		v.Claim = verdict(claimed.Finding, claimed.Question, in.lang)
	}
	return v
}

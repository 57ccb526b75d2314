package present

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
	"lockstep/views"
	courseview "lockstep/views/course"
	exploreview "lockstep/views/explore"
	runview "lockstep/views/run"
	"lockstep/web/search"
)

// task makes the view model of the run's task after the shown actions, which the umpire of its challenge has judged; nil:
// the run has no task.
func (r Run) task(shown *engine.Run, u *course.Umpire, l lang.Language) *runview.Task {
	t := r.Task
	if t.Lesson == nil {
		return nil
	}
	in := teacher{l}
	task := in.task(t)
	if t.Challenge != nil {
		task.Challenge = in.challenge(r, shown, u.Standing)
		return &task
	}
	task.Guide = in.guide(t, shown, len(shown.Actions()) < len(r.Engine.Actions()))
	if m := t.Lesson.Moment(task.Guide.Moment); m != nil {
		task.Heading, task.Text, task.More = in.text(m.Heading), in.text(m.Text), in.text(m.More)
		if t.Lesson.Question != nil && task.Guide.Over {
			task.Heading = courseview.Text{Say: views.Say(l, "recall.outcome")}
		}
	}
	if len(task.Guide.Answers) > 0 {
		task.Text, task.Guide.Question = asks(task.Text)
	}
	return &task
}

// task returns the view model of a lesson or a challenge before any action.
func (in teacher) task(t course.Task) runview.Task {
	task := runview.Task{
		Lang: in.lang, Course: in.course(t.Course), Lesson: in.lesson(t.Course, t.Lesson),
		Heading: in.text(t.Lesson.Title), Text: in.text(t.Lesson.Lead), More: in.text(t.Lesson.LeadMore),
	}
	if q := t.Lesson.Question; q != nil {
		in.recalled(&task, t.Course, q)
	}
	task.Report = t.Lesson.Link
	if t.Challenge == nil {
		return task
	}
	task.Heading, task.Text, task.More, task.On = in.text(t.Challenge.Heading), in.text(t.Challenge.Text), in.text(t.Challenge.More), in.on(t)
	if t.Lesson.Scenario == nil {
		task.Incident = &runview.Incident{Lead: in.text(t.Lesson.Lead), More: in.text(t.Lesson.LeadMore), On: in.text(t.Lesson.On), Challenges: in.challenges(t.Course, t.Lesson)}
	}
	return task
}

// on returns the path that follows a solved challenge: the end of its lesson or, where the lesson has challenges alone,
// the next of them, the next lesson or the course.
func (in teacher) on(t course.Task) string {
	if t.Lesson.Scenario != nil {
		return EndPath(t.Course, t.Lesson)
	}
	if i := slices.Index(t.Lesson.Challenges, t.Challenge); i+1 < len(t.Lesson.Challenges) {
		t.Challenge = t.Lesson.Challenges[i+1]
		return draftPath(t, 0)
	}
	if next := t.Course.After(t.Lesson); next != nil {
		return LessonPath(t.Course, next)
	}
	return CoursePath(t.Course)
}

// guide returns the position of a run in its lesson. The run's past has no questions.
func (in teacher) guide(t course.Task, shown *engine.Run, past bool) *runview.Guide {
	lesson, actions := t.Lesson, shown.Actions()
	moment, follows := lesson.Here(actions)
	g := &runview.Guide{Until: lesson.Following(actions), Own: !follows}
	i := slices.Index(lesson.Moments, moment)
	if g.Place = views.Say(in.lang, "task.place", i+1, len(lesson.Moments)); lesson.Question != nil {
		g.Place = views.Say(in.lang, "recall.again")
	}
	g.Reached, g.Moments = i+1, len(lesson.Moments)
	if i > 0 {
		before := lesson.Moments[i-1]
		g.To, g.Came = before.Name, in.answers(before)
	}
	if moment != nil {
		g.Moment = moment.Name
	}
	if asked, _ := lesson.Asked(actions); asked != nil && !past {
		g.Answers = in.answers(asked)
	} else if next, ok := lesson.Next(actions); ok {
		g.Action = next.String()
	}
	if g.Over = follows && len(actions) >= len(lesson.Scenario.Actions()); g.Over {
		g.Recall = in.recall(t, lesson)
		g.Key = hits(lesson)
		g.On, g.Challenges = in.text(lesson.On), in.challenges(t.Course, lesson)
		g.Previous = in.link(t.Course, t.Course.Before(lesson))
		g.Next, g.Express = in.onward(t.Course, lesson)
		if hurry := t.Course.Express; g.Next == nil || len(hurry) > 0 && hurry[len(hurry)-1] == lesson {
			for _, r := range t.Course.Readings {
				g.Readings = append(g.Readings, in.reading(t.Course, r))
			}
		}
	}
	return g
}

// hits returns the right answers to a lesson's predictions.
func hits(l *course.Lesson) []runview.Hit {
	var all []runview.Hit
	for _, m := range l.Moments {
		for _, a := range m.Answers {
			if a.Right {
				all = append(all, runview.Hit{Moment: m.Name, Answer: a.Name})
			}
		}
	}
	return all
}

// link returns a link to a lesson; nil: there is no lesson.
func (in teacher) link(c *course.Course, l *course.Lesson) *courseview.LessonLink {
	if l == nil {
		return nil
	}
	link := in.lesson(c, l)
	return &link
}

func (in teacher) answers(m *course.Moment) []courseview.Answer { return in.reasons(m.Answers) }

// reasons returns answers in the order in which everybody sees them.
func (in teacher) reasons(all []*course.Answer) []courseview.Answer {
	var shown []courseview.Answer
	for _, a := range all {
		shown = append(shown, in.answer(a))
	}
	return shown
}

func (in teacher) answer(a *course.Answer) courseview.Answer {
	v := courseview.Answer{Name: a.Name, Text: in.text(a.Text), After: in.text(a.After), More: in.text(a.More), Right: a.Right}
	if a.Misconception != nil {
		v.Misconception = in.text(a.Misconception.Says)
	}
	if a.Refuted != nil {
		v.Refuted = a.Refuted.String()
	}
	return v
}

// challenge returns a run's progress in a challenge, and the outcome of the claim that it cannot be broken.
func (in teacher) challenge(r Run, shown *engine.Run, standing course.Standing) *runview.Challenge {
	l, c, t := in.lang, r.Task.Challenge, r.Task
	v, at := in.posed(t), len(shown.Actions())
	v.Goal = in.goal(c, shown.World())
	v.Undo = runview.Button{ID: "undo", Action: "back", Label: views.Say(l, "challenge.undo"), Title: views.Say(l, "challenge.undo.long"), Keys: "Control+Z U"}
	if at <= c.Begins() {
		v.Undo.Refuse = views.Say(l, "challenge.undo.none")
	}
	v.Begins, v.InRoom = c.Begins(), r.Exercise
	v.Reasons = in.reasons(c.Reasons)
	switch {
	case standing.Foul != nil:
		v.Foul = standing.Foul.Sentence(l)
	case standing.Broken:
		v.IsOver, v.Actions, v.Par = true, standing.Actions, c.Par
		v.Stamp, v.Feat = views.Say(l, "challenge.broken", standing.Actions), views.Say(l, "challenge.shortest")
		if standing.Actions > c.Par {
			v.Feat = views.Say(l, "challenge.longer", c.Par)
		}
	case standing.Before:
		v.Says = views.Say(l, "challenge.before", c.Begins())
	case standing.Actions > 0:
		v.Says = views.Say(l, "challenge.so-far", exploreview.Actions(l, standing.Actions))
	}
	if r.Claimed == nil || standing.Broken {
		return v
	}
	if given := c.Reason(r.Reason); given != nil {
		a := in.answer(given)
		v.Given = &a
	}
	switch r.Claimed.Verdict {
	case explore.Holds:
		in.proved(v, c, r.Claimed)
	case explore.Violated:
		if v.Refuted = true; !r.Exercise {
			v.Attack = r.Claimed.Counterexamples[0].Scenario.String()
		}
	default:
		v.Claim = verdict(r.Claimed.Finding, r.Claimed.Question, l)
	}
	return v
}

// goal says what a challenge asks for, and how far the world is from it.
func (in teacher) goal(c *course.Challenge, w *engine.World) string {
	goal, now := "", ""
	for _, name := range c.Properties {
		p, _ := check.Named(name)
		if is := p.Now(w).In(in.lang); goal == "" {
			goal, now = p.Goal.In(in.lang), is
		} else {
			goal, now = views.Say(in.lang, "challenge.or", goal, p.Goal.In(in.lang)), now+views.Say(in.lang, "challenge.and", is)
		}
	}
	return views.Say(in.lang, "challenge.goal", goal, now)
}

// posed returns a challenge before any action, with what follows it.
func (in teacher) posed(t course.Task) *runview.Challenge {
	c := t.Challenge
	v := &runview.Challenge{
		Name: c.Name, Bounds: c.Bounds.In(in.lang), Solved: in.text(c.Solved), SolvedMore: in.text(c.SolvedMore),
	}
	for i, one := range t.Lesson.Challenges {
		if one == c && i+1 < len(t.Lesson.Challenges) {
			v.Then = &in.challenges(t.Course, t.Lesson)[i+1]
		}
	}
	if v.Then == nil {
		v.Recall = in.recall(t, t.Lesson)
	}
	v.Next, v.Express = in.onward(t.Course, t.Lesson)
	return v
}

// onward links to the lesson after another, and to that on the express path, where it is a different one.
func (in teacher) onward(c *course.Course, l *course.Lesson) (next, express *courseview.LessonLink) {
	if hurries := c.ExpressAfter(l); hurries != c.After(l) {
		express = in.link(c, hurries)
	}
	return in.link(c, c.After(l)), express
}

// proved celebrates that nobody can break the lock, with the reason for it.
func (in teacher) proved(v *runview.Challenge, c *course.Challenge, p *search.Proof) {
	v.IsOver, v.Holds, v.Says, v.Foul = true, true, "", ""
	v.States = explore.Count(p.Seen)
	v.Stamp, v.Feat = views.Say(in.lang, "challenge.holds"), views.Say(in.lang, "challenge.states", v.States)
	if right := c.Right(); right != nil {
		a := in.answer(right)
		v.Right = &a
	}
}

// Frame tells the frame of a page which task the page is about. The lesson and its challenges open in the frame.
func Frame(f *views.Frame, t course.Task) {
	if f == nil || t.Lesson == nil {
		return
	}
	f.Path = LessonPath(t.Course, t.Lesson)
	f.Inside = []string{f.Path}
	for _, c := range t.Lesson.Challenges {
		f.Inside = append(f.Inside, f.Path+"/"+c.Name)
	}
	if t.Challenge != nil {
		f.Path += "/" + t.Challenge.Name
	}
}

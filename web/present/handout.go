package present

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/course"
	"lockstep/engine/program"
	"lockstep/views"
	courseview "lockstep/views/course"
)

// Handout makes the view model of a lesson on paper, with or without the answers.
func Handout(c *course.Course, l *course.Lesson, answers bool, site views.Site) courseview.Handout {
	in := teacher{site.Lang}
	page := courseview.Handout{
		Site: site, Lesson: in.lesson(c, l), Course: in.course(c), Lead: in.text(l.Lead), LeadMore: in.text(l.LeadMore),
		Answers: answers,
	}
	if l.Scenario != nil {
		run := l.Run(len(l.Scenario.Actions()))
		defer run.World().Close()
		page.Programs, page.Parts = in.listings(run), in.parts(l, run)
		page.Begins, _, _ = strings.Cut(l.Scenario.Header.String(), "\n")
		page.Data = in.pictured(l, run, page.Answers)
	}
	printed := map[string]bool{}
	for _, p := range page.Programs {
		printed[p.Name] = true
	}
	for _, ch := range l.Challenges {
		paper := in.onPaper(ch)
		if p := ch.Program(); !printed[p.Name] {
			printed[p.Name] = true
			text := in.listing(p)
			paper.Program = &text
		}
		page.Challenges = append(page.Challenges, paper)
	}
	page.Window, page.Site.About, page.Picture = in.handoutTitle(page), page.Lesson.Goal.Say, pictureOf(LessonPath(c, l))
	return page
}

// pictured returns the data for a handout's picture: the run. Without answers, the run ends
// before the first question.
func (in teacher) pictured(l *course.Lesson, run *engine.Run, answers bool) courseview.HandoutData {
	data := courseview.HandoutData{Lang: in.lang, Timeline: views.TimelineWords(in.lang, check.Flags(in.lang)), Events: drawn(run, in.lang)}
	for _, m := range l.Moments {
		data.Moments = append(data.Moments, m.At)
		if len(m.Answers) > 0 && !answers {
			later := slices.IndexFunc(run.World().Events(), func(e engine.Event) bool { return e.Action > m.At })
			if later >= 0 {
				data.Events = data.Events[:later]
			}
			break
		}
	}
	return data
}

// parts returns the actions of a lesson's run, split at its moments.
func (in teacher) parts(l *course.Lesson, run *engine.Run) []courseview.HandoutPart {
	var parts []courseview.HandoutPart
	from := 0
	for _, m := range l.Moments {
		part := courseview.HandoutPart{Actions: in.actions(run, from, m.At), Heading: in.text(m.Heading), Text: in.text(m.Text), More: in.text(m.More)}
		part.Answers = in.answers(m)
		parts, from = append(parts, part), m.At
	}
	if rest := in.actions(run, from, len(run.Actions())); len(rest) > 0 {
		parts = append(parts, courseview.HandoutPart{Actions: rest})
	}
	return parts
}

// actions returns some of a run's actions, each with its results.
func (in teacher) actions(run *engine.Run, from, to int) []courseview.HandoutAction {
	var all []courseview.HandoutAction
	for i := from; i < to; i++ {
		action := courseview.HandoutAction{Number: i + 1, Action: run.Actions()[i].String()}
		for _, e := range run.World().Events() {
			// The event of hearing a reply at once also stands for the reply.
			if e.Action == i+1 && !(e.Kind == engine.Reply && heard(run.World().Events()[e.Seq:], e)) {
				action.Sentences = append(action.Sentences, views.Event{
					Sentence: e.Sentence(in.lang), Violation: e.Kind == engine.Violated,
				})
			}
		}
		all = append(all, action)
	}
	return all
}

// heard reports whether the same action has delivered a reply to its client.
func heard(after []engine.Event, reply engine.Event) bool {
	for _, e := range after {
		if e.Action != reply.Action {
			return false
		}
		if e.Kind == engine.Receive && e.Call.ID == reply.Call.ID {
			return true
		}
	}
	return false
}

// onPaper returns a challenge with its answer.
func (in teacher) onPaper(ch *course.Challenge) courseview.HandoutChallenge {
	paper := courseview.HandoutChallenge{
		Heading: in.text(ch.Heading), Text: in.text(ch.Text), More: in.text(ch.More), Solved: in.text(ch.Solved), SolvedMore: in.text(ch.SolvedMore), Par: ch.Par,
		Start: strings.TrimSuffix(withoutPrograms(ch.Start), "\n"), Bounds: ch.Bounds.In(in.lang),
	}
	if ch.Fix != nil {
		solution := in.listing(ch.Fix)
		paper.Fix = &solution
	}
	return paper
}

// withoutPrograms returns the text of a scenario without the programs inside it.
func withoutPrograms(s *engine.Scenario) string {
	bare := *s
	bare.Own = nil
	return bare.String()
}

// listings returns the programs of a run's clients, each once.
func (in teacher) listings(run *engine.Run) []views.Program {
	var all []views.Program
	listed := map[string]bool{}
	for _, c := range run.World().Clients() {
		if c.Program != nil && !listed[c.Program.Name] {
			listed[c.Program.Name] = true
			all = append(all, in.listing(c.Program))
		}
	}
	return all
}

// listing returns a program's text without its comment lines, which say how the program fails.
func (in teacher) listing(p *program.Program) views.Program {
	shown := presenter{language: in.lang}.program(p)
	lines := shown.Lines
	shown.Lines = nil
	for i, text := range strings.Split(p.Source, "\n") {
		text = strings.TrimSpace(text)
		blank := text == "" && (len(shown.Lines) == 0 || i == len(lines)-1)
		if i < len(lines) && !blank && !strings.HasPrefix(text, "#") {
			shown.Lines = append(shown.Lines, lines[i])
		}
	}
	return shown
}

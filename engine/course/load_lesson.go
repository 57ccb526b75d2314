package course

import (
	"errors"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
)

// front reads the front matter: the words in a language, and for the first
// language the facts. It returns false where the subject of the words is
// unknown.
func (l *loader) front(lesson *Lesson, p *page, language lang.Language, first bool) bool {
	before := len(l.course.Mistakes)
	f := readFacts(p.file, p.facts, 1, l.wrong)
	if f == nil {
		return !first
	}
	var scenario, predictions, challenges, asks *facts
	f.front(map[string]func(facts){
		"title": func(f facts) { lesson.Title.Set(language, f.text()) },
		"goal":  func(f facts) { lesson.Goal.Set(language, f.text()) },
	}, map[string]func(facts){
		"link":        func(f facts) { lesson.Link = f.link() },
		"minutes":     func(f facts) { lesson.Minutes = f.number(1) },
		"scenario":    func(f facts) { scenario = &f },
		"predictions": func(f facts) { predictions = &f },
		"challenges":  func(f facts) { challenges = &f },
		again:         func(f facts) { asks = &f },
	}, first)
	for _, name := range []string{"title", "goal"} {
		if (name == "title" && !lesson.Title.Has(language)) || (name == "goal" && !lesson.Goal.Has(language)) {
			l.lacks(language, f.file, f.line(), "the lesson has no %s", "课文没有 %s", name)
		}
	}
	if scenario != nil && !l.scenario(lesson, *scenario) {
		predictions = nil // without the scenario no answer comes true
	}
	if predictions != nil {
		predictions.entries(func(name string, key, value facts) { l.prediction(lesson, name, key, value) })
	}
	if challenges != nil {
		challenges.entries(func(name string, key, value facts) { l.challenge(lesson, name, key, value) })
	}
	if asks != nil {
		l.again(lesson, *asks)
	}
	return !first || len(l.course.Mistakes) == before
}

// scenario reads the lesson's scenario and its moments, and plays it to its end. It returns false where the scenario
// does not get there.
func (l *loader) scenario(lesson *Lesson, f facts) bool {
	s := f.scenario(l.read)
	if s == nil {
		return false
	}
	run := l.play(s, f)
	at, expects := 0, false
	for _, line := range s.Lines {
		expects = line.Expect != nil || expects && len(line.Actions) == 0
		at += len(line.Actions)
		if name, ok := strings.CutPrefix(line.Comment, "@"); ok {
			l.moment(lesson, name, at, line, f)
		}
	}
	switch {
	case run == nil:
		return false
	case !expects:
		f.refuse("the scenario does not say how it ends, as in expect C1 done", "场景没有说明它如何结束，例如 expect C1 done")
	case len(lesson.Moments) == 0:
		f.refuse("the scenario has no moment, such as a line # @late", "场景没有时刻，例如单独一行 # @late")
	}
	lesson.Scenario = s
	return true
}

// moment reads a comment that names a moment.
func (l *loader) moment(lesson *Lesson, name string, at int, line engine.Line, f facts) {
	refuse := func(english, chinese string, arguments ...any) {
		f.wrong(f.file, line.Number, english, chinese, arguments...)
	}
	before := len(lesson.Moments) - 1
	switch {
	case line.Expect != nil || len(line.Actions) > 0:
		refuse("a moment stands on a line of its own", "时刻标记要单独占一行")
	case !isName(name):
		refuse("a moment's name has at most 64 small letters, digits and dashes, not %q", "时刻的名字由至多 64 个小写字母、数字和连字符组成，不能是 %q", clipped(name))
	case slices.Contains(reserved, name):
		refuse("%s names something else already", "%s 已经是别的名字", name)
	case lesson.Moment(name) != nil:
		refuse("there is a moment %s already", "已有时刻 %s", name)
	case before >= 0 && lesson.Moments[before].At == at:
		refuse("nothing has happened since the moment %s", "从时刻 %s 以来什么也没有发生", lesson.Moments[before].Name)
	default:
		lesson.Moments = append(lesson.Moments, &Moment{Name: name, At: at})
	}
}

// play runs a scenario to its end, and makes each of its steps a separate
// action. It returns nil where the scenario does not get there, and notes the
// mistake.
func (l *loader) play(s *engine.Scenario, f facts) *engine.Run {
	if !l.afford(f) {
		return nil
	}
	l.work += 2 * single(s) // it is played once more
	trace, err := s.Play(f.file, check.All()...)
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		f.wrong(f.file, problem.Line, "%s", "%s", problem.Err)
		return nil
	}
	for _, unmet := range trace.Unmet {
		why := (*engine.Refusal)(nil)
		errors.As(unmet.Err, &why) // it is wrapped in its line
		f.wrong(f.file, unmet.Line, "%s", "%s", why)
	}
	return trace.Run
}

// single makes each step a separate action: step C1 3 gives as many as the run
// takes. It returns the work of the run.
func single(s *engine.Scenario) (work int64) {
	run := engine.NewRun(s.Header)
	defer func() {
		work = run.World().Meter().Effort()
		run.World().Close()
	}()
	for i := range s.Lines {
		line := &s.Lines[i]
		actions, columns := line.Actions, line.Columns
		line.Actions, line.Columns = nil, nil
		for k, a := range actions {
			moves := 1
			if a.Verb == engine.VerbStep {
				moves, a.Count = max(1, a.Count), 0
			}
			for move := range moves {
				if move > 0 && !sends(run.World().Client(a.Client)) {
					break
				}
				line.Actions, line.Columns = append(line.Actions, a), append(line.Columns, columns[k])
				if _, err := run.Do(a); err != nil {
					break // the player reports it
				}
			}
		}
	}
	return 0 // the deferred function counts
}

// notSure is an answer to every prediction, besides its own.
const notSure = "not-sure"

// prediction reads the answers at a moment, and asks the engine which one is right.
func (l *loader) prediction(lesson *Lesson, name string, key, value facts) {
	i := slices.IndexFunc(lesson.Moments, func(m *Moment) bool { return m.Name == name })
	switch {
	case i < 0:
		key.refuse("there is no moment %s in the scenario%s", "场景中没有时刻 %s%s", name, lang.DidYouMean(name, lesson.moments()))
		return
	case i == len(lesson.Moments)-1:
		key.refuse("%s is the last moment: nothing follows that could be predicted", "%s 是最后一个时刻：之后没有可以预测的内容", name)
		return
	}
	if !l.afford(key) {
		return
	}
	moment := lesson.Moments[i]
	world := lesson.Run(lesson.Moments[i+1].At).World()
	defer world.Close()
	l.work += world.Meter().Effort()
	moment.Answers = l.judged(key, value, world)
}

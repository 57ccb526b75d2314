package course

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
)

// front reads the front matter: the words in a language, and for the first
// language the facts. It returns false where the subject of the words is
// unknown.
func (l *loader) front(lesson *Lesson, p *page) bool {
	before := len(l.course.Mistakes)
	f := readFacts(p.file, p.facts, 1, l.wrong)
	if f == nil {
		return !p.first()
	}
	var words struct{ Title, Goal string }
	var y struct{ Link, Minutes, Scenario, Predictions, Challenges, Again facts }
	f.front(&words, &y, p.first())
	for _, each := range []struct {
		name, says string
		into       *lang.Text
	}{{"title", words.Title, &lesson.Title}, {"goal", words.Goal, &lesson.Goal}} {
		if each.into.Set(p.in, each.says); each.says == "" {
			p.lacks(f.line(), "the lesson has no %s", "课文没有 %s", each.name)
		}
	}
	if !p.first() {
		return true
	}
	lesson.Link = y.Link.link()
	if y.Minutes.given() {
		lesson.Minutes = y.Minutes.number(1)
	}
	played := !y.Scenario.given() || l.scenario(lesson, y.Scenario)
	if played { // without the scenario no answer comes true
		y.Predictions.entries(func(name string, key, value facts) { l.prediction(lesson, name, key, value) })
	}
	y.Challenges.entries(func(name string, key, value facts) { l.challenge(lesson, name, key, value) })
	if y.Again.given() {
		if lesson.Again = l.question(lesson.Name+"/"+again, again, y.Again); lesson.Again != nil {
			lesson.Again.About = lesson
		}
	}
	return len(l.course.Mistakes) == before
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
	here := f.at(&yaml.Node{Line: line.Number - f.before})
	before := len(lesson.Moments) - 1
	switch {
	case line.Expect != nil || len(line.Actions) > 0:
		here.refuse("a moment stands on a line of its own", "时刻标记要单独占一行")
	case !here.mayName("a moment", "时刻", name):
	case slices.Contains(reserved, name):
		here.refuse("%s names something else already", "%s 已经是别的名字", name)
	case lesson.Moment(name) != nil:
		here.refuse("there is a moment %s already", "已有时刻 %s", name)
	case before >= 0 && lesson.Moments[before].At == at:
		here.refuse("nothing has happened since the moment %s", "从时刻 %s 以来什么也没有发生", lesson.Moments[before].Name)
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

// reserved lists names for no moment and no challenge: sections, and pages below the lesson's.
var reserved = []string{"on", "solved", "handout", again}

// say gives a lesson its words in the language of the page.
func (p *page) say(lesson *Lesson) {
	known := []string{"on"}
	p.lead.set(p.in, &lesson.Lead, &lesson.LeadMore)
	p.lead.long(p, p.before+1)
	if strings.TrimSpace(p.lead.text) == "" {
		p.lacks(1, "nothing is said before the first section", "第一个小节之前没有任何说明")
	}
	for _, m := range lesson.Moments {
		s := p.said(m.Name, names(m.Answers)...)
		known = append(known, m.Name)
		m.Heading.Set(p.in, s.heading)
		s.set(p.in, &m.Text, &m.More)
		if s.asks != "" {
			m.Asks.Set(p.in, s.asks)
		}
		p.answers(s, m.Answers)
	}
	for _, c := range lesson.Challenges {
		below := []string{"solved"}
		for _, a := range c.Reasons {
			below = append(below, a.Name)
		}
		s := p.said(c.Name, below...)
		known = append(known, c.Name)
		c.Heading.Set(p.in, s.heading)
		s.set(p.in, &c.Text, &c.More)
		if solved := find(s.below, "solved"); solved != nil {
			solved.set(p.in, &c.Solved, &c.SolvedMore)
		}
		p.answers(s, c.Reasons)
	}
	if lesson.Again != nil {
		known = append(known, again)
		p.ask(lesson.Again, p.said(again, names(lesson.Again.Asks().Answers)...))
	}
	if find(p.sections, "on") != nil {
		on := p.said("on")
		lesson.On.Set(p.in, on.text+on.more)
	}
	p.know(p.sections, func(given string) bool { return slices.Contains(known, given) })
}

// said returns the section with a name, and checks the sections that it needs
// below it.
func (p *page) said(name string, below ...string) *section {
	s := find(p.sections, name)
	if s == nil {
		p.lacks(1, "there is no section {#%s}", "缺少小节 {#%s}", name)
		return &section{}
	}
	for _, wanted := range below {
		if find(s.below, wanted) == nil {
			p.lacks(s.line, "below %s there is no ### {#%s}", "%s 之下缺少 ### {#%s}", name, wanted)
		}
	}
	p.know(s.below, func(given string) bool { return slices.Contains(below, given) })
	return s
}

// answers gives answers their words, which stand below a section.
func (p *page) answers(s *section, all []*Answer) {
	for _, a := range all {
		if after := find(s.below, a.Name); after != nil {
			a.Text.Set(p.in, after.heading)
			after.set(p.in, &a.After, &a.More)
			p.comesFrom(after, a)
		}
	}
}

// comesFrom gives an answer the misconception that its heading names. The first language's heading decides; a translation
// may repeat it.
func (p *page) comesFrom(s *section, a *Answer) {
	c := p.loader.course
	m := c.Misconception(s.class)
	switch {
	case s.class == "":
	case a.Right:
		p.wrong(s.line, "%s is right: it comes from no misconception", "%s 是正确的：它不出自任何误解", s.name)
	case m == nil:
		var known []string
		for _, m := range c.Misconceptions {
			known = append(known, m.Name)
		}
		p.wrong(s.line, "course.yaml has no misconception %s%s", "course.yaml 里没有误解 %s%s", s.class, lang.DidYouMean(s.class, known))
	case !p.first() && m != a.Misconception:
		p.wrong(s.line, "%s comes from another misconception in the first language's file", "在第一种语言的文件里，%s 出自另一个误解", s.name)
	default:
		a.Misconception = m
	}
}

// know refuses unknown, repeated and empty sections, and notes long cards.
func (p *page) know(all []*section, known func(string) bool) {
	for i, s := range all {
		switch {
		case !known(s.name):
			p.wrong(s.line, "nothing in the front matter is named %s", "前置信息里没有名为 %s 的内容", s.name)
		case find(all[:i], s.name) != nil:
			p.wrong(s.line, "there is a section {#%s} already", "已有小节 {#%s}", s.name)
		case strings.TrimSpace(s.text) == "":
			p.wrong(s.line, "the section %s says nothing", "小节 %s 没有内容", s.name)
		default:
			s.long(p, s.line)
		}
	}
}

// ask gives a question its words, which stand in a section.
func (p *page) ask(q *Question, s *section) {
	m := q.Asks()
	m.Heading.Set(p.in, s.heading)
	s.set(p.in, &m.Text, &m.More)
	if s.asks != "" {
		m.Asks.Set(p.in, s.asks)
	}
	p.answers(s, m.Answers)
}

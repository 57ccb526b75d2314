package course

import (
	"hash/fnv"
	"io/fs"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"lockstep/engine"
)

// question reads a scenario with one moment, at which it asks, and its answers. It returns nil where the question cannot be asked.
func (l *loader) question(name, moment string, f facts) *Question {
	q := &Question{Lesson: &Lesson{Name: name}}
	q.Question = q
	var y struct{ Scenario, Answers facts }
	before := len(l.course.Mistakes)
	f.decode(&y)
	scenario := y.Scenario
	switch {
	case len(l.course.Mistakes) > before:
		return nil
	case !scenario.given() || !y.Answers.given():
		f.refuse("a question has a scenario and answers", "问题要有 scenario 和 answers")
		return nil
	}
	s := scenario.scenario(l.read)
	if s == nil || l.play(s, scenario) == nil {
		return nil
	}
	at, asks := 0, -1
	for _, line := range s.Lines {
		at += len(line.Actions)
		given, ok := strings.CutPrefix(line.Comment, "@")
		switch {
		case !ok:
		case given != moment || asks >= 0 || line.Expect != nil || len(line.Actions) > 0:
			scenario.wrong(scenario.file, line.Number, "a question has one moment, on a line of its own: # @%s", "问题只有一个时刻，单独占一行：# @%s", moment)
			return nil
		default:
			asks = at
		}
	}
	if asks < 0 || asks == at {
		scenario.refuse("the scenario does not say where it asks: # @%s stands before the actions that decide the answer", "场景没有说明在哪里提问：# @%s 要写在决定答案的动作之前", moment)
		return nil
	}
	q.Scenario = s
	q.Moments = []*Moment{{Name: moment, At: asks}, {Name: outcome, At: at}}
	end := q.Run(at)
	defer end.World().Close()
	if q.Asks().Answers = l.judged(y.Answers, y.Answers, end.World()); q.Right() == nil {
		return nil
	}
	return q
}

// judged reads the answers to a question, and asks the engine which one is right. Exactly one has to be.
func (l *loader) judged(key, value facts, world *engine.World) (all []*Answer) {
	before := len(l.course.Mistakes)
	var right []string
	value.entries(func(name string, key, value facts) {
		if !key.mayName("an answer", "答案", name) {
			return
		}
		if name == notSure {
			key.refuse("%s names something else already", "%s 已经是别的名字", name)
			return
		}
		a := &Answer{Name: name, Right: value.comesTrue(world)}
		if a.Right {
			right = append(right, name)
		}
		all = append(all, a)
	})
	switch {
	case len(l.course.Mistakes) > before:
	case len(all) < 2:
		key.refuse("a prediction has at least two answers", "预测至少要有两个答案")
	case len(right) == 0:
		key.refuse("none of the answers comes true", "没有一个答案成真")
	case len(right) > 1:
		key.refuse("more than one answer comes true: %s", "不止一个答案成真：%s", strings.Join(right, ", "))
	}
	return all
}

// names returns the names of answers.
func names(all []*Answer) []string {
	var given []string
	for _, a := range all {
		given = append(given, a.Name)
	}
	return given
}

// settle puts a question's answers in the order in which everybody sees them, and titles it as the lesson that it is about.
func (q *Question) settle(c *Course) {
	q.Title, q.Goal, q.Number = q.About.Title, q.About.Goal, q.About.Number
	shuffle(q.Asks().Answers, c.Name, q.Name, q.Asks().Name)
}

// test reads the test of the course, if it has one: test.en.md and its translation.
func (l *loader) test() {
	t := &Test{}
	if !l.hasTest() {
		return
	}
	for _, language := range l.course.Languages {
		before := len(l.course.Mistakes)
		file := "test." + string(language) + ".md"
		p := l.page("test", language, facts{&yaml.Node{}, file, 0, l.wrong}, false)
		if p != nil && l.frontOfTest(t, p) {
			p.sayTest(t)
		}
		if language == l.course.Languages[0] && len(l.course.Mistakes) > before {
			return
		}
	}
	for _, p := range t.Pairs {
		for _, f := range Forms() {
			p.In(f).settle(l.course)
		}
	}
	l.course.Test = t
}

// hasTest reports whether the course has a test, perhaps one with mistakes.
func (l *loader) hasTest() bool {
	if len(l.course.Languages) == 0 {
		return false
	}
	_, err := fs.Stat(l.dir, "test."+string(l.course.Languages[0])+".md")
	return err == nil
}

// maxPairs is how many questions a form of a test has at most.
const maxPairs = 8

// frontOfTest reads the front matter of a test: the title in a language, and for the first language the questions. It returns
// false where the subject of the words is unknown.
func (l *loader) frontOfTest(t *Test, p *page) bool {
	before := len(l.course.Mistakes)
	f := readFacts(p.file, p.facts, 1, l.wrong)
	if f == nil {
		return !p.first()
	}
	var words struct{ Title string }
	var y struct{ Questions facts }
	f.front(&words, &y, p.first())
	y.Questions.entries(func(name string, key, value facts) { l.pair(t, name, key, value) })
	if t.Title.Set(p.in, words.Title); words.Title == "" {
		p.lacks(f.line(), "the test has no title", "测验没有标题")
	}
	if !p.first() {
		return true
	}
	if len(l.course.Mistakes) == before && (len(t.Pairs) == 0 || len(t.Pairs) > maxPairs) {
		f.refuse("a test has one to %d questions, not %d", "测验有 1 到 %d 道题，不能是 %d 道", maxPairs, len(t.Pairs))
	}
	return len(l.course.Mistakes) == before
}

// pair reads a question and the one that asks the same in another schedule.
func (l *loader) pair(t *Test, name string, key, value facts) {
	var y struct{ About, Before, After facts }
	before := len(l.course.Mistakes)
	value.decode(&y)
	p := Pair{Name: name}
	if y.Before.given() {
		p.Before = l.question("test/before/"+name, string(Before), y.Before)
	}
	if y.After.given() {
		p.After = l.question("test/after/"+name, string(After), y.After)
	}
	switch {
	case len(l.course.Mistakes) > before:
		return
	case !key.mayName("a question", "问题", name):
		return
	case !y.About.given() || p.Before == nil || p.After == nil:
		key.refuse("a question of a test has about, before and after", "测验的问题要有 about、before 和 after")
		return
	}
	about := y.About.text()
	if p.About = l.course.Lesson(about); p.About == nil {
		y.About.refuse("there is no lesson %s", "没有课文 %s", about)
		return
	}
	p.Before.About, p.After.About = p.About, p.About
	t.Pairs = append(t.Pairs, p)
}

// sayTest gives a test its words in the language of the page.
func (p *page) sayTest(t *Test) {
	if p.lead.text != "" {
		t.Lead.Set(p.in, p.lead.text+p.lead.more)
	}
	var known []string
	for _, pair := range t.Pairs {
		for _, form := range Forms() {
			name := pair.Name + "-" + string(form)
			known = append(known, name)
			p.ask(pair.In(form), p.said(name, names(pair.In(form).Asks().Answers)...))
		}
	}
	p.know(p.sections, func(given string) bool { return slices.Contains(known, given) })
}

// shuffle puts a question's answers in an order that names alone decide, because authors tend to write the right answer
// at the same place each time. Every server and every surface has the same order, so "B" means one answer to a whole class.
//
// The order is part of what readers print and say to each other. It therefore comes from algorithms that no release
// of Go changes: FNV-1a of the names, each ended by a slash, begins Knuth's 64-bit linear congruential generator, which drives Fisher and Yates.
func shuffle[A any](answers []A, names ...string) {
	h := fnv.New64a()
	for _, name := range names {
		h.Write([]byte(name + "/"))
	}
	state := h.Sum64()
	for i := len(answers) - 1; i > 0; i-- {
		state = state*6364136223846793005 + 1442695040888963407
		j := int(state >> 33 % uint64(i+1)) // the generator's low bits repeat soon
		answers[i], answers[j] = answers[j], answers[i]
	}
}

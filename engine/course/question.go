package course

import (
	"io/fs"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// A Question stands alone: a run up to the place where it asks, and what may come of it. A lesson supplies one that comes
// back at the end of later lessons, and a test two on each of its subjects.
type Question struct {
	*Lesson         // the question as a lesson that begins where it asks: Moments are the question and its outcome
	About   *Lesson // the lesson whose idea it asks about
}

// A Test asks the same things before a course and after it, in other schedules.
type Test struct {
	Title lang.Text
	Lead  lang.Text // HTML, before the first question; optional
	Pairs []Pair
}

// A Pair asks about one idea twice.
type Pair struct {
	Name   string
	About  *Lesson
	Before *Question
	After  *Question
}

// A Form is one of the two versions of a test.
type Form string

// The forms of a test.
const (
	Before Form = "before"
	After  Form = "after"
)

// Forms lists the forms of a test in their order.
func Forms() []Form { return []Form{Before, After} }

// The names of a question's moments.
const (
	again   = "again"
	outcome = "outcome"
)

// Asks returns the place where the question asks, with its words and its answers.
func (q *Question) Asks() *Moment { return q.Moments[0] }

// Unjudged returns the run up to where it asks. No property is looked at: a violation in the picture could tell the answer.
func (q *Question) Unjudged() *engine.Run { return played(q.Scenario, q.Asks().At) }

// Right returns the answer that the engine calls right.
func (q *Question) Right() *Answer {
	for _, a := range q.Asks().Answers {
		if a.Right {
			return a
		}
	}
	return nil
}

// takes reports whether an answer is possible. Not sure is one, too.
func (q *Question) takes(answer string) bool { return answer == notSure || q.Answer(answer) != nil }

// Answer returns the answer with that name, or nil.
func (q *Question) Answer(name string) *Answer {
	return named(q.Asks().Answers, func(a *Answer) string { return a.Name }, name)
}

// In returns the question of a form.
func (p Pair) In(f Form) *Question {
	if f == After {
		return p.After
	}
	return p.Before
}

// spacing lists how far back a lesson looks for the question that comes back at its end, the best distance first: what has
// faded a little is worth recalling.
var spacing = []int{2, 3, 1}

// Recall returns the questions that may come back at the end of a lesson, in the order in which they do: those about the
// lessons two, three and one before it, then the older ones. A reader who missed one of them meets that one first. After
// the second lesson none comes back: the third one has its question.
func (c *Course) Recall(l *Lesson) []*Question {
	here := slices.Index(c.Lessons, l)
	if here < spacing[0] {
		return nil
	}
	var all []*Question
	add := func(i int) {
		if i >= 0 && i < here && c.Lessons[i].Again != nil && !slices.Contains(all, c.Lessons[i].Again) {
			all = append(all, c.Lessons[i].Again)
		}
	}
	for _, by := range spacing {
		add(here - by)
	}
	for i := here - 1; i >= 0; i-- {
		add(i)
	}
	return all
}

// again reads the question that a lesson supplies to later ones.
func (l *loader) again(lesson *Lesson, f facts) {
	lesson.Again = l.question(lesson.Name+"/"+again, again, f)
	if lesson.Again != nil {
		lesson.Again.About = lesson
	}
}

// question reads a scenario with one moment, at which it asks, and its answers. It returns nil where the question cannot be asked.
func (l *loader) question(name, moment string, f facts) *Question {
	q := &Question{Lesson: &Lesson{Name: name}}
	q.Question = q
	var scenario, answers *facts
	before := len(l.course.Mistakes)
	f.fields(map[string]func(facts){
		"scenario": func(f facts) { scenario = &f },
		"answers":  func(f facts) { answers = &f },
	})
	switch {
	case len(l.course.Mistakes) > before:
		return nil
	case scenario == nil || answers == nil:
		f.refuse("a question has a scenario and answers", "问题要有 scenario 和 answers")
		return nil
	}
	s := scenario.scenario(l.read)
	if s == nil || l.play(s, *scenario) == nil {
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
	if q.Asks().Answers = l.judged(*answers, *answers, end.World()); q.Right() == nil {
		return nil
	}
	return q
}

// judged reads the answers to a question, and asks the engine which one is right. Exactly one has to be.
func (l *loader) judged(key, value facts, world *engine.World) (all []*Answer) {
	before := len(l.course.Mistakes)
	var right []string
	value.entries(func(name string, key, value facts) {
		if !isName(name) {
			key.refuse("an answer's name has at most 64 small letters, digits and dashes, not %q", "答案的名字由至多 64 个小写字母、数字和连字符组成，不能是 %q", clipped(name))
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

// sayQuestion gives a question its words, which stand in the section with a name.
func (l *loader) sayQuestion(p *page, q *Question, s *section, language lang.Language) {
	m := q.Asks()
	m.Heading.Set(language, s.heading)
	s.set(language, &m.Text, &m.More)
	if s.asks != "" {
		m.Asks.Set(language, s.asks)
	}
	l.answers(p, s, language, m.Answers)
}

// names returns the names of answers.
func names(all []*Answer) []string {
	var given []string
	for _, a := range all {
		given = append(given, a.Name)
	}
	return given
}

// shuffled puts a question's answers in the order in which everybody sees them, and titles it as the lesson that it is about.
func (l *loader) shuffled(q *Question) {
	q.Title, q.Goal, q.Number = q.About.Title, q.About.Goal, q.About.Number
	shuffle(q.Asks().Answers, l.course.Name, q.Name, q.Asks().Name)
}

// test reads the test of the course, if it has one: test.en.md and its translation.
func (l *loader) test() {
	t := &Test{}
	if len(l.course.Languages) == 0 || !l.has("test."+string(l.course.Languages[0])+".md") {
		return
	}
	for i, language := range l.course.Languages {
		file := "test." + string(language) + ".md"
		text, err := l.read(file)
		if err != nil {
			l.unreadable(language, file, file, 0, err)
			if i == 0 {
				return
			}
			continue
		}
		before := len(l.course.Mistakes)
		if p := l.page(file, text, language); p != nil && l.frontOfTest(t, p, language, i == 0) {
			l.sayTest(t, p, language)
		}
		if i == 0 && len(l.course.Mistakes) > before {
			return
		}
	}
	for _, p := range t.Pairs {
		for _, f := range Forms() {
			l.shuffled(p.In(f))
		}
	}
	l.course.Test = t
}

// has reports whether the course has a file.
func (l *loader) has(file string) bool {
	_, err := fs.Stat(l.dir, file)
	return err == nil
}

// maxPairs is how many questions a form of a test has at most.
const maxPairs = 8

// frontOfTest reads the front matter of a test: the title in a language, and for the first language the questions. It returns
// false where the subject of the words is unknown.
func (l *loader) frontOfTest(t *Test, p *page, language lang.Language, first bool) bool {
	before := len(l.course.Mistakes)
	f := readFacts(p.file, p.facts, 1, l.wrong)
	if f == nil {
		return !first
	}
	f.front(map[string]func(facts){
		"title": func(f facts) { t.Title.Set(language, f.text()) },
	}, map[string]func(facts){
		"questions": func(f facts) {
			f.entries(func(name string, key, value facts) { l.pair(t, name, key, value) })
		},
	}, first)
	if !t.Title.Has(language) {
		l.lacks(language, f.file, f.line(), "the test has no title", "测验没有标题")
	}
	if first && len(l.course.Mistakes) == before && (len(t.Pairs) == 0 || len(t.Pairs) > maxPairs) {
		f.refuse("a test has one to %d questions, not %d", "测验有 1 到 %d 道题，不能是 %d 道", maxPairs, len(t.Pairs))
	}
	return !first || len(l.course.Mistakes) == before
}

// pair reads a question and the one that asks the same in another schedule.
func (l *loader) pair(t *Test, name string, key, value facts) {
	p := Pair{Name: name}
	var about *facts
	forms := map[string]func(facts){"about": func(f facts) { about = &f }}
	for _, form := range Forms() {
		forms[string(form)] = func(f facts) {
			q := l.question("test/"+string(form)+"/"+name, string(form), f)
			if form == After {
				p.After = q
			} else {
				p.Before = q
			}
		}
	}
	before := len(l.course.Mistakes)
	value.fields(forms)
	switch {
	case len(l.course.Mistakes) > before:
		return
	case !isName(name):
		key.refuse("a question's name has at most 64 small letters, digits and dashes, not %q", "问题的名字由至多 64 个小写字母、数字和连字符组成，不能是 %q", clipped(name))
		return
	case about == nil || p.Before == nil || p.After == nil:
		key.refuse("a question of a test has about, before and after", "测验的问题要有 about、before 和 after")
		return
	}
	if p.About = l.course.Lesson(about.text()); p.About == nil {
		about.refuse("there is no lesson %s", "没有课文 %s", about.text())
		return
	}
	p.Before.About, p.After.About = p.About, p.About
	t.Pairs = append(t.Pairs, p)
}

// sayTest gives a test its words in a language.
func (l *loader) sayTest(t *Test, p *page, language lang.Language) {
	if p.lead.text != "" {
		t.Lead.Set(language, p.lead.text+p.lead.more)
	}
	var known []string
	for _, pair := range t.Pairs {
		for _, form := range Forms() {
			name := pair.Name + "-" + string(form)
			known = append(known, name)
			s := l.said(p, name, names(pair.In(form).Asks().Answers)...)
			l.sayQuestion(p, pair.In(form), s, language)
		}
	}
	l.lint(p, p.sections, func(given string) bool { return slices.Contains(known, given) })
}

// Given are a person's answers to a form of a test: the names of answers by the names of questions. A question without
// an answer is missing.
type Given map[string]string

// Read returns those of the answers that are possible.
func (t *Test) Read(f Form, answer func(question string) string) Given {
	given := Given{}
	for _, p := range t.Pairs {
		if a := answer(p.Name); p.In(f).takes(a) {
			given[p.Name] = a
		}
	}
	return given
}

// Score returns how many of the answers to a form are right.
func (t *Test) Score(f Form, given Given) (right int) {
	for _, p := range t.Pairs {
		if given[p.Name] == p.In(f).Right().Name {
			right++
		}
	}
	return right
}

// Gain returns the normalised gain between two scores, or mean scores: the share learned of what was missing before. It is
// not ok where nothing was missing.
func Gain(before, after, of float64) (gain float64, ok bool) {
	if before >= of {
		return 0, false
	}
	return (after - before) / (of - before), true
}

// Listed returns the answers by the names of their questions, from a list in the order of the questions. A list of
// another length is about another test: nothing is known.
func (t *Test) Listed(f Form, answers []string) Given {
	if len(answers) != len(t.Pairs) {
		return Given{}
	}
	given := Given{}
	for i, p := range t.Pairs {
		if a := answers[i]; p.In(f).takes(a) {
			given[p.Name] = a
		}
	}
	return given
}

// List returns the answers in the order of the questions, and reports whether none is missing.
func (t *Test) List(given Given) (answers []string, whole bool) {
	for _, p := range t.Pairs {
		answers = append(answers, given[p.Name])
	}
	return answers, len(given) == len(t.Pairs)
}

// A Tally tells how a class answered a form.
type Tally struct {
	Seats  int           `json:"seats"`
	Scores []int         `json:"scores"` // how many seats have 0, 1, … right answers
	Asked  []AnswerCount `json:"questions"`
}

// An AnswerCount tells how a class answered a question.
type AnswerCount struct {
	Name    string         `json:"name"`
	Lesson  string         `json:"lesson"`
	Right   int            `json:"right"`
	Answers map[string]int `json:"answers"` // by name; not-sure is one of them
}

// Tally counts the answers of a class to a form.
func (t *Test) Tally(f Form, class []Given) Tally {
	tally := Tally{Scores: make([]int, len(t.Pairs)+1)}
	for _, p := range t.Pairs {
		tally.Asked = append(tally.Asked, AnswerCount{Name: p.Name, Lesson: p.About.Name, Answers: map[string]int{}})
	}
	for _, given := range class {
		tally.Seats++
		tally.Scores[t.Score(f, given)]++
		for i, p := range t.Pairs {
			one := &tally.Asked[i]
			if a := given[p.Name]; a != "" {
				one.Answers[a]++
			}
			if given[p.Name] == p.In(f).Right().Name {
				one.Right++
			}
		}
	}
	return tally
}

// Mean returns the mean score; 0: nobody has answered.
func (t Tally) Mean() float64 {
	sum := 0
	for score, seats := range t.Scores {
		sum += score * seats
	}
	if t.Seats == 0 {
		return 0
	}
	return float64(sum) / float64(t.Seats)
}

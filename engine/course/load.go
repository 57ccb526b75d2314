package course

import (
	"errors"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/program"
)

// languageNames are those in the names of files, the first language first.
var languageNames = []struct {
	name     string
	language engine.Language
}{{"en", engine.English}, {"zh", engine.Chinese}}

func languageNamed(name string) (engine.Language, bool) {
	for _, l := range languageNames {
		if l.name == name {
			return l.language, true
		}
	}
	return 0, false
}

// maxFile is what a file of a course may have, in bytes.
const maxFile = 256 << 10

var nameOf = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// Load reads a course. Whatever is wrong with it is among its mistakes, and the
// lessons that are right can be taken.
func Load(dir fs.FS, name string) *Course {
	c := &Course{Name: name, Title: Words{}, About: Words{}}
	l := loader{dir: dir, course: c}
	if !nameOf.MatchString(name) {
		l.wrong(".", 0, "a course's directory is named with small letters, digits and dashes, not %q", "课程目录的名字由小写字母、数字和连字符组成，不能是 %q", name)
	}
	if f := l.facts("course.yaml"); f != nil {
		var lessons, incidents []facts
		f.fields(map[string]func(facts){
			"title":     func(f facts) { c.Title = f.words() },
			"about":     func(f facts) { c.About = f.words() },
			"lessons":   func(f facts) { f.texts(func(f facts) { lessons = append(lessons, f) }) },
			"incidents": func(f facts) { f.texts(func(f facts) { incidents = append(incidents, f) }) },
		})
		if len(c.Title) == 0 {
			f.refuse("the course has no title, such as title: {en: The Redis lock}", "课程没有标题，例如 title: {en: The Redis lock}")
			c.Title = Words{engine.English: name}
		}
		for _, each := range languageNames {
			if _, ok := c.Title[each.language]; ok {
				c.Languages = append(c.Languages, each.language)
			}
		}
		c.Lessons, c.Incidents = l.lessons(lessons), l.lessons(incidents)
	}
	l.sources()
	return c
}

type loader struct {
	dir    fs.FS
	course *Course
	taken  []string // names of lessons
}

func (l *loader) wrong(file string, line int, english, chinese string, arguments ...any) {
	l.course.Mistakes = append(l.course.Mistakes, Mistake{file, line, engine.Refuse(english, chinese, arguments...)})
}

// read is the text of a file of the course.
func (l *loader) read(file string) (string, error) {
	info, err := fs.Stat(l.dir, file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", engine.Refuse("there is no file %s in the course", "课程目录中没有文件 %s", file)
	case err == nil && info.Size() > maxFile:
		return "", engine.Refuse("%s has %d bytes, more than %d", "%s 有 %d 字节，超过 %d", file, info.Size(), maxFile)
	}
	text, err := fs.ReadFile(l.dir, file)
	if err != nil {
		return "", engine.Refuse("%s cannot be read: %s", "无法读取 %s：%s", file, err)
	}
	return string(text), nil
}

// facts are a file of nothing but YAML; nil: there are none, and the mistake is noted.
func (l *loader) facts(file string) *facts {
	text, err := l.read(file)
	if err != nil {
		l.wrong(file, 0, "%s", "%s", err)
		return nil
	}
	return readFacts(file, text, 0, l.wrong)
}

// lessons are those of the list that can be taken.
func (l *loader) lessons(names []facts) []*Lesson {
	var all []*Lesson
	for _, f := range names {
		name := f.text()
		switch {
		case !nameOf.MatchString(name):
			f.refuse("a lesson's name has small letters, digits and dashes, not %q", "课文的名字由小写字母、数字和连字符组成，不能是 %q", name)
		case slices.Contains(l.taken, name):
			f.refuse("there is a lesson %s already", "已有课文 %s", name)
		case len(l.course.Languages) > 0:
			l.taken = append(l.taken, name)
			if lesson := l.lesson(f); lesson != nil {
				lesson.Number = len(all) + 1
				all = append(all, lesson)
			}
		}
	}
	return all
}

// lesson reads a lesson in every language; nil: it cannot be taken.
func (l *loader) lesson(named facts) *Lesson {
	lesson := &Lesson{Name: named.text(), Title: Words{}, Goal: Words{}, Lead: Words{}, On: Words{}}
	for i, language := range l.course.Languages {
		file := lesson.Name + "." + nameOfLanguage(language) + ".md"
		before := len(l.course.Mistakes)
		if text, err := l.read(file); err != nil {
			named.refuse("%s", "%s", err)
		} else if p := readPage(file, text, l.wrong); p != nil {
			l.front(lesson, p, language, i == 0)
			l.say(lesson, p, language)
		}
		if i == 0 && len(l.course.Mistakes) > before {
			return nil
		}
	}
	return lesson
}

func nameOfLanguage(language engine.Language) string {
	for _, l := range languageNames {
		if l.language == language {
			return l.name
		}
	}
	panic("course: a language without a name")
}

// front reads the front matter: the words of a language, and of the first one the facts.
func (l *loader) front(lesson *Lesson, p *page, language engine.Language, first bool) {
	f := readFacts(p.file, p.facts, 1, l.wrong)
	if f == nil {
		return
	}
	known := map[string]func(facts){
		"title": func(f facts) { lesson.Title[language] = f.text() },
		"goal":  func(f facts) { lesson.Goal[language] = f.text() },
	}
	var predictions, challenges *facts
	if first {
		known["link"] = func(f facts) { lesson.Link = f.text() }
		known["scenario"] = func(f facts) { l.scenario(lesson, f) }
		known["predictions"] = func(f facts) { predictions = &f }
		known["challenges"] = func(f facts) { challenges = &f }
	}
	f.entries(func(name string, key, value facts) {
		if read, ok := known[name]; ok {
			read(value)
		} else if !first && slices.Contains([]string{"link", "scenario", "predictions", "challenges"}, name) {
			key.refuse("%s stands in the first language's file only", "%s 只写在第一种语言的文件里", name)
		} else {
			key.refuse("there is no %q here; there are %s", "这里没有 %q；可以有 %s", name, strings.Join(sortedKeys(known), ", "))
		}
	})
	for _, name := range []string{"title", "goal"} {
		if (name == "title" && lesson.Title[language] == "") || (name == "goal" && lesson.Goal[language] == "") {
			f.refuse("the lesson has no %s", "课文没有 %s", name)
		}
	}
	if predictions != nil {
		l.predictions(lesson, *predictions)
	}
	if challenges != nil {
		challenges.entries(func(name string, key, value facts) { l.challenge(lesson, name, key, value) })
	}
}

// scenario reads the lesson's scenario and its moments, and plays it to its end.
func (l *loader) scenario(lesson *Lesson, f facts) {
	s := f.scenario(l.read)
	if s == nil {
		return
	}
	lesson.Scenario = s
	at, expects := 0, false
	for i, line := range s.Lines {
		if line.Expect != nil {
			expects = true
		}
		line.Actions = single(line.Actions)
		s.Lines[i].Actions = line.Actions
		if len(line.Actions) > 0 {
			expects = false
		}
		at += len(line.Actions)
		name, ok := strings.CutPrefix(line.Comment, "@")
		switch {
		case !ok:
		case line.Expect != nil || len(line.Actions) > 0:
			f.wrong(f.file, line.Number, "a moment stands on a line of its own", "时刻标记要单独占一行")
		case !nameOf.MatchString(name):
			f.wrong(f.file, line.Number, "a moment's name has small letters, digits and dashes, not %q", "时刻的名字由小写字母、数字和连字符组成，不能是 %q", name)
		case lesson.Moment(name) != nil:
			f.wrong(f.file, line.Number, "there is a moment %s already", "已有时刻 %s", name)
		case len(lesson.Moments) > 0 && lesson.Moments[len(lesson.Moments)-1].At == at:
			f.wrong(f.file, line.Number, "nothing has happened since the moment %s", "从时刻 %s 以来什么也没有发生", lesson.Moments[len(lesson.Moments)-1].Name)
		default:
			lesson.Moments = append(lesson.Moments, &Moment{Name: name, At: at, Heading: Words{}, Text: Words{}, line: line.Number})
		}
	}
	switch {
	case !expects:
		f.refuse("the scenario does not say how it ends, as in expect C1 done", "场景没有说明它如何结束，例如 expect C1 done")
	case len(lesson.Moments) == 0:
		f.refuse("the scenario has no moment, such as a line # @late", "场景没有时刻，例如单独一行 # @late")
	}
	l.play(s, f)
}

// single are the same actions with a step for each command.
func single(actions []engine.Action) []engine.Action {
	var all []engine.Action
	for _, a := range actions {
		n := 1
		if a.Verb == engine.VerbStep {
			n, a.Count = max(1, a.Count), 0
		}
		for range n {
			all = append(all, a)
		}
	}
	return all
}

// play runs a scenario to its end; nil: it does not come there, and the mistake is noted.
func (l *loader) play(s *engine.Scenario, f facts) *engine.Run {
	trace, err := s.Play(f.file, check.All()...)
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		f.wrong(f.file, problem.Line, "%s", "%s", problem.Err)
		return nil
	} else if err != nil {
		f.refuse("%s", "%s", err)
		return nil
	}
	for _, unmet := range trace.Unmet {
		f.wrong(f.file, unmet.Line, "%s", "%s", unmet.Err)
	}
	return trace.Run
}

// predictions reads what may be answered, and asks the engine which is right.
func (l *loader) predictions(lesson *Lesson, f facts) {
	f.entries(func(name string, key, value facts) {
		i := slices.IndexFunc(lesson.Moments, func(m *Moment) bool { return m.Name == name })
		switch {
		case lesson.Scenario == nil:
			return // which has been said
		case i < 0:
			key.refuse("there is no moment %s in the scenario", "场景中没有时刻 %s", name)
			return
		case i == len(lesson.Moments)-1:
			key.refuse("%s is the last moment: nothing follows that could be predicted", "%s 是最后一个时刻：之后没有可以预测的内容", name)
			return
		}
		moment, reveal := lesson.Moments[i], lesson.Moments[i+1]
		world := lesson.Run(reveal.At).World()
		defer world.Close()
		value.entries(func(name string, key, value facts) {
			a := &Answer{Name: name, Text: Words{}, After: Words{}, Right: true, line: key.line()}
			value.texts(func(f facts) {
				expectation := l.expectation(lesson, reveal, f)
				if expectation == nil || world.Judge(expectation) != nil {
					a.Right = false
				}
			})
			moment.Answers = append(moment.Answers, a)
		})
		var right []string
		for _, a := range moment.Answers {
			if a.Right {
				right = append(right, a.Name)
			}
		}
		switch {
		case len(moment.Answers) < 2:
			key.refuse("a prediction has at least two answers", "预测至少要有两个答案")
		case len(right) == 0:
			key.refuse("none of the answers comes true", "没有一个答案成真")
		case len(right) > 1:
			key.refuse("more than one answer comes true: %s", "不止一个答案成真：%s", strings.Join(right, ", "))
		}
	})
}

// expectation reads what must be true at a moment; nil: it cannot be read.
func (l *loader) expectation(lesson *Lesson, at *Moment, f facts) *engine.Expectation {
	until := *lesson.Scenario
	i := slices.IndexFunc(until.Lines, func(line engine.Line) bool { return line.Number == at.line })
	until.Lines = until.Lines[:i]
	before := until.String()
	s, err := engine.Parse(f.file, before+f.text()+"\n", nil)
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		f.refuse("%s", "%s", problem.Err)
		return nil
	}
	last := s.Lines[len(s.Lines)-1]
	if last.Expect == nil {
		f.refuse("an answer is an expectation, such as expect reply C2 0", "答案是一条期望，例如 expect reply C2 0")
	}
	return last.Expect
}

// challenge reads a challenge.
func (l *loader) challenge(lesson *Lesson, name string, key, value facts) {
	c := &Challenge{Name: name, Heading: Words{}, Text: Words{}, Solved: Words{}, line: key.line(), file: key.file}
	c.bounds = explore.Question{Clients: 3, Ticks: 5, Tick: 1000, Delays: explore.Any}
	var start, fix *facts
	holds := false
	number := func(n *int) func(facts) { return func(f facts) { *n = f.number() } }
	value.fields(map[string]func(facts){
		"start":         func(f facts) { start = &f },
		"property":      func(f facts) { c.Properties = l.properties(f) },
		"par":           number(&c.Par),
		"holds":         func(f facts) { holds = f.yes() },
		"fix":           func(f facts) { fix = &f },
		"clients":       number(&c.bounds.Clients),
		"ticks":         number(&c.bounds.Ticks),
		"tick":          func(f facts) { c.bounds.Tick = f.duration() },
		"crashes":       number(&c.bounds.Crashes),
		"delays":        func(f facts) { c.bounds.Delays = l.delays(f) },
		"replies":       func(f facts) { c.bounds.Replies = f.yes() },
		"node-crashes":  number(&c.bounds.NodeCrashes),
		"lose":          func(f facts) { c.bounds.Lose = f.yes() },
		"restart-delay": number(&c.bounds.RestartDelay),
	})
	claims := 0
	for _, made := range []bool{c.Par > 0, holds, fix != nil} {
		if made {
			claims++
		}
	}
	switch {
	case !nameOf.MatchString(name):
		key.refuse("a challenge's name has small letters, digits and dashes, not %q", "挑战的名字由小写字母、数字和连字符组成，不能是 %q", name)
	case lesson.Moment(name) != nil || slices.Contains(reserved, name):
		key.refuse("%s names something else already", "%s 已经是别的名字", name)
	case claims != 1:
		key.refuse("a challenge has one of par: 8, holds: true and fix: solution.star", "挑战要有 par: 8、holds: true、fix: solution.star 之一")
	case len(c.Properties) == 0:
		key.refuse("a challenge has a property: %s", "挑战要有一条性质：%s", strings.Join(check.Names(), ", "))
	case start == nil:
		key.refuse("a challenge has a start, such as start: program naive", "挑战要有起点，例如 start: program naive")
	default:
		if c.begin(l, *start) && (fix == nil || c.mend(l, *fix)) {
			lesson.Challenges = append(lesson.Challenges, c)
		}
	}
}

func (l *loader) properties(f facts) []string {
	names := strings.Fields(f.text())
	for _, name := range names {
		if !slices.Contains(check.Names(), name) {
			f.refuse("there is no property %q: it is one of %s", "没有性质 %q：应为 %s 之一", name, strings.Join(check.Names(), ", "))
			return nil
		}
	}
	return names
}

// delays are none or any: nothing else could be told to who acts by hand.
func (l *loader) delays(f facts) int {
	switch f.text() {
	case "0":
		return 0
	case "any":
		return explore.Any
	}
	f.refuse("delays are 0 or any, not %q", "delays 应为 0 或 any，而不是 %q", f.Value)
	return 0
}

// begin reads from where a challenge begins, and whether its question makes sense.
func (c *Challenge) begin(l *loader, f facts) bool {
	if c.Start = f.scenario(l.read); c.Start == nil {
		return false
	}
	for i := range c.Start.Lines {
		c.Start.Lines[i].Actions = single(c.Start.Lines[i].Actions)
	}
	if c.run = l.play(c.Start, f); c.run == nil {
		return false
	}
	if c.Program() == nil {
		f.refuse("the start names no program, as in program naive", "起点没有指定程序，例如 program naive")
		return false
	}
	for _, name := range c.Properties {
		if violates(c.run.World().Events(), name) {
			f.refuse("%s is violated before the challenge begins", "挑战还没有开始，%s 就已被违反", name)
			return false
		}
		if err := c.question(name).Check(); err != nil {
			f.wrong(c.file, c.line, "%s", "%s", err)
			return false
		}
	}
	return true
}

// mend reads the program that solves a challenge to mend another.
func (c *Challenge) mend(l *loader, f facts) bool {
	if len(c.Start.Actions()) > 0 {
		f.refuse("where a program is to be mended, the start has no actions", "要修改程序的挑战，起点里不能有动作")
		return false
	}
	text, err := l.read(f.text())
	if err != nil {
		f.refuse("%s", "%s", err)
		return false
	}
	if c.Fix, err = program.Parse(strings.TrimSuffix(f.text(), ".star"), text); err != nil {
		f.refuse("%s: %s", "%s：%s", f.text(), err)
		return false
	}
	return true
}

// reserved are the sections that belong to no moment and no challenge.
var reserved = []string{"on", "solved"}

// say gives a lesson its words in a language.
func (l *loader) say(lesson *Lesson, p *page, language engine.Language) {
	used := map[string]bool{}
	// words are the section of a name, with what it has to have below it.
	words := func(name string, line int, below []string) *section {
		s := p.section(name)
		if s == nil {
			l.wrong(p.file, 1, "there is no section {#%s}", "缺少小节 {#%s}", name)
			return nil
		}
		used[name] = true
		if strings.TrimSpace(s.text) == "" {
			l.wrong(p.file, s.line, "the section %s says nothing", "小节 %s 没有内容", name)
		}
		for _, wanted := range below {
			if find(s.below, wanted) == nil {
				l.wrong(p.file, s.line, "below %s there is no ### {#%s}", "%s 之下缺少 ### {#%s}", name, wanted)
			}
		}
		for _, given := range s.below {
			if !slices.Contains(below, given.name) {
				l.wrong(p.file, given.line, "%s has no answer %s", "%s 没有答案 %s", name, given.name)
			}
			if strings.TrimSpace(given.text) == "" {
				l.wrong(p.file, given.line, "%s says nothing to who has given that answer", "%s 没有写给选了这个答案的人看的话", given.name)
			}
		}
		return s
	}
	lesson.Lead[language] = p.lead
	if strings.TrimSpace(p.lead) == "" {
		l.wrong(p.file, 1, "nothing is said before the first section", "第一个小节之前没有任何说明")
	}
	for _, m := range lesson.Moments {
		var names []string
		for _, a := range m.Answers {
			names = append(names, a.Name)
		}
		s := words(m.Name, m.line, names)
		if s == nil {
			continue
		}
		m.Heading[language], m.Text[language] = s.heading, s.text
		for _, a := range m.Answers {
			if said := find(s.below, a.Name); said != nil {
				a.Text[language], a.After[language] = said.heading, said.text
			}
		}
	}
	for _, c := range lesson.Challenges {
		if s := words(c.Name, c.line, []string{"solved"}); s != nil {
			c.Heading[language], c.Text[language] = s.heading, s.text
			if solved := find(s.below, "solved"); solved != nil {
				c.Solved[language] = solved.text
			}
		}
	}
	for _, s := range p.sections {
		switch {
		case s.name == "on":
			lesson.On[language] = s.text
		case s.name != "" && !used[s.name]:
			l.wrong(p.file, s.line, "there is no moment and no challenge %s", "没有名为 %s 的时刻或挑战", s.name)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

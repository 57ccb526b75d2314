package course

import (
	"errors"
	"io/fs"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
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
		l.contents(*f)
		l.sources()
	}
	if len(c.Title) == 0 {
		c.Title = Words{engine.English: name}
	}
	c.Mistakes = ordered(c.Mistakes)
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
	case err == nil && !info.Mode().IsRegular():
		return "", engine.Refuse("%s is no file", "%s 不是文件", file)
	case err == nil && info.Size() > maxFile:
		return "", engine.Refuse("%s has %d bytes, more than %d", "%s 有 %d 字节，超过 %d", file, info.Size(), maxFile)
	}
	text, err := fs.ReadFile(l.dir, file)
	if err != nil {
		return "", engine.Refuse("%s cannot be read: %s", "无法读取 %s：%s", file, err)
	}
	if !utf8.Valid(text) {
		return "", engine.Refuse("%s is not UTF-8 text", "%s 不是 UTF-8 文本", file)
	}
	return strings.TrimPrefix(string(text), "\ufeff"), nil // some editors begin a file with it
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

// contents reads course.yaml, and the lessons that it lists.
func (l *loader) contents(f facts) {
	var title, about *facts
	var lessons, incidents []facts
	c := l.course
	f.fields(map[string]func(facts){
		"title":     func(f facts) { title = &f },
		"about":     func(f facts) { about = &f },
		"lessons":   func(f facts) { f.texts(func(f facts) { lessons = append(lessons, f) }) },
		"incidents": func(f facts) { f.texts(func(f facts) { incidents = append(incidents, f) }) },
	})
	if title == nil {
		f.refuse("the course has no title, such as title: {en: The Redis lock}", "课程没有标题，例如 title: {en: The Redis lock}")
	} else {
		c.Title = title.words()
	}
	titled := len(c.Title) > 0
	if !titled {
		c.Title[engine.English] = c.Name
	}
	for _, each := range languageNames {
		if _, ok := c.Title[each.language]; ok {
			c.Languages = append(c.Languages, each.language)
		}
	}
	if about != nil {
		c.About = l.both(*about)
	}
	c.Lessons = l.lessons(lessons, func(lesson *Lesson) bool { return lesson.Scenario != nil })
	c.Incidents = l.lessons(incidents, func(lesson *Lesson) bool { return lesson.Scenario != nil || len(lesson.Challenges) > 0 })
	if titled {
		l.unread(*title)
	}
}

// unread refuses a title that is missing in a language of the lessons.
func (l *loader) unread(title facts) {
	for _, each := range languageNames {
		if _, ok := l.course.Title[each.language]; ok {
			continue
		}
		for _, name := range l.taken {
			file := name + "." + each.name + ".md"
			if _, err := fs.Stat(l.dir, file); err == nil {
				title.refuse("there is no title in %s: nobody can read %s", "没有 %s 的标题：没有人能读到 %s", each.name, file)
				break
			}
		}
	}
}

// lessons are those of the list that can be taken: there is enough to do in them.
func (l *loader) lessons(names []facts, enough func(*Lesson) bool) []*Lesson {
	var all []*Lesson
	for _, f := range names {
		before := len(l.course.Mistakes)
		name := f.text()
		switch {
		case len(l.course.Mistakes) > before: // it is none
		case !nameOf.MatchString(name):
			f.refuse("a lesson's name has small letters, digits and dashes, not %q", "课文的名字由小写字母、数字和连字符组成，不能是 %q", name)
		case name == "sources":
			f.refuse("%s names something else already", "%s 已经是别的名字", name)
		case slices.Contains(l.taken, name):
			f.refuse("there is a lesson %s already", "已有课文 %s", name)
		default:
			l.taken = append(l.taken, name)
			if lesson := l.lesson(f, enough); lesson != nil {
				lesson.Number = len(all) + 1
				all = append(all, lesson)
			}
		}
	}
	return all
}

// lesson reads a lesson in every language; nil: it cannot be taken.
func (l *loader) lesson(named facts, enough func(*Lesson) bool) *Lesson {
	lesson := &Lesson{Name: named.text(), Title: Words{}, Goal: Words{}, Lead: Words{}, On: Words{}}
	before := len(l.course.Mistakes)
	for i, language := range l.course.Languages {
		file := lesson.Name + "." + nameOfLanguage(language) + ".md"
		if text, err := l.read(file); err != nil {
			named.refuse("%s", "%s", err)
		} else if p := readPage(file, text, l.wrong); p != nil {
			if l.front(lesson, p, language, i == 0) {
				l.say(lesson, p, language)
			}
		}
		if i == 0 && len(l.course.Mistakes) == before && !enough(lesson) {
			l.wrong(file, 1, "nothing can be done here: a lesson has a scenario, an incident a scenario or a challenge", "这里没有可做的事：课文要有场景，事故要有场景或挑战")
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

// front reads the front matter: the words of a language, and of the first one the
// facts; false: it is not known what the words are about.
func (l *loader) front(lesson *Lesson, p *page, language engine.Language, first bool) bool {
	before := len(l.course.Mistakes)
	f := readFacts(p.file, p.facts, 1, l.wrong)
	if f == nil {
		return !first
	}
	known := map[string]func(facts){
		"title": func(f facts) { lesson.Title[language] = f.text() },
		"goal":  func(f facts) { lesson.Goal[language] = f.text() },
	}
	var scenario, predictions, challenges *facts
	if first {
		known["link"] = func(f facts) { lesson.Link = f.link() }
		known["scenario"] = func(f facts) { scenario = &f }
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
	if scenario != nil && !l.scenario(lesson, *scenario) {
		predictions = nil // nobody knows what comes true
	}
	if predictions != nil {
		predictions.entries(func(name string, key, value facts) { l.prediction(lesson, name, key, value) })
	}
	if challenges != nil {
		challenges.entries(func(name string, key, value facts) { l.challenge(lesson, name, key, value) })
	}
	return !first || len(l.course.Mistakes) == before
}

// scenario reads the lesson's scenario and its moments, and plays it to its end; false: it does not come there.
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

// moment reads the comment that names one.
func (l *loader) moment(lesson *Lesson, name string, at int, line engine.Line, f facts) {
	refuse := func(english, chinese string, arguments ...any) {
		f.wrong(f.file, line.Number, english, chinese, arguments...)
	}
	before := len(lesson.Moments) - 1
	switch {
	case line.Expect != nil || len(line.Actions) > 0:
		refuse("a moment stands on a line of its own", "时刻标记要单独占一行")
	case !nameOf.MatchString(name):
		refuse("a moment's name has small letters, digits and dashes, not %q", "时刻的名字由小写字母、数字和连字符组成，不能是 %q", name)
	case slices.Contains(reserved, name):
		refuse("%s names something else already", "%s 已经是别的名字", name)
	case lesson.Moment(name) != nil:
		refuse("there is a moment %s already", "已有时刻 %s", name)
	case before >= 0 && lesson.Moments[before].At == at:
		refuse("nothing has happened since the moment %s", "从时刻 %s 以来什么也没有发生", lesson.Moments[before].Name)
	default:
		lesson.Moments = append(lesson.Moments, &Moment{Name: name, At: at, Heading: Words{}, Text: Words{}})
	}
}

// play runs a scenario to its end, and makes each of its steps an action of its
// own; nil: it does not come there, and the mistake is noted.
func (l *loader) play(s *engine.Scenario, f facts) *engine.Run {
	single(s)
	trace, err := s.Play(f.file, check.All()...)
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		f.wrong(f.file, problem.Line, "%s", "%s", problem.Err)
		return nil
	}
	for _, unmet := range trace.Unmet {
		why := (*engine.Refusal)(nil)
		errors.As(unmet.Err, &why) // it is wrapped in the line that it is about
		f.wrong(f.file, unmet.Line, "%s", "%s", why)
	}
	return trace.Run
}

// single makes an action of each step: step C1 3 is as many as the run takes of it.
func single(s *engine.Scenario) {
	run := engine.NewRun(s.Header)
	defer func() { run.World().Close() }()
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
					break // whoever plays it will say so
				}
			}
		}
	}
}

// prediction reads what may be answered at a moment, and asks the engine which is right.
func (l *loader) prediction(lesson *Lesson, name string, key, value facts) {
	i := slices.IndexFunc(lesson.Moments, func(m *Moment) bool { return m.Name == name })
	switch {
	case i < 0:
		key.refuse("there is no moment %s in the scenario", "场景中没有时刻 %s", name)
		return
	case i == len(lesson.Moments)-1:
		key.refuse("%s is the last moment: nothing follows that could be predicted", "%s 是最后一个时刻：之后没有可以预测的内容", name)
		return
	}
	moment := lesson.Moments[i]
	world := lesson.Run(lesson.Moments[i+1].At).World()
	defer world.Close()
	before := len(l.course.Mistakes)
	var right []string
	value.entries(func(name string, key, value facts) {
		if !nameOf.MatchString(name) {
			key.refuse("an answer's name has small letters, digits and dashes, not %q", "答案的名字由小写字母、数字和连字符组成，不能是 %q", name)
			return
		}
		a := &Answer{Name: name, Text: Words{}, After: Words{}, Right: value.comesTrue(world)}
		if a.Right {
			right = append(right, name)
		}
		moment.Answers = append(moment.Answers, a)
	})
	switch {
	case len(l.course.Mistakes) > before:
	case len(moment.Answers) < 2:
		key.refuse("a prediction has at least two answers", "预测至少要有两个答案")
	case len(right) == 0:
		key.refuse("none of the answers comes true", "没有一个答案成真")
	case len(right) > 1:
		key.refuse("more than one answer comes true: %s", "不止一个答案成真：%s", strings.Join(right, ", "))
	}
}

// challenge reads a challenge.
func (l *loader) challenge(lesson *Lesson, name string, key, value facts) {
	c := &Challenge{Name: name, Heading: Words{}, Text: Words{}, Solved: Words{}, line: key.line(), file: key.file}
	c.bounds = explore.Question{Clients: 3, Ticks: 5, Tick: 1000, Delays: explore.Any}
	var start, fix *facts
	claims := 0
	number := func(n *int) func(facts) { return func(f facts) { *n = f.number(0) } }
	// claim is what the explorer has to find: in its line stands what it does not.
	claim := func(read func(facts)) func(facts) {
		return func(f facts) {
			claims++
			c.line = f.line()
			read(f)
		}
	}
	before := len(l.course.Mistakes)
	value.fields(map[string]func(facts){
		"start":         func(f facts) { start = &f },
		"property":      func(f facts) { c.Properties = l.properties(f) },
		"par":           claim(func(f facts) { c.Par = f.number(1) }),
		"holds":         claim(func(f facts) { f.yes() }),
		"fix":           claim(func(f facts) { fix = &f }),
		"clients":       number(&c.bounds.Clients),
		"ticks":         number(&c.bounds.Ticks),
		"tick":          func(f facts) { c.bounds.Tick = f.duration() },
		"crashes":       number(&c.bounds.Crashes),
		"delays":        func(f facts) { c.bounds.Delays = f.delays() },
		"replies":       func(f facts) { c.bounds.Replies = f.yes() },
		"node-crashes":  number(&c.bounds.NodeCrashes),
		"lose":          func(f facts) { c.bounds.Lose = f.yes() },
		"restart-delay": number(&c.bounds.RestartDelay),
	})
	switch {
	case len(l.course.Mistakes) > before:
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
		if c.begin(l, key, *start) && (fix == nil || c.mend(l, *start, *fix)) {
			lesson.Challenges = append(lesson.Challenges, c)
		}
	}
}

func (l *loader) properties(f facts) []string {
	names := strings.Fields(f.text())
	for _, name := range names {
		if !slices.Contains(check.Names(), name) {
			f.refuse("there is no property %q: it is one of %s", "没有性质 %q：应为 %s 之一", name, strings.Join(check.Names(), ", "))
		}
	}
	return names
}

// begin reads from where a challenge begins, and whether its question makes sense.
func (c *Challenge) begin(l *loader, key, f facts) bool {
	if c.Start = f.scenario(l.read); c.Start == nil {
		return false
	}
	run := l.play(c.Start, f)
	if run == nil {
		return false
	}
	if c.Program() == nil {
		f.refuse("the start names no program that there is, as in program naive", "起点没有指定可用的程序，例如 program naive")
		return false
	}
	present := len(run.World().Clients())
	if c.bounds.Clients = max(present, c.bounds.Clients); c.bounds.Clients > present {
		// Whoever comes later comes as the latest did: so the explorer understands it.
		for _, a := range c.Start.Actions() {
			if a.Options.Skew = 0; a.Verb == engine.VerbSpawn && (a.Program != "" && a.Program != c.Start.Program || a.Options != engine.Options{}) {
				f.refuse("%s has a program or options of its own: where more clients may come, all have those of the start", "%s 有自己的程序或选项：如果还会有客户端加入，所有客户端都要用起点的程序和选项", a.Client)
				return false
			}
		}
	}
	for _, name := range c.Properties {
		if violates(run.World().Events(), name) {
			f.refuse("%s is violated before the challenge begins", "挑战还没有开始，%s 就已被违反", name)
			return false
		}
	}
	if err := c.Questions()[0].Check(); err != nil {
		key.refuse("%s", "%s", err)
		return false
	}
	return true
}

// mend reads the program that solves a challenge to mend another.
func (c *Challenge) mend(l *loader, start, f facts) bool {
	own := c.Start.Options
	if own.Timeout, own.Retry = 0, 0; len(c.Start.Actions()) > 0 || own != (engine.Options{}) {
		start.refuse("where a program is to be mended, the start has no actions, and no options but timeout and retry", "要修改程序的挑战，起点里不能有动作，选项也只能有 timeout 和 retry")
		return false
	}
	s, err := engine.Parse(f.file, "program "+f.text(), l.read)
	if problem := (*engine.Problem)(nil); errors.As(err, &problem) {
		f.refuse("%s", "%s", problem.Err)
		return false
	}
	if c.Fix = programOf(s.Header); c.Fix == nil {
		f.refuse("there is no program %s", "没有程序 %s", f.text())
	}
	return c.Fix != nil
}

// reserved are names that belong to no moment and no challenge: of sections, and of a page below the lesson's.
var reserved = []string{"on", "solved", "handout"}

// say gives a lesson its words in a language.
func (l *loader) say(lesson *Lesson, p *page, language engine.Language) {
	// said is the section of a name, with what it has to have below it.
	said := func(name string, below ...string) *section {
		s := find(p.sections, name)
		if s == nil {
			l.wrong(p.file, 1, "there is no section {#%s}", "缺少小节 {#%s}", name)
			return &section{}
		}
		for _, wanted := range below {
			if find(s.below, wanted) == nil {
				l.wrong(p.file, s.line, "below %s there is no ### {#%s}", "%s 之下缺少 ### {#%s}", name, wanted)
			}
		}
		l.lint(p, s.below, func(given string) bool { return slices.Contains(below, given) })
		return s
	}
	known := []string{"on"}
	lesson.Lead[language] = p.lead
	if strings.TrimSpace(p.lead) == "" {
		l.wrong(p.file, 1, "nothing is said before the first section", "第一个小节之前没有任何说明")
	}
	for _, m := range lesson.Moments {
		var names []string
		for _, a := range m.Answers {
			names = append(names, a.Name)
		}
		s := said(m.Name, names...)
		known = append(known, m.Name)
		m.Heading[language], m.Text[language] = s.heading, s.text
		for _, a := range m.Answers {
			if after := find(s.below, a.Name); after != nil {
				a.Text[language], a.After[language] = after.heading, after.text
			}
		}
	}
	for _, c := range lesson.Challenges {
		s := said(c.Name, "solved")
		known = append(known, c.Name)
		c.Heading[language], c.Text[language] = s.heading, s.text
		if solved := find(s.below, "solved"); solved != nil {
			c.Solved[language] = solved.text
		}
	}
	if find(p.sections, "on") != nil {
		lesson.On[language] = said("on").text
	}
	l.lint(p, p.sections, func(given string) bool { return slices.Contains(known, given) })
}

// lint refuses sections that are not known, stand there twice, or say nothing.
func (l *loader) lint(p *page, all []*section, known func(string) bool) {
	for i, s := range all {
		switch {
		case !known(s.name):
			l.wrong(p.file, s.line, "nothing in the front matter is named %s", "前置信息里没有名为 %s 的内容", s.name)
		case find(all[:i], s.name) != nil:
			l.wrong(p.file, s.line, "there is a section {#%s} already", "已有小节 {#%s}", s.name)
		case strings.TrimSpace(s.text) == "":
			l.wrong(p.file, s.line, "the section %s says nothing", "小节 %s 没有内容", s.name)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

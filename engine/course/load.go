package course

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// MaxFile is the most bytes that a file in a course may have.
const MaxFile = 256 << 10

// Open reads the course in a directory, whose name is the course's, or in a course file.
func Open(at string) (*Course, error) {
	path, err := filepath.Abs(at)
	if err != nil {
		return nil, fmt.Errorf("opening the course %s: %w", at, err)
	}
	if info, err := os.Stat(path); err != nil {
		return nil, fmt.Errorf("opening the course: %w", err)
	} else if info.IsDir() {
		return Load(Dir(path), filepath.Base(path)), nil
	}
	file, err := ReadPacked(path)
	if err != nil {
		return nil, err
	}
	return OpenPacked(file, path)
}

// Load reads a course. It notes every mistake, and keeps the lessons without
// one.
func Load(dir fs.FS, name string) *Course {
	c := &Course{Name: clipped(name), Files: map[string]Content{}}
	l := loader{dir: askedFiles{dir, c.Files}, course: c}
	if !isName(name) {
		l.wrong(".", 0, "a course's directory is named with at most 64 small letters, digits and dashes, not %q", "课程目录的名字由至多 64 个小写字母、数字和连字符组成，不能是 %q", clipped(name))
	}
	if f := l.facts("course.yaml"); f != nil {
		l.contents(*f)
		l.sources()
	}
	if c.Title == (lang.Text{}) {
		c.Title = lang.Text{English: c.Name}
	}
	for name, read := range c.Files {
		if read == (Content{}) { // the loader asked only whether the file is there
			c.Files[name] = ContentOf(dir, name)
		}
	}
	c.Mistakes, c.Warnings = listed(c.Mistakes), listed(c.Warnings)
	return c
}

type loader struct {
	dir    fs.FS
	course *Course
	taken  []string // lessons' names
	bytes  int64    // of the files that were read
	work   int64    // of the scenarios that were played, in units of the engine
}

// mostWork bounds the work of loading a course: about five seconds of a processor. The built-in course takes a fiftieth.
var mostWork int64 = 500_000_000

// spend counts the work of reading a page, and reports whether the loader may read it.
func (l *loader) spend(units int64) bool {
	l.work += units
	return l.work <= mostWork
}

// afford reports whether the loader may play one more scenario, and notes the mistake where it may not.
func (l *loader) afford(f facts) bool {
	if l.work > mostWork {
		f.refuse("the scenarios of the course take too long: no further one is played", "课程的场景运行得太久：后面的不再运行")
		return false
	}
	return true
}

// maxMistakes is how many mistakes, and how many warnings, a course tells. A file of 256 KB can hold a hundred thousand.
const maxMistakes = 500

var moreMistakes = engine.Refuse("there are more mistakes: they are not listed", "还有更多错误，没有列出")

func (l *loader) wrong(file string, line int, english, chinese string, arguments ...any) {
	note(&l.course.Mistakes, Mistake{File: file, Line: line}, english, chinese, arguments...)
}

// warn notes a fault in teaching. It is no mistake, as the lesson can be played.
func (l *loader) warn(file string, line int, english, chinese string, arguments ...any) {
	note(&l.course.Warnings, Mistake{File: file, Line: line, Warns: true}, english, chinese, arguments...)
}

// lacks notes words that are missing in one of the course's languages. In the first one that is a mistake; what another one
// lacks is shown in the first.
func (l *loader) lacks(in lang.Language, file string, line int, english, chinese string, arguments ...any) {
	if in == l.course.Languages[0] {
		l.wrong(file, line, english, chinese, arguments...)
		return
	}
	note(&l.course.Warnings, Mistake{File: file, Line: line, Warns: true, Untranslated: true}, english, chinese, arguments...)
}

func note(all *[]Mistake, m Mistake, english, chinese string, arguments ...any) {
	if m.Why = moreMistakes; len(*all) < maxMistakes {
		m.Why = engine.Refuse(english, chinese, arguments...)
	}
	*all = append(*all, m)
}

// listed returns the mistakes that a course tells.
func listed(all []Mistake) []Mistake {
	if len(all) > maxMistakes {
		all = append(all[:maxMistakes:maxMistakes], Mistake{File: all[maxMistakes].File, Why: moreMistakes, Warns: all[0].Warns})
	}
	return ordered(all)
}

// read returns the text of a file in the course.
func (l *loader) read(file string) (string, error) {
	if isHidden(file) {
		return "", engine.Refuse("%s is hidden: a course has no such file", "%s 是隐藏文件：课程里没有这样的文件", clipped(file))
	}
	info, err := fs.Stat(l.dir, file)
	switch {
	case err != nil && behindLink(l.dir, file):
		return "", engine.Refuse("%s is a link that leads nowhere in the course", "%s 是链接，指向的不是课程里的文件", clipped(file))
	case errors.Is(err, fs.ErrNotExist):
		return "", engine.Refuse("there is no file %s in the course", "课程目录中没有文件 %s", file)
	case err == nil && !info.Mode().IsRegular():
		return "", engine.Refuse("%s is no file", "%s 不是文件", file)
	case err == nil && info.Size() > MaxFile:
		return "", engine.Refuse("%s has %d bytes, more than %d", "%s 有 %d 字节，超过 %d", file, info.Size(), MaxFile)
	}
	if err == nil {
		l.bytes += info.Size()
	}
	if len(l.course.Mistakes) > maxMistakes {
		return "", moreMistakes
	}
	if l.bytes > MaxUnpacked {
		return "", engine.Refuse("%s is not read: the files of a course have at most %d bytes, those that it names twice counted twice", "没有读取 %s：一门课程的文件合计至多 %d 字节，引用两次的文件算两次", file, MaxUnpacked)
	}
	text, err := fs.ReadFile(l.dir, file)
	if err != nil {
		return "", engine.Refuse("%s cannot be read: %s", "无法读取 %s：%s", file, err)
	}
	l.course.Files[file] = sha256.Sum256(text)
	if !utf8.Valid(text) {
		return "", engine.Refuse("%s is not UTF-8 text", "%s 不是 UTF-8 文本", file)
	}
	return strings.TrimPrefix(string(text), "\ufeff"), nil // some editors begin a file with it
}

// facts reads a file that holds only YAML. It returns nil where there is none,
// and notes the mistake.
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
	var y struct {
		Title, About, Misconceptions                    facts
		Lessons, Incidents, Express, Readings, Playlist []facts
	}
	f.decode(&y)
	c := l.course
	if c.Title = y.Title.words(); !y.Title.given() {
		f.refuse("the course has no title, such as title: {en: The Redis lock}", "课程没有标题，例如 title: {en: The Redis lock}")
	}
	titled := c.Title != (lang.Text{})
	if !titled {
		c.Title.English = c.Name
	}
	for _, language := range lang.All {
		if c.Title.Has(language) {
			c.Languages = append(c.Languages, language)
		}
	}
	c.About = l.both(y.About)
	y.Misconceptions.entries(l.misconception)
	c.Lessons = l.lessons(y.Lessons, func(lesson *Lesson) bool { return lesson.Scenario != nil })
	c.Incidents = l.lessons(y.Incidents, func(lesson *Lesson) bool { return lesson.Scenario != nil || len(lesson.Challenges) > 0 })
	for _, f := range y.Readings {
		if l.free(f) {
			if r := l.reading(f); r != nil {
				c.Readings = append(c.Readings, r)
			}
		}
	}
	l.places()
	l.lengths()
	l.alarming()
	l.express(y.Express)
	l.test()
	l.playlist(y.Playlist)
	if titled {
		l.unread(y.Title)
	}
}

// misconception reads a misconception, which the headings of answers name later.
func (l *loader) misconception(name string, key, value facts) {
	if !key.mayName("a misconception", "误解", name) {
		return
	}
	l.course.Misconceptions = append(l.course.Misconceptions, &Misconception{name, l.both(value)})
}

// express reads the names of the lessons for a reader short of time.
func (l *loader) express(names []facts) {
	c := l.course
	var listed []string
	known := namesOf(c.Lessons, func(*Lesson) bool { return true })
	for _, f := range names {
		name := f.text()
		isLesson := slices.Contains(known, name)
		switch {
		case slices.Contains(listed, name):
			f.refuse("%s stands here twice", "%s 重复出现", name)
		case !isLesson && (c.Lesson(name) != nil || !slices.Contains(l.taken, name)): // the loader has reported a lesson's own mistakes
			f.refuse("there is no lesson %s%s", "没有课文 %s%s", name, lang.DidYouMean(name, known))
		}
		listed = append(listed, name)
	}
	for _, lesson := range c.Lessons {
		if slices.Contains(listed, lesson.Name) {
			c.Express = append(c.Express, lesson)
		}
	}
}

// unread refuses a title without one of the lessons' languages.
func (l *loader) unread(title facts) {
	for _, language := range lang.All {
		if l.course.Title.Has(language) {
			continue
		}
		for _, name := range l.taken {
			file := name + "." + string(language) + ".md"
			if _, err := fs.Stat(l.dir, file); err == nil {
				title.refuse("there is no title in %s: nobody can read %s", "没有 %s 的标题：没有人能读到 %s", language, file)
				break
			}
		}
	}
}

// lessons returns the playable lessons in the list: those with enough to do.
func (l *loader) lessons(names []facts, enough func(*Lesson) bool) []*Lesson {
	var all []*Lesson
	for _, f := range names {
		if l.free(f) {
			if lesson := l.lesson(f, enough); lesson != nil {
				lesson.Number = len(all) + 1
				all = append(all, lesson)
			}
		}
	}
	return all
}

// free reports whether a lesson or a reading may have a name, which then is taken. It notes the mistake where it may not.
func (l *loader) free(f facts) bool {
	before := len(l.course.Mistakes)
	name := f.text()
	switch {
	case len(l.course.Mistakes) > before: // it is no name
	case !f.mayName("a lesson", "课文", name):
	case name == "sources" || name == "test":
		f.refuse("%s names something else already", "%s 已经是别的名字", name)
	case slices.Contains(l.taken, name):
		f.refuse("there is a lesson %s already", "已有课文 %s", name)
	default:
		l.taken = append(l.taken, name)
		return true
	}
	return false
}

// lesson reads a lesson in every language. It returns nil where the lesson is
// not playable.
func (l *loader) lesson(named facts, enough func(*Lesson) bool) *Lesson {
	lesson := &Lesson{Name: named.text()}
	var pages []*page
	before := len(l.course.Mistakes)
	for i, language := range l.course.Languages {
		if p := l.page(lesson.Name, language, named, false); p != nil && l.front(lesson, p) {
			p.say(lesson)
			pages = append(pages, p)
		}
		if i == 0 && len(l.course.Mistakes) == before && !enough(lesson) {
			l.wrong(lesson.Name+"."+string(language)+".md", 1, "nothing can be done here: a lesson has a scenario, a bug report a scenario or a challenge", "这里没有可做的事：课文要有场景，缺陷报告要有场景或挑战")
		}
		if i == 0 && len(l.course.Mistakes) > before {
			return nil
		}
	}
	for _, m := range lesson.Moments {
		shuffle(m.Answers, l.course.Name, lesson.Name, m.Name)
	}
	if lesson.Again != nil {
		lesson.Again.settle(l.course)
	}
	lend(l.course.Name, lesson)
	for _, p := range pages {
		p.look(lesson)
	}
	return lesson
}

// page reads the page that something has in a language, as its name says. It returns nil where the file is not to be read. A
// translation may be missing.
func (l *loader) page(name string, in lang.Language, named facts, reading bool) *page {
	p := &page{file: name + "." + string(in) + ".md", in: in, loader: l, reading: reading}
	text, err := l.read(p.file)
	if err == nil {
		return p.read(text)
	}
	if _, missing := fs.Stat(l.dir, p.file); errors.Is(missing, fs.ErrNotExist) && !behindLink(l.dir, p.file) {
		l.lacks(in, named.file, named.line(), "%s", "%s", err)
	} else {
		named.refuse("%s", "%s", err)
	}
	return nil
}

// lend gives a lock that can be broken as many reasons as one that holds, or their number would tell which it is. No reason
// is right there, so those of the lesson's other challenges serve.
func lend(course string, lesson *Lesson) {
	own := map[*Challenge][]*Answer{}
	for _, c := range lesson.Challenges {
		own[c] = slices.Clone(c.Reasons)
	}
	for _, c := range lesson.Challenges {
		if c.Par == 0 || len(c.Reasons) == 0 {
			continue
		}
		for _, other := range lesson.Challenges {
			for _, a := range own[other] {
				if len(c.Reasons) < manyReasons && c.Reason(a.Name) == nil {
					c.Reasons = append(c.Reasons, &Answer{Name: a.Name, Text: a.Text})
				}
			}
		}
		if len(c.Reasons) > len(own[c]) {
			shuffle(c.Reasons, course, lesson.Name, c.Name)
		}
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

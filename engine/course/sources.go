package course

import (
	"io/fs"
	"slices"

	"lockstep/engine/lang"
)

// sources reads the sources' claims; a course need not have any.
func (l *loader) sources() {
	const file = "sources.yaml"
	if _, err := fs.Stat(l.dir, file); err != nil {
		return
	}
	f := l.facts(file)
	if f == nil {
		return
	}
	var claims []facts
	f.fields(map[string]func(facts){
		"sources": func(f facts) { f.entries(l.source) },
		"claims":  func(f facts) { f.texts(func(f facts) { claims = append(claims, f) }) },
	})
	for _, f := range claims {
		l.claim(f)
	}
}

func (l *loader) source(name string, _, value facts) {
	s, titled := Source{Name: name}, false
	value.fields(map[string]func(facts){
		"title": func(f facts) { s.Title, titled = l.both(f), true },
		"link":  func(f facts) { s.Link = f.link() },
	})
	if !titled {
		value.refuse("the source has no title", "这个来源没有标题")
	}
	l.course.Sources = append(l.course.Sources, s)
}

var verdicts = []string{"holds", "partly", "fails"}

// claim reads a claim. It leaves out one with a mistake.
func (l *loader) claim(f facts) {
	var c Claim
	var lesson, moment facts
	before := len(l.course.Mistakes)
	f.fields(map[string]func(facts){
		"source": func(f facts) {
			if c.Source = f.text(); !slices.ContainsFunc(l.course.Sources, func(s Source) bool { return s.Name == c.Source }) {
				f.refuse("there is no source %s", "没有来源 %s", c.Source)
			}
		},
		"quote": func(f facts) { c.Quote = f.text() },
		"say":   func(f facts) { c.Say = l.both(f) },
		"verdict": func(f facts) {
			if c.Verdict = f.text(); !slices.Contains(verdicts, c.Verdict) {
				f.refuse("a verdict is holds, partly or fails, not %q", "verdict 应为 holds、partly 或 fails，而不是 %q", c.Verdict)
			}
		},
		"shown":  func(f facts) { c.Shown = l.both(f) },
		"lesson": func(f facts) { c.Lesson, lesson = f.text(), f },
		"moment": func(f facts) { c.Moment, moment = f.text(), f },
	})
	if len(l.course.Mistakes) > before {
		return
	}
	for _, each := range []struct {
		name    string
		missing bool
	}{{"source", c.Source == ""}, {"quote", c.Quote == ""}, {"say", c.Say == lang.Text{}}, {"verdict", c.Verdict == ""}, {"shown", c.Shown == lang.Text{}}, {"lesson", c.Lesson == ""}} {
		if each.missing {
			f.refuse("the claim has no %s", "这条说法缺少 %s", each.name)
			return
		}
	}
	switch taught := l.course.Lesson(c.Lesson); {
	case taught == nil:
		if !slices.Contains(l.taken, c.Lesson) { // the loader has reported the mistake of an existing one
			lesson.refuse("there is no lesson %s%s", "没有课文 %s%s", c.Lesson, lang.DidYouMean(c.Lesson, l.taken))
		}
	case c.Moment != "" && taught.Moment(c.Moment) == nil:
		moment.refuse("the lesson %s has no moment %s%s", "课文 %s 没有时刻 %s%s", c.Lesson, c.Moment, lang.DidYouMean(c.Moment, taught.moments()))
	default:
		l.course.Claims = append(l.course.Claims, c)
	}
}

// both returns words in the languages of the course.
func (l *loader) both(f facts) lang.Text {
	words := f.words()
	for _, language := range l.course.Languages {
		if !words.Has(language) {
			l.lacks(language, f.file, f.line(), "there is no text in %s", "缺少 %s 的文字", language)
		}
	}
	return words
}

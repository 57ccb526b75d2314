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
	var y struct {
		Sources facts
		Claims  []facts
	}
	f.decode(&y)
	y.Sources.entries(l.source)
	for _, f := range y.Claims {
		l.claim(f)
	}
}

func (l *loader) source(name string, _, value facts) {
	var y struct{ Title, Link facts }
	if value.decode(&y); !y.Title.given() {
		value.refuse("the source has no title", "这个来源没有标题")
	}
	l.course.Sources = append(l.course.Sources, Source{name, l.both(y.Title), y.Link.link()})
}

var verdicts = []string{"holds", "partly", "fails"}

// claim reads a claim. It leaves out one with a mistake.
func (l *loader) claim(f facts) {
	var y struct{ Source, Quote, Say, Verdict, Shown, Lesson, Moment facts }
	before := len(l.course.Mistakes)
	f.decode(&y)
	c := Claim{y.Source.text(), y.Quote.text(), l.both(y.Say), y.Verdict.text(), l.both(y.Shown), y.Lesson.text(), y.Moment.text()}
	if y.Source.given() && !slices.ContainsFunc(l.course.Sources, func(s Source) bool { return s.Name == c.Source }) {
		y.Source.refuse("there is no source %s", "没有来源 %s", c.Source)
	}
	if y.Verdict.given() && !slices.Contains(verdicts, c.Verdict) {
		y.Verdict.refuse("a verdict is holds, partly or fails, not %q", "verdict 应为 holds、partly 或 fails，而不是 %q", c.Verdict)
	}
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
			y.Lesson.refuse("there is no lesson %s%s", "没有课文 %s%s", c.Lesson, lang.DidYouMean(c.Lesson, l.taken))
		}
	case c.Moment != "" && taught.Moment(c.Moment) == nil:
		y.Moment.refuse("the lesson %s has no moment %s%s", "课文 %s 没有时刻 %s%s", c.Lesson, c.Moment, lang.DidYouMean(c.Moment, taught.moments()))
	default:
		l.course.Claims = append(l.course.Claims, c)
	}
}

// both returns words in the languages of the course.
func (l *loader) both(f facts) lang.Text {
	words := f.words()
	if !f.given() {
		return words
	}
	for _, language := range l.course.Languages {
		if !words.Has(language) {
			l.lacks(language, f.file, f.line(), "there is no text in %s", "缺少 %s 的文字", language)
		}
	}
	return words
}

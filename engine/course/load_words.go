package course

import (
	"slices"
	"strings"

	"lockstep/engine/lang"
)

// reserved lists names for no moment and no challenge: sections, and pages below the lesson's.
var reserved = []string{"on", "solved", "handout", again}

// say gives a lesson its words in a language.
func (l *loader) say(lesson *Lesson, p *page, language lang.Language) {
	said := func(name string, below ...string) *section { return l.said(p, name, below...) }
	known := []string{"on"}
	p.lead.set(language, &lesson.Lead, &lesson.LeadMore)
	p.lead.long(p, p.before+1, l.warn)
	p.lead.large(p, p.before+1, l.warn)
	if strings.TrimSpace(p.lead.text) == "" {
		l.lacks(language, p.file, 1, "nothing is said before the first section", "第一个小节之前没有任何说明")
	}
	for _, m := range lesson.Moments {
		s := said(m.Name, names(m.Answers)...)
		known = append(known, m.Name)
		m.Heading.Set(language, s.heading)
		s.set(language, &m.Text, &m.More)
		if s.asks != "" {
			m.Asks.Set(language, s.asks)
		}
		l.answers(p, s, language, m.Answers)
	}
	for _, c := range lesson.Challenges {
		below := []string{"solved"}
		for _, a := range c.Reasons {
			below = append(below, a.Name)
		}
		s := said(c.Name, below...)
		known = append(known, c.Name)
		c.Heading.Set(language, s.heading)
		s.set(language, &c.Text, &c.More)
		if solved := find(s.below, "solved"); solved != nil {
			solved.set(language, &c.Solved, &c.SolvedMore)
		}
		l.answers(p, s, language, c.Reasons)
	}
	if lesson.Again != nil {
		known = append(known, again)
		l.sayQuestion(p, lesson.Again, said(again, names(lesson.Again.Asks().Answers)...), language)
	}
	if find(p.sections, "on") != nil {
		on := said("on")
		lesson.On.Set(language, on.text+on.more)
	}
	l.lint(p, p.sections, func(given string) bool { return slices.Contains(known, given) })
}

// said returns the section with a name, and checks the sections that it needs
// below it.
func (l *loader) said(p *page, name string, below ...string) *section {
	s := find(p.sections, name)
	if s == nil {
		l.lacks(p.in, p.file, 1, "there is no section {#%s}", "缺少小节 {#%s}", name)
		return &section{}
	}
	for _, wanted := range below {
		if find(s.below, wanted) == nil {
			l.lacks(p.in, p.file, s.line, "below %s there is no ### {#%s}", "%s 之下缺少 ### {#%s}", name, wanted)
		}
	}
	l.lint(p, s.below, func(given string) bool { return slices.Contains(below, given) })
	return s
}

// answers gives answers their words, which stand below a section.
func (l *loader) answers(p *page, s *section, language lang.Language, all []*Answer) {
	for _, a := range all {
		if after := find(s.below, a.Name); after != nil {
			a.Text.Set(language, after.heading)
			after.set(language, &a.After, &a.More)
			l.comesFrom(p, after, language, a)
		}
	}
}

// comesFrom gives an answer the misconception that its heading names. The first language's heading decides; a translation
// may repeat it.
func (l *loader) comesFrom(p *page, s *section, language lang.Language, a *Answer) {
	m := l.course.Misconception(s.class)
	switch {
	case s.class == "":
	case a.Right:
		l.wrong(p.file, s.line, "%s is right: it comes from no misconception", "%s 是正确的：它不出自任何误解", s.name)
	case m == nil:
		var known []string
		for _, m := range l.course.Misconceptions {
			known = append(known, m.Name)
		}
		l.wrong(p.file, s.line, "course.yaml has no misconception %s%s", "course.yaml 里没有误解 %s%s", s.class, lang.DidYouMean(s.class, known))
	case language != l.course.Languages[0] && m != a.Misconception:
		l.wrong(p.file, s.line, "%s comes from another misconception in the first language's file", "在第一种语言的文件里，%s 出自另一个误解", s.name)
	default:
		a.Misconception = m
	}
}

// lint refuses unknown, repeated and empty sections, and notes long cards.
func (l *loader) lint(p *page, all []*section, known func(string) bool) {
	for i, s := range all {
		switch {
		case !known(s.name):
			l.wrong(p.file, s.line, "nothing in the front matter is named %s", "前置信息里没有名为 %s 的内容", s.name)
		case find(all[:i], s.name) != nil:
			l.wrong(p.file, s.line, "there is a section {#%s} already", "已有小节 {#%s}", s.name)
		case strings.TrimSpace(s.text) == "":
			l.wrong(p.file, s.line, "the section %s says nothing", "小节 %s 没有内容", s.name)
		default:
			s.long(p, s.line, l.warn)
			s.large(p, s.line, l.warn)
		}
	}
}

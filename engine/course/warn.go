package course

import (
	"html"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// A warning names a fault in teaching: the lesson can be played, and the engine proves what it says.

// These bounds separate a lesson that teaches from one that only tells.
const (
	maxWords      = 60  // of a card, in English
	maxCharacters = 110 // of a card, in Chinese
	manyReasons   = 4   // for a claim that nobody can break a lock

	// Words and characters before a reader's first action.
	wordsToAct      = 100
	charactersToAct = 180

	// The right answers of a course with fewer predictions than this may stand anywhere, and no answer's place tells anything.
	fewPredictions = 8
)

// look warns of the faults of a lesson.
func (l *loader) look(lesson *Lesson, pages []*page) {
	if len(pages) == 0 {
		return
	}
	first := pages[0]
	l.slow(lesson, first)
	l.unnamed(lesson, first)
	l.unrefuted(lesson, first)
	for _, p := range pages {
		if !slices.ContainsFunc(l.course.Warnings, func(m Mistake) bool { return m.Untranslated && m.File == p.file }) {
			l.late(lesson, p)
			l.told(lesson, p)
		}
	}
}

// large warns of a card with too many words.
func (c *card) large(p *page, line int, note wrong) {
	switch n := length(c.text, p.in); {
	case p.in == lang.Chinese && n > maxCharacters:
		note(p.file, line, "this card has %d characters; it holds %d: move the rest below a line ***", "这张卡片有 %d 字，至多 %d 字：请把其余内容移到单独一行 *** 之下", n, maxCharacters)
	case p.in == lang.English && n > maxWords:
		note(p.file, line, "this card has %d words; it holds %d: move the rest below a line ***", "这张卡片有 %d 个词，至多 %d 个词：请把其余内容移到单独一行 *** 之下", n, maxWords)
	}
}

// unnamed warns of wrong answers that come from no misconception.
func (l *loader) unnamed(lesson *Lesson, p *page) {
	questions := map[string][]*Answer{}
	for _, m := range lesson.Moments {
		questions[m.Name] = m.Answers
	}
	if lesson.Again != nil {
		questions[again] = lesson.Again.Moments[0].Answers
	}
	for name, answers := range questions {
		for _, a := range answers {
			if !a.Right && a.Misconception == nil {
				l.warn(p.file, p.lineOf(name, a.Name), "the wrong answer %s comes from no misconception, such as {#%[1]s .queue}", "错误答案 %s 没有注明出自哪个误解，例如 {#%[1]s .queue}", a.Name)
			}
		}
	}
}

// unrefuted warns of a claim with few reasons, and of wrong reasons that no run refutes.
func (l *loader) unrefuted(lesson *Lesson, p *page) {
	for _, c := range lesson.Challenges {
		if c.Par > 0 || c.Fix != nil {
			continue
		}
		if len(c.Reasons) != manyReasons {
			l.warn(c.file, c.line, "%s has %d reasons why nobody can break it; four make a choice: the right one and three others", "%s 有 %d 个攻不破的理由；四个才好选：一个正确，三个不正确", c.Name, len(c.Reasons))
		}
		for _, a := range c.Reasons {
			if !a.Right && a.Refuted == nil {
				l.warn(p.file, p.lineOf(c.Name, a.Name), "no run refutes the reason %s", "没有运行来反驳理由 %s", a.Name)
			}
		}
	}
}

// slow warns of minutes that do not fit a lesson's length.
func (l *loader) slow(lesson *Lesson, p *page) {
	takes := minutes(lesson, lesson.Challenges, p.in)
	switch off := lesson.Minutes - takes; {
	case lesson.Minutes == 0:
		l.warn(p.file, 1, "the lesson does not say how long it takes: minutes: %d", "课文没有说明要花多久：minutes: %d", takes)
	case 3*max(off, -off) > takes:
		l.warn(p.file, 1, "the lesson takes about %d minutes, not %d", "这一课大约要 %d 分钟，不是 %d 分钟", takes, lesson.Minutes)
	}
}

// late warns of a lesson that speaks for long before its reader can act, or does not say where.
func (l *loader) late(lesson *Lesson, p *page) {
	if lesson.Scenario == nil {
		return
	}
	opening := lesson.Opening()
	n := length(lesson.Lead.In(p.in), p.in)
	for _, m := range lesson.Moments {
		if m.At <= opening {
			n += length(m.Text.In(p.in), p.in)
		}
	}
	most := wordsToAct
	if p.in == lang.Chinese {
		most = charactersToAct
	}
	if n > most {
		l.warn(p.file, p.before+1, "nothing can be pressed before the first %d words are read; a lesson begins with an action", "读完 %d 字才有东西可按；课文应以动作开始", n)
	}
	if actions := lesson.Scenario.Actions(); opening < len(actions) {
		next := actions[opening]
		step := next.Verb == engine.VerbStep || next.Verb == engine.VerbDeliver
		if step && !slices.Contains(wordsOf(shown(lesson.Lead.In(p.in)), p.in), strings.ToLower(next.Client)) {
			l.warn(p.file, p.before+1, "the first card does not say what to press: %s comes next", "第一张卡片没有说该按什么：接下来是 %s", next)
		}
	}
}

// told warns of an answer that an earlier card gives away: one of its sentences has every word of the right answer, and
// no wrong answer is told so.
func (l *loader) told(lesson *Lesson, p *page) {
	said := []string{lesson.Title.In(p.in), lesson.Goal.In(p.in)}
	said = append(said, saidIn(lesson.Lead.In(p.in))...)
	for _, m := range lesson.Moments {
		said = append(said, shown(m.Heading.In(p.in)))
		for _, s := range saidIn(m.Text.In(p.in)) {
			if !strings.HasSuffix(s, "?") && !strings.HasSuffix(s, "？") {
				said = append(said, s)
			}
		}
		right, wrongs := "", false
		for _, a := range m.Answers {
			if in := tellsOf(said, shown(a.Text.In(p.in)), p.in); a.Right {
				right = in
			} else {
				wrongs = wrongs || in != ""
			}
		}
		if right != "" && !wrongs {
			l.warn(p.file, p.lineOf(m.Name, ""), "an earlier sentence gives the answer away: %s", "前面的一句话泄露了答案：%s", right)
		}
	}
}

// tellsOf returns a sentence with all words of an answer, or nothing. An answer of one word tells little.
func tellsOf(said []string, answer string, in lang.Language) string {
	wanted := contentOf(answer, in)
	if len(wanted) < 2 {
		return ""
	}
	for _, s := range said {
		has := contentOf(s, in)
		if !slices.ContainsFunc(wanted, func(word string) bool { return !slices.Contains(has, word) }) {
			return s
		}
	}
	return ""
}

// places warns of a right answer that stands at one place too often, as the readers see it. Two answers have it at each
// place half the time.
func (l *loader) places() {
	const last = "Z"
	right, all, fair := map[string]int{}, map[string]int{}, map[string]float64{}
	for _, m := range l.asked() {
		for i, a := range m.Answers {
			names := []string{string(rune('A' + i))}
			if i == len(m.Answers)-1 {
				names = append(names, last)
			}
			for _, name := range names {
				all[name]++
				if fair[name] += 1 / float64(len(m.Answers)); a.Right {
					right[name]++
				}
			}
		}
	}
	for _, name := range sortedKeys(right) { // the last place comes last: it may be one of the others
		n, of := float64(right[name]), float64(all[name])
		if all[name] < fewPredictions || n <= 0.4*of || n <= 1.2*fair[name] {
			continue
		}
		if name == last { // a letter may have said so
			l.warn("course.yaml", 1, "the right answer is the last one in %d of %d predictions: change the order of some answers in their files", "%[2]d 个预测里有 %[1]d 个的正确答案排在最后：请在文件里调换几处答案的次序", right[name], all[name])
		} else {
			l.warn("course.yaml", 1, "the right answer is %[3]s in %[1]d of %[2]d predictions: change the order of some answers in their files", "%[2]d 个预测里有 %[1]d 个的正确答案是 %[3]s：请在文件里调换几处答案的次序", right[name], all[name], name)
		}
		break
	}
}

// lengths warns of a right answer that is longer or shorter than the others too often: a reader learns to choose by length.
func (l *loader) lengths() {
	asked := l.asked()
	if len(asked) < fewPredictions {
		return
	}
	for _, in := range l.course.Languages {
		shortest, longest := 0, 0
		for _, m := range asked {
			right, least, most := 0, math.MaxInt, 0
			for _, a := range m.Answers {
				if n := utf8.RuneCountInString(shown(a.Text.In(in))); a.Right {
					right = n
				} else {
					least, most = min(least, n), max(most, n)
				}
			}
			if right < least {
				shortest++
			} else if right > most {
				longest++
			}
		}
		if 2*shortest > len(asked) {
			l.warn("course.yaml", 1, "the right answer is the shortest one in %d of %d predictions (%s): readers learn to choose by length", "%[2]d 个预测里有 %[1]d 个的正确答案最短（%[3]s）：读者会看长短来选", shortest, len(asked), string(in))
		} else if 2*longest > len(asked) {
			l.warn("course.yaml", 1, "the right answer is the longest one in %d of %d predictions (%s): readers learn to choose by length", "%[2]d 个预测里有 %[1]d 个的正确答案最长（%[3]s）：读者会看长短来选", longest, len(asked), string(in))
		}
	}
}

// alarming warns of a course in which nearly every question ends in a violation: its readers learn to expect the worst.
func (l *loader) alarming() {
	predictions, harmless := len(l.asked()), 0
	for _, lesson := range l.course.Lessons {
		asked, own := 0, 0
		for _, m := range lesson.Moments {
			if len(m.Answers) == 0 {
				continue
			}
			if asked++; !lesson.breaksAfter(m) {
				own++
			}
		}
		if harmless += own; asked >= 3 && own == 0 {
			l.warn(lesson.Name+"."+string(l.course.Languages[0])+".md", 1, "each of the %d predictions ends in a violation: let one end harmlessly", "%d 个预测全都以违反性质告终：请让其中一个平安无事", asked)
		}
	}
	if predictions >= fewPredictions && 3*harmless < predictions {
		l.warn("course.yaml", 1, "%d of %d predictions end harmlessly, less than a third: readers learn to expect the worst", "%[2]d 个预测里只有 %[1]d 个平安无事，不到三分之一：读者会总往坏处猜", harmless, predictions)
	}
}

// asked returns the moments of the lessons that ask something.
func (l *loader) asked() (all []*Moment) {
	for _, lesson := range l.course.Lessons {
		for _, m := range lesson.Moments {
			if len(m.Answers) > 0 {
				all = append(all, m)
			}
		}
	}
	return all
}

// lineOf returns the line of a section, or of one below it.
func (p *page) lineOf(name, below string) int {
	s := find(p.sections, name)
	if s == nil {
		return 1
	}
	if b := find(s.below, below); b != nil {
		return b.line
	}
	return s.line
}

var (
	endOfBlock = regexp.MustCompile(`</(p|li|td|th|tr|h\d|pre|blockquote)>`)
	tag        = regexp.MustCompile(`<[^>]*>`)
)

// shown returns the text of HTML as a reader sees it, a line for each block.
func shown(text string) string {
	return html.UnescapeString(tag.ReplaceAllString(endOfBlock.ReplaceAllString(text, "\n"), ""))
}

// saidIn returns the sentences of HTML.
func saidIn(text string) (all []string) {
	for block := range strings.Lines(shown(text)) {
		for _, s := range sentencesOf(block) {
			all = append(all, strings.TrimSpace(block[s.from:s.to]))
		}
	}
	return all
}

// length returns how much there is to read in HTML: words or, in Chinese, characters.
func length(text string, in lang.Language) (n int) {
	for _, word := range strings.Fields(shown(text)) {
		switch {
		case in == lang.Chinese:
			n += len([]rune(word))
		case strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
			n++
		}
	}
	return n
}

// wordsOf returns the words of a text in small letters. Chinese has no blanks: each two characters side by side are one.
func wordsOf(text string, in lang.Language) (all []string) {
	part := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '-' || r == '\'' || r == '’'
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !part(r) }) {
		var han []rune
		other := ""
		flush := func() {
			other = strings.Trim(other, ".-'’")
			if other, _, _ = strings.Cut(strings.ReplaceAll(other, "’", "'"), "'s"); other != "" { // C1's: C1
				all = append(all, other)
			}
			for i := range len(han) - 1 {
				all = append(all, string(han[i:i+2]))
			}
			if len(han) == 1 {
				all = append(all, string(han))
			}
			other, han = "", nil
		}
		for _, r := range word {
			isHan := unicode.Is(unicode.Han, r)
			if isHan && other != "" || !isHan && len(han) > 0 {
				flush()
			}
			if isHan {
				han = append(han, r)
			} else {
				other += string(r)
			}
		}
		flush()
	}
	return all
}

// common are words that say little about an answer.
var common = strings.Fields("a an the it its is are was be been has have had do does did to of in on at by for from and or that this then there with as both each will would can could may also too so still they them he she who which what when where 的 了 它 会 是 在 也 还 就 都 和")

// contentOf returns the words that carry a text's meaning.
func contentOf(text string, in lang.Language) []string {
	return slices.DeleteFunc(wordsOf(text, in), func(word string) bool { return slices.Contains(common, word) })
}

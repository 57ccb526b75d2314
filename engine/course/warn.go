package course

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// A warning names a fault in teaching: the lesson can be played, and the engine proves what it says.

// These bounds separate a lesson that teaches from one that only tells.
const (
	manyReasons = 4 // for a claim that nobody can break a lock

	// Words and characters before a reader's first action.
	wordsToAct      = 100
	charactersToAct = 180

	// The right answers of a course with fewer predictions than this may stand anywhere, and no answer's place tells anything.
	fewPredictions = 8
)

// look warns of the faults of a lesson's page: in the first language of all of them, in the others of its words alone.
func (p *page) look(lesson *Lesson) {
	if p.first() {
		p.slow(lesson)
		p.unnamed(lesson)
		p.unrefuted(lesson)
	}
	if !slices.ContainsFunc(p.loader.course.Warnings, func(m Mistake) bool { return m.Untranslated && m.File == p.file }) {
		p.late(lesson)
		p.told(lesson)
	}
}

// unnamed warns of wrong answers that come from no misconception.
func (p *page) unnamed(lesson *Lesson) {
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
				p.warn(p.lineOf(name, a.Name), "the wrong answer %s comes from no misconception, such as {#%[1]s .queue}", "错误答案 %s 没有注明出自哪个误解，例如 {#%[1]s .queue}", a.Name)
			}
		}
	}
}

// unrefuted warns of a claim with few reasons, and of wrong reasons that no run refutes.
func (p *page) unrefuted(lesson *Lesson) {
	for _, c := range lesson.Challenges {
		if c.Par > 0 || c.Fix != nil {
			continue
		}
		if len(c.Reasons) != manyReasons {
			p.warn(c.line, "%s has %d reasons why nobody can break it; four make a choice: the right one and three others", "%s 有 %d 个攻不破的理由；四个才好选：一个正确，三个不正确", c.Name, len(c.Reasons))
		}
		for _, a := range c.Reasons {
			if !a.Right && a.Refuted == nil {
				p.warn(p.lineOf(c.Name, a.Name), "no run refutes the reason %s", "没有运行来反驳理由 %s", a.Name)
			}
		}
	}
}

// slow warns of minutes that do not fit a lesson's length.
func (p *page) slow(lesson *Lesson) {
	takes := minutes(lesson, lesson.Challenges, p.in)
	switch off := lesson.Minutes - takes; {
	case lesson.Minutes == 0:
		p.warn(1, "the lesson does not say how long it takes: minutes: %d", "课文没有说明要花多久：minutes: %d", takes)
	case 3*max(off, -off) > takes:
		p.warn(1, "the lesson takes about %d minutes, not %d", "这一课大约要 %d 分钟，不是 %d 分钟", takes, lesson.Minutes)
	}
}

// late warns of a lesson that speaks for long before its reader can act, or does not say where.
func (p *page) late(lesson *Lesson) {
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
		p.warn(p.before+1, "nothing can be pressed before the first %d words are read; a lesson begins with an action", "读完 %d 字才有东西可按；课文应以动作开始", n)
	}
	if actions := lesson.Scenario.Actions(); opening < len(actions) {
		next := actions[opening]
		step := next.Verb == engine.VerbStep || next.Verb == engine.VerbDeliver
		if step && !slices.Contains(wordsOf(shown(lesson.Lead.In(p.in)), p.in), strings.ToLower(next.Client)) {
			p.warn(p.before+1, "the first card does not say what to press: %s comes next", "第一张卡片没有说该按什么：接下来是 %s", next)
		}
	}
}

// told warns of an answer that an earlier card gives away: one of its sentences has every word of the right answer, and
// no wrong answer is told so.
func (p *page) told(lesson *Lesson) {
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
			p.warn(p.lineOf(m.Name, ""), "an earlier sentence gives the answer away: %s", "前面的一句话泄露了答案：%s", right)
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
	for _, m := range l.course.asked() {
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
	asked := l.course.asked()
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
	predictions, harmless := len(l.course.asked()), 0
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
func (c *Course) asked() (all []*Moment) {
	for _, lesson := range c.Lessons {
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

// Seconds that a lesson takes.
const (
	aMinute     = 60
	aPrediction = 30
	aStop       = 10
	aBreak      = 60 // of a lock, in few actions
	aLongBreak  = 120
	aProof      = 120
	aFix        = 360
)

// Few actions break a lock soon.
const fewActions = 4

// A reader's speed, in a minute.
const (
	wordsRead      = 130
	charactersRead = 230 // of Chinese
)

// Hurried returns how many minutes a lesson takes with its first challenge alone, as a reader of the express path takes it.
func (l *Lesson) Hurried(in lang.Language) int {
	return minutes(l, l.Challenges[:min(1, len(l.Challenges))], in)
}

// minutes estimates how long a lesson takes with some of its challenges: its visible cards are read, its questions answered, the
// challenges taken.
func minutes(lesson *Lesson, challenges []*Challenge, in lang.Language) int {
	read, seconds := length(lesson.Lead.In(in), in)+length(lesson.On.In(in), in), 0
	for _, m := range lesson.Moments {
		read += length(m.Heading.In(in), in) + length(m.Text.In(in), in)
		seconds += aStop
		for _, a := range m.Answers {
			if read += length(a.Text.In(in), in); a.Right {
				read += length(a.After.In(in), in)
				seconds += aPrediction
			}
		}
	}
	for _, c := range challenges {
		read += length(c.Heading.In(in), in) + length(c.Text.In(in), in) + length(c.Solved.In(in), in)
		switch {
		case c.Fix != nil:
			seconds += aFix
		case c.Par == 0:
			seconds += aProof
		case c.Par <= fewActions:
			seconds += aBreak
		default:
			seconds += aLongBreak
		}
	}
	speed := wordsRead
	if in == lang.Chinese {
		speed = charactersRead
	}
	return max(1, (seconds+read*aMinute/speed+aMinute/2)/aMinute)
}

package course

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
)

// Budget limits the proof of one claim.
var Budget = explore.Budget{States: 3_000_000, Memory: 1 << 30}

// Check lets the explorer prove the claims of the challenges. It returns every
// mistake in the course, including those of Load, file by file.
func (c *Course) Check(runtime explore.Runtime) []Mistake {
	return c.check(runtime, func(*Challenge, explore.Question, *explore.Answer) {})
}

// check does what Check does, and passes each answer of the explorer to report.
func (c *Course) check(runtime explore.Runtime, report func(*Challenge, explore.Question, *explore.Answer)) []Mistake {
	mistakes := slices.Clone(c.Mistakes)
	for _, lesson := range c.All() {
		for _, challenge := range lesson.Challenges {
			x := examiner{challenge: challenge, runtime: runtime, report: report}
			x.examine()
			mistakes = append(mistakes, x.mistakes...)
		}
	}
	return ordered(mistakes)
}

// Proved says how much of a course Check has proved, when it has found no
// mistake.
func (c *Course) Proved(in lang.Language) string {
	moments, predictions, challenges := 0, 0, 0
	for _, l := range c.All() {
		moments, challenges = moments+len(l.Moments), challenges+len(l.Challenges)
		for _, m := range l.Moments {
			if len(m.Answers) > 0 {
				predictions++
			}
		}
		if l.Again != nil {
			predictions++
		}
	}
	if c.Test != nil {
		predictions += len(Forms()) * len(c.Test.Pairs)
	}
	if in == lang.Chinese {
		return fmt.Sprintf("%d 课、%d 份缺陷报告：%d 个时刻、%d 个预测、%d 个挑战全部成立", len(c.Lessons), len(c.Incidents), moments, predictions, challenges)
	}
	return fmt.Sprintf("%s, %s: %s, %s and %s hold", counted(len(c.Lessons), "lesson"), counted(len(c.Incidents), "bug report"),
		counted(moments, "moment"), counted(predictions, "prediction"), counted(challenges, "challenge"))
}

// Own lists the course's own programs in alphabetical order, each with the lessons that have it, or says nothing if there is
// none.
func (c *Course) Own(in lang.Language) string {
	lessons := map[string][]string{}
	for _, l := range c.All() {
		has := func(name string) {
			if !slices.Contains(lessons[name], l.Name) {
				lessons[name] = append(lessons[name], l.Name)
			}
		}
		scenarios := []*engine.Scenario{l.Scenario}
		if l.Again != nil {
			scenarios = append(scenarios, l.Again.Scenario)
		}
		if c.Test != nil {
			for _, p := range c.Test.Pairs {
				if p.About == l {
					scenarios = append(scenarios, p.Before.Scenario, p.After.Scenario)
				}
			}
		}
		for _, ch := range l.Challenges {
			scenarios = append(scenarios, ch.Start)
			if ch.Fix != nil {
				has(ch.Fix.Name)
			}
			for _, a := range ch.Reasons {
				scenarios = append(scenarios, a.Refuted)
			}
		}
		for _, s := range scenarios {
			if s == nil {
				continue
			}
			for _, p := range s.Own {
				has(p.Name)
			}
		}
	}
	var all []string
	for _, name := range sortedKeys(lessons) {
		all = append(all, name+" ("+strings.Join(lessons[name], ", ")+")")
	}
	if len(all) == 0 {
		return ""
	}
	return lang.Format("own programs: %s", "自带程序：%s", strings.Join(all, ", ")).In(in)
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// ordered returns mistakes by file and line.
func ordered(all []Mistake) []Mistake {
	slices.SortStableFunc(all, func(a, b Mistake) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) })
	return all
}

// An examiner proves the claims of one challenge.
type examiner struct {
	challenge *Challenge
	runtime   explore.Runtime
	report    func(*Challenge, explore.Question, *explore.Answer)
	mistakes  []Mistake
}

func (x *examiner) refuse(english, chinese string, arguments ...any) {
	x.mistakes = append(x.mistakes, Mistake{File: x.challenge.file, Line: x.challenge.line, Why: engine.Refuse(english, chinese, arguments...)})
}

func (x *examiner) examine() {
	c := x.challenge
	shortest, ok := x.shortest(c.Questions())
	switch {
	case !ok:
	case c.Fix != nil:
		if shortest == nil {
			x.refuse("nothing is to be mended: the explorer finds no way to break it", "没有什么需要修复：穷举没有找到破坏它的办法")
		}
		if err := c.Try(c.Fix); err != nil {
			x.refuse("%s", "%s", err)
		} else if attack, ok := x.shortest(c.QuestionsOf(c.Fix)); ok && attack != nil {
			x.refuse("%s is no solution: it can be broken in %d actions", "%s 不是解答：它可以在 %d 个动作内被破坏", c.Fix.Name, attack.Length)
		}
	case shortest == nil && c.Par > 0:
		x.refuse("the goal cannot be reached: within these bounds nothing violates %s", "目标无法达到：在这些范围内，%s 不会被违反", strings.Join(c.Properties, ", "))
	case shortest != nil && c.Par == 0:
		x.refuse("it does not hold: the violation %s comes after %d actions", "它并不成立：%[2]d 个动作之后就违反 %[1]s", violationOf(shortest), shortest.Length)
	case shortest != nil && shortest.Length != c.Par:
		x.refuse("par is %d, not %d: the violation %s comes after %[1]d actions, and no shorter way leads to one", "标准步数是 %d，不是 %d：%[1]d 个动作之后才违反 %[3]s，没有更短的办法", shortest.Length, c.Par, violationOf(shortest))
	case shortest != nil:
		x.judge(shortest)
	}
}

// violationOf names the violation that a counterexample ends with, such as mutual-exclusion C1 C2.
func violationOf(way *explore.Counterexample) string {
	lines := way.Scenario.Lines
	return lines[len(lines)-1].Expect.Property + " " + strings.Join(way.Clients, " ")
}

// shortest returns the shortest counterexample to any of the questions, or nil.
// It is not ok where the search did not end; the mistake is noted.
func (x *examiner) shortest(questions []explore.Question) (found *explore.Counterexample, ok bool) {
	for _, q := range questions {
		a, err := q.Search(Budget, x.runtime, 1)
		switch {
		case err != nil:
			x.refuse("%s", "%s", err)
			return nil, false
		case a.Verdict == explore.Spent || a.Verdict == explore.Stopped:
			x.refuse("%s is too large a question to be proved: %d states were not all", "关于 %s 的问题太大，无法证明：%d 个状态还不是全部", q.Property, a.States)
			return nil, false
		}
		x.report(x.challenge, q, a)
		if len(a.Counterexamples) > 0 && (found == nil || a.Counterexamples[0].Length < found.Length) {
			found = &a.Counterexamples[0]
		}
	}
	return found, true
}

// judge confirms that the judge accepts the counterexample as it is, in as many actions.
func (x *examiner) judge(way *explore.Counterexample) {
	run := x.challenge.Begin()
	for _, a := range way.Actions {
		if _, err := run.Do(a); err != nil {
			panic("course: an action of the explorer is refused: " + err.Error())
		}
	}
	switch s := x.challenge.Judge(run); {
	case s.Foul != nil:
		x.refuse("the shortest way does not count: %s", "最短的办法不算数：%s", s.Foul)
	case !s.Broken || s.Actions != x.challenge.Par:
		x.refuse("the shortest way counts %d actions, not %d", "最短的办法算作 %d 个动作，不是 %d 个", s.Actions, x.challenge.Par)
	}
}

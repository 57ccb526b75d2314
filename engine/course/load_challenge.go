package course

import (
	"errors"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/lang"
)

// challenge reads a challenge.
func (l *loader) challenge(lesson *Lesson, name string, key, value facts) {
	y := struct {
		Start, Property, Delays                                               facts
		Par, Holds, Fix                                                       facts // one of them, the claim
		Because, NotBecause                                                   facts
		Clients, Ticks, Crashes, Losses, NodeCrashes, RestartDelay, Failovers int
		Tick                                                                  engine.Time
		Replies, Lose                                                         bool
	}{Clients: 3, Ticks: 5, Tick: 1000}
	before := len(l.course.Mistakes)
	value.decode(&y)
	c := &Challenge{Name: name, line: key.line(), file: key.file, Properties: y.Property.properties()}
	c.bounds = explore.Question{
		Clients: y.Clients, Ticks: y.Ticks, Tick: y.Tick, Crashes: y.Crashes, Delays: y.Delays.delays(), Replies: y.Replies, Losses: y.Losses,
		NodeCrashes: y.NodeCrashes, Lose: y.Lose, RestartDelay: y.RestartDelay, Failovers: y.Failovers,
	}
	others := y.NotBecause.reasons()
	claims := 0
	for _, claim := range []facts{y.Par, y.Holds, y.Fix} {
		if claim.given() {
			claims++
			c.line = claim.line() // where the explorer's answer may disagree
		}
	}
	if y.Par.given() {
		c.Par = y.Par.number(1)
	}
	if y.Holds.given() {
		y.Holds.yes()
	}
	switch {
	case len(l.course.Mistakes) > before:
	case !key.mayName("a challenge", "挑战", name):
	case lesson.Moment(name) != nil || slices.Contains(reserved, name):
		key.refuse("%s names something else already", "%s 已经是别的名字", name)
	case claims != 1:
		key.refuse("a challenge has one of par: 8, holds: true and fix: solution.star", "挑战要有 par: 8、holds: true、fix: solution.star 之一")
	case len(c.Properties) == 0:
		key.refuse("a challenge has a property: %s", "挑战要有一条性质：%s", strings.Join(check.Names(), ", "))
	case !y.Start.given():
		key.refuse("a challenge has a start, such as start: program naive", "挑战要有起点，例如 start: program naive")
	case c.begin(l, key, y.Start) && (!y.Fix.given() || c.readFix(l, y.Start, y.Fix)) && c.reasons(l, lesson, y.Because, others):
		lesson.Challenges = append(lesson.Challenges, c)
	}
}

// properties reads the names of properties, with blanks between them.
func (f facts) properties() []string {
	names := strings.Fields(f.text())
	for _, name := range names {
		f.isProperty(name)
	}
	return names
}

// begin reads the challenge's start, and reports whether its question makes
// sense.
func (c *Challenge) begin(l *loader, key, f facts) bool {
	if c.Start = f.scenario(l.read); c.Start == nil {
		return false
	}
	run := l.play(c.Start, f)
	if run == nil {
		return false
	}
	if name := c.Start.Program; c.Program() == nil && name != "" {
		refusal := c.Start.NoProgram(name)
		f.refuse("%s", "%s", refusal)
		return false
	}
	if c.Program() == nil {
		f.refuse("the start names no program, as in program naive", "起点没有指定程序，例如 program naive")
		return false
	}
	present := len(run.World().Clients())
	c.begins.clients = present
	for _, client := range run.World().Clients() {
		c.begins.paused = c.begins.paused || client.Paused
		c.begins.orphaned = c.begins.orphaned || client.Orphan() != nil
	}
	if c.bounds.Clients = max(present, c.bounds.Clients); c.bounds.Clients > present {
		// Later clients have the options of the latest one, as in the explorer.
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
	c.bounds.Replies = c.bounds.Replies || c.bounds.Losses > 0 // as in the explorer
	q := c.question(c.Properties[0], run)
	if err := q.Check(); err != nil {
		key.refuse("%s", "%s", err)
		return false
	}
	c.Bounds = lang.Both(q.Bounds(lang.English), q.Bounds(lang.Chinese))
	return true
}

// readFix reads the program that solves a challenge to fix another program.
func (c *Challenge) readFix(l *loader, start, f facts) bool {
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
		f.refuse("%s", "%s", s.NoProgram(f.text()))
	}
	return c.Fix != nil
}

// A reason is the name of a reason in the front matter, and the run that refutes it.
type reason struct {
	name facts
	run  *facts // nil: none does
}

// reasons returns the reasons in a list of names, or in names with a run each.
func (f facts) reasons() (all []reason) {
	if f.given() && f.Kind != yaml.MappingNode {
		f.texts(func(f facts) { all = append(all, reason{name: f}) })
		return all
	}
	f.entries(func(_ string, key, value facts) {
		if all = append(all, reason{name: key}); value.Tag != "!!null" {
			all[len(all)-1].run = &value
		}
	})
	return all
}

// refutes reads a run that refutes a reason, and plays it. Its last line says what it shows. It returns nil where the run
// does not get there.
func (l *loader) refutes(f facts) *engine.Scenario {
	s := f.scenario(l.read)
	if s == nil || l.play(s, f) == nil {
		return nil
	}
	if len(s.Lines) == 0 || s.Lines[len(s.Lines)-1].Expect == nil {
		f.refuse("the last line of a run that refutes a reason says what it shows, as in expect violation overlap C1 C2", "反驳理由的运行，最后一行要说明它表明了什么，例如 expect violation overlap C1 C2")
		return nil
	}
	return s
}

// reasons reads the names of the reasons for a claim that nobody can break the
// challenge's lock, and reports whether they make sense: one of them is right if
// the claim is, and none if it is not.
func (c *Challenge) reasons(l *loader, lesson *Lesson, because facts, all []reason) bool {
	if because.given() {
		all = append([]reason{{name: because}}, all...)
	}
	if len(all) == 0 {
		return true
	}
	switch first := all[0].name; {
	case c.Fix != nil:
		first.refuse("a challenge to mend a program asks for no reasons", "修改程序的挑战不询问理由")
		return false
	case c.Par > 0 && because.given():
		first.refuse("this lock can be broken, so there is no because; not-because names what looks like a reason", "这把锁攻得破，所以没有 because；not-because 用来列出看似成立的理由")
		return false
	case len(all) < 2 || c.Par == 0 && !because.given():
		first.refuse("a claim has at least two reasons to choose from; where nobody can break the lock, because names the right one and not-because the others", "至少要有两个理由可选；如果锁攻不破，because 写正确的理由，not-because 写其余的理由")
		return false
	}
	for i, each := range all {
		before, f := len(l.course.Mistakes), each.name
		name := f.text()
		taken := func(a *Answer) bool { return a.Name == name }
		switch {
		case len(l.course.Mistakes) > before:
		case !f.mayName("a reason", "理由", name):
		case name == notSure || slices.Contains(reserved, name) || slices.ContainsFunc(c.Reasons, taken):
			f.refuse("%s names something else already", "%s 已经是别的名字", name)
		default:
			a := &Answer{Name: name, Right: i == 0 && because.given()}
			if each.run != nil {
				a.Refuted = l.refutes(*each.run)
			}
			c.Reasons = append(c.Reasons, a)
			if len(l.course.Mistakes) == before {
				continue
			}
		}
		return false
	}
	shuffle(c.Reasons, l.course.Name, lesson.Name, c.Name)
	return true
}

// Reason returns the reason with that name, or nil.
func (c *Challenge) Reason(name string) *Answer {
	return named(c.Reasons, func(a *Answer) string { return a.Name }, name)
}

// Right returns the reason that decides the claim; nil: there is none.
func (c *Challenge) Right() *Answer {
	if i := slices.IndexFunc(c.Reasons, func(a *Answer) bool { return a.Right }); i >= 0 {
		return c.Reasons[i]
	}
	return nil
}

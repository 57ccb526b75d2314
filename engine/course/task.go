package course

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/explore"
	"lockstep/engine/program"
)

// A Task is the purpose of a run: it follows a lesson, or it takes a challenge. The zero Task is none.
type Task struct {
	Course    *Course
	Lesson    *Lesson
	Challenge *Challenge // nil: the lesson itself

	Free *program.Program // without a lesson, what the run begins with: clients of it; nil: nobody
	Many int              // of those clients, at most engine.MaxClients; 0: two
}

// Named returns the course with a name; nil: there is none.
func Named(courses []*Course, name string) *Course {
	return named(courses, func(c *Course) string { return c.Name }, name)
}

// Find returns the task with a name such as redis-lock/race/break or redis-lock/race/again, or the zero Task.
func Find(courses []*Course, name string) Task {
	parts := strings.SplitN(name, "/", 3)
	t := Task{Course: Named(courses, parts[0])}
	if t.Course == nil || len(parts) < 2 {
		return Task{}
	}
	if t.Lesson = t.Course.Lesson(parts[1]); t.Lesson == nil {
		return Task{}
	}
	switch {
	case len(parts) == 3 && parts[2] == again && t.Lesson.Again != nil:
		t.Lesson = t.Lesson.Again.Lesson
	case len(parts) == 3:
		if t.Challenge = t.Lesson.Challenge(parts[2]); t.Challenge == nil {
			return Task{}
		}
	case t.Lesson.Scenario == nil:
		return Task{}
	}
	return t
}

// Name returns the name by which Find finds the task again; the zero Task has none.
func (t Task) Name() string {
	switch {
	case t.Lesson == nil:
		return ""
	case t.Challenge == nil:
		return t.Course.Name + "/" + t.Lesson.Name
	}
	return t.Course.Name + "/" + t.Lesson.Name + "/" + t.Challenge.Name
}

// Guided returns the lesson that a run follows; nil: it follows none.
func (t Task) Guided() *Lesson {
	if t.Challenge != nil {
		return nil
	}
	return t.Lesson
}

// Next returns the lesson's next action, as long as the run follows it.
func (t Task) Next(run *engine.Run) (engine.Action, bool) {
	if l := t.Guided(); l != nil {
		return l.Next(run.Actions())
	}
	return engine.Action{}, false
}

// Asked returns the moment whose prediction a run awaits after some actions, as Lesson.Asked does.
func (t Task) Asked(actions []engine.Action) (m *Moment, until int) {
	if l := t.Guided(); l != nil {
		return l.Asked(actions)
	}
	return nil, 0
}

// Lookahead asks whether a run can still violate a property from its present
// state.
func (t Task) Lookahead(run *engine.Run, property string) explore.Question {
	if t.Challenge != nil {
		return t.Challenge.Lookahead(run, property)
	}
	return explore.Lookahead(run, property, t.Ticks()...)
}

// Spoils reports whether a lookahead after some actions would give the answer of a prediction away, as Lesson.Spoils does.
func (t Task) Spoils(actions []engine.Action) bool {
	l := t.Guided()
	return l != nil && l.Spoils(actions)
}

// usualTicks are the ticks that a page offers: a second and ten.
var usualTicks = []engine.Time{1_000, 10_000}

// Ticks returns the lengths of the ticks that the run's page offers: the challenge's, or the usual ones.
func (t Task) Ticks() []engine.Time {
	if t.Challenge != nil {
		return []engine.Time{t.Challenge.Tick()}
	}
	return slices.Clone(usualTicks)
}

// freely begins a run in which clients have just asked for the lock.
func freely(p *program.Program, many int) *engine.Run {
	run := engine.NewRun(engine.Header{Program: p.Name}, check.All()...)
	for i := range cmp.Or(many, 2) {
		if _, err := run.Do(engine.Action{Verb: engine.VerbSpawn, Client: "C" + strconv.Itoa(i+1), Program: p.Name}); err != nil {
			panic("course: a built-in program cannot begin: " + err.Error())
		}
	}
	return run
}

// Done returns how many actions a task has done when its run begins: as many as somebody asks for, within the lesson and
// not before its opening. A challenge always begins at its start.
func (t Task) Done(asked int) int {
	if t.Challenge != nil {
		return len(t.Challenge.Start.Actions())
	}
	return min(max(asked, t.Lesson.Opening()), len(t.Lesson.Scenario.Actions()))
}

// Begin returns the run that the task begins with, as Done tells.
func (t Task) Begin(asked int) *engine.Run {
	if t.Free != nil {
		return freely(t.Free, t.Many)
	}
	if t.Challenge != nil {
		return t.Challenge.Begin()
	}
	return t.Lesson.Run(t.Done(asked))
}

package ask

import (
	"slices"

	"lockstep/engine"
	"lockstep/engine/program"
)

// An Omission is an action of a schedule that was not possible when the
// schedule ran again.
type Omission struct {
	Place  int // in the schedule, counted from 1
	Action engine.Action
	Why    error
}

// A Schedule is a run's actions, for running them again under another program. It stays the same while the run goes on.
type Schedule struct {
	header     engine.Header
	properties []engine.Property
	actions    []engine.Action
	inside     map[int]bool
}

// ScheduleOf returns the first n actions of a run.
func ScheduleOf(r *engine.Run, n int) Schedule {
	return Schedule{r.Header(), r.Properties(), r.Actions()[:n:n], inside(r)}
}

// Rerun runs the first n actions of a run again with another program: for the clients
// with the program named from, or for all when from is empty. A step taken
// inside a critical section stays inside, and one taken outside stays outside.
// Rerun leaves out each action that is not possible under the other program,
// and reports it.
func Rerun(r *engine.Run, n int, from string, with *program.Program) (*engine.Run, []Omission, error) {
	return ScheduleOf(r, n).Under(nil, from, with)
}

// Under does what Rerun does, at a pace.
func (s Schedule) Under(pace engine.Pace, from string, with *program.Program) (*engine.Run, []Omission, error) {
	header := s.header
	if builtin, ok := program.Builtin(with.Name); !ok || builtin != with {
		own := slices.DeleteFunc(slices.Clone(header.Own), func(p *program.Program) bool { return p.Name == with.Name })
		header.Own = nil
		twin := engine.NewRun(header, s.properties...)
		for _, p := range append(own, with) {
			if err := twin.Define(p); err != nil {
				return nil, nil, err
			}
		}
		header = twin.Header()
	}
	swapped := func(name string) bool { return from == "" || name == from }
	if header.Program != "" && swapped(header.Program) {
		header.Program = with.Name
	}
	twin := engine.NewRun(header, s.properties...)
	var omitted []Omission
	for i, a := range s.actions {
		if a.Verb == engine.VerbSpawn && a.Program != "" && swapped(a.Program) {
			a.Program = with.Name
		}
		err := stillMeans(twin.World(), a, s.inside[i+1])
		if err == nil {
			var ended error
			if err, ended = pace.Do(twin, a); ended != nil {
				twin.World().Close()
				return nil, nil, ended
			}
		}
		if err != nil {
			omitted = append(omitted, Omission{i + 1, a, err})
		}
	}
	return twin, omitted, nil
}

// inside returns the actions, counted from 1, that moved a client in its critical section.
func inside(r *engine.Run) map[int]bool {
	found, within, events := map[int]bool{}, map[string]bool{}, r.World().Events()
	for i, a := range r.Actions() {
		found[i+1] = within[a.Client]
		for ; len(events) > 0 && events[0].Action == i+1; events = events[1:] {
			switch e := &events[0]; e.Kind {
			case engine.Enter:
				within[e.Lane] = true
			case engine.Leave, engine.Crash, engine.Error:
				within[e.Lane] = false
			}
		}
	}
	return found
}

// stillMeans refuses a step that changes its meaning: it delivered a command
// outside the critical section, and would now let a client go on inside or
// leave, or the other way round.
func stillMeans(w *engine.World, a engine.Action, inside bool) error {
	c := w.Client(a.Client)
	switch {
	case a.Verb != engine.VerbStep || c == nil || (c.Status == engine.Inside) == inside:
		return nil
	case inside:
		return engine.Refuse("%s is not in the critical section, but was when the original schedule came here", "%s 不在临界区内，而原来的调度走到这里时在", c.Name)
	}
	return engine.Refuse("%s is in the critical section, but was not when the original schedule came here", "%s 在临界区内，而原来的调度走到这里时不在", c.Name)
}

package engine

import (
	"slices"

	"lockstep/engine/program"
)

// An Omission is an action of a schedule that was not possible when the
// schedule ran again.
type Omission struct {
	Place  int // in the schedule, counted from 1
	Action Action
	Why    error
}

// A Schedule is a run's actions, for running them again under another program. It stays the same while the run goes on.
type Schedule struct {
	header     Header
	properties []Property
	actions    []Action
	inside     map[int]bool
}

// Schedule returns the first n actions.
func (r *Run) Schedule(n int) Schedule {
	return Schedule{r.world.header, r.world.judge.properties, r.actions[:n:n], r.inside()}
}

// Rerun runs the first n actions again with another program: for the clients
// with the program named from, or for all when from is empty. A step taken
// inside a critical section stays inside, and one taken outside stays outside.
// Rerun leaves out each action that is not possible under the other program,
// and reports it.
func (r *Run) Rerun(n int, from string, with *program.Program) (*Run, []Omission, error) {
	return r.Schedule(n).Under(nil, from, with)
}

// Under does what Rerun does, at a pace.
func (s Schedule) Under(pace Pace, from string, with *program.Program) (*Run, []Omission, error) {
	header := s.header
	if builtin, ok := program.Builtin(with.Name); !ok || builtin != with {
		own := slices.DeleteFunc(slices.Clone(header.Own), func(p *program.Program) bool { return p.Name == with.Name })
		header.Own = nil
		twin := NewRun(header, s.properties...)
		for _, p := range append(own, with) {
			if err := twin.Define(p); err != nil {
				return nil, nil, err
			}
		}
		header = twin.world.header
	}
	swapped := func(name string) bool { return from == "" || name == from }
	if header.Program != "" && swapped(header.Program) {
		header.Program = with.Name
	}
	twin := NewRun(header, s.properties...)
	var omitted []Omission
	for i, a := range s.actions {
		if a.Verb == VerbSpawn && a.Program != "" && swapped(a.Program) {
			a.Program = with.Name
		}
		err := twin.world.stillMeans(a, s.inside[i+1])
		if err == nil {
			var ended error
			if err, ended = pace.do(twin, a); ended != nil {
				twin.world.Close()
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
func (r *Run) inside() map[int]bool {
	found, within, next := map[int]bool{}, map[string]bool{}, 0
	for i, a := range r.actions {
		found[i+1] = within[a.Client]
		for ; next < len(r.world.events) && r.world.events[next].Action == i+1; next++ {
			switch e := &r.world.events[next]; e.Kind {
			case Enter:
				within[e.Lane] = true
			case Leave, Crash, Error:
				within[e.Lane] = false
			}
		}
	}
	return found
}

// stillMeans refuses a step that changes its meaning: it delivered a command
// outside the critical section, and would now let a client go on inside or
// leave, or the other way round.
func (w *World) stillMeans(a Action, inside bool) error {
	c := w.Client(a.Client)
	switch {
	case a.Verb != VerbStep || c == nil || (c.Status == Inside) == inside:
		return nil
	case inside:
		return refuse("%s is not in the critical section, but was when the original schedule came here", "%s 不在临界区内，而原来的调度走到这里时在", c.Name)
	}
	return refuse("%s is in the critical section, but was not when the original schedule came here", "%s 在临界区内，而原来的调度走到这里时不在", c.Name)
}

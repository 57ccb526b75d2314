package engine

import (
	"slices"

	"lockstep/engine/program"
)

// An Omission is an action of a schedule that was not possible when the schedule
// was run again.
type Omission struct {
	Place  int // in the schedule, counted from 1
	Action Action
	Why    error
}

// Rerun runs the first n actions again with another program: for the clients of
// the program named from, or for all when from is empty. A delivery stays a
// delivery and a leaving stays a leaving; an action that is not possible under
// the other program is left out and reported.
func (r *Run) Rerun(n int, from string, with *program.Program) (*Run, []Omission, error) {
	header := r.header
	if builtin, ok := program.Builtin(with.Name); !ok || builtin != with {
		own := slices.DeleteFunc(slices.Clone(header.Own), func(p *program.Program) bool { return p.Name == with.Name })
		header.Own = nil
		twin := NewRun(header, r.properties...)
		for _, p := range append(own, with) {
			if err := twin.Define(p); err != nil {
				return nil, nil, err
			}
		}
		header = twin.header
	}
	swapped := func(name string) bool { return from == "" || name == from }
	if header.Program != "" && swapped(header.Program) {
		header.Program = with.Name
	}
	twin := NewRun(header, r.properties...)
	left := r.leavings()
	var omitted []Omission
	for i, a := range r.actions[:n] {
		if a.Verb == VerbSpawn && a.Program != "" && swapped(a.Program) {
			a.Program = with.Name
		}
		err := twin.world.stillMeans(a, left[i+1])
		if err == nil {
			_, err = twin.Do(a)
		}
		if err != nil {
			omitted = append(omitted, Omission{i + 1, a, err})
		}
	}
	return twin, omitted, nil
}

// leavings are the actions, counted from 1, that made a client leave its critical section.
func (r *Run) leavings() map[int]bool {
	found := map[int]bool{}
	for _, e := range r.world.events {
		if e.Kind == Leave && r.actions[e.Action-1].Verb == VerbStep && r.actions[e.Action-1].Client == e.Lane {
			found[e.Action] = true
		}
	}
	return found
}

// stillMeans refuses a step that would make a client leave its critical section
// where it once delivered a command, or the other way round.
func (w *World) stillMeans(a Action, leaves bool) error {
	c := w.Client(a.Client)
	switch {
	case a.Verb != VerbStep || c == nil || c.holding == leaves:
		return nil
	case leaves:
		return refuse("%s is not in the critical section, which it left here", "%s 不在临界区内，而原来的调度在此离开", c.Name)
	}
	return refuse("%s is in the critical section and has no command to deliver", "%s 在临界区内，没有可送达的命令", c.Name)
}

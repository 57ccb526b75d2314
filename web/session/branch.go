package session

import (
	"strings"

	"lockstep/engine/course"
	"lockstep/engine/program"
	"lockstep/web/limit"
	"lockstep/web/present"
)

// branch acts in the past of a run. It gives the run that shows what came of it
// and the position there: a new one, or the same when it had done that next anyway.
func (m *Manager) Branch(a *limit.Asker, r *Run, position int, id string, typed Line) (*Run, int, error) {
	if r.repeats(position, typed.line) {
		return r, position + 1, nil
	}
	if typed.wrong != nil {
		return nil, 0, typed.wrong
	}
	past, name, err := r.branch(a, position, typed.actions)
	if err != nil {
		return nil, 0, err
	}
	other, err := m.Runs.branch(a, r, past, id, name, Beginning{})
	if err != nil {
		return nil, 0, err
	}
	return other, other.Length(), nil
}

// rerun runs the schedule up to a position again: all of it under the program
// named, or with the source of the reader's own in place of the program from.
// It says how many actions were not possible any more.
func (m *Manager) Rerun(a *limit.Asker, r *Run, position int, id, from, name, source string) (branch *Run, omitted int, err error) {
	with, ok := r.program(name)
	if source != "" {
		if with, err = program.Parse(r.ownName(from), source); err != nil {
			return nil, 0, err
		}
	} else if !ok {
		return nil, 0, present.ErrProgram
	}
	if source == "" {
		from = ""
	}
	world, left, err := r.rerun(a, position, from, with)
	if err != nil {
		return nil, 0, err
	}
	if r.Untouched() {
		return r, 0, r.become(a, id, world, r.Task())
	}
	again := Beginning{Of: r.id, Omitted: []int{}}
	for _, o := range left {
		again.Omitted = append(again.Omitted, o.Place)
	}
	branch, err = m.Runs.branch(a, r, world, id, with.Name, again)
	return branch, len(left), err
}

// omitted is how many actions of another schedule the run had to leave out.
func (r *Run) omitted() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.rerunOf.Omitted)
}

// program is a built-in program or one of the run's own.
func (r *Run) program(name string) (*program.Program, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.engine.Header().Programs() {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}

// ownName is what the edited text of a program is called.
func (r *Run) ownName(from string) string {
	if _, builtin := program.Builtin(from); !builtin && from != "" {
		return from
	}
	return strings.TrimPrefix(from+"-mine", "-")
}

// restore makes a run that has been forgotten what its scenario says it was, and
// lets it be about the same again.
func (r *Run) restore(a *limit.Asker, id, text string, t course.Task) error {
	trace, err := Play(a.Spend, text)
	if err != nil {
		return err
	}
	return r.become(a, id, trace.Run, t)
}

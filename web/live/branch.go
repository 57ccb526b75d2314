package live

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/engine/ask"
	"lockstep/engine/course"
	"lockstep/engine/program"
	"lockstep/web/limit"
	"lockstep/web/present"
)

// Branch acts in the past of a run. It returns the branch and the position after the action. Where the run itself has done
// that action next, it returns the run.
func (g *Runs) Branch(ctx context.Context, r *Run, p Press) (*Run, int, error) {
	if p.Unread != nil {
		return nil, 0, p.Unread
	}
	if See(r, repeats(p)) {
		return r, p.At + 1, nil
	}
	past, name, err := diverge(ctx, r, p)
	if err != nil {
		return nil, 0, err
	}
	other, err := g.branch(ctx, r, past, Branch{ID: p.ID, Name: name, Not: See(r, then(p.At))}, Beginning{})
	if err != nil {
		return nil, 0, err
	}
	return other, other.Length(), nil
}

// Rerun does the schedule up to a position again in a branch: all of it under the program named, or with the reader's own
// source in place of the program from. It returns how many actions were no longer possible.
func (g *Runs) Rerun(ctx context.Context, r *Run, position int, id, from, name, source string) (branch *Run, omitted int, err error) {
	if c := r.Task().Challenge; c != nil {
		return nil, 0, c.OtherProgram()
	}
	with := See(r, named(name))
	if source != "" {
		if with, err = program.Parse(ownName(from), source); err != nil {
			return nil, 0, err
		}
	} else if with == nil {
		return nil, 0, present.ErrProgram
	}
	if source == "" {
		from = ""
	}
	world, left, err := rerun(ctx, r, position, from, with)
	if err != nil {
		return nil, 0, err
	}
	if r.Untouched() {
		return r, 0, r.become(ctx, id, world, r.Task())
	}
	again := Beginning{Of: r.id, Omitted: []int{}}
	for _, o := range left {
		again.Omitted = append(again.Omitted, o.Place)
	}
	branch, err = g.branch(ctx, r, world, Branch{ID: id, Name: with.Name}, again)
	return branch, len(left), err
}

// diverge makes a branch of a run: a run that shares the first actions and then does others. The name tells the position
// and the actions.
func diverge(ctx context.Context, r *Run, p Press) (past *engine.Run, name string, err error) {
	if past, err = r.Prefix(ctx, p.At); err != nil {
		return nil, "", err
	}
	if err := umpireAllows(ctx, r.Task(), past, p.Actions); err != nil {
		return nil, "", err
	}
	effort := past.World().Meter().Effort()
	if _, err := past.Do(p.Actions...); err != nil {
		return nil, "", err
	}
	if err := limit.Spend(ctx, past.World().Meter().Effort()-effort); err != nil {
		return nil, "", err
	}
	// The engine writes the line: a typed line may bring blanks and a comment of any length.
	return past, strconv.Itoa(p.At) + ": " + engine.Line{Actions: p.Actions}.String(), nil
}

// then asks for the run's action after a position; empty: there is none.
func then(at int) func(present.Run) string {
	return func(shown present.Run) string {
		if log := shown.Engine.Actions(); at >= 0 && at < len(log) {
			return log[at].String()
		}
		return ""
	}
}

// repeats asks whether a press is the run's next action at its position. Such a press goes on in the run and needs no branch.
func repeats(p Press) func(present.Run) bool {
	return func(shown present.Run) bool {
		log := shown.Engine.Actions()
		return p.At >= 0 && p.At < len(log) && len(p.Actions) == 1 && log[p.At].String() == p.Actions[0].String()
	}
}

// rerun does the schedule up to a position under another program, for the clients of the program named from, or for all.
func rerun(ctx context.Context, r *Run, position int, from string, with *program.Program) (*engine.Run, []ask.Omission, error) {
	r.mu.Lock()
	if position < 0 || position > len(r.engine.Actions()) {
		r.mu.Unlock()
		return nil, nil, errPosition
	}
	schedule := ask.ScheduleOf(r.engine, position)
	r.mu.Unlock()
	return schedule.Under(limit.PaceOf(ctx), from, with)
}

// Omissions returns how many actions of another schedule the run has left out.
func Omissions(p present.Run) int { return len(p.Repeats.Omitted) }

// named asks for a built-in program or one of the run's own; nil: the run has no such program.
func named(name string) func(present.Run) *program.Program {
	return func(p present.Run) *program.Program {
		all := p.Engine.Header().Programs()
		if i := slices.IndexFunc(all, func(p *program.Program) bool { return p.Name == name }); i >= 0 {
			return all[i]
		}
		return nil
	}
}

// ownName returns the name of a program's edited text.
func ownName(from string) string {
	if _, builtin := program.Builtin(from); !builtin && from != "" {
		return from
	}
	return strings.TrimPrefix(from+"-mine", "-")
}

// Restore makes a forgotten run again from its scenario, with its task.
func Restore(ctx context.Context, r *Run, id, text string, t course.Task) error {
	trace, err := Play(limit.PaceOf(ctx), text)
	if err != nil {
		return err
	}
	return r.become(ctx, id, trace.Run, t)
}

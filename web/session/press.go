package session

import (
	"errors"
	"slices"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
)

// parseLine reads one line of scenario text that is one action or, as spawn C1 C2, several.
func parseLine(line string) ([]engine.Action, error) {
	scenario, err := engine.Parse("action", line, nil)
	if err != nil {
		return nil, err
	}
	actions := scenario.Actions()
	switch {
	case len(scenario.Lines) == 0 && scenario.Header.Program == "":
		return nil, errEmpty
	case len(scenario.Lines) != 1 || len(actions) == 0 || scenario.Header.String() != "":
		return nil, errExpectation
	}
	return actions, nil
}

// A press is a request that acts at the end of a run, read once.
type press struct {
	id    string       // of the request, as ownID makes it; empty: the request has none
	at    int          // the position that the person has seen
	own   string       // the client of the person's lane, which alone acts; empty: the person has none, or leads the room
	admit func() error // counts the press or refuses it, under the run's lock and without a room's; nil: nothing to count
}

// act does actions in the run. A line such as spawn C1 C2 is two actions, and the run does both or neither.
func (r *Run) act(a *limit.Asker, p press, actions ...engine.Action) error {
	return r.perform(a, p, func() ([]engine.Action, error) { return actions, nil })
}

// schedule does the next action of the run's lesson or, without a lesson, an action that a scheduler chooses.
func (r *Run) schedule(a *limit.Asker, p press, s engine.Scheduler) error {
	return r.perform(a, p, func() ([]engine.Action, error) {
		if err := r.engine.World().Full(); err != nil {
			return nil, err
		}
		next, ok := r.Task().Next(r.engine)
		if !ok {
			next, ok = s.Next(r.engine.World())
		}
		if !ok {
			return nil, errEnd
		}
		return []engine.Action{next}, nil
	})
}

// shortWork is how much work an action takes at most without a turn, in units: 10 ms, while everybody else who acts on
// the run waits.
const shortWork = 1_000_000

// perform does the chosen actions in one critical section. Long work first takes a turn, while only the asker waits, and
// then has a critical section of its own.
func (r *Run) perform(a *limit.Asker, p press, choose func() ([]engine.Action, error)) error {
	err := r.performWithin(a, p, choose, shortWork)
	if !errors.Is(err, engine.ErrLonger) {
		return err
	}
	if err := a.Turn(); err != nil {
		return err
	}
	p.admit = nil // the press has been counted
	return r.performWithin(a, p, choose, engine.MaxActionWork)
}

// performWithin does the chosen actions if they take no more work than the patience allows. A request that the run has
// done before gives errDone.
func (r *Run) performWithin(a *limit.Asker, p press, choose func() ([]engine.Action, error), patience int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.leaveTorn()
	if r.log.Has(p.id) {
		return errDone
	}
	if p.admit != nil {
		if err := p.admit(); err != nil {
			return err
		}
	}
	if err := r.at(p.at, p.own); err != nil {
		return err
	}
	actions, err := choose()
	if err != nil {
		return err
	}
	if r.full != nil {
		return r.full
	}
	if err := allowed(a, r.Task(), r.engine, actions); err != nil {
		return err
	}
	before, seen, effort := len(r.engine.Actions()), len(r.engine.World().Events()), r.engine.World().Effort()
	takeBack, err := r.engine.Attempt(actions, patience)
	a.Charge(r.engine.World().Effort() - effort)
	if err != nil {
		return err
	}
	if err = r.keep(a, Record{ID: p.id, Lines: Lines(actions)}); err != nil {
		takeBack()
		r.weigh()
		return r.overtaken(p.id, err)
	}
	r.learn("")
	r.hold()
	a.Charge(r.viewers.tell(p.id, present.Extent{Actions: before, Events: seen}))
	return nil
}

// allowed asks the challenge of a run, if it has one, whether actions may follow.
func allowed(a *limit.Asker, t course.Task, run *engine.Run, actions []engine.Action) error {
	if t.Challenge == nil {
		return nil
	}
	u := t.Challenge.Umpire(run)
	defer u.Close()
	err := u.Allows(actions...)
	a.Charge(u.Effort())
	return err
}

// keep appends the entry of a request, if memory has room for the run as it is now.
func (r *Run) keep(a *limit.Asker, rec Record) error {
	r.weight.Store(runBytes + r.engine.World().Bytes())
	if err := r.home.grow(a, r); err != nil {
		return err
	}
	return r.write(a, rec)
}

// mostBetween is how many actions of others may come between what a phone has seen and its press.
const mostBetween = 64

// at refuses a press on a state that has passed. The press of a client's own phone counts as long as only other clients have
// acted: on a bad radio each of ten phones would come too late for what nine others do.
func (r *Run) at(position int, own string) error {
	if r.gone {
		return r.stale()
	}
	if position > len(r.engine.Actions()) { // the person has seen it at another server
		if err := r.catchUp(nil); err != nil {
			return err
		}
	}
	log := r.engine.Actions()
	if position == len(log) || own != "" && position < len(log) && len(log)-position <= mostBetween && onlyOthers(log[position:], own) {
		return nil
	}
	return r.stale()
}

// onlyOthers reports whether all actions are of other clients, and none is of time or of the whole run.
func onlyOthers(actions []engine.Action, own string) bool {
	return !slices.ContainsFunc(actions, func(a engine.Action) bool { return a.Client == "" || a.Client == own })
}

// stale returns the refusal of an action on a state that has passed. The refusal tells which action came first.
func (r *Run) stale() error {
	log := r.engine.Actions()
	stale := refusal.New(refusal.Unprocessable, refusal.Stale, "stale.other", len(log))
	if len(log) > 0 {
		switch last := log[len(log)-1]; {
		case last.Client != "":
			stale.Key, stale.Args = "stale.client", []any{last.Client, len(log)}
		case last.Verb == engine.VerbTick:
			stale.Key = "stale.time"
		}
	}
	return stale
}

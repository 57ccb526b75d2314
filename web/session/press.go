package session

import (
	"errors"

	"lockstep/engine"
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

// A press is what somebody does at the end of a run, read once.
type press struct {
	id    string       // of the request, as ownID gives it; empty: it has none
	at    int          // the position that they have seen
	admit func() error // counts the press, or refuses it; the run's lock is held, under which no room's is taken. nil: nothing
}

// act does what one line of scenario text says: spawn C1 C2 is two actions, and
// the run does both or neither. It does not repeat a request that has been answered.
func (r *Run) act(a *limit.Asker, p press, actions ...engine.Action) error {
	return r.perform(a, p, func() ([]engine.Action, error) { return actions, nil })
}

// schedule does what the run's lesson does next or, where it has none, what a
// scheduler chooses.
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

// shortWork is what an action may take without a turn, in units: 10 ms, for which those wait who act on the same run.
const shortWork = 1_000_000

// perform does what is chosen, in one critical section. What takes long has a turn first, for which nobody waits but
// whoever asks, and then a critical section of its own.
func (r *Run) perform(a *limit.Asker, p press, choose func() ([]engine.Action, error)) error {
	err := r.performWithin(a, p, choose, shortWork)
	if !errors.Is(err, engine.ErrLonger) {
		return err
	}
	if err := a.Turn(); err != nil {
		return err
	}
	p.admit = nil // it has been counted
	return r.performWithin(a, p, choose, engine.MaxActionWork)
}

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
	if err := r.at(p.at); err != nil {
		return err
	}
	actions, err := choose()
	if err != nil {
		return err
	}
	if r.full != nil {
		return r.full
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
	a.Charge(r.viewers.tell(p.id, present.Extent{Actions: before, Events: seen}))
	return nil
}

// keep writes what a request has done, if there is room for it in memory.
func (r *Run) keep(a *limit.Asker, rec Record) error {
	r.weight.Store(runBytes + r.engine.World().Bytes())
	if err := r.home.grow(a, r); err != nil {
		return err
	}
	return r.write(a, rec)
}

// at refuses whoever has not seen the state that is there now.
func (r *Run) at(position int) error {
	if r.gone {
		return r.stale()
	}
	if position > len(r.engine.Actions()) { // it was seen at another server
		if err := r.catchUp(nil); err != nil {
			return err
		}
	}
	if position == len(r.engine.Actions()) {
		return nil
	}
	return r.stale()
}

// stale refuses an action on a state that has passed. It tells who was faster, and what is shown instead.
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

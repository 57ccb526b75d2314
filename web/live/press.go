package live

import (
	"context"
	"errors"
	"slices"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/store"
)

// A Press asks for actions at the end of a run. It takes four steps: it is read (ReadPress, ScheduledPress), its room says
// whether it may be done (class.Rooms.Press), the run does it (do), and the viewers are told (viewers.draw, viewers.send).
type Press struct {
	ID      string                              // of the request, as OwnID makes it; empty: the request has none
	At      int                                 // the position that the person has seen
	Actions []engine.Action                     // of the line; empty: choose finds them
	Unread  error                               // why the text is no line of actions; Actions then has one that only a driver may do
	Lane    string                              // the client of the person's lane, which alone acts; empty: the person has none, or leads the room
	Count   func() error                        // counts the press or refuses it, with the run's lock and without a room's; nil: nothing to count
	choose  func(*Run) ([]engine.Action, error) // called with the run's lock; nil: the actions are known
}

// What returns the actions that the press asks for; it is one that stands for everything else, if the run chooses them.
func (p Press) What() []engine.Action {
	if p.choose != nil {
		return []engine.Action{Other}
	}
	return p.Actions
}

// Other stands for everything that is no action of a scenario: letting a scheduler choose, opening a branch, doing a
// schedule again.
var Other = engine.Action{Verb: present.AnyAct}

// ReadPress reads one line of scenario text that is one action or, as spawn C1 C2, several.
func ReadPress(id string, at int, line string) Press {
	scenario, err := engine.Parse("action", line, nil)
	if err == nil {
		switch actions := scenario.Actions(); {
		case len(scenario.Lines) == 0 && scenario.Header.Program == "":
			err = errEmpty
		case len(scenario.Lines) != 1 || len(actions) == 0 || scenario.Header.String() != "":
			err = errExpectation
		default:
			return Press{ID: id, At: at, Actions: actions}
		}
	}
	return Press{ID: id, At: at, Actions: []engine.Action{{}}, Unread: err}
}

// ScheduledPress asks for the next action of the run's lesson or, without a lesson, for one that a scheduler chooses.
func ScheduledPress(id string, at int, s engine.Scheduler) Press {
	return Press{ID: id, At: at, choose: func(r *Run) ([]engine.Action, error) {
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
	}}
}

// StepPress steps a client.
func StepPress(id string, at int, client string) Press {
	return Press{ID: id, At: at, Actions: []engine.Action{{Verb: engine.VerbStep, Client: client}}}
}

// shortWork is how much work an action takes at most without a turn, in units: 10 ms, while everybody else who acts on
// the run waits.
const shortWork = 1_000_000

// Press does a press in one critical section. Long work first takes a turn, while only the asker waits, and then has a
// critical section of its own.
func (r *Run) Press(ctx context.Context, p Press) error {
	err := r.do(ctx, p, shortWork)
	if !errors.Is(err, engine.ErrLonger) {
		return err
	}
	if err := limit.TakeTurn(ctx); err != nil {
		return err
	}
	p.Count = nil // the press has been counted
	return r.do(ctx, p, engine.MaxActionWork)
}

// do does the actions of a press, or none of them, if they take no more than the most work. A request that the run has
// done before gives ErrDone.
func (r *Run) do(ctx context.Context, p Press, most int64) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.leaveTorn()
	if r.log.Has(p.ID) {
		return ErrDone
	}
	if p.Count != nil {
		if err := p.Count(); err != nil {
			return err
		}
	}
	if err := r.isAt(p.At, p.Lane); err != nil {
		return err
	}
	actions, err := p.Actions, error(nil)
	if p.choose != nil {
		actions, err = p.choose(r)
	}
	if err == nil {
		err = r.full
	}
	if err == nil {
		err = umpireAllows(ctx, r.Task(), r.engine, actions)
	}
	if err != nil {
		return err
	}
	before, effort := r.extent(), r.engine.World().Meter().Effort()
	done, err := r.engine.DoWithin(most, actions...)
	limit.Charge(ctx, r.engine.World().Meter().Effort()-effort)
	if err != nil {
		return err
	}
	if r.home.Learner != nil {
		r.learn("")
		r.hold()
	}
	update := r.viewers.drawMeanwhile(p.ID, before)
	defer update() // after a panic of the store, too, the run stays as it is until it is drawn
	err = r.keep(ctx, Entry{ID: p.ID, Lines: Lines(actions)})
	limit.Charge(ctx, update().work)
	if err != nil {
		done.TakeBack()
		r.weigh()
		return r.overtaken(p.ID, err)
	}
	r.viewers.send(update())
	return nil
}

// extent returns what the run has now: what viewers have before an update.
func (r *Run) extent() present.Extent {
	return present.Extent{Actions: len(r.engine.Actions()), Events: len(r.engine.World().Events())}
}

// keep appends the entry of a request, if memory has room for the run as it is now.
func (r *Run) keep(ctx context.Context, e Entry) error {
	r.weight.Store(runBytes + r.engine.World().Meter().Bytes())
	free := int64(0)
	if r.Place().IsRoom() {
		free = roomBytes
	}
	if err := r.home.Grow(ctx, r.id, r, free); err != nil {
		return err
	}
	return r.write(ctx, e)
}

// mostBetween is how many actions of others may come between what a phone has seen and its press.
const mostBetween = 64

// isAt refuses a press on a state that has passed. The press of a client's own phone counts as long as only other clients
// have acted: on a bad radio each of ten phones would come too late for what nine others do.
func (r *Run) isAt(position int, lane string) error {
	if r.gone {
		return r.stale()
	}
	if position > len(r.engine.Actions()) { // the person has seen it at another server
		if err := r.catchUp(nil); err != nil {
			return err
		}
	}
	log := r.engine.Actions()
	if position == len(log) || lane != "" && position < len(log) && len(log)-position <= mostBetween && onlyOthers(log[position:], lane) {
		return nil
	}
	return r.stale()
}

// onlyOthers reports whether all actions are of other clients, and none is of time or of the whole run.
func onlyOthers(actions []engine.Action, client string) bool {
	return !slices.ContainsFunc(actions, func(a engine.Action) bool { return a.Client == "" || a.Client == client })
}

// umpireAllows asks the challenge of a run, if it has one, whether actions may follow.
func umpireAllows(ctx context.Context, t course.Task, run *engine.Run, actions []engine.Action) error {
	if t.Challenge == nil {
		return nil
	}
	u := t.Challenge.Umpire(run)
	defer u.Close()
	err := u.Allows(actions...)
	limit.Charge(ctx, u.Effort())
	return err
}

// stale returns the refusal of an action on a state that has passed. The refusal says which action came first.
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

// write appends an entry of a request to the log.
func (r *Run) write(ctx context.Context, e Entry) error {
	if r.log.Len() == 0 {
		e = Entry{Begin: r.begin(), ID: e.ID}
		r.log.Owner = r.home.Owner(ctx)
	}
	return r.log.Append(e)
}

// overtaken returns the outcome of a request whose entry the store has refused. The run is back where it was.
func (r *Run) overtaken(id string, err error) error {
	if !errors.Is(err, store.ErrBehind) {
		r.askAgain()
		return err
	}
	if err := r.catchUp(nil); err != nil {
		return err
	}
	if r.log.Has(id) {
		return ErrDone // the request came before, here or at another server
	}
	return r.stale()
}

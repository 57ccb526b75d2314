package session

import (
	"errors"
	"fmt"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/store"
)

// A Record is an entry of a run's log. The first says how the run began, each of
// the others what one request has done.
type Record struct {
	Begin *Beginning `json:"begin,omitempty"`
	ID    string     `json:"id,omitempty"`    // of the request, as ownID gives it
	Lines []string   `json:"lines,omitempty"` // its actions, as scenario text
}

// RequestID returns the id of the request.
func (r Record) RequestID() string { return r.ID }

// A Beginning is all that a run has before it goes on.
type Beginning struct {
	Epoch    string `json:"epoch"`
	Scenario string `json:"scenario"`          // what it begins with, and has done by then
	Family   string `json:"family"`            // the id of the run that its tabs began with
	Task     string `json:"task,omitempty"`    // what it is for
	Of       string `json:"of,omitempty"`      // the run whose schedule it has done again
	Omitted  []int  `json:"omitted,omitempty"` // what that had to leave out
	Place    Place  `json:"place,omitzero"`
	Given    int    `json:"given,omitempty"` // of somebody's own: how many of its actions they have not done
}

// A Place says whose a run is, in a room.
type Place struct {
	Room string `json:"room"` // its code; empty: the run is in no room
	Seat int    `json:"seat"` // 0: everybody's
}

// isRoom reports the place of what a room shows to everybody.
func (p Place) isRoom() bool { return p.Room != "" && p.Seat == 0 }

// begin is the run as it is now, as the first entry of a log.
func (r *Run) begin() *Beginning {
	family, task := r.family.is()
	return &Beginning{
		Epoch: r.epoch, Scenario: r.engine.Scenario().String(), Family: family, Task: task.Name(),
		Of: r.rerunOf.Of, Omitted: r.rerunOf.Omitted, Place: r.Place(), Given: r.given,
	}
}

// write keeps what a request has done. When somebody at another server was
// faster, the run is as they have left it, and the request is stale.
func (r *Run) write(a *limit.Asker, rec Record) error {
	if r.log.Len() == 0 {
		rec = Record{Begin: r.begin(), ID: rec.ID}
		r.log.Owner = r.home.manager.Owner(a)
	}
	return r.log.Append(rec)
}

// fill makes a run that nobody sees yet what its log says.
func (r *Run) fill(pace engine.Pace) error {
	err := r.catchUp(pace)
	if err == nil {
		err = r.family.catchUp()
	}
	r.tabs = r.family.size()
	return err
}

// load is catchUp for a run that is about to be used, and for its tabs. What is told then is work of whoever asks.
func (r *Run) load(a *limit.Asker) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.leaveTorn()
	err := r.catchUp(nil)
	if err == nil {
		err = r.family.catchUp()
		if tabs := r.family.size(); tabs != r.tabs {
			r.tabs = tabs
			a.Charge(r.viewers.tellAnew())
		}
	}
	if errors.Is(err, store.ErrUnavailable) {
		r.askAgain()
	}
	return err
}

// askAgain soon finds out what the store has not said: whether there is more of the
// log, or whether an entry is kept. Whoever watches would not learn it before
// somebody acts.
func (r *Run) askAgain() {
	if r.asking || len(r.viewers.all) == 0 {
		return
	}
	r.asking = true
	time.AfterFunc(betweenAsks, r.home.manager.Survives(func() {
		r.mu.Lock()
		r.asking = false
		r.mu.Unlock()
		_ = r.load(nil) // which asks again
	}, func() {}))
}

const betweenAsks = time.Second

// catchUp does what has been done with the run at other servers, or before this one began.
func (r *Run) catchUp(pace engine.Pace) error {
	var ended error // by the pace: then nothing is wrong with the log
	defer r.weigh()
	err := r.log.Read(func() {}, func(rec Record) error { // whose first begins the run anew
		return r.fold(rec, func(work int64) error {
			if pace != nil {
				ended = pace(work)
			}
			return ended
		})
	})
	if ended != nil {
		return ended
	}
	return err
}

// fold does what a record says and tells the viewers.
func (r *Run) fold(rec Record, pace engine.Pace) error {
	if rec.Begin != nil {
		return r.beginAs(rec.Begin, pace)
	}
	var actions []engine.Action
	for _, line := range rec.Lines {
		some, err := parseLine(line)
		if err != nil {
			return fmt.Errorf("%q: %w", line, err)
		}
		actions = append(actions, some...)
	}
	before, seen := len(r.engine.Actions()), len(r.engine.World().Events())
	if err := r.replay(actions, pace); err != nil {
		return err
	}
	r.viewers.tell(rec.ID, present.Extent{Actions: before, Events: seen})
	return nil
}

// replay does what was done before. The bounds may have been wider then: what is beyond them is not done, and the run
// is full, but stays readable up to there.
func (r *Run) replay(actions []engine.Action, pace engine.Pace) error {
	takeBack := func() {}
	for i, a := range actions {
		if r.full != nil {
			return nil
		}
		effort := r.engine.World().Effort()
		back, err := r.engine.Attempt(actions[i:i+1], engine.MaxActionWork)
		if i == 0 && err == nil {
			takeBack = back
		}
		if bound := (*engine.FullError)(nil); errors.As(err, &bound) || errors.Is(err, engine.ErrTooLong) {
			r.full, err = err, nil
		}
		if err != nil {
			takeBack()
			return fmt.Errorf("%q: %w", a, err)
		}
		if err := pace(r.engine.World().Effort() - effort); err != nil {
			takeBack()
			return err
		}
	}
	return nil
}

func (r *Run) beginAs(b *Beginning, pace engine.Pace) error {
	scenario, err := engine.Parse("scenario", b.Scenario, nil)
	if err != nil {
		return err
	}
	r.engine, r.full = engine.NewRun(scenario.Header, check.All()...), nil
	if err := r.replay(scenario.Actions(), pace); err != nil {
		return err
	}
	r.epoch, r.given = b.Epoch, b.Given
	r.place.Store(&b.Place)
	r.rerunOf = present.Schedule{Of: b.Of, Omitted: append([]int{}, b.Omitted...)} // never null on the page
	r.forget()
	r.family.begin(b.Family, r.home.manager.Task(b.Task))
	r.viewers.greetAll()
	return nil
}

// overtaken says what has become of a request whose entry was refused, after
// the run was put back to where it had been.
func (r *Run) overtaken(id string, err error) error {
	if !errors.Is(err, store.ErrBehind) {
		r.askAgain()
		return err
	}
	if err := r.catchUp(nil); err != nil {
		return err
	}
	if r.log.Has(id) {
		return errDone // it was asked for before, here or at another server
	}
	return r.stale()
}

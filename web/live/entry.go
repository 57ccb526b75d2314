package live

import (
	"context"
	"errors"
	"fmt"
	"time"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/web/limit"
	"lockstep/web/present"
	"lockstep/web/store"
)

// An Entry is an entry of a run's log. The first tells how the run begins. Each of the others tells what one request has
// done.
type Entry struct {
	Begin *Beginning `json:"begin,omitempty"`
	ID    string     `json:"id,omitempty"`    // of the request, as OwnID gives it
	Lines []string   `json:"lines,omitempty"` // its actions, as scenario text

	Learned *learned `json:"learned,omitempty"` // a recording has grown
}

// RequestID returns the id of the request.
func (e Entry) RequestID() string { return e.ID }

// A Beginning is all that a run has before it goes on.
type Beginning struct {
	Epoch    string   `json:"epoch"`
	Scenario string   `json:"scenario"`          // the header and the actions that it begins with
	Family   string   `json:"family"`            // the id of its family
	Task     string   `json:"task,omitempty"`    // its task
	Of       string   `json:"of,omitempty"`      // the run whose schedule it repeats
	Omitted  []int    `json:"omitted,omitempty"` // the places of the actions that it leaves out
	Place    Place    `json:"place,omitzero"`
	Remarks  []string `json:"remarks,omitempty"` // of the import that made the run
	Given    int      `json:"given,omitempty"`   // how many of its actions the owner of a sandbox has not done
}

// A Place tells to whom in a room a run belongs.
type Place struct {
	Room string `json:"room"` // the room's code; empty: the run is in no room
	Seat int    `json:"seat"` // of the sandbox; 0: the run is the room's own
}

// IsRoom reports whether the run is a room's own.
func (p Place) IsRoom() bool { return p.Room != "" && p.Seat == 0 }

// begin returns the run as it is now, for the first entry of a log.
func (r *Run) begin() *Beginning {
	family, task := r.family.is()
	return &Beginning{
		Epoch: r.epoch, Scenario: r.engine.Scenario().String(), Family: family, Task: task.Name(),
		Of: r.rerunOf.Of, Omitted: r.rerunOf.Omitted, Remarks: r.remarks, Place: r.Place(), Given: r.given,
	}
}

// Fill reads a new run from its log, before anybody sees it.
func (r *Run) Fill(ctx context.Context) error {
	err := r.catchUp(limit.PaceOf(ctx))
	if err == nil {
		err = r.family.catchUp()
	}
	r.tabs = r.family.size()
	return err
}

// Load reads what is new in the logs of a run in memory and of its tabs. The viewers' news count as work of the asker.
func (r *Run) Load(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer r.leaveTorn()
	err := r.catchUp(nil)
	if err == nil {
		err = r.family.catchUp()
		if tabs := r.family.size(); tabs != r.tabs {
			r.tabs = tabs
			limit.Charge(ctx, r.viewers.tellAgain())
		}
	}
	switch {
	case errors.Is(err, store.ErrUnavailable):
		r.askAgain()
	case errors.Is(err, store.ErrGone):
		r.letGo()
	}
	return err
}

// LetGo drops a run that was forgotten with its room.
func (r *Run) LetGo() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.letGo()
}

// letGo drops a run that was forgotten with its room: its viewers hear of it, and nobody acts on it. The caller holds the run's lock.
func (r *Run) letGo() {
	if r.gone {
		return
	}
	r.gone = true
	r.home.Leave(r.id, r)
	for v := range r.viewers.all {
		v.Send(GoneFrame)
	}
}

// GoneFrame has a page load again: nobody acts on its run any more.
var GoneFrame = Frame{&frame{text: []byte(`{"type":"gone"}`)}}

// askAgain soon reads the log again after the store has failed: the log may have grown, or an entry may be kept after
// all. Without it the viewers learn nothing before the next action.
func (r *Run) askAgain() {
	if r.asking || len(r.viewers.all) == 0 {
		return
	}
	r.asking = true
	time.AfterFunc(BetweenAsks, r.home.Survives(func() {
		r.mu.Lock()
		r.asking = false
		r.mu.Unlock()
		_ = r.Load(context.Background()) // Load asks again after a failure
	}, func() {}))
}

// BetweenAsks is how long a run or a room waits before it reads again a log that the store could not give.
const BetweenAsks = time.Second

// catchUp does what other servers have done with the run, or what was done before this server began.
func (r *Run) catchUp(pace engine.Pace) error {
	var ended error // the pace has ended the reading; the log is sound
	defer r.weigh()
	err := r.log.Read(func() {}, func(e Entry) error { // the first begins the run again
		return r.fold(e, func(work int64) error {
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

// fold does what a record tells, and tells the viewers.
func (r *Run) fold(e Entry, pace engine.Pace) error {
	if e.Begin != nil {
		return r.beginAs(e.Begin, pace)
	}
	if e.Learned != nil {
		return r.extended(e.Learned)
	}
	var actions []engine.Action
	for _, line := range e.Lines {
		p := ReadPress(e.ID, Anywhere, line)
		if p.Unread != nil {
			return fmt.Errorf("%q: %w", line, p.Unread)
		}
		actions = append(actions, p.Actions...)
	}
	before := r.extent()
	if err := r.replay(actions, pace); err != nil {
		return err
	}
	r.viewers.tell(e.ID, before)
	return nil
}

// replay does actions of the log. Bounds may have been wider when they were done. The first action beyond a bound makes
// the run full, and the run stays readable up to there.
func (r *Run) replay(actions []engine.Action, pace engine.Pace) error {
	takeBack := func() {}
	for i, a := range actions {
		if r.full != nil {
			return nil
		}
		effort := r.engine.World().Meter().Effort()
		done, err := r.engine.Do(a)
		if i == 0 && err == nil {
			takeBack = done.TakeBack
		}
		if bound := (*engine.FullError)(nil); errors.As(err, &bound) || errors.Is(err, engine.ErrTooLong) {
			r.full, err = err, nil
		}
		if err != nil {
			takeBack()
			return fmt.Errorf("%q: %w", a, err)
		}
		if err := pace(r.engine.World().Meter().Effort() - effort); err != nil {
			takeBack()
			return err
		}
	}
	return nil
}

// beginAs begins the run as the first record tells.
func (r *Run) beginAs(b *Beginning, pace engine.Pace) error {
	scenario, err := engine.Parse("scenario", b.Scenario, nil)
	if err != nil {
		return err
	}
	r.engine, r.full = engine.NewRun(scenario.Header, check.All()...), nil
	r.grant(r.engine)
	if err := r.replay(scenario.Actions(), pace); err != nil {
		return err
	}
	r.epoch, r.given, r.remarks = b.Epoch, b.Given, b.Remarks
	r.place.Store(&b.Place)
	r.rerunOf = present.Schedule{Of: b.Of, Omitted: append([]int{}, b.Omitted...)} // never null on the page
	r.forget()
	r.family.begin(b.Family, r.home.Task(b.Task))
	r.viewers.greetAll()
	return nil
}

// Place returns the place of the run in a room. It takes no lock.
func (r *Run) Place() Place {
	if place := r.place.Load(); place != nil {
		return *place
	}
	return Place{}
}

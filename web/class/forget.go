package class

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/room"
	"lockstep/web/store"
)

// Forget ends a room and has the store forget everything about it at once: its log with all names and votes, the runs that it has shown,
// its replay, and everybody's own copies with their branches. Every server of the store lets go of them.
//
// The room ends first, so its log tells all runs of it. The logs number at most as many as the room and its people have made, and the work
// counts for the presenter.
func (g *Rooms) Forget(ctx context.Context, h *Room, key string) error {
	if !h.Who(key).Presenter {
		return h.NotPresenter(key)
	}
	if err := g.mayEnter(ctx, h, key); err != nil {
		return err
	}
	if !Ask(h, (*room.Room).Over) {
		if err := h.Do(ctx, key, room.Entry{Verb: room.VerbEnd}); err != nil {
			return err
		}
	}
	storing, cancel := context.WithTimeout(context.Background(), forgetTime)
	defer cancel()
	runs := h.runs()
	logs, err := LogsOf(storing, g.Store, h.code, runs)
	if err != nil {
		return err
	}
	if err := limit.Spend(ctx, FoldWork*int64(len(logs))); err != nil {
		return err
	}
	if err := g.Store.Forget(storing, logs); err != nil {
		return err
	}
	for _, r := range g.Runs.Ready(false) {
		if slices.Contains(logs, live.RunLog(r.ID())) {
			r.LetGo()
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.letGo()
	return nil
}

// forgetTime is how long the store may take to forget a room, which other requests do not wait for.
const forgetTime = time.Minute

// runs returns the runs that the entries of the room name.
func (h *Room) runs() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return runsOf(h.log.Entries)
}

func runsOf(entries func(func(room.Entry))) (runs []string) {
	entries(func(e room.Entry) {
		runs = append(runs, e.Run, e.From)
		for _, item := range e.Plan {
			if item.Kind == room.PlanRun { // the room's own copy, which the class may never have come to
				runs = append(runs, item.Target)
			}
		}
	})
	slices.Sort(runs)
	return slices.DeleteFunc(slices.Compact(runs), func(run string) bool { return run == "" })
}

// LogsOf returns the names of all logs of a room: its own, those of its runs, and those of their branches, which the families know.
func LogsOf(ctx context.Context, in store.Store, code string, runs []string) ([]string, error) {
	logs := []string{RoomLog(code)}
	for _, run := range runs {
		logs = append(logs, live.RunLog(run))
		family := store.NewLog[live.Branch](in, live.FamilyLog(run))
		var branches []string
		if err := family.Read(func() { branches = nil }, func(b live.Branch) error {
			branches = append(branches, live.RunLog(b.Run))
			return nil
		}); err != nil {
			return nil, err
		}
		logs = append(append(logs, live.FamilyLog(run)), branches...) // nobody begins the family now
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
	slices.Sort(logs)
	return slices.Compact(logs), nil
}

// ForgetIn has a store forget a room while no server uses it, and returns how many runs that were.
func ForgetIn(ctx context.Context, in store.Store, code string) (runs int, err error) {
	log := store.NewLog[room.Entry](in, RoomLog(code))
	if err := log.Read(func() {}, func(room.Entry) error { return nil }); err != nil {
		return 0, err
	}
	if log.Len() == 0 {
		return 0, ErrNoRoomKept
	}
	logs, err := LogsOf(ctx, in, code, runsOf(log.Entries))
	if err != nil {
		return 0, err
	}
	for _, name := range logs {
		if strings.HasPrefix(name, live.RunLog("")) {
			runs++
		}
	}
	return runs, in.Forget(ctx, logs)
}

// ErrNoRoomKept says that a store keeps no room with a code.
var ErrNoRoomKept = errors.New("no room with this code is kept there")

// letGo drops a room that was forgotten: its viewers hear of it, and the next request finds none. The caller holds the room's lock.
func (h *Room) letGo() {
	for v := range h.viewers {
		v.Send(live.GoneFrame)
	}
	clear(h.viewers) // they hear no more of it
	h.gone = true
	h.room, h.log = room.New(), store.NewLog[room.Entry](h.home.Store, RoomLog(h.code))
	h.home.Leave(h.code, h)
}

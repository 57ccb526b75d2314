package web

import (
	"net/http"

	"lockstep/engine/lang"
	roomview "lockstep/views/room"
	"lockstep/web/class"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
)

// errNoLessons says that a class has come to no lesson.
var errNoLessons = refusal.Declare(refusal.Unprocessable, refusal.Refused, "home-files.no-lessons")

// handleHome answers with the page of all that somebody takes home from a class. Everybody with a place in the room sees it.
func (p *roomPages) handleHome(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	who := h.Who(key)
	if who == (room.Who{}) {
		p.refuse(w, r, room.ErrSeatOnly)
		return
	}
	site := p.siteFor(r)
	free := p.freeRuns(r, class.Ask(h, (*room.Room).Record))
	page := class.Ask(h, func(in *room.Room) roomview.TakeHome { return present.TakeHome(in, who, p.rooms.Courses(), free, site) })
	p.render(w, r, http.StatusOK, roomview.TakeHomePage(page))
}

// handleForget forgets a room with everything in it, and redirects to the page that says so.
func (p *roomPages) handleForget(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	if err := p.rooms.Forget(askerOf(r), h, key); err != nil {
		p.refuse(w, r, err)
		return
	}
	http.Redirect(w, r, p.base+present.RoomPath(h.Code()), http.StatusSeeOther)
}

// freeRuns returns what the runs without a task are called that a room has shown, but for those in which nothing has happened and
// those that are gone. Reading them is work of the visitor's, and a record lists a hundred runs at most.
func (p *roomPages) freeRuns(r *http.Request, record room.Record) map[string]lang.Text {
	free := map[string]lang.Text{}
	for _, s := range record.Shown {
		if s.Task != "" {
			continue
		}
		run, done, err := p.rooms.Runs.Use(askerOf(r), s.Run)
		if err != nil {
			continue
		}
		if run.Length() > 0 {
			free[s.Run] = live.See(run, present.Run.Called)
		}
		done()
	}
	return free
}

// handleRoomHandout answers with the handout of the lessons that the class has come to, as one file. It has the answers once the class is over.
func (p *roomPages) handleRoomHandout(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	if h.Who(key) == (room.Who{}) {
		p.refuse(w, r, room.ErrSeatOnly)
		return
	}
	var title string
	var answers bool
	lessons := class.Ask(h, func(in *room.Room) []present.Taught {
		title, answers = present.HandoutTitle(in, language(r)), in.Over()
		return present.TaughtIn(in.Record(), p.rooms.Courses())
	})
	if len(lessons) == 0 {
		p.refuse(w, r, errNoLessons)
		return
	}
	p.handoutFile(w, r, "handout-"+h.Code(), lessons, answers, title)
}

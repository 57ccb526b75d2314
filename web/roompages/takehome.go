package roompages

import (
	"net/http"

	"lockstep/engine/lang"
	roomview "lockstep/views/room"
	"lockstep/web/class"
	"lockstep/web/coursepages"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
)

// errNoLessons says that a class has come to no lesson.
var errNoLessons = refusal.Declare(refusal.Unprocessable, refusal.Refused, "home-files.no-lessons")

// handleHome answers with the page of all that somebody takes home from a class. Everybody with a place in the room sees it.
func (p *Pages) handleHome(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	who := h.Who(key)
	if who == (room.Who{}) {
		p.Refuse(w, r, room.ErrSeatOnly)
		return
	}
	site := p.SiteFor(r)
	free := p.freeRuns(r, class.Ask(h, (*room.Room).Record))
	page := class.Ask(h, func(in *room.Room) roomview.TakeHome { return present.TakeHome(in, who, p.Rooms.Courses(), free, site) })
	p.Render(w, r, http.StatusOK, roomview.TakeHomePage(page))
}

// handleForget forgets a room with everything in it, and redirects to the page that says so.
func (p *Pages) handleForget(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	if err := p.Rooms.Forget(r.Context(), h, key); err != nil {
		p.Refuse(w, r, err)
		return
	}
	http.Redirect(w, r, p.Base+present.RoomPath(h.Code()), http.StatusSeeOther)
}

// freeRuns returns what the runs without a task are called that a room has shown, but for those in which nothing has happened and
// those that are gone. Reading them is work of the visitor's, and a record lists a hundred runs at most.
func (p *Pages) freeRuns(r *http.Request, record room.Record) map[string]lang.Text {
	free := map[string]lang.Text{}
	for _, s := range record.Shown {
		if s.Task != "" {
			continue
		}
		run, done, err := p.Rooms.Runs.Use(r.Context(), s.Run)
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
func (p *Pages) handleRoomHandout(w http.ResponseWriter, r *http.Request, h *class.Room, key string) {
	if h.Who(key) == (room.Who{}) {
		p.Refuse(w, r, room.ErrSeatOnly)
		return
	}
	var title string
	var answers bool
	lessons := class.Ask(h, func(in *room.Room) []present.Taught {
		title, answers = present.HandoutTitle(in, door.Language(r)), in.Over()
		return present.TaughtIn(in.Record(), p.Rooms.Courses())
	})
	if len(lessons) == 0 {
		p.Refuse(w, r, errNoLessons)
		return
	}
	coursepages.HandoutFile(p.Responder, w, r, "handout-"+h.Code(), lessons, answers, title)
}

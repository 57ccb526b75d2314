package class

import (
	"context"
	"maps"

	"lockstep/engine/lang"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/room"
)

// Join lets a viewer hear of the room.
func (h *Room) Join(ctx context.Context, v *live.Viewer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.gone {
		v.Send(live.GoneFrame)
		return
	}
	m := &member{Viewer: v}
	h.viewers[v] = m
	now := newTelling()
	limit.Charge(ctx, h.tellOne(m, now))
	maps.Copy(h.told, now.news)
	h.soon()
}

// Leave stops telling a viewer about the room.
func (h *Room) Leave(v *live.Viewer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.viewers, v)
	h.soon()
}

// goAway notes whether a viewer looks at something else than the driver. The room hears of it soon, or with the next news
// if the viewer goes to and fro too fast. The room hears nothing about a spectator.
func (h *Room) goAway(ctx context.Context, v *live.Viewer, away bool) {
	if h.notesAway(v, away) && h.home.mayEnter(ctx, h, v.Key) == nil {
		h.soon()
	}
}

// notesAway notes it, and reports whether others see a change.
func (h *Room) notesAway(v *live.Viewer, away bool) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	m := h.viewers[v]
	if m == nil {
		return false // the room has let go of it
	}
	who, _ := h.room.Who(v.Key)
	is := m.away != away
	m.away = away
	return is && who.Seat != 0
}

// after returns the news that follow others, which it empties; nil: none.
func (m roomMessage) after(before *news) *news {
	n := &news{message: m, whole: live.Encode(m), before: before}
	if before != nil {
		n.change = live.Encode(m.since(before.message))
		*before = news{}
	}
	return n
}

// to returns the message for a viewer who has heard other news; nil: none.
func (n *news) to(heard *news) live.Frame {
	if heard != nil && heard == n.before {
		return n.change
	}
	return n.whole
}

// A telling has what is made for the viewers of a room at one moment: each thing once for all who are told the same.
type telling struct {
	news  map[toldRoom]*news
	seats map[sight]present.Seat
}

// A sight identifies the viewers who may do the same: a thousand spectators have no key and look at one run.
type sight struct {
	key, run string
	owner    int
	language lang.Language
}

func newTelling() telling { return telling{map[toldRoom]*news{}, map[sight]present.Seat{}} }

// seat returns what a viewer may do in the room.
func (h *Room) seat(v *live.Viewer, now telling) present.Seat {
	of := sight{v.Key, v.Run.ID(), v.Owner(), v.Language}
	seat, made := now.seats[of]
	if !made {
		seat = present.SeatOf(h.room, of.key, of.run, of.owner, of.language)
		now.seats[of] = seat
	}
	return seat
}

// tell tells all viewers about the room, and returns how much work that was. It sends no viewer the same message again.
func (h *Room) tell() (work int64) {
	now := newTelling()
	for _, v := range h.viewers {
		work += h.tellOne(v, now)
	}
	h.told = now.news
	return work
}

// tellOne tells one viewer about the room, and returns how much work that was.
func (h *Room) tellOne(v *member, now telling) (work int64) {
	who, _ := h.room.Who(v.Key)
	to := toldRoom{v.Language, v.Surface, who.Presenter}
	n := now.news[to]
	if n == nil {
		message := h.message(to)
		if n = h.told[to]; n == nil || !n.message.same(message) {
			n = message.after(n)
		}
		now.news[to] = n
		work += live.Drawing(n.whole.Size() + n.change.Size())
	}
	work += viewerWork + h.place(v.Viewer, who)
	if v.Owner() != 0 {
		work += v.Run.Admit(v.Viewer, h.room.MayLook(who, v.Run.ID(), v.Owner()) == nil)
	}
	h.time(v)
	if v.heard != n {
		v.Send(n.to(v.heard))
		v.heard = n
	}
	if own := h.seat(v.Viewer, now); v.own != own {
		v.own = own
		v.Send(live.Encode(own))
	}
	return work
}

// dress makes a phone the client of its seat's lane, before the phone hears of the run.
func (h *Room) dress(v *live.Viewer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	who, _ := h.room.Who(v.Key)
	v.Wear(h.lane(v, who))
}

// place makes a phone another client after its seat has got another lane, and returns how much work that was.
func (h *Room) place(v *live.Viewer, who room.Who) (work int64) {
	lane := h.lane(v, who)
	if v.Lane() != lane {
		work = v.Run.Dress(v, lane)
	}
	return work
}

// lane returns the client that a viewer is; empty: the viewer is none.
func (h *Room) lane(v *live.Viewer, who room.Who) string {
	if you := h.room.You(who.Seat); you != nil && v.Surface == live.OnPhone {
		return you.Lane
	}
	return ""
}

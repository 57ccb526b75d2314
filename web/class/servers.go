package class

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"time"

	"lockstep/web/store"
)

// hear takes a message from another server: the room's log has grown, or who is there.
func (h *Room) hear(message []byte) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if message == nil {
		err := h.catchUp(context.Background())
		switch {
		case errors.Is(err, store.ErrGone):
			h.letGo()
			return nil
		case errors.Is(err, store.ErrUnavailable):
			h.unsure = true
			h.soon()
		}
		h.tell()
		return err
	}
	var p presence
	if err := json.Unmarshal(message, &p); err != nil {
		return err
	}
	p.heard = time.Now()
	h.elsewhere[p.Server] = p
	if p.Ask {
		h.tellServers(false)
	}
	h.soon()
	return nil
}

// tellServers tells the other servers who is here.
func (h *Room) tellServers(ask bool) {
	if h.room.Code() == "" {
		return
	}
	here, away := h.mine()
	h.log.Tell(presence{Server: h.home.Server, Ask: ask, Here: here, Away: away, Progress: h.progress})
	h.elsewhere.forgetSilent()
}

// mine returns the seats that are here with this server, and the seats among them that are away.
func (h *Room) mine() (here, away []int) {
	for _, v := range h.viewers {
		who, _ := h.room.Who(v.Key)
		if who.Seat == 0 {
			continue
		}
		here = append(here, who.Seat)
		if v.away {
			away = append(away, who.Seat)
		}
	}
	slices.Sort(here)
	slices.Sort(away)
	return slices.Compact(here), slices.Compact(away)
}

package class

import (
	"time"

	"lockstep/web/live"
	"lockstep/web/room"
)

// The room's log has the end of a timer by the servers' clocks. A viewer's own clock may be wrong, so a viewer is told how
// long it is until then.

// A timerMessage tells a viewer about the timer of the room.
type timerMessage struct {
	Type string `json:"type"`
	Left *int64 `json:"left"` // ms; nil: there is no timer
}

// timer gives what is open one more minute, or takes its timer away.
func (c *command) timer() error {
	if c.entry.On = c.form("on") != ""; c.entry.On {
		c.entry.Now = time.Now().UnixMilli()
	}
	return c.do()
}

// time tells a viewer about a timer that is new to it. It comes before the panels that show the timer. The caller holds the
// room's lock.
func (h *Room) time(v *member) {
	until := h.room.Until()
	if v.until == until {
		return
	}
	v.until = until
	m := timerMessage{Type: "timer"}
	if until != 0 {
		left := left(until)
		m.Left = &left
	}
	v.Send(live.Encode(m))
}

// retime has every viewer told again how long it is: a phone that has slept, or a server whose clock was set, is right again
// with the next heartbeat. The caller holds the room's lock.
func (h *Room) retime() {
	if h.room.Until() == 0 {
		return
	}
	for _, v := range h.viewers {
		v.until = 0
	}
}

// left returns the ms until a moment; 0: it has passed.
func left(until int64) int64 { return max(0, until-time.Now().UnixMilli()) }

// leftOf returns how long the timer of a view goes on; 0: its time is up, or there is none.
func leftOf(v room.View) time.Duration {
	return time.Duration(left(v.Until)) * time.Millisecond
}

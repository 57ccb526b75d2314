package room

import (
	"fmt"

	"lockstep/engine/lang"
	"lockstep/views"
)

// A Timer tells how long a round or an exercise goes on. The page's script counts, as the server tells it what remains.
type Timer struct {
	Left int // seconds, when the page was loaded; 0: the time is up
}

// loaded says it once, to readers without scripts.
func (t *Timer) loaded(l lang.Language) string {
	if t.Left == 0 {
		return views.Say(l, "timer.up")
	}
	return views.Say(l, "timer.loaded", fmt.Sprintf("%d:%02d", t.Left/60, t.Left%60))
}

// timerWord names the button that begins a timer, or makes it longer.
func (r Room) timerWord() string {
	if r.Timer == nil {
		return views.Say(r.Lang, "timer.begin")
	}
	return views.Say(r.Lang, "timer.more")
}

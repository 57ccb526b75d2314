package web

import (
	"fmt"
	"net/http"
	"regexp"
	"testing"
	"time"

	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/door"
	"lockstep/web/room"
	"lockstep/web/store"
)

// left waits until the timer is told to end after that many ms, of which a second or more may have passed. Every few seconds the server tells
// what it has told before.
func (v *socketViewer) left(want int64) {
	v.Helper()
	v.until(fmt.Sprintf("that %d ms are left", want), func(m told) bool {
		return m.Type == "timer" && m.Left != nil && *m.Left <= want && *m.Left > want-60_000
	})
}

// timer waits for that news.
func (v *socketViewer) timer() told {
	v.Helper()
	return v.until("a timer", func(m told) bool { return m.Type == "timer" })
}

// Each press gives a round one more minute. Everybody hears what remains, also who comes late, and hears of the end of the timer.
func TestTimerIsToldToEverybody(t *testing.T) {
	c := newClass(t, Options{})
	phone := c.ann.watches(c.run, "phone")
	phone.want("hello")
	c.teacher.does(c.room, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "timer", "on", "on").wants(t, http.StatusSeeOther)
	phone.left(60_000)
	if m := phone.want("room"); !regexp.MustCompile(`class="timer"`).MatchString(m.Panels["room"]) {
		t.Errorf("the panel of a phone has no timer: %s", m.Panels["room"])
	}
	c.teacher.does(c.room, "timer", "on", "on").wants(t, http.StatusSeeOther)
	phone.left(120_000)
	for _, surface := range []string{"page", "screen", "phone", "remote", "wall", "single"} {
		c.teacher.watches(c.run, surface).left(120_000)
	}
	c.teacher.does(c.room, "round").wants(t, http.StatusSeeOther)
	phone.until("that there is no timer", func(m told) bool { return m.Type == "timer" && m.Left == nil })
	c.teacher.send("GET", c.run, nil).lacks(t, `id="timer-stop"`)
	c.teacher.send("GET", c.run, nil).wants(t, http.StatusOK, `id="timer-more"`)
}

// A page that is loaded again has the timer, and without scripts it says how much was left.
func TestTimerIsThereAfterAReload(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "challenge", "task", "redis-lock/race/break").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "timer", "on", "on").wants(t, http.StatusSeeOther)
	for range 2 {
		a := c.ann.send("GET", c.room, nil)
		a.wants(t, http.StatusOK, `class="timer"`)
		if !regexp.MustCompile(`<noscript>(1:00|0:\d\d) left when this page was loaded</noscript>`).MatchString(a.body) {
			t.Errorf("the phone does not say how much is left: %s", a.body)
		}
	}
}

// Another server goes on with the timer of one that is gone, and it has not begun again.
func TestTimerOutlivesItsServer(t *testing.T) {
	log := store.Memory(store.Options{})
	c := newClass(t, Options{Store: log})
	c.teacher.does(c.room, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "timer", "on", "on").wants(t, http.StatusSeeOther)
	v := c.ann.watches(c.run, "phone")
	before := v.timer()
	time.Sleep(20 * time.Millisecond)
	other := newSite(t, Options{Store: log})
	after := c.ann.at(other).watches(c.run, "phone").timer()
	if before.Left == nil || after.Left == nil || *after.Left >= *before.Left || *after.Left < *before.Left-30_000 {
		t.Errorf("the timer was told as %+v, and then as %+v", before, after)
	}
}

// A timer is for something, and for an hour at most. A refused press leaves nothing in the log.
func TestTimerThatIsRefused(t *testing.T) {
	c := newClass(t, Options{Limits: door.Limits{Entries: 1000}})
	c.teacher.does(c.room, "timer", "on", "on").wants(t, http.StatusUnprocessableEntity, views.Say(lang.English, room.ErrNoTimer.Error()))
	c.teacher.does(c.room, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)
	for range room.MaxTimer {
		c.teacher.does(c.room, "timer", "on", "on").wants(t, http.StatusSeeOther)
	}
	before := len(c.ledger.entries(""))
	// A minute of them may have passed meanwhile, and not two.
	refused := 0
	for range 2 {
		if a := c.teacher.does(c.room, "timer", "on", "on"); a.StatusCode == http.StatusUnprocessableEntity {
			a.wants(t, http.StatusUnprocessableEntity, views.Say(lang.English, room.ErrTimer.Error()))
			refused++
		}
	}
	if kept := len(c.ledger.entries("")) - before; refused == 0 || kept != 2-refused {
		t.Errorf("%d presses beyond %d minutes are refused, and the store has kept %d", refused, room.MaxTimer, kept)
	}
	c.teacher.does(c.room, "timer").wants(t, http.StatusSeeOther)
	c.teacher.does(c.room, "timer").wants(t, http.StatusSeeOther) // a no-op succeeds
	if kept := len(c.ledger.entries("")) - before; kept != 3-refused {
		t.Errorf("the store has kept %d entries", kept)
	}
}

// A press that is sent again, as after a lost connection, counts once.
func TestPressOfATimerCountsOnce(t *testing.T) {
	c := newClass(t, Options{})
	c.teacher.does(c.room, "ask", "kind", "predict", "client", "C1").wants(t, http.StatusSeeOther)
	desk := c.teacher.watches(c.run, "page")
	for range 2 {
		press := asks("timer", "on", "on")
		press["id"] = "press1"
		if m := desk.ask(press); m.Type != "done" {
			t.Errorf("the press is answered %+v", m)
		}
	}
	c.ann.watches(c.run, "phone").left(60_000)
	if n := len(regexp.MustCompile(`"verb":"timer"`).FindAllString(fmt.Sprint(c.ledger.entries("")), -1)); n != 1 {
		t.Errorf("the store has kept %d presses", n)
	}
}

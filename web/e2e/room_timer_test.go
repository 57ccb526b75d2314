package e2e

import (
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"lockstep/engine/testtools"
	"lockstep/web"
	classes "lockstep/web/class"
	"lockstep/web/room"
	"lockstep/web/store"
)

// timed waits until a page shows that so many minutes are left.
func (b *browser) timed(place string, least, most int) {
	b.Helper()
	b.until(fmt.Sprintf(`((text) => /^\d+:\d\d$/.test(text) && parseInt(text) >= %d && (parseInt(text) < %d || text === "%d:00"))(document.querySelector(%q)?.textContent)`, least, most, most, place))
}

// The presenter gives a round minutes. The strip, the remote, the wall, a phone whose own clock is wrong and a laptop that follows show how
// many are left, and that the time is up. A screen reader says it once, and nothing closes.
func TestTimerIsSeenByEverybody(t *testing.T) {
	log := store.Memory(store.Options{})
	h := openSite(t, web.Options{Store: log}).hall(nil)
	h.acts(h.presenter, h.run, "spawn C1 C2")
	h.joins(2)
	h.does(h.presenter, "ask", "kind", "predict", "client", "C1")
	window := func(who *http.Client, path string, width, height int64) *hall {
		w := *h
		w.browser = h.another()
		w.becomes(who)
		w.sized(width, height)
		w.goTo(path)
		return &w
	}
	desk := window(h.presenter, h.run+"?lang=en", 1280, 800)
	remote := window(h.presenter, h.path+"/remote?lang=en", 360, 640)
	wall := window(h.presenter, h.path+"/screen?lang=en", 1280, 720)
	single := window(h.presenter, h.path+"/single?lang=zh", 1280, 800)
	phone := window(h.seats[0], h.path+"?lang=en", 320, 568)
	follower := window(h.seats[1], h.run+"?lang=en", 1280, 800)
	phone.until(`document.querySelector("#poll")`)
	value[bool](phone.browser, `((Date.now = () => 0), true)`)

	desk.until(`document.querySelector("#timer-more")`)
	desk.press("#timer-more")
	desk.timed(".strip-timer .timer", 0, 1)
	remote.press("#timer-more")
	remote.timed(".remote-timer .timer", 1, 2)
	remote.press("#timer-more") // by now it has three, so that two are left for what follows
	all := map[*hall]string{desk: ".strip-timer .timer", remote: ".remote-timer .timer", wall: ".screen-side .timer", single: ".strip-timer .timer", phone: ".phase .timer", follower: ".poll-phase .timer"}
	for w, place := range all {
		w.timed(place, 1, 3)
	}
	wall.atLeast(`parseFloat(getComputedStyle(document.querySelector(".screen-side .timer")).fontSize)`, 40)
	for _, language := range []string{"en", "zh"} {
		remote.goTo(h.path + "/remote?lang=" + language)
		remote.timed(".remote-timer .timer", 1, 3)
		remote.has(fmt.Sprintf(outside, "#timer-more, #timer-stop, #remote-dock .button"), "", language)
		remote.fits()
		phone.goTo(h.path + "?lang=" + language)
		phone.timed(".phase .timer", 1, 3)
		phone.none(fmt.Sprintf(firstScreen, answered), language, "a phone")
		phone.fits()
	}
	remote.goTo(h.path + "/remote?lang=en")
	phone.goTo(h.path + "?lang=en")

	// The presenter takes it away. A press of almost a minute ago, which another server took, leaves some seconds.
	remote.press("#timer-stop")
	for w, place := range all {
		w.until(fmt.Sprintf(`!document.querySelector(%q)`, place))
	}
	entries := store.NewLog[room.Entry](log, classes.RoomLog(strings.TrimPrefix(h.path, "/r/")))
	must(t, entries.Read(func() {}, func(room.Entry) error { return nil }))
	for w := range all {
		value[bool](w.browser, `(() => { window.said = []; new MutationObserver((all) => { for (const { target } of all) if (target.nodeType === 1 && target.getAttribute("role") === "status" && /^(Time is up|时间到)$/.test(target.textContent)) said.push(target.textContent); }).observe(document.body, { childList: true, subtree: true }); return true; })()`)
	}
	must(t, entries.Append(room.Entry{Verb: room.VerbTimer, On: true, Now: time.Now().Add(12*time.Second - time.Minute).UnixMilli()}))
	h.does(h.presenter, "gather")
	for w, place := range all {
		w.until(fmt.Sprintf(`/^(Time is up|时间到)$/.test(document.querySelector(%q)?.textContent)`, place))
	}
	h.does(h.presenter, "black", "on", "on")
	h.does(h.presenter, "black")
	for w, place := range all {
		w.until(`said.length === 1`)
		w.has(`!!document.querySelector("[data-phase=revealed], [data-phase=discuss]")`, false, place, "the round has closed by itself")
	}
	phone.press("#vote-0") // it is open still
	wall.sees("1 of 2 have voted")

	// The answer ends it. An exercise has one of its own, also at the reader's own run.
	h.does(h.presenter, "reveal")
	for w, place := range all {
		w.until(fmt.Sprintf(`!document.querySelector(%q)`, place))
	}
	h.does(h.presenter, "drop")
	h.does(h.presenter, "challenge", "task", "redis-lock/race/break")
	single.until(`document.querySelector("#room-home") && document.querySelector("#timer-more")`)
	single.press("#timer-more")
	single.timed(all[single], 0, 1)
	single.press("#timer-more")
	for _, w := range []*hall{desk, remote, wall, single, phone} {
		w.timed(all[w], 0, 2)
	}
	phone.press("#own-begin")
	phone.until(`document.querySelector("#room-box.following")`)
	phone.timed("#room-box .timer", 0, 2)
	phone.fits()
	desk.press("#room-home")
	for _, w := range []*hall{desk, remote, wall, single} {
		w.until(`!document.querySelector(".timer")`)
	}
}

// A killed server that is started again goes on with the timer, and a page that was open shows it again.
func TestTimerSurvivesAKill(t *testing.T) {
	testtools.Exhaustive(t, "it kills the server")
	t.Parallel()
	binary := built(t)
	data := filepath.Join(t.TempDir(), "data")
	first := started(t, binary, nil, "--data", data)
	address := strings.TrimSuffix(strings.TrimPrefix(first.address, "http://"), "/")
	c := meets(t, first.address)
	c.post(c.teacher, c.room+"/do", url.Values{"verb": {"challenge"}, "task": {"redis-lock/race/break"}})
	c.post(c.teacher, c.room+"/do", url.Values{"verb": {"timer"}, "on": {"on"}})
	p := &phone{lesson: c, number: 1, client: newClient(t)}
	c.post(p.client, c.room+"/seats", url.Values{})
	left := func() int64 {
		p.connect()
		defer p.conn.Close()
		if p.timer == nil || *p.timer <= 0 || *p.timer > 60_000 {
			t.Fatalf("the timer is told as %v", p.timer)
		}
		return *p.timer
	}
	before := left()
	first.isKilled()
	again := started(t, binary, nil, "--data", data, "--address", address)
	t.Cleanup(func() { again.ends(os.Interrupt) })
	if after := left(); after >= before {
		t.Errorf("%d ms were left before the kill, and %d after it", before, after)
	}
}

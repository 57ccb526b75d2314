package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/lang"
)

// One room for the whole session: the presenter goes from a lesson to the next, to the playground and to the explorer, and a
// participant on a laptop and a phone come along under the same code. Each page says that the room is on, and leads back.
func TestOneRoomForTheWholeSession(t *testing.T) {
	presenter := open(t)
	pupil, phone := presenter.another(), presenter.another()
	phone.sized(390, 844, chromedp.EmulateMobile)
	room := presenter.opensRoom(lang.English, "/courses/redis-lock/one-winner").room
	for _, b := range []*browser{pupil, phone} {
		b.goTo(room)
		b.until(`document.querySelector("#me")?.textContent`)
	}
	pupil.goTo(value[string](presenter, `location.pathname`))
	pupil.until(`document.querySelector("#room-box.following[data-state=follows]")`)

	// follows waits until the presenter is at a run of the room, with everybody else.
	last := ""
	follows := func(what, presenterSees string) {
		t.Helper()
		presenter.until(fmt.Sprintf(`document.querySelector("#room-box.presenting[data-state=drives]")?.dataset.path === %s && location.pathname !== %s && document.querySelector("#class-chip") === null`, quoteJS(room), quoteJS(last)))
		presenter.until(presenterSees)
		last = value[string](presenter, `location.pathname`)
		pupil.until(fmt.Sprintf(`location.pathname === %s && document.querySelector("#room-box.following[data-state=follows]")?.dataset.path === %s`, quoteJS(last), quoteJS(room)))
		phone.until(fmt.Sprintf(`document.querySelector("a[data-run]").getAttribute("href") === %s`, quoteJS(last)))
		if t.Failed() {
			t.Fatalf("nobody came along to %s", what)
		}
	}

	// The lesson's end leads on, and nobody is left behind.
	presenter.goTo("/courses/redis-lock/one-winner?done=99")
	presenter.until(`document.querySelector(".class-says")?.textContent.includes("does not see this page")`)
	presenter.press("[data-class-show] [value=show]")
	follows("the end of the lesson", `document.querySelector("#room-on")?.checkVisibility()`)
	presenter.is(`[...document.querySelectorAll("#task .card-foot :is(a, button)")].filter((way) => way.checkVisibility() && way.matches("a")).length`, "0")
	presenter.press("#room-on")
	follows("the next lesson", `document.querySelector(".task-path")?.textContent.includes("Leave or wait")`)

	// The playground, at the position that the presenter has come to.
	presenter.goTo("/new")
	presenter.until(`document.querySelector("#position-text").textContent.includes("action 2 of 2")`)
	presenter.press("[data-class-show] [value=show]")
	follows("the playground", `document.querySelector("#position-text").textContent.includes("action 2 of 2")`)
	pupil.until(`document.querySelector("#position-text").textContent.includes("action 2 of 2")`)

	// An open question holds the run: Space does not give the answer away, and Reveal takes the step.
	presenter.press("#room-class > summary")
	presenter.press(".room-asks .ask")
	presenter.until(`document.querySelector("#poll-reveal")?.checkVisibility() && !document.querySelector("#room-box").dataset.may.split(" ").includes("act")`)
	presenter.press("#room-class > summary")
	presenter.do(chromedp.KeyEvent(" "), chromedp.KeyEvent(" "))
	presenter.press("#poll-reveal")
	presenter.until(`document.querySelector("#position-text").textContent.includes("action 3 of 3")`)
	pupil.until(`document.querySelector("#position-text").textContent.includes("action 3 of 3")`)

	// The explorer's counterexample, from its beginning.
	presenter.goTo("/explore?program=del-setnx&run=search")
	presenter.until(`document.querySelector("#answer-show [value=show]")`)
	presenter.press("#answer-show [value=show]")
	follows("the counterexample", `/action 3 of 15|action [0-4] of 15/.test(document.querySelector("#position-text").textContent)`)
	presenter.press("#last")
	pupil.until(`document.querySelector("#alerts")?.textContent.includes("critical section")`)

	// The participant goes to a page of their own, and comes back.
	pupil.goTo("/courses/redis-lock")
	pupil.until(`document.querySelector("#class-chip")?.textContent.includes("Room")`)
	pupil.is(`document.querySelector("[data-class-show]") === null`, "true")
	for _, width := range []int64{320, 390} { // the bar and the chip have room on a phone
		for _, path := range []string{"/courses/redis-lock/race", "/explore", "/", "/courses/redis-lock", "/new"} {
			presenter.sized(width, 800)
			presenter.goTo(path)
			presenter.until(`document.querySelector("#class-chip")`)
			presenter.has(wider, "", path, width)
		}
	}
	pupil.press("#class-chip")
	pupil.until(`document.querySelector("#me")?.textContent`)
	for _, b := range []*browser{presenter, pupil, phone} {
		b.expects("WebSocket")
	}
}

// The pages that say that a room is on, and the remote, pass axe.
func TestPagesOutsideTheRoomPassAxe(t *testing.T) {
	b := open(t)
	room := b.opensRoom(lang.English, "/new").room
	for _, path := range []string{"/courses/redis-lock/race", "/explore?program=del-setnx&run=search", "/", "/courses/redis-lock", room + "/remote"} {
		b.goTo(path)
		b.until(`document.querySelector("#class-chip, #remote")`)
		b.until(`[...document.querySelectorAll(".stamp")].every((stamp) => stamp.getAnimations().every(({ playState }) => playState === "finished"))`)
		b.audit("outside " + path)
	}
}

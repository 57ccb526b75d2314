package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/engine/lang"
)

// amiss names what is wrong with the visible parts of a selector: out of the window, without all of their words, or over another part;
// empty: nothing is. A part may lie in another.
const amiss = `((all) => {
	const name = (e) => e.id || e.className || e.tagName;
	const faults = all.length ? [] : ["nothing is there"];
	for (const e of all) {
		const r = e.getBoundingClientRect();
		if (r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth) faults.push(name(e) + " is not in the window");
		for (const o of all) {
			const s = o.getBoundingClientRect();
			if (e !== o && !e.contains(o) && !o.contains(e) && r.left < s.right - 1 && s.left < r.right - 1 && r.top < s.bottom - 1 && s.top < r.bottom - 1) faults.push(name(e) + " lies over " + name(o));
		}
	}
	return faults.join("; ");
})([...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()))`

// The parts of the strip that a presenter has to see: what is on, the votes, who drives, what is next, and every control.
const stripParts = ".strip-what > strong, .strip-count, .strip-more, .room-states > p, .room-present, .room-name, .strip-timer .timer, .strip .button:not(.strip-pane *), .playground"

// What is on, the votes and the next thing to do are in view on the presenter's laptop, freshly loaded, whatever the class does, also in
// large letters. Nothing lies over anything else, and the stage keeps its height.
func TestStripShowsWhatIsOnAndWhatIsNext(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, broken...)
	h.acts(h.presenter, h.run, "spawn C4")
	h.joins(5)
	h.becomes(h.presenter)
	states := 0
	look := func(state, next string, more ...string) {
		t.Helper()
		states++
		scales := []string{"1", "1.5"}
		if !whole() {
			scales = scales[states/2%2 : states/2%2+1]
		}
		for _, language := range spokenBy(states) {
			for _, scale := range scales {
				h.visit(h.run + "?lang=" + language + "&scale=" + scale)
				for _, height := range []int64{720, 800} {
					h.sized(1280, height)
					h.settled()
					at := fmt.Sprintf("%s, 1280 × %d, %s, letters × %s", state, height, language, scale)
					h.has(fmt.Sprintf(amiss, stripParts), "", at)
					for _, part := range append(more, ".strip-what > strong") {
						h.has(fmt.Sprintf(`((e) => e?.checkVisibility() && e.scrollWidth <= e.clientWidth + 1)(document.querySelector(%q))`, part), true, at, part, "is cut, or not there")
					}
					h.has(`[...document.querySelectorAll(".strip-next .primary")].map((e) => e.id).join(" ")`, next, at)
					if scale == "1" {
						h.atLeast(`document.querySelector("#picture").clientHeight / innerHeight`, 0.5, at)
						h.atMost(`document.querySelector(".strip").getBoundingClientRect().height`, 72, at)
					}
					h.atMost(`[...document.querySelectorAll("#room-box *")].filter((e) => e.checkVisibility() && e.scrollHeight > e.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(e).overflowY)).length`, 1, at)
				}
			}
		}
	}
	look("nothing", "")
	h.does(h.presenter, "lanes", "size", "1")
	look("lanes", "")
	h.does(h.presenter, "ask", "kind", "predict", "client", "C4")
	look("first", "poll-round", ".strip-count", "#poll-reveal", "#poll-drop")
	for range 3 { // a busy machine takes its time
		h.does(h.presenter, "timer", "on", "on")
	}
	look("first-timed", "poll-round", ".strip-count", "#poll-reveal", "#timer-more")
	h.does(h.presenter, "drive", "seat", "2")
	look("first-driven", "poll-round", ".strip-count", "#room-drive")
	h.does(h.presenter, "round")
	look("discuss", "poll-round", ".strip-count", "#room-drive")
	h.does(h.presenter, "drive", "seat", "0")
	h.does(h.presenter, "round")
	look("second", "poll-reveal", ".strip-count")
	h.does(h.presenter, "reveal")
	look("revealed", "poll-drop")
	h.does(h.presenter, "drop")
	h.does(h.presenter, "drive", "seat", "2")
	look("driven", "", "#room-drive")
	h.does(h.presenter, "drive", "seat", "0")
	h.does(h.presenter, "challenge", "task", "redis-lock/race/break")
	look("exercise", "room-home", "#timer-more")
	for range 3 { // a busy machine takes its time
		h.does(h.presenter, "timer", "on", "on")
	}
	look("exercise-timed", "room-home", "#timer-more")
	h.does(h.presenter, "home")
	look("ended", "")
	h.does(h.presenter, "plan", "do", "course", "course", "redis-lock")
	look("planned", "room-next")
	h.does(h.presenter, "ask", "kind", "predict", "client", "C4")
	h.does(h.presenter, "reveal")
	look("revealed-planned", "poll-drop", "#room-next")
}

// A poll goes from phase to phase by the one primary button, and the strip never moves.
func TestStripLeadsAPoll(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, nearly)
		c.sized(1280, 720)
		c.phone(language)
		c.unfold("class")
		c.press(`form:has([name=client][value=C2]) .ask`)
		for _, id := range []string{"poll-round", "poll-round", "poll-reveal", "poll-drop"} {
			c.until(fmt.Sprintf(`document.querySelector(".strip-next .primary")?.id === %q`, id))
			phase := c.text(".strip-what > strong")
			c.press(".strip-next .primary")
			c.until(fmt.Sprintf(`document.querySelector(".strip-what > strong").textContent !== %q`, phase))
		}
		c.until(`!document.querySelector(".strip-next .primary") && !document.querySelector("#room-votes")`)
	})
}

// A presenter teaches with a single screen, which the class sees, and a clicker for slides. It is the wall, in letters for the
// last row, with a strip of controls.
func TestRoomSingleScreen(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, nearly)
		phone := c.phone(c.other())
		c.sized(1280, 720)
		c.press("#room-class > summary")
		c.press("#room-single")
		c.until(`document.querySelector(".single") && document.querySelector("#timeline.timeline")`)
		const place = `document.querySelector("#place").textContent`
		c.until(place + ` === "10 / 10" && document.fonts.status === "loaded"`)
		c.rests()
		c.settled()
		c.has(`document.querySelector("#room-people, #room-end, #room-screens, .lane-tools, .top") !== null`, false, "the class sees what is the presenter's")
		c.atMost(`document.querySelector(".single").getBoundingClientRect().height`, 72)
		c.has(cramped, "")
		c.has(fmt.Sprintf(amiss, ".strip-what > strong, .strip .button, .strip-moves .button, #place, .strip-address, #stage"), "")

		c.key("j")
		c.until(`document.querySelector("#screen[data-join]")`)
		c.key("j")
		c.until(`!document.querySelector("#screen[data-join]")`)

		c.key(kb.PageUp)
		c.until(place + ` === "9 / 10"`)
		c.key(kb.PageDown)
		c.until(place + ` === "10 / 10"`)
		c.key(kb.PageDown)
		c.until(place + ` === "11 / 11" && document.querySelector("#alerts").textContent`)
		c.press("#back")
		c.until(place + ` === "10 / 11"`)
		c.press("#step")
		c.until(place + ` === "11 / 11"`)

		// A poll stands on the wall, and its votes and phases in the strip.
		c.unfold("class")
		c.press(".ask")
		phone.press("#vote-0")
		c.until(`document.querySelector(".screen-poll") && document.querySelector(".strip-count").textContent.match(/1\/1/)`)
		value[bool](c.browser, `document.querySelector("#room-class").removeAttribute("open") ?? true`)
		c.has(fmt.Sprintf(amiss, ".strip-what > strong, .strip-count, .strip .button, .screen-side"), "")
		c.has(counted+" !== null", false, "the class sees counts before the answer")
		c.press("#poll-reveal")
		c.until(`document.querySelectorAll(".screen-poll .poll-right").length === 1`)
		c.press("#poll-drop")
		c.until(`!document.querySelector(".screen-poll")`)

		c.key(".")
		c.until(`document.querySelector(".screen-black")?.checkVisibility() && document.querySelector("#room-black[aria-pressed=true]")`)
		c.key("b")
		c.until(`!document.querySelector(".screen-black") && document.querySelector("#room-black[aria-pressed=false]")`)
		c.key(".")
		c.press(".screen-black")
		c.until(`!document.querySelector(".screen-black")`)

		c.key(kb.F5)
		c.until(`document.fullscreenElement`)
		c.key(kb.F5)
		c.until(`!document.fullscreenElement`)
		c.do(chromedp.Reload())
		c.until(`document.querySelector(".single") && document.querySelector("#timeline.timeline")`)
		c.press("#room-desk")
		c.presents(language)
	})
}

// A presenter writes a question while the class goes on, and says at the end what is right.
func TestPresenterAsksTheirOwnQuestion(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, nearly)
		c.sized(1280, 720)
		phone, wall := c.phone(c.other()), c.projector(language)
		c.unfold("own")
		c.types("#own-text", "Who holds the lock? 谁持有锁？")
		c.types(`.own-form [name=a]`, "C1")
		c.types(`.own-form [name=b]`, "C2")
		c.phone(language) // the panel comes again, and takes no words away
		c.until(`document.querySelector("#room-people .strip-number").textContent === "2"`)
		c.is(`document.querySelector("#own-text").value`, "Who holds the lock? 谁持有锁？")
		c.press("#own-ask")
		c.until(`document.querySelector("#own-right")`)
		c.press("#room-class > summary")
		c.press("#room-single")
		c.until(`document.querySelector(".single #own-right")`)
		c.atMost(`document.querySelector(".single").getBoundingClientRect().height`, 72)
		c.fits()
		c.press("#room-desk")
		c.presents(language)
		value[string](c.browser, `document.querySelector("#own-right").value = "1"`) // and a vote takes it away from nobody
		phone.press("#vote-1")
		c.until(`document.querySelector(".strip-count").textContent.match(/1\/2/)`)
		wall.until(`document.querySelector(".screen-poll").textContent.includes("谁持有锁")`)
		c.press("#poll-reveal")
		for _, b := range []*browser{c.browser, wall} {
			b.until(`document.querySelectorAll(".poll-right").length === 1 && document.querySelector(".right").textContent.includes("C2")`)
		}
		phone.until(`document.querySelectorAll("#poll .result.right").length === 1`)
		c.is(`document.querySelector("#position-text").textContent.match(/\d+/g).join()`, "10,10") // the run has not moved
		c.press("#poll-drop")
		c.until(`!document.querySelector("#room-votes")`)
		c.unfold("own")
		c.is(`document.querySelector("#own-text").value`, "")
	})
}

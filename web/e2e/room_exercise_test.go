package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"lockstep/engine/lang"
)

// Everybody gets a copy of the run from here. One of them breaks the lock. The presenter
// sees it on the wall, and shows it to all.
func TestRoomExerciseIsShownToAll(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, nearly)
		home := c.here()
		breaks, waits := c.phone(language), c.phone(c.other())
		screen := c.projector(c.other())
		c.unfold("exercise")
		c.press("#room-fork")
		for _, b := range []*browser{breaks, waits} {
			b.press("#own-begin")
			b.until(`document.querySelector("#room-box")?.dataset.state === "own"`)
			b.arrives()
		}
		breaks.does("step C2")
		breaks.until(`document.querySelector("#alerts").textContent.includes("C1")`)
		waits.press(`.toolbar button[value="tick 1s"]`)
		waits.until(at + `.includes("action 11 of 11")`)
		c.until(`document.querySelector("#room-exercise").innerText.match(/2\D+2/)`)

		c.goTo(c.room + "/wall")
		c.until(`document.querySelector("#tile-1[data-state=broken] svg") && document.querySelector("#tile-2[data-state=safe] svg")`)
		breaks.does("step C1")
		c.until(`document.querySelector("#tile-1").dataset.actions === "2"`) // live
		c.press("#show-1")
		c.until(`document.querySelector("#tile-1.shown")`)
		screen.until(`document.querySelector("#caption").textContent.includes("C1")`)
		c.press("#show-0")
		c.until(`!document.querySelector("#tile-1.shown")`)
		c.press("#wall-head a")
		c.presents(language)
		c.is("location.pathname", c.options.BasePath+home)

		c.press("#room-home")
		c.until(`document.querySelector("#strip-on").dataset.on === "ended" && document.querySelector("#room-fork")`)
		breaks.until(`!document.querySelector("[data-room-own]") && document.querySelector("#room-box").dataset.state === "ended"`) // nobody is torn away
		breaks.mustContain(".room-states", map[lang.Language]string{lang.English: "The exercise is over.", lang.Chinese: "练习已结束。"}[language])
		breaks.press(".room-place")
		breaks.until(`document.querySelector("#phone")`)
	})
}

// A challenge ranks the class by the number of actions, whatever their time. Equal
// numbers share a place.
func TestRoomChallengeRanksByActions(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, two)
		screen := c.projector(language)
		people := []*browser{c.phone(language), c.phone(c.other()), c.phone(language)}
		c.unfold("exercise")
		value[string](c.browser, `document.querySelector("#room-task").value = "redis-lock/one-winner/two-commands"`)
		c.press(".room-challenge button")
		people[0].until(`document.querySelector("#own-begin")`)
		names := []string{}
		for i, way := range [][]string{
			{"tick 1s", "step C2", "step C1", "step C2"}, // first, and with an action too many
			{"step C2", "step C1", "step C2"},
			{"step C2", "step C2", "step C1"},
		} {
			b := people[i]
			names = append(names, b.text("#me"))
			b.press("#own-begin")
			b.until(`document.querySelector("#challenge")`)
			b.arrives()
			for _, action := range way {
				b.happens(func() { b.does(action) })
			}
			b.until(`document.querySelector("#challenge").dataset.solved !== undefined`)
		}
		screen.until(`document.querySelectorAll(".ranking li").length === 3`)
		screen.is(`[...document.querySelectorAll(".ranking .rank-place")].map((e) => e.textContent).join(" ")`, "1 1 3")
		screen.is(`document.querySelector(".ranking li:last-child .rank-name").textContent`, names[0])
		c.until(`document.querySelectorAll("#room-exercise .ranking li").length === 3`)
		c.is(`[...document.querySelectorAll("#room-exercise .ranking li")].map((e) => e.value).join(" ")`, "1 1 3")
		people[2].press(`#room-box .room-place[href$="` + c.room + `"]`)
		people[2].until(`document.querySelectorAll("#exercise .ranking tbody tr").length === 3`)
		people[2].is(`[...document.querySelectorAll("#exercise .ranking tbody td:first-child")].map((e) => e.textContent).join(" ")`, "1 1 3")
		people[2].is(`document.querySelector("#exercise .ranking .own td:nth-child(2)").textContent`, names[2])
		c.press("#room-home")
		people[2].until(`!document.querySelector("#exercise")`)
		screen.until(`!document.querySelector(".screen-exercise")`)
	})
}

// does presses the button of an action, as the keyboard does: on a phone a client's token is its Step for a finger, and the
// button is there for those who use no pointer.
func (b *browser) does(action string) {
	b.Helper()
	b.until(fmt.Sprintf(`(document.querySelector("#lane-tools button[value='%s']")?.focus(), document.activeElement.value === %q)`, action, action))
	b.key(kb.Enter)
}

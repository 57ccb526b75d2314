package e2e

import (
	"testing"

	"lockstep/engine/lang"
)

// at is the position of a page, in English whatever its language.
const at = `document.querySelector("#position-text").textContent.replace("动作", "action").replace(" / ", " of ")`

// The presenter hands the wheel to somebody, who steps, goes back, and acts in the
// past. Everybody follows, also into the branch. Then the presenter drives again.
func TestRoomHandsOver(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, nearly)
		driver, follower := c.laptop(language), c.laptop(c.other())
		wall := c.projector(language)
		people := map[string]*browser{"presenter": c.browser, "driver": driver, "follower": follower, "wall": wall}
		follower.until(`document.querySelector("#room-box").dataset.state === "follows"`)
		if buttons := value[[]string](follower, `[...document.querySelectorAll("#clients button, #spawn, :is(.toolbar, .transport) [name=action]")].filter((e) => e.checkVisibility() && e.getAttribute("aria-disabled") !== "true" && /^(step |crash |pause |tick|spawn)/.test(e.value)).map((e) => e.value)`); len(buttons) > 0 {
			t.Errorf("whoever follows can press %v", buttons)
		}

		c.unfold("people")
		c.press("#room-people label.person:nth-of-type(1)")
		c.press(`#room-people button[value=drive]`)
		driver.until(`document.querySelector("#room-box").dataset.state === "drives"`)
		c.until(`document.querySelector("#room-box").dataset.state === "follows"`)
		c.shots("0-handed-over", people)
		driver.does("step C2")
		everybody(at+`.includes("action 11 of 11")`, driver, follower, c.browser)
		wall.until(`document.querySelector("#alerts").textContent`)

		// Back to where C1 has just taken the lock.
		driver.slides(4, 11)
		driver.until(at + `.includes("action 4 of 11")`)
		everybody(at+`.includes("action 4 of 11")`, follower, c.browser)
		wall.until(`!document.querySelector("#alerts").textContent`)
		c.shots("1-back", people)

		// Another action there makes another future.
		first := driver.here()
		driver.press(`.toolbar button[value="tick 1s"]`)
		driver.until(`location.pathname !== "` + first + `"`)
		branch := driver.here()
		for name, b := range people {
			if name != "wall" {
				b.until(`location.pathname === "` + branch + `" && document.querySelector("#room-box")?.dataset.state`)
				b.arrives()
				b.until(at + `.includes("action 5 of 5")`)
				b.is(`document.querySelector("#room-box").dataset.shown`, branch)
			}
		}
		wall.until(`document.querySelector("#caption").textContent.includes("1013")`)
		c.shots("2-branch", people)

		c.press("#room-drive")
		driver.until(`document.querySelector("#room-box").dataset.state === "follows"`)
		c.until(`document.querySelector("#room-box").dataset.state === "drives"`)
	})
}

// A follower looks around alone and comes back; the presenter can call everybody.
func TestRoomFollows(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, nearly)
		follower := c.laptop(c.other())
		follower.until(at + `.includes("action 10 of 10")`)
		follower.rests()
		follower.press("#back")
		follower.until(`document.querySelector("#room-box").dataset.state === "away"`)
		c.until(`document.querySelector(".room-present .quiet")`)
		follower.shot(c.name + "-0-away")
		c.shot(c.name + "-0-presenter")
		c.press("#step")
		c.until(at + `.includes("action 11 of 11")`)
		follower.until(at + `.includes("action 9 of 11")`) // where they were
		follower.press("[data-room-back]")
		follower.until(at + `.includes("action 11 of 11")`)
		follower.until(`document.querySelector("#room-box").dataset.state === "follows"`)
		c.until(`!document.querySelector(".room-present .quiet")`)

		follower.press("#first")
		follower.until(`document.querySelector("#room-box").dataset.state === "away"`)
		c.press("#back")
		c.until(at + `.includes("action 10 of 11")`)
		c.press("#room-gather")
		follower.until(at + `.includes("action 10 of 11")`)
		follower.until(`document.querySelector("#room-box").dataset.state === "follows"`)
		follower.shot(c.name + "-1-gathered")
	})
}

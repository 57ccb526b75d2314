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
		driver.does("step C2")
		everybody(at+`.includes("action 11 of 11")`, driver, follower, c.browser)
		wall.until(`document.querySelector("#alerts").textContent`)

		// Back to where C1 has just taken the lock.
		driver.slides(4, 11)
		driver.until(at + `.includes("action 4 of 11")`)
		everybody(at+`.includes("action 4 of 11")`, follower, c.browser)
		wall.until(`!document.querySelector("#alerts").textContent`)

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
	})
}

// A link that works once makes the presenter's phone a remote. It steps, goes back, and
// blanks the projector, as the presenter's keys do.
func TestRoomRemoteStepsAndBlanks(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, nearly)
		wall := c.projector(language)
		link := c.pathOf(c.pairs())

		remote := c.remote(link)

		// A bystander who has seen the link can do nothing with it.
		stranger := c.another()
		stranger.expects("the server responded with a status of 4")
		stranger.goTo(link + "&lang=" + string(c.other()))
		stranger.press("main [type=submit]")
		used := map[lang.Language]string{lang.English: "This link has been used", lang.Chinese: "这个链接已经用过"}
		stranger.sees(used[c.other()])

		remote.press("#step")
		everybody(at+`.includes("action 11 of 11")`, c.browser)
		everybody(`document.querySelector("#caption").textContent.includes("C1")`, wall, remote)
		remote.press("#back")
		c.until(at + `.includes("action 10 of 11")`)
		remote.press("#step")
		c.until(at + `.includes("action 11 of 11")`)

		// The remote blanks the projector, and its keys show and blank it again.
		const dark, light = `document.querySelector("#room[data-black]")`, `document.querySelector("#room:not([data-black])")`
		remote.press("#black")
		wall.until(dark)
		remote.until(`document.querySelector("#black[aria-pressed=true]")`)
		c.until(`document.querySelector("#room-black[aria-pressed=true]")`)
		value[bool](c.browser, `document.activeElement.blur() ?? true`)
		c.key(".")
		wall.until(light)
		c.until(`document.querySelector("#room-black[aria-pressed=false]")`)
		c.key("b")
		wall.until(dark)
		remote.until(`document.querySelector("#black[aria-pressed=true]")`)
		remote.press("#black")
		wall.until(light)
	})
}

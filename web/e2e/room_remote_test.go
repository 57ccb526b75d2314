package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/lang"
)

// A link that works once makes the presenter's phone a remote. It steps, goes back, and
// blanks the projector, as the presenter's keys do.
func TestRoomRemoteStepsAndBlanks(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, nearly)
		wall := c.projector(language)
		link := c.pathOf(c.pairs())

		remote := c.another()
		remote.sized(390, 844, chromedp.EmulateMobile)
		remote.goTo(link + "&lang=" + string(c.other()))
		remote.shot(c.name + "-1-accept")
		remote.press("main [type=submit]")
		remote.until(`document.querySelector("#remote #gather")`)
		remote.shot(c.name + "-2-remote")

		// A bystander who has seen the link can do nothing with it.
		stranger := c.another()
		stranger.expects("the server responded with a status of 4")
		stranger.goTo(link + "&lang=" + string(c.other()))
		stranger.press("main [type=submit]")
		used := map[lang.Language]string{lang.English: "This link has been used", lang.Chinese: "这个链接已经用过"}
		stranger.sees(used[c.other()])
		stranger.shot(c.name + "-3-used")

		remote.press("#step")
		everybody(at+`.includes("action 11 of 11")`, c.browser)
		everybody(`document.querySelector("#caption").textContent.includes("C1")`, wall, remote)
		remote.press("#back")
		c.until(at + `.includes("action 10 of 11")`)
		remote.shot(c.name + "-4-back")
		remote.press("#step")
		c.until(at + `.includes("action 11 of 11")`)

		// The remote blanks the projector, and its keys show and blank it again.
		const dark, light = `document.querySelector("#room[data-black]")`, `document.querySelector("#room:not([data-black])")`
		remote.press("#black")
		wall.until(dark)
		remote.until(`document.querySelector("#black[aria-pressed=true]")`)
		wall.shot(c.name + "-5-dark")
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

package e2e

import (
	"testing"

	"lockstep/engine/lang"
)

// The end of a room leads everybody to a replay without names, and the room takes no
// further action.
func TestRoomEndsInAReplayWithoutNames(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, nearly)
		wall, phone, follower := c.projector(c.other()), c.phone(language), c.laptop(c.other())
		names := []string{phone.text("#me")}
		run := c.here()
		c.press("#step")
		c.until(at + `.includes("action 11 of 11")`)
		c.unfold("end")
		c.press("#room-end .danger")
		c.until(`document.querySelector(".room-over a")`)
		replay := c.pathOf(value[string](c.browser, `document.querySelector(".room-over a").href`))
		wall.until(`document.querySelector("#screen-over svg.qr")`)
		follower.until(`document.querySelector(".room-over a")`)
		phone.until(`document.querySelector("#room #replay")`)
		c.shots("0-over", map[string]*browser{"presenter": c.browser, "wall": wall, "phone": phone, "follower": follower})
		if link := c.pathOf(wall.scans()); link != replay {
			t.Errorf("the wall leads to %s, the presenter to %s", link, replay)
		}

		// The room refuses actions, and forms too.
		for _, b := range []*browser{c.browser, phone, follower} {
			if buttons := value[[]string](b, `[...document.querySelectorAll("button, select, input")].filter((e) => e.checkVisibility() && /\/(do|actions)$/.test(e.form?.getAttribute("action") ?? "") && e.getAttribute("aria-disabled") !== "true").map((e) => e.outerHTML)`); b == phone && len(buttons) > 0 {
				t.Errorf("there is still something to press: %v", buttons)
			}
		}
		phone.expects("the server responded with a status of 4")
		phone.submits(run+"/actions", "action", "tick 1s")
		phone.until(`document.readyState === "complete" && document.querySelector("#refusal:not([hidden])")`)
		phone.shot(c.name + "-1-refused")

		follower.press(".room-over a")
		c.press(".room-over a")
		phone.goTo(c.room)
		phone.press("#room #replay")
		for _, b := range []*browser{c.browser, phone, follower} {
			b.arrives()
			b.is("location.pathname", c.options.BasePath+replay)
			b.until(at + `.includes("action 11 of 11")`)
			b.has(`document.querySelector("#room-box") !== null`, false, "the replay is in the room")
		}
		for _, name := range names {
			c.has(`document.documentElement.outerHTML.includes(`+quoteJS(name)+`)`, false, name, "stands in the replay")
		}
		c.shot(c.name + "-2-replay")
		late := c.another() // somebody who comes when all is over
		late.expects("the server responded with a status of 4")
		late.goTo(c.room + "?lang=" + string(language))
		late.until(`document.querySelector("main")`)
		late.shot(c.name + "-3-late")
	})
}

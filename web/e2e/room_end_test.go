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
		same(t, c.pathOf(wall.scans()), replay, "the wall leads to")

		// The room refuses actions, and forms too.
		phone.none(`[...document.querySelectorAll("button, select, input")].filter((e) => e.checkVisibility() && /\/(do|actions)$/.test(e.form?.getAttribute("action") ?? "") && e.getAttribute("aria-disabled") !== "true").map((e) => e.outerHTML)`, "there is still something to press")
		phone.expects("the server responded with a status of 4")
		phone.submits(run+"/actions", "action", "tick 1s")
		phone.until(`document.readyState === "complete" && document.querySelector("#refusal:not([hidden])")`)

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
		late := c.another() // somebody who comes when all is over
		late.expects("the server responded with a status of 4")
		late.goTo(c.room + "?lang=" + string(language))
		late.until(`document.querySelector("main")`)
	})
}

// A question goes through both rounds, the class ends, and its results, the files to take home and the wall tell it. Then the presenter has
// the room forgotten: every page that is open says that it is gone.
func TestAClassIsReadTakenHomeAndForgotten(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, nearly)
		wall, phone := c.projector(language), c.phone(language)
		c.unfold("class")
		c.press(`form:has([name=client][value=C2]) .ask`)
		phone.until(`document.querySelector("#poll[data-phase=first] button.choice")`)
		phone.press("#vote-0")
		phone.until(`document.querySelector("#vote-0[aria-pressed=true]") && !document.querySelector(".press-says")`)
		c.press("#poll-round")
		phone.until(`document.querySelector("#poll[data-phase=discuss]")`)
		c.press("#poll-round")
		phone.until(`document.querySelector("#poll[data-phase=second] button.choice:not([aria-disabled])")`)
		phone.press("#vote-1")
		phone.until(`document.querySelector("#vote-1[aria-pressed=true]") && !document.querySelector(".press-says")`)
		c.press("#poll-reveal")
		phone.until(`document.querySelector("#poll .result.right")`)
		c.unfold("end")
		c.press("#room-end .danger")

		wall.until(`document.querySelector(".screen-class tbody td")`)
		wall.audit(c.name + "-wall")
		phone.until(`document.querySelector("#take-home")`)
		phone.press("#take-home")
		phone.until(`document.querySelector("#save-run-1[download]")`)
		phone.audit(c.name + "-home")
		c.goTo(c.room + "/results?lang=" + string(language))
		c.until(`document.querySelectorAll("#results .outcome-votes tbody tr").length > 1`)
		c.audit(c.name + "-results")

		c.press("#room-forget > summary")
		c.press("#forget")
		gone := map[lang.Language]string{lang.English: "This room is gone", lang.Chinese: "这个房间已不存在"}[language]
		c.expects("the server responded with a status of 410")
		c.until(`document.body.innerText.includes("` + gone + `")`)
		wall.expects("the server responded with a status of 404") // it loads its page again by itself, and has no key to the room
		wall.until(`document.querySelector("#refusal:not([hidden])") && !document.querySelector(".screen-over")`)
		phone.expects("the server responded with a status of 410")
		phone.goTo(c.room)
		phone.until(`document.body.innerText.includes("` + gone + `")`)
	})
}

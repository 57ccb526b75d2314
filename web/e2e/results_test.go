package e2e

import (
	"testing"

	"lockstep/engine/lang"
)

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
		c.shots("0-over", map[string]*browser{"wall": wall, "phone": phone})
		phone.press("#take-home")
		phone.until(`document.querySelector("#save-run-1[download]")`)
		phone.shot(c.name + "-1-home")
		phone.audit(c.name + "-home")
		c.goTo(c.room + "/results?lang=" + string(language))
		c.until(`document.querySelectorAll("#results .outcome-votes tbody tr").length > 1`)
		c.shot(c.name + "-2-results")
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
		phone.shot(c.name + "-3-gone")
	})
}

package e2e

import (
	"fmt"
	"testing"

	"lockstep/engine/lang"
	"lockstep/views"
)

// two wait for the same lock; nothing has been delivered yet.
const two = `program del-setnx timeout=10s
spawn C1 C2
`

// Three phones share two clients and the network, which chooses the next message to
// arrive. Then the presenter moves people about, and somebody comes late.
func TestRoomLanesShareClientsAndNetwork(t *testing.T) {
	spoken(t, func(t *testing.T, language lang.Language) {
		c := openClass(t, language, two)
		first, second, third := c.phone(language), c.phone(c.other()), c.phone(c.other())
		wall := c.projector(language)
		people := map[string]*browser{"presenter": c.browser, "wall": wall, "phone-1": first, "phone-2": second, "phone-3": third}

		c.unfold("lanes")
		c.press(`#room-lanes button[name=size][value="1"]`)
		first.until(`document.querySelector("#lane").dataset.lane === "C1" && document.querySelector("#step-C1")`)
		second.until(`document.querySelector("#lane").dataset.lane === "C2"`)
		third.until(`document.querySelector("#lane [data-role=network]:not([hidden])")`)
		wall.until(`document.querySelectorAll(".screen-lanes li").length === 3`)
		c.shots("0-lanes", people)

		// The network lets C2's message arrive first.
		c.unfold("class")
		c.press("#ask-network")
		third.until(`document.querySelector("#poll .vote-now:not([hidden])")`)
		first.until(`document.querySelector("#poll .vote-not:not([hidden])")`)
		wall.until(`document.querySelector(".screen-poll")`)
		first.press("#vote-0") // this is not asked of clients
		c.shots("1-network", people)
		third.press("#vote-1") // the whole network has voted: the message is delivered by itself
		c.until(`document.querySelector("#position-text").textContent.includes("` + views.Say(language, "position.action", 3, 3) + `")`)
		second.until(`document.querySelector("#lane .self").dataset.status === "inside"`)
		third.until(`document.querySelectorAll("#poll .result.right").length === 1`)
		c.shots("2-arrived", people)
		c.press("#poll-drop")
		everybody(`!document.querySelector("#poll")`, first, second, third)

		// The third helps the first, and a newcomer finds every team full.
		c.unfold("people")
		c.press("#room-people label.person:nth-of-type(3)")
		value[string](c.browser, `document.querySelector("#people-lane").value = "C1"`)
		c.press(`#room-people button[value=place]`)
		everybody(`document.querySelector("#room .team[data-team=C1]:not([hidden])")`, first, third)
		c.unfold("lanes")
		late := c.phone(c.other())
		late.until(`document.querySelector("#lane [data-role=network]:not([hidden])")`)
		people["phone-4"] = late
		c.press(`#room-lanes button[name=size][value="2"]`)
		late.until(`document.querySelector("#lane").dataset.lane === "C2"`)
		c.shots("3-teams", people)

		// Two of a team press at the same moment. The slower one gets a conflict.
		third.notes("#note")
		third.pressesLate("#step-C1", c.run(), "step C1")
		third.noted("C1")
		third.shot(c.name + "-4-slower")
		first.until(`document.querySelector("#caption").textContent.includes("GET")`)
		c.until(`document.querySelector("#position-text").textContent.includes("` + views.Say(language, "position.action", 4, 4) + `")`)
	})
}

// run returns the path of the run that the presenter sees.
func (c *class) run() string {
	c.Helper()
	return c.here()
}

// pressesLate lets somebody else act, and presses before the page can receive the
// action, because the page is frozen meanwhile.
func (b *browser) pressesLate(button, run, action string) {
	b.Helper()
	value[bool](b, fmt.Sprintf(`(() => {
		const request = new XMLHttpRequest();
		request.open("POST", %q, false);
		request.setRequestHeader("Content-Type", "application/x-www-form-urlencoded");
		request.send(new URLSearchParams({ action: %q }));
		document.querySelector(%q).click();
		return true;
	})()`, b.options.BasePath+run+"/actions", action, button))
}

package e2e

import (
	"testing"
)

// The hints of a challenge grow: N opens them, and each N after that shows one more. Only behind the third stands the action
// itself, on the stage, too. Every position has its own hints.
func TestHintsGrowToTheNextAction(t *testing.T) {
	b := open(t)
	b.goTo("/courses/redis-lock/race/break?lang=en")
	b.arrives()
	says := func(words string) {
		t.Helper()
		b.until(`document.querySelector("#hint-says").textContent.includes("` + words + `")`)
	}
	const secret = `document.querySelector("#ahead-go").hidden && document.querySelectorAll("[data-ahead]").length === 0`
	b.key("n")
	says("in 8 actions")
	b.is(secret, "true")
	b.key("n")
	says("The harm comes from")
	b.is(secret, "true")
	b.key("n")
	says("on the lane of C")
	b.until(`!document.querySelector("#ahead-go").hidden && document.activeElement.id === "ahead-go"`)
	b.is(`document.querySelectorAll("[data-ahead]").length`, "1")
	b.is(`document.querySelector("#hint-more").hidden`, "true")
	b.mustContain("#goal", "Goal: two clients hold the lock at once. Now: nobody.")
	b.key("n")
	says("in 7 actions")
	b.until(`document.activeElement.id === "hint-more"`)
	b.is(secret, "true")
}

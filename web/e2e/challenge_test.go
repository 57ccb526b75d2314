package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// clipped lists the parts of a challenge's card that the reader cannot press or see at once: they end outside the window, or
// something lies over them. What is not on the page does not count.
const clipped = `["#goal", "#bounds", "#undo", "#claim > summary", "#claim[open] .answer", ".stamp", "#feat", "#task-on", "#challenge-share"].flatMap((part) => [...document.querySelectorAll(part)].flatMap((e) => {
	if (!e.checkVisibility()) return [];
	const { left, top, right, bottom } = e.getBoundingClientRect();
	const within = left >= 0 && top >= document.querySelector("#card").getBoundingClientRect().top && right <= innerWidth && bottom <= innerHeight;
	const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
	return within && e.contains(there) ? [] : [part + " at " + [left, top, right, bottom].map(Math.round) + " under " + (there?.id || there?.className)];
})).join("; ")`

// At desk and phone sizes, in both languages, all that a challenge needs is in view, within its card: the goal, the bounds, undo, the question why with each
// of its answers, and in the end the stamp, the one way on and the way to share it.
func TestAChallengeIsNeverClipped(t *testing.T) {
	b := open(t)
	for n, size := range [][2]int64{{1280, 720}, {390, 844}, {360, 640}} {
		if size[0] == 390 && !whole() {
			continue
		}
		for _, lang := range spokenBy(n / 2) {
			b.sized(size[0], size[1])
			looks := func(what string) {
				t.Helper()
				b.settled()
				b.until(`!document.querySelector("#claim-form")?.inert`)
				value[bool](b, `(scrollTo(0, 0), true)`) // a press scrolls to what it presses
				b.until(`document.querySelector(".stamp")?.getAnimations().length !== 1`)
				b.has(clipped, "", lang, size[0], size[1], what)
			}
			begin := func(path string) string { return b.leads("/courses/redis-lock/"+path, url.Values{}) }

			run := begin("race/break")
			b.visit(run + "?lang=" + lang)
			looks("begun")
			b.press("#claim > summary")
			looks("asked")
			b.press("#reason-setnx")
			b.until(`document.querySelector(".foul")`)
			looks("refuted")

			// Four reasons, before anybody wants the lock.
			b.visit(begin("lease/with-one") + "?lang=" + lang)
			b.press("#claim > summary")
			looks("asked-of-four")

			run = begin("race/break")
			for _, line := range strings.Split("step C1,step C1,step C2,step C2,step C1,step C1,step C2,step C2", ",") {
				b.leads(run+"/actions", url.Values{"action": {line}})
			}
			b.visit(run + "?lang=" + lang)
			b.until(`document.querySelector("#challenge[data-solved]")`)
			looks("broken")

			run = begin("one-command/all")
			b.leads(run+"/claims", url.Values{"reason": {"inside"}})
			b.visit(run + "?lang=" + lang)
			b.until(`document.querySelector("#challenge[data-solved]")`)
			looks("holds")
		}
	}
}

// The key U takes the last action back, and the next action is another try of the same challenge.
func TestUndoByKey(t *testing.T) {
	b := open(t)
	b.visit(b.leads("/courses/redis-lock/race/break", url.Values{}) + "?lang=en")
	says := func(want string) {
		t.Helper()
		b.until(fmt.Sprintf(`document.querySelector(".so-far").innerText === %q`, want))
	}
	b.key("u")
	b.until(`document.querySelector("#refusal").innerText === "There is nothing to take back."`)
	for i, key := range "112" {
		b.key(string(key))
		says(fmt.Sprintf("So far: %s.", []string{"1 action", "2 actions", "3 actions"}[i]))
	}
	b.key("u")
	says("So far: 2 actions.")
	b.key("u")
	says("So far: 1 action.")
	run := value[string](b, `location.pathname`)
	b.key("2")
	b.until(fmt.Sprintf(`location.pathname !== %q && document.querySelector("#timeline.timeline")`, run))
	says("So far: 2 actions.")
	b.until(`document.querySelector("#challenge").dataset.challenge === "break"`)
}

// A claim stays on the page. The question opens by the keyboard, a letter's digit answers it, and the count of states runs up
// to the number that the search has seen; where motion is reduced it stands at once.
func TestAClaimByKeys(t *testing.T) {
	b := open(t)
	b.visit(b.leads("/courses/redis-lock/one-winner/two-winners", url.Values{}) + "?lang=en")
	value[bool](b, `Boolean(window.stays = true, window.counted = [], new MutationObserver(() => counted.push(document.querySelector("#feat")?.innerText)).observe(document.querySelector("#task-box"), { childList: true, subtree: true })) || true`)
	b.tabTo(`document.activeElement.closest("#claim")`)
	b.key(" ")
	b.until(`document.querySelector("#claim").open`)
	digit, letter, _ := strings.Cut(value[string](b, `document.querySelector("#reason-absent").getAttribute("aria-keyshortcuts")`), " ")
	if value[string](b, `document.querySelector("#reason-absent kbd").firstChild.data`) != letter {
		t.Errorf("the answer with the key %s shows another letter", letter)
	}
	b.key(digit)
	b.until(`document.querySelector("#challenge[data-solved]")`)
	b.until(`document.querySelector("#feat").innerText === document.querySelector("#feat").dataset.states + " states: none breaks it."`)
	b.mustContain("#standing", "Holds", "And you know why:", "one client creates the key")
	b.has(`window.stays === true && new Set(counted.filter(Boolean)).size > 1`, true, "the page went away, or the count stood at once")
	b.press("#challenge-share")
	b.until(`document.querySelector("#share").open && document.activeElement.closest("#share")`)
	kept := value[string](b, `JSON.stringify(JSON.parse(localStorage.progress).courses["redis-lock"]["one-winner"].challenges)`)
	if want := `{"two-winners":{"actions":0}}`; kept != want {
		t.Errorf("kept is %s, not %s", kept, want)
	}
}

// The hints of a challenge grow: N opens them, and each N after that shows one more. Only behind the third stands the action
// itself, on the stage, too. Every position has its own hints.
func TestHintsGrowToTheNextAction(t *testing.T) {
	b := open(t)
	b.visit("/courses/redis-lock/race/break?lang=en")
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

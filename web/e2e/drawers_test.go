package e2e

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// openDrawers names those that are seen.
const openDrawers = `[...document.querySelectorAll(".drawer")].filter((e) => e.checkVisibility()).map((e) => e.dataset.drawer).join()`

// A newcomer sees the picture alone. Tools opens one drawer at a time beside it, and the browser keeps the choice.
func TestDrawersLeaveThePictureItsRoom(t *testing.T) {
	b := open(t)
	b.sized(1280, 720)
	b.visit("/new")
	b.is(openDrawers, "")
	b.press("#open-drawers")
	b.is(openDrawers, "code")
	for _, name := range []string{"keys", "events", "wire", "console"} {
		b.press("#tab-" + name)
		b.is(openDrawers, name)
		b.is(`document.querySelector("#stage").clientWidth >= 0.6 * innerWidth`, "true")
	}
	b.visit("/new")
	b.is(openDrawers, "console")
	b.press("#close-drawers")
	b.visit("/new")
	b.is(openDrawers, "")
}

// On a phone the drawers are a sheet that shows one of them, and Step stays above it.
func TestDrawersAreASheetOnAPhone(t *testing.T) {
	b := open(t)
	b.sized(360, 640)
	b.visit("/new")
	b.is(openDrawers, "")
	b.press("#open-drawers")
	b.is(openDrawers, "code")
	for _, name := range []string{"console", "events", "keys", "wire"} {
		b.press("#tab-" + name)
		b.is(openDrawers, name)
	}
	b.is(`document.documentElement.scrollHeight <= innerHeight`, "true")
	b.is(`document.querySelector("#step").getBoundingClientRect().bottom <= document.querySelector("#drawers").getBoundingClientRect().top`, "true")
	b.is(`document.querySelector("#stage").clientHeight >= 150`, "true")
	b.key(kb.Escape)
	b.is(openDrawers, "")
	b.is(`document.activeElement.id`, "open-drawers")
}

// The code is that of the client that moves, until the reader looks at another. Its opening comment is folded to its promise.
func TestCodeFollowsTheClientThatMoves(t *testing.T) {
	const shown = `document.querySelector("[data-source]:not([hidden])").dataset.source`
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.opens("code")
	b.chooses("naive")
	b.click("spawn")
	b.chooses("getset")
	b.click("spawn")
	b.is(shown, "getset")
	b.is(`document.querySelector("#source-getset .about").getBoundingClientRect().height`, "0")
	b.click("step-C1")
	b.until(shown + ` === "naive" && document.querySelector("#source-naive .here .badge").checkVisibility()`)
	b.is(`document.querySelector("#program-next:not([hidden]) b").textContent`, "getset")
	b.click("step-C2")
	b.until(shown + ` === "getset"`)
	b.chooses("redlock")
	b.is(shown, "redlock")
	b.until(`document.querySelector("#source-redlock code")`) // it comes now
	b.is(`document.querySelector("#own-from").value`, "redlock")
}

// The program's name in the head brings all programs when it is opened, and leads to a playground with as many clients.
func TestTheHeadLeadsToAnyProgram(t *testing.T) {
	b := open(t)
	b.visit("/t/headoffers?program=getset&clients=3")
	b.is(`document.querySelectorAll("#anew button[name=program]").length`, "0")
	b.press("#all-programs > summary")
	b.until(`document.querySelectorAll("#anew button[name=program]").length > 20`)
	b.press(`#anew button[value="naive"]`)
	b.until(`location.search === "?clients=3&program=naive" && document.querySelector("#client-C3")`)
}

// The listing becomes the editor at its place, and Run is in view. Escape keeps what was typed.
func TestCodeIsEditedInPlace(t *testing.T) {
	b := open(t)
	b.sized(1280, 720)
	b.visit("/new")
	b.opens("code")
	b.press("#own > summary")
	b.until(`document.activeElement.matches("#own-form .cm-content")`)
	b.is(`document.querySelector("#sources").checkVisibility()`, "false")
	const inView = `(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector("#own-form .primary").getBoundingClientRect())`
	b.is(inView, "true")
	b.is(`((text) => text.scrollHeight <= text.clientHeight)(document.querySelector("#own-form .cm-scroller"))`, "true") // it does not scroll within what scrolls
	b.strikesIn("# mine")
	b.is(inView, "true")
	b.key(kb.Escape)
	b.is(`document.querySelector("#sources").checkVisibility()`, "true")
	b.is(`document.querySelector("#own-source").value.includes("# mine")`, "true")
}

// Nobody can step in an empty run. A press there moves nothing on the page, and one button is the primary one. Then the
// requests on the stage are what one can press, and none of them leads.
func TestAnEmptyRunHasOneThingToDo(t *testing.T) {
	const primary = `[...document.querySelectorAll(".button.primary:not([aria-disabled=true])")].filter((e) => e.checkVisibility()).map((e) => e.id).join()`
	const place = `JSON.stringify(document.querySelector("#stage").getBoundingClientRect())`
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.is(primary, "spawn-two")
	before := value[string](b, place)
	b.key(" ")
	b.is(`document.querySelector("#refusal").hidden`, "true")
	b.is(place, before)
	b.click("spawn-two")
	b.is(primary, "")
}

// The program is shown in the reader's own language: the lines that do the work of the client's line are lit, with its badge,
// and move with it. The browser keeps the choice. A program that no other language shows is shown as it is.
func TestTheProgramInTheReadersLanguage(t *testing.T) {
	const lit = `[...document.querySelectorAll("#tongue .here code")].map((line) => line.textContent.trim()).join(" | ")`
	b := open(t)
	b.sized(1280, 900)
	b.visit("/t/aaaaaaaaaa")
	b.opens("code")
	b.chooses("naive")
	b.click("spawn")
	b.is(`document.querySelector("#tongues").checkVisibility()`, "true")
	b.press("#tongues [data-tongue=python]")
	b.until(`document.querySelector("#tongue").checkVisibility() && !document.querySelector("#sources").checkVisibility()`)
	b.until(lit + ` === 'if c.setnx("lock.foo", c.name):'`)
	b.is(`document.querySelector("#tongue .here .badge").textContent`, "C1")
	b.press("#tongues [data-tongue=go]")
	b.until(lit + `.startsWith('won, err := c.Do(ctx, "SETNX", "lock.foo", c.name).Bool()')`)
	b.click("step-C1") // the client gets in
	b.click("step-C1") // it leaves
	b.until(lit + ` === 'return c.Del(ctx, "lock.foo").Err()'`)
	b.is(`document.querySelectorAll("#tongue .badge").length`, "1")

	b.visit("/new")
	b.chooses("naive")
	b.until(`document.querySelector("#tongue").checkVisibility() && document.querySelector("#tongue").textContent.includes("func acquire")`)
	b.chooses("redlock")
	b.until(`!document.querySelector("#tongue").checkVisibility() && document.querySelector("#sources").checkVisibility()`)
	b.is(`document.querySelector("#tongues").checkVisibility()`, "false")
	b.chooses("set-px")
	b.until(`document.querySelector("#tongue").textContent.includes("compareAndDelete")`)
	b.press("#tongues [data-tongue='']")
	b.until(`document.querySelector("#sources").checkVisibility() && !document.querySelector("#tongue").checkVisibility()`)
}

// Without scripts each tab is a link to a page.
func TestTheReadersLanguageWithoutScripts(t *testing.T) {
	b := open(t)
	b.sized(390, 800)
	b.goTo("/programs/getset/java?lang=en")
	b.sees("getset in Java")
	b.sees("c.getSet(")
	b.fits()
	b.goTo("/programs/getset/python?lang=zh")
	b.fits()
}

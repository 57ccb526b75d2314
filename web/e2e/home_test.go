package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// inReach tells what lies over the middle of the one primary control of the home page, or of the two that are equal, or that the page
// has scrolled; empty: a press reaches the control.
const inReach = `(() => {
	const all = [...document.querySelectorAll("main .primary")].filter((e) => e.checkVisibility({ visibilityProperty: true }));
	const presses = [...document.querySelectorAll(".home-press:not([hidden])")];
	if (all.length !== 1 && !(all.length === 0 && presses.length === 2)) return all.length + " primary controls, " + presses.length + " presses";
	if (scrollY !== 0) return "scrolled by " + scrollY;
	for (const control of [...all, ...presses]) {
		const { left, top, width, height } = control.getBoundingClientRect();
		const there = document.elementFromPoint(left + width / 2, top + height / 2);
		if (!control.contains(there)) return control.textContent + " lies at " + [left, top, width, height].map(Math.round) + " under " + there?.outerHTML.slice(0, 80);
	}
	return "";
})()`

// A newcomer breaks the lock, sees why, and sees it hold, and the next control is in view each time: nothing scrolls.
func TestHomeKeepsItsNextControlInView(t *testing.T) {
	type look struct {
		width, height int64
		scale         string
	}
	var looks []look
	for _, size := range [][2]int64{{1280, 720}, {1366, 768}, {1440, 900}, {390, 844}, {360, 640}} {
		for _, scale := range []string{"1", "1.5"} {
			looks = append(looks, look{size[0], size[1], scale})
		}
	}
	b := open(t)
	for look, language := range seen(t, looks) {
		b.sized(look.width, look.height)
		b.goTo(fmt.Sprintf("/?lang=%s&scale=%s", language, look.scale))
		reached := func(kind string) {
			b.until(`document.querySelector("#home")?.dataset.kind === "` + kind + `" && !document.querySelector("#home.arriving")`)
			b.has(inReach, "", look.width, look.height, look.scale, language, kind)
		}
		b.until(`document.querySelector("#timeline.timeline")`)
		reached("asks")
		for i, press := range []string{"C3", "C3", "time", "C1", "C1", "C2", "C2"} {
			b.hits(`document.querySelector("#press-` + press + `")`)
			reached([]string{"inside", "crashed", "begin", "press", "press", "press", "broken"}[i])
		}
		b.hits(`document.querySelector("[data-goes=why]")`)
		reached("why")
		b.hits(`document.querySelector("[data-goes=getset]")`)
		reached("getset")
		b.visit("/?order=1212")
		reached("held")
	}
}

// A phone whose owner has typed the address on the wall finds the way into the room on the first page, in one row with the rest.
func TestAPhoneFindsItsRoomOnTheFirstPage(t *testing.T) {
	b := open(t)
	for phone, language := range seen(t, smallPhones) {
		b.sized(phone.width, phone.height)
		b.visit("/?lang=" + language + "&scale=" + phone.scale)
		const hidden = `[...document.querySelectorAll(".home-top :is(.button, summary, .site-name)")].filter((e) => e.checkVisibility()).filter((e) => {
			const { left, right, top, bottom } = e.getBoundingClientRect();
			const words = document.createRange();
			words.selectNodeContents(e);
			const { left: begins, right: ends } = words.getBoundingClientRect();
			return Math.min(left, begins) < 0 || Math.max(right, ends) > innerWidth || ![left + 4, (left + right) / 2, right - 4].every((x) => e.contains(document.elementFromPoint(x, (top + bottom) / 2)));
		}).map((e) => e.className + " “" + e.textContent.trim() + "”").join()`
		b.has(hidden, "", phone.width, phone.scale, language)
		b.hits(`document.querySelector("#menu summary")`)
		b.hits(`document.querySelector("#menu a[href$='/join']")`)
		b.until(`location.pathname === "/join"`)
	}
}

// hits presses the middle of an element where it lies, without scrolling to it.
func (b *browser) hits(element string) {
	b.Helper()
	b.settled() // the picture scrolls in the frame after its last
	at := value[[]float64](b, `(({ left, top, width, height }) => [left + width / 2, top + height / 2])(`+element+`.getBoundingClientRect())`)
	b.do(chromedp.MouseClickXY(at[0], at[1]))
}

// standing is the home page when it stands still.
const standing = `document.querySelector("#home").dataset.kind + document.querySelector("#timeline").outerHTML`

// Links on the stage, their keys and tokens on their way deliver the same requests. Four presses at once end as four one by one, and the
// way back leads through the same presses. A press while one press still has consequences shows them all.
func TestHomeIsPressedInThePicture(t *testing.T) {
	b := open(t)
	b.sized(1280, 720)
	const arrived = `!document.querySelector("#home.arriving")`
	ended := func(order string) string {
		b.until(`new URLSearchParams(location.search).get("order") === "` + order + `" && ` + arrived)
		return value[string](b, standing)
	}
	begins := func() {
		b.goTo("/?lang=en&beat=3")
		b.until(`document.querySelectorAll("#timeline .token").length === 2 && ` + arrived)
	}
	begins()
	for i, client := range []string{"C1", "C2", "C1", "C2"} {
		b.hits(`document.querySelector("#press-` + client + `")`)
		ended("1212"[:i+1])
	}
	b.sees("This time it held: Redis answered C2's SETNX with 0, so C2 stays out.")

	begins()
	wanted := ""
	for i, client := range []string{"C1", "C1", "C2", "C2"} {
		b.hits(`document.querySelector("#press-` + client + `")`)
		wanted = ended("1122"[:i+1])
	}
	for name, presses := range map[string]string{
		"keys":  `["1", "1", "2", "2"].forEach((key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))`,
		"Space": `[1, 2, 3, 4].forEach(() => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true })))`,
		"links": `["C1", "C1", "C2", "C2"].forEach((client) => document.querySelector("#press-" + client).click())`,
	} {
		begins()
		value[bool](b, presses+` ?? true`)
		if ended("1122") != wanted {
			t.Errorf("%s: four presses at once end otherwise", name)
		}
	}
	for _, order := range []string{"112", "11", "1"} {
		value[bool](b, `history.back() ?? true`)
		b.until(`new URLSearchParams(location.search).get("order") === "` + order + `" && document.querySelector("#home").dataset.kind === "press"`)
	}

	b.goTo("/?lang=en&beat=2")
	b.until(`document.querySelector("#timeline.timeline") && ` + arrived)
	b.hits(`document.querySelector("#press-time")`)
	b.sees("1012 is past 1011: the lock is expired.")
	b.key(" ")
	b.until(`document.querySelector("#home").dataset.kind === "begin" && document.querySelectorAll("#timeline .token").length === 2`)
	b.presses("Let it happen")
	ended("1122")
	b.sees("You broke it.")
}

// The menu of a page closes at Escape and at a press elsewhere. What stands in it keeps its key while it is closed.
func TestTheMenuOfAPageCloses(t *testing.T) {
	b := open(t)
	b.sized(1280, 720)
	b.goTo("/?lang=en")
	b.until(`document.documentElement.dataset.live !== undefined`)
	b.hits(`document.querySelector("#menu summary")`)
	b.has(`document.querySelector("#menu").open`, true)
	b.hits(`document.querySelector("#settings summary")`)
	b.has(`document.querySelector("#setting-theme").checkVisibility()`, true)
	b.key(kb.Escape)
	b.has(`document.querySelector("#menu").open`, false)
	b.hits(`document.querySelector("#menu summary")`)
	b.hits(`document.querySelector("h1")`)
	b.has(`document.querySelector("#menu").open`, false)
	b.key("p")
	b.until(`document.documentElement.dataset.mode === "projector"`)
	b.key("?")
	b.until(`location.pathname === "/help"`)
}

package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// inReach tells what lies over the middle of the one primary control of the home page, or that the page has scrolled;
// empty: a press reaches the control.
const inReach = `(() => {
	const all = [...document.querySelectorAll("main .primary")].filter((e) => e.checkVisibility({ visibilityProperty: true }));
	if (all.length !== 1) return all.length + " primary controls";
	if (scrollY !== 0) return "scrolled by " + scrollY;
	for (const control of [...all, ...document.querySelectorAll(".home-press:not([hidden])")]) {
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
		reached("begin")
		for i, press := range []string{"C1", "C1", "C2", "C2"} {
			b.hits(`document.querySelector("#press-` + press + `")`)
			reached([]string{"press", "press", "press", "broken"}[i])
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

// Tokens, keys and buttons deliver the same requests. Four presses at once end as four one by one, and the way back
// leads through the same presses.
func TestHomeIsPressedInThePicture(t *testing.T) {
	b := open(t)
	b.sized(1280, 720)
	ended := func(order string) string {
		b.until(`new URLSearchParams(location.search).get("order") === "` + order + `" && !document.querySelector("#home.arriving") && document.querySelectorAll("#timeline .token").length === ` + fmt.Sprint(map[string]int{"1": 2, "12": 2, "121": 1, "11": 1, "112": 1}[order]))
		return value[string](b, standing)
	}
	b.goTo("/?lang=en")
	b.until(`document.querySelectorAll("#timeline .token").length === 2`)
	for i, token := range []int{0, 1, 0, 0} { // from the top
		b.hits(fmt.Sprintf(`[...document.querySelectorAll("#timeline .token")].sort((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)[%d]`, token))
		ended("1212"[:i+1])
	}
	b.sees("It held: only C1 is in the critical section, and C2 waits.")

	b.goTo("/")
	b.until(`document.querySelectorAll("#timeline .token").length === 2`)
	wanted := ""
	for i, client := range []string{"C1", "C1", "C2", "C2"} {
		b.hits(`document.querySelector("#press-` + client + `")`)
		wanted = ended("1122"[:i+1])
	}
	for name, presses := range map[string]string{
		"keys":    `["1", "1", "2", "2"].forEach((key) => document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })))`,
		"Space":   `[1, 2, 3, 4].forEach(() => document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true })))`,
		"buttons": `["C1", "C1", "C2", "C2"].forEach((client) => document.querySelector("#press-" + client).click())`,
	} {
		b.goTo("/")
		b.until(`document.querySelectorAll("#timeline .token").length === 2`)
		value[bool](b, presses+` ?? true`)
		if ended("1122") != wanted {
			t.Errorf("%s: four presses at once end otherwise", name)
		}
	}
	for _, order := range []string{"112", "11", "1"} {
		value[bool](b, `history.back() ?? true`)
		b.until(`new URLSearchParams(location.search).get("order") === "` + order + `" && document.querySelector("#home").dataset.kind === "press"`)
	}

	b.goTo("/")
	b.presses("Let it happen")
	ended("1122")
	b.sees("You broke it: C1 and C2 are both in the critical section.")
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

package e2e

import (
	"fmt"
	"net/url"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/lang"
)

// No page scrolls sideways: neither in the narrowest window, nor where the text or the whole page has twice its size.
func TestPagesFit(t *testing.T) {
	c := openClass(t, lang.English, "program del-setnx\nspawn C1 C2\nstep C1\nstep C2\n")
	c.visit("/courses/redis-lock/race")
	c.press("#go-on")
	c.until(`location.pathname.includes("/t/")`)
	lesson := c.here()
	c.visit(aRun)
	c.press("#share > summary")
	c.until(`document.querySelector("#share-link").value`)
	link := value[string](c.browser, `document.querySelector("#share-link").value`)
	c.goTo(link[len(c.url):])
	c.until(`document.querySelector("#link-open, #timeline.timeline")`)
	for n, path := range []string{
		"/", "/p", "/help", "/explore", "/join", "/courses/redis-lock", "/courses/redis-lock/race", "/courses/redis-lock/sources", "/courses/redis-lock/what-to-use",
		"/programs/set-px-fencing-incr", "/courses/redis-lock/race/handout", "/courses/redis-lock/five-servers/handout", c.room + "/wall", c.room + "/screen", c.room + "/results", c.room + "/home", aRun, lesson, c.room,
	} {
		for _, language := range spokenBy(n) {
			c.sized(320, 800)
			c.goTo(path + "?lang=" + language + "&scale=1")
			c.until(`document.readyState === "complete"`)
			look := func(open string) { // at each size of the window and of the text
				for _, size := range []struct {
					width int64
					scale string
				}{{320, "1"}, {640, "2"}, {390, "2"}} {
					c.sized(size.width, 800)
					value[string](c.browser, `document.documentElement.dataset.scale = "`+size.scale+`"`)
					c.settled()
					c.has(wider, "", path, open, size.width, language, size.scale)
				}
			}
			look("")
			value[bool](c.browser, `document.querySelectorAll("main details").forEach((e) => e.open = true) ?? true`)
			look(" opened")
			if path == aRun {
				c.arrives()
				c.key("?")
				c.until(`document.querySelector("#help").open`)
				look(" with its help")
				c.has(`document.querySelector("#help").scrollWidth > document.querySelector("#help").clientWidth`, false, language, "the help scrolls sideways in")
			}
		}
	}
}

// A finger finds each lesson and each event of a list on a phone.
func TestLinksOfListsAreLargeUnderAFinger(t *testing.T) {
	b := open(t)
	b.beforeTheRace(aRun)
	b.sized(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch)
	for path, links := range map[string]string{"/": ".home-map a, .home-incidents a", "/courses/redis-lock": ".lesson-link", aRun: ".events .seq a"} {
		b.goTo(path)
		if path == aRun {
			b.arrives() // its script opens the drawer
			b.opens("events")
		}
		b.until(fmt.Sprintf(`document.querySelectorAll(%q).length > 5 && matchMedia("(pointer: coarse)").matches`, links))
		const least = `Math.min(...[...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect().height))`
		b.atLeast(fmt.Sprintf(least, links), 44, path, links)
	}
}

// wider names what reaches beyond the window and is not clipped; empty: nothing does.
const wider = `(() => {
	const room = document.documentElement.clientWidth;
	if (document.documentElement.scrollWidth <= room) return "";
	const clips = (e) => e !== document.body && (getComputedStyle(e).overflowX !== "visible" || clips(e.parentElement));
	const beyond = [...document.body.querySelectorAll("*")].filter((e) => e.getClientRects().length && e.getBoundingClientRect().right > room && !clips(e.parentElement));
	return document.documentElement.scrollWidth + " px: " + beyond.map((e) => e.outerHTML.slice(0, 60)).slice(0, 6).join(" ");
})()`

// The race fits every screen.
func TestRaceFitsEveryScreen(t *testing.T) {
	b := open(t)
	b.visit(emptyRun())
	b.chooses("del-setnx")
	for _, id := range race {
		b.click(id)
	}
	b.matrix("race", value[string](b, "location.pathname"))
}

// Many clients, long names and values fit every screen with everything open.
func TestCrowdFitsEveryScreen(t *testing.T) {
	b := open(t)
	for range 2 {
		b.visit("/t/aaaaaaaaaa")
		b.chooses("set-px")
		for range 6 {
			b.click("spawn")
		}
	}
	for _, line := range []string{
		"skew C2 -1500ms", "pause C3", "crash C4", "step C1", "deliver C5", "step C6", "drop C7", "tick 1s",
		"do Z1 SET a-key-with-a-rather-long-name-that-nobody-chose-with-care a-value-that-goes-on-and-on-without-a-space-in-it PX 60000",
		"redis crash",
	} {
		b.post("/t/aaaaaaaaaa/actions", url.Values{"action": {line}})
	}
	b.visit("/t/aaaaaaaaaa")
	b.mustContain("#redis", "down")
	b.matrix("crowd", "/t/aaaaaaaaaa")
}

// matrix visits a run in a language of its own, or in both, and gives its window several widths, also with
// everything open. Nothing may be wider than the screen. The pictures are in light and
// dark, which have the same size.
func (b *browser) matrix(name, run string) {
	b.Helper()
	schemes := []string{"light"}
	if os.Getenv("E2E_SHOTS") != "" {
		schemes = append(schemes, "dark")
	}
	for _, lang := range spokenBy(len(name)) {
		for _, scheme := range schemes {
			b.prefers("prefers-color-scheme: " + scheme)
			b.visit(run + "?lang=" + lang)
			b.until(`document.querySelector("#timeline g")`)
			for _, open := range []string{"", "-open"} {
				if open != "" {
					value[int](b, `document.querySelectorAll("details").forEach(d => d.open = true) ?? 0`)
				}
				for _, width := range []int64{1440, 1120, 768, 320} {
					b.sized(width, 900)
					b.settled()
					b.fits()
				}
			}
		}
	}
}

func (b *browser) fits() {
	b.Helper()
	b.shot()
	// A phone's innerWidth grows with an element that is too wide.
	wide := value[[]string](b, `[...document.querySelectorAll("body, body *:not(svg *)")]
		.filter(e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1 && !e.closest(".picture, .paper-picture, .rows, .sources, template, [hidden], details:not([open]) > :not(summary)"))
		.map(e => e.tagName + "#" + e.id + "." + e.className)`)
	if over := value[int](b, "document.documentElement.scrollWidth - document.documentElement.clientWidth"); over > 0 || len(wide) > 0 {
		b.Errorf("%s at %d px is %d px too wide: %v", value[string](b, "location.href"), value[int](b, "innerWidth"), over, wide)
	}
	for _, over := range value[[]int](b, `[...document.querySelectorAll(".timeline-box")].map((e) => e.scrollHeight - e.clientHeight)`) {
		if over > 1 { // px of the screen are rounded
			b.Errorf("%s at %d px: a picture lies %d px over what is below it", value[string](b, "location.href"), value[int](b, "innerWidth"), over)
		}
	}
}

// With letters of twice the size the foot of the card stays in view, the picture keeps its share of the window, and every lane comes into view by scrolling.
func TestLettersOfTwiceTheSizeLeaveRoomForThePicture(t *testing.T) {
	b := open(t)
	b.sized(1280, 800)
	for _, page := range []struct {
		path, foot string
		lanes      int
	}{
		{b.leads("/runs", url.Values{"scenario": {"program del-setnx timeout=10s\nspawn C1 C2 C3\nstep C1\nstep C2\n"}}), "#step", 3},
		{b.leads("/courses/redis-lock/race", url.Values{"moment": {"gone"}}), "#guide-form .button", 1},
	} {
		b.visit(page.path)
		value[string](b, `document.documentElement.style.fontSize = "200%"`)
		b.until(fmt.Sprintf(`((foot) => foot.checkVisibility() && foot.getBoundingClientRect().bottom <= innerHeight && foot.getBoundingClientRect().top >= innerHeight / 2)(document.querySelector(%q))`, page.foot))
		b.until(`document.querySelector("#stage").clientHeight >= 250`)
		b.atLeast(`((pane) => [...document.querySelectorAll(".client")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().bottom <= pane.bottom).length)(document.querySelector("#picture").getBoundingClientRect())`, float64(page.lanes), page.path)
		for i := range 3 { // in the order of the lanes
			b.until(fmt.Sprintf(`((pane, card) => {
				pane.scrollTop = (pane.scrollHeight - pane.clientHeight) * %d / 2;
				const [around, place] = [pane.getBoundingClientRect(), card.getBoundingClientRect()];
				return place.width > 0 && place.top >= around.top && place.bottom <= around.bottom;
			})(document.querySelector("#picture"), document.querySelectorAll("#clients [data-client]")[%d])`, i, i))
		}
		b.fits()
	}
}

// outside names the controls of a selector that are not wholly in the window; empty: there are some, and all are.
const outside = `((all) => (all.length ? [] : ["no control"]).concat(all.filter((e) => { const r = e.getBoundingClientRect(); return r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth; }).map((e) => e.textContent.trim())).join(", "))([...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()))`

// A room leaves the picture more than half of the window on a presenter's and on a follower's laptop, also while a poll is open and
// when it is revealed, and what is to be pressed is in view.
func TestRoomLeavesThePictureItsHeight(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, broken...)
	h.acts(h.presenter, h.run, "spawn C4")
	h.joins(5)
	h.does(h.presenter, "lanes", "size", "1")
	stations := 0
	look := func(who, station, controls string) {
		t.Helper()
		stations++
		for _, lang := range spokenBy(stations / 2) {
			h.visit(h.run + "?lang=" + lang)
			for _, size := range [][2]int64{{1280, 720}, {1280, 800}, {1366, 768}} {
				h.sized(size[0], size[1])
				h.settled()
				at := fmt.Sprintf("%s, %s, %d × %d, %s", who, station, size[0], size[1], lang)
				h.atLeast(`document.querySelector("#picture").clientHeight / innerHeight`, 0.55, at)
				h.has(fmt.Sprintf(outside, controls), "", at)
				h.fits()
			}
		}
	}
	both := func(station, presenter, follower string) {
		t.Helper()
		h.becomes(h.seats[0])
		look("follower", station, follower)
		h.becomes(h.presenter)
		look("presenter", station, presenter)
	}
	both("a violation", "#step", "#back")
	h.does(h.presenter, "ask", "kind", "predict", "client", "C4")
	both("a poll", "#step, .room-poll .button", "#back, .choice")
	h.does(h.presenter, "reveal")
	both("its answer", "#step, .room-poll .button", "#back, .poll-choice")
}

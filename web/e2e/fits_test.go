package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/lang"
)

// No page scrolls sideways: neither in the narrowest window, nor where the text or the whole page has twice its size.
func TestPagesFit(t *testing.T) {
	c := openClass(t, lang.English, "program del-setnx\nspawn C1 C2\nstep C1\nstep C2\n")
	c.goTo("/courses/redis-lock/race")
	c.arrives()
	c.press("#go-on")
	c.until(`location.pathname.includes("/t/")`)
	lesson := c.here()
	c.goTo(aRun)
	c.arrives()
	c.press("#share > summary")
	c.until(`document.querySelector("#share-link").value`)
	link := value[string](c.browser, `document.querySelector("#share-link").value`)
	c.goTo(link[len(c.url):])
	c.until(`document.querySelector("#link-open, #timeline.timeline")`)
	for n, path := range []string{
		"/", "/p", "/help", "/explore", "/join", "/courses/redis-lock", "/courses/redis-lock/race", "/courses/redis-lock/sources", "/courses/redis-lock/what-to-use",
		"/courses/redis-lock/race/handout", "/courses/redis-lock/five-servers/handout", c.room + "/wall", c.room + "/screen", c.room + "/results", c.room + "/home", aRun, lesson, c.room,
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

package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/lang"
)

// No page scrolls sideways: neither in the narrowest window, nor where the text or the whole page has twice its size.
func TestPagesFit(t *testing.T) {
	for _, language := range []lang.Language{lang.English, lang.Chinese} {
		t.Run(string(language), func(t *testing.T) { pagesFit(t, language) })
	}
}

func pagesFit(t *testing.T, language lang.Language) {
	c := openClass(t, language, "program del-setnx\nspawn C1 C2\nstep C1\nstep C2\n")
	c.goTo("/courses/redis-lock/race?lang=" + string(language))
	c.arrives()
	c.press("#go-on")
	c.until(`location.pathname.includes("/t/")`)
	lesson := c.here()
	c.goTo("/t/aaaaaaaaaa")
	c.arrives()
	c.press("#share > summary")
	c.until(`document.querySelector("#share-link").value`)
	link := value[string](c.browser, `document.querySelector("#share-link").value`)
	c.goTo(link[len(c.url):])
	c.until(`document.querySelector("#link-open, #timeline.timeline")`)
	looks := []struct {
		width int64
		query string
	}{{320, "scale=1"}, {640, "scale=2"}, {390, "scale=2"}}
	check := func(path string, width int64, query string) {
		if wide := value[string](c.browser, wider); wide != "" {
			t.Errorf("%s, %d px wide, %s: %s", path, width, query, wide)
		}
	}
	for _, look := range looks {
		c.do(chromedp.EmulateViewport(look.width, 800))
		for _, path := range []string{
			"/", "/p", "/help", "/explore", "/join", "/courses/redis-lock", "/courses/redis-lock/race", "/courses/redis-lock/sources", "/courses/redis-lock/what-to-use",
			"/courses/redis-lock/race/handout", "/courses/redis-lock/five-servers/handout", c.room + "/wall", c.room + "/screen", c.room + "/results", c.room + "/home",
		} {
			c.goTo(fmt.Sprintf("%s?lang=%s&%s", path, language, look.query))
			c.until(`document.readyState === "complete"`)
			check(path, look.width, look.query)
			value[bool](c.browser, `document.querySelectorAll("main details").forEach((e) => e.open = true) ?? true`)
			check(path+" opened", look.width, look.query)
		}
		for name, path := range map[string]string{"a run": "/t/aaaaaaaaaa", "a lesson": lesson, "the presenter": value[string](c.browser, "'"+c.room+"'")} {
			c.goTo(fmt.Sprintf("%s?lang=%s&%s", path, language, look.query))
			c.until(`document.readyState === "complete"`)
			check(name, look.width, look.query)
			if name == "a run" {
				c.key("?")
				c.until(`document.querySelector("#help").open`)
				check("the help", look.width, look.query)
				if wide := value[bool](c.browser, `document.querySelector("#help").scrollWidth > document.querySelector("#help").clientWidth`); wide {
					t.Errorf("the help scrolls sideways, %d px wide, %s", look.width, look.query)
				}
			}
		}
	}
}

// A finger finds each lesson and each event of a list on a phone.
func TestLinksOfListsAreLargeUnderAFinger(t *testing.T) {
	b := open(t)
	b.beforeTheRace(aRun)
	b.do(chromedp.EmulateViewport(390, 844, chromedp.EmulateMobile, chromedp.EmulateTouch))
	for path, links := range map[string]string{"/": ".home-map a, .home-incidents a", "/courses/redis-lock": ".lesson-link", aRun: ".events .seq a"} {
		b.goTo(path)
		if path == aRun {
			b.arrives() // its script opens the drawer
			b.opens("events")
		}
		b.until(fmt.Sprintf(`document.querySelectorAll(%q).length > 5 && matchMedia("(pointer: coarse)").matches`, links))
		const least = `Math.min(...[...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()).map((e) => e.getBoundingClientRect().height))`
		if px := value[float64](b, fmt.Sprintf(least, links)); px < 44 {
			t.Errorf("%s: a link of %s is %.0f px high", path, links, px)
		}
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

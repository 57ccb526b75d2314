package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// On a small phone, too, the choices of a poll are in view at once, also while a violation holds: neither the alarm nor the card is in their way.
func TestChoicesAreInViewOnSmallPhones(t *testing.T) {
	b := open(t)
	teacher := b.teaches(shortOfDisaster...)
	b.do(chromedp.EmulateViewport(375, 667))
	b.goTo(teacher.room)
	b.until(`document.querySelector("#phone")`)
	teacher.does("lanes", "size", "1")
	teacher.does("place", "seat", "1", "lane", "C3")
	b.until(`document.querySelector("#lane[data-lane=C3]") && document.querySelector("#alerts p")`)
	teacher.does("ask", "kind", "predict", "client", "C3")
	for _, lang := range []string{"en", "zh"} {
		for _, size := range [][2]int64{{375, 667}, {320, 568}} {
			b.do(chromedp.EmulateViewport(size[0], size[1]))
			b.goTo(teacher.room + "?lang=" + lang)
			b.until(`document.querySelector(".choice")`)
			b.settled()
			b.shot(fmt.Sprintf("phone-poll-%d-%s", size[0], lang))
			under := value[[]string](b, `((edge) => [...document.querySelectorAll(".choice")].filter((e) => e.getBoundingClientRect().bottom > edge).map((e) => e.textContent.trim() + " ends at " + e.getBoundingClientRect().bottom + ", of " + edge))(Math.min(innerHeight, document.querySelector("#card").getBoundingClientRect().top))`)
			for _, choice := range under {
				t.Errorf("%s, %v: %s", lang, size, choice)
			}
			b.fits()
		}
	}

	// Where the system chooses the colours the icon of the alarm keeps its stripes.
	b.see(looks[3])
	b.do(chromedp.EmulateViewport(375, 667))
	b.shot("phone-poll-forced-colors")
	if drawn := value[string](b, `((s) => s.forcedColorAdjust + " " + s.backgroundImage)(getComputedStyle(document.querySelector(".alarm-title"), "::before"))`); !strings.HasPrefix(drawn, "none repeating-linear-gradient(") {
		t.Errorf("forced colours draw the icon of the alarm as %q", drawn)
	}
	b.quiet()
}

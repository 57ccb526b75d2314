package e2e

import (
	"fmt"
	"net/url"
	"os"
	"testing"
)

// The race fits every screen.
func TestRaceFitsEveryScreen(t *testing.T) {
	b := open(t)
	b.visit("/new")
	b.shot("start-en-light")
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
					b.shot(fmt.Sprintf("%s%s-%s-%s-%d", name, open, lang, scheme, width))
				}
			}
		}
	}
}

func (b *browser) fits() {
	b.Helper()
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

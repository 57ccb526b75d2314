package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// explores asks the question of an address and waits for the answer.
func (b *browser) explores(query string) {
	b.Helper()
	b.goTo("/explore?" + query)
	b.press("#explore-search")
	b.until(`document.querySelector("#explore-progress").hidden && document.querySelector("#verdict")`)
}

// A reader asks whether a lock can be broken, sees how, and breaks it.
func TestExploreJourney(t *testing.T) {
	b := open(t)
	b.goTo("/")
	b.presses("Explorer")
	b.sees("Nothing has been searched yet.")
	b.press("#explore-search")
	b.until(`document.querySelector("#verdict")`)
	b.mustContain("#verdict", "mutual-exclusion is violated", "3 clients of del-setnx", "actions")
	b.until(`document.querySelector("#counterexample-1 .timeline .overlap")`)
	b.shot("explore-violated")
	b.presses("Open in the playground")
	b.arrives()
	b.mustContain("#alarm", "both in the critical section")
	b.quiet()
}

func TestExploreShots(t *testing.T) {
	b := open(t)
	for _, look := range append(looks, look{"390px", "theme=light", nil, 390}) {
		b.see(look)
		for _, lang := range []string{"en", "zh"} {
			b.goTo("/explore?lang=" + lang + "&" + look.query + "&run=search&causes=1&nodes=3")
			b.until(`document.querySelector("#counterexample-1 .timeline .overlap")`)
			b.shot("explore-" + look.name + "-" + lang)
		}
	}
	_ = strings.Contains
	_ = chromedp.Navigate
}

package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// race is engine/testdata/del-setnx-race.lock by clicks. The page names clients in
// order of spawning, so the one that crashes is C1, and C2 and C3 race.
var race = []string{
	"spawn", "step-C1", "crash-C1", "tick-10", "tick-1", "tick-1",
	"spawn", "spawn",
	"step-C2", "step-C2", "step-C3", "step-C3", // SETNX -> 0, GET -> 1011: expired, DEL in flight
	"step-C2", "step-C2", // DEL, SETNX -> 1
	"step-C3", "step-C3", // DEL removes C2's lock, SETNX -> 1
}

func TestRace(t *testing.T) {
	b := open(t)
	b.do(chromedp.EmulateViewport(1440, 900))
	b.visit("/")
	b.mustContain("#empty", "Nobody wants the lock yet.")
	b.shot("start-en-light")
	b.do(chromedp.SetValue(chromedp.CSS("#program"), "del-setnx"))
	for _, id := range race {
		b.click(id)
	}
	b.mustContain("#timeline", "2 holders: C2 + C3")
	b.mustContain("#caption", "C3 is in the critical section")
	b.mustContain("#alerts", "C2 and C3 are both in the critical section, and both believe that they hold the lock")
	b.quiet()
	run := value[string](b, "location.pathname")
	for _, lang := range []string{"en", "zh"} {
		for _, scheme := range []string{"light", "dark"} {
			b.scheme(scheme)
			for _, width := range []int64{1440, 1024, 320} {
				b.do(chromedp.EmulateViewport(width, 900))
				b.visit(run + "?lang=" + lang)
				b.until(`document.querySelector("#timeline g")`)
				b.shot(fmt.Sprintf("race-%s-%s-%d", lang, scheme, width))
				if over := value[int](b, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
					t.Errorf("%s at %d px: the page is %d px too wide", lang, width, over)
				}
			}
		}
	}
	b.quiet()
}

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The clients by keys: a digit steps, arrows choose, X and R act on the chosen one.
func TestKeys(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	value[bool](b, `document.activeElement.blur() ?? true`)

	b.key("2")
	b.until(`document.querySelector("#caption").textContent.includes("C2 is in the critical section")`)
	b.chosen("C2")
	b.key("x")
	b.until(`document.querySelector("#restart-C2")`)
	b.chosen("C2") // in a card that has been made anew
	b.key(kb.ArrowUp)
	b.chosen("C1")
	b.key("z")
	b.until(`document.querySelector("#card-C1 .paused-word")`)

	// Whoever types does not mean the clients, nor whoever has turned letters off.
	events := value[int](b, lastEvent)
	b.do(chromedp.Click(chromedp.CSS(".options summary")), chromedp.SendKeys(chromedp.CSS("#option-retry"), "1x"))
	if typed := value[string](b, `document.querySelector("#option-retry").value`); typed != "1x" {
		t.Errorf("the field has %q", typed)
	}
	value[bool](b, `document.activeElement.blur() ?? true`)
	b.do(chromedp.Click(chromedp.CSS("#settings summary")), chromedp.Click(chromedp.CSS("[name=letters][type=checkbox]")))
	b.until(`document.documentElement.dataset.letters === "off"`)
	value[bool](b, `document.activeElement.blur() ?? true`)
	b.key("x")
	b.click("tick-1") // done in order: whatever x had asked for would stand before it
	if now := value[int](b, lastEvent); now != events+1 {
		t.Errorf("events %d to %d: more than the tick has happened", events, now)
	}
	b.quiet()
}

// A choice in the menu holds at once, and when the page comes again.
func TestSettings(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.do(chromedp.Click(chromedp.CSS("#settings summary")))
	value[bool](b, `(() => {
		const scale = document.querySelector("#setting-scale");
		scale.value = "1.25";
		return scale.dispatchEvent(new Event("change", { bubbles: true }));
	})()`)
	if size := value[string](b, `getComputedStyle(document.documentElement).fontSize`); size != "20px" {
		t.Errorf("letters have %s, want 20px", size)
	}
	b.do(chromedp.Click(chromedp.CSS("#stage")))
	b.key("p")
	if size := value[string](b, `getComputedStyle(document.querySelector("#caption")).fontSize`); size != "33px" {
		t.Errorf("the caption has %s, want 33px", size)
	}
	b.until(`performance.getEntriesByType("resource").filter(e => e.name.endsWith("/settings") && e.responseEnd > 0).length === 2`)
	b.visit("/t/aaaaaaaaaa")
	for attribute, want := range map[string]string{"mode": "projector", "scale": "1.25", "theme": "auto"} {
		if got := value[string](b, `document.documentElement.dataset.`+attribute); got != want {
			t.Errorf("the %s is %q, want %q", attribute, got, want)
		}
	}
	b.quiet()
}

// key presses a key wherever the focus is.
func (b *browser) key(key string) {
	b.Helper()
	b.do(chromedp.KeyEvent(key))
}

// chosen waits until a client is the chosen one.
func (b *browser) chosen(client string) {
	b.Helper()
	b.until(`document.querySelector("[data-client][aria-current=true]")?.dataset.client === "` + client + `"`)
}

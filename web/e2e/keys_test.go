package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The clients by keys: a digit steps, arrows choose, X and R act on the chosen one.
func TestKeysMoveClients(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	value[bool](b, `document.activeElement.blur() ?? true`)

	b.key("2")
	b.until(`document.querySelector("#caption").textContent.includes("C2 is in the critical section")`)
	b.chosen("C2")
	b.key("x")
	b.until(`document.querySelector("#restart-C2")`)
	b.chosen("C2") // in a card that has been made again
	b.key(kb.ArrowUp)
	b.chosen("C1")
	b.key("z")
	b.until(`document.querySelector("#client-C1 .paused-word")`)

	// Typing moves no client, and neither do letters that are turned off.
	events := value[int](b, lastEvent)
	b.press(".options summary")
	b.do(chromedp.SendKeys(chromedp.CSS("#option-retry"), "1x"))
	b.has(`document.querySelector("#option-retry").value`, "1x")
	value[bool](b, `document.activeElement.blur() ?? true`)
	b.press("#settings summary")
	b.press("[name=letters][type=checkbox]")
	b.until(`document.documentElement.dataset.letters === "off"`)
	b.key(kb.Escape)
	value[bool](b, `document.activeElement.blur() ?? true`)
	b.key("x")
	b.click("tick-1") // done in order: whatever x had asked for would stand before it
	b.has(lastEvent, events+1, events)
}

// The keyboard alone leads from the first link of the home page to a violation, its
// cause, and everything else that has a key.
func TestKeyboardLeadsToAViolation(t *testing.T) {
	b := open(t)
	b.visit("/")
	b.tabTo(`document.activeElement.matches("#press-C3")`)
	b.key(kb.Enter)
	b.until(`document.activeElement.ariaLabel === "C3: its machine dies"`)
	b.key(kb.Enter)
	b.until(`document.activeElement.ariaLabel === "+12 s: time passes"`)
	b.key(" ")
	b.until(`document.activeElement.ariaLabel === "C1's DEL"`)
	b.key(kb.Enter)
	b.until(`document.activeElement.ariaLabel === "C1's SETNX"`)
	b.key(kb.Enter)
	b.until(`document.activeElement.ariaLabel === "C2's DEL"`) // nothing of C1 is left to press
	b.key("2")
	b.until(`document.activeElement.ariaLabel === "C2's SETNX"`)
	b.key(" ")
	b.until(`document.querySelector("#home").dataset.kind === "broken" && document.activeElement.dataset.goes === "why"`)
	b.mustContain("#timeline", "2 holders: C1 + C2")
	b.key(" ")
	b.until(`document.querySelector("#home").dataset.kind === "why"`)
	b.tabTo(`document.activeElement.matches(".home-open button")`)
	b.key(kb.Enter)
	b.until(`document.querySelector("#timeline.timeline") && document.querySelector("#position-text")?.textContent === "action 14 of 14"`)

	b.key(kb.Home)
	b.until(`document.querySelector("#position-text").textContent === "action 0 of 14"`)
	for _, stop := range []struct{ position, says string }{
		{"action 13 of 14", "C2 has deleted C1's lock."},
		{"action 14 of 14", "C1 and C2 are both in the critical section, and both believe that they hold the lock."},
	} {
		b.key("v")
		b.until(`document.querySelector("#position-text").textContent === "` + stop.position + `"`)
		b.until(`document.querySelector("#alerts").textContent.includes("` + stop.says + `")`)
	}
	b.notes("#refusal")
	b.key("v")
	b.noted("No further violation after this position.")
	b.tabTo(`document.activeElement.matches("[data-why]")`)
	b.key(kb.Enter)
	b.until(`document.querySelector("#timeline.explaining") && document.querySelector(".source .selected, .source .guilty")`)

	b.key("g")
	b.until(`document.activeElement.id === "go-to"`)
	b.key("3")
	b.key(kb.Enter)
	b.until(`document.querySelector("#position-text").textContent === "action 3 of 14"`)
	b.key(kb.End)
	b.key("/")
	b.until(`document.activeElement.id === "search"`)
	for _, letter := range "DEL lock.foo from C2" {
		b.key(string(letter))
	}
	b.key(kb.Enter)
	b.until(`document.querySelector("#event-rows .selected")?.textContent.includes("DEL lock.foo from C2")`)
	b.has(`document.querySelectorAll("#event-rows tr:not([hidden])").length`, 4)
	b.key(kb.Escape)
	b.has(`document.querySelectorAll("#event-rows tr[hidden]").length`, 0)
	b.key(kb.Escape)
	b.key("l")
	b.until(`document.activeElement.matches("#events .rows a")`)
	b.key("l")
	b.until(`document.querySelector("#drawer-events[data-closed]") && document.activeElement.id === "open-drawers"`)
	b.key("l")
	b.until(`document.activeElement.matches("#events .rows a")`)
	b.key("c")
	b.until(`document.querySelector("#drawer-code").checkVisibility() && document.activeElement.id === "sources"`)
	b.press("#own summary")
	b.until(`document.querySelector("#own").open`)
	b.press("#own-form .cm-content")
	b.key(kb.Escape)
	b.until(`!document.querySelector("#own").open && document.activeElement.matches("#own summary")`)
	events := value[int](b, lastEvent)
	b.key("t")
	b.until(fmt.Sprintf("%s > %d", lastEvent, events))
	b.mustContain("#caption", "1 s pass: it is 1013.")
	const width = `document.querySelector("#timeline").getBoundingClientRect().width`
	small := value[float64](b, width)
	b.key("+")
	b.until(fmt.Sprintf(`%s > %f`, width, small))
	large := value[float64](b, width)
	b.key("-")
	b.until(fmt.Sprintf(`%s < %f`, width, large))
	b.key("?")
	b.until(`document.querySelector("#help").open`)
	keys := value[string](b, `[...document.querySelectorAll("#help tr:not([hidden]) kbd")].map((k) => k.textContent).join(" ")`)
	const all = "Space → PageDown ← PageUp Home End K V U Ctrl+Z 1 … 9 ↑ ↓ S X Z R N T + − 0 G / L C F P Esc ?"
	if keys != all {
		t.Errorf("the help lists %s\nwant %s", keys, all)
	}
	b.key(kb.Escape)
	b.until(`!document.querySelector("#help").open`)
	b.key("f")
	b.until(`document.fullscreenElement && document.querySelector("#full").getAttribute("aria-pressed") === "true"`)
	b.key("f")
	b.until(`!document.fullscreenElement`)
}

// A choice in the menu takes effect at once, and survives a reload.
func TestSettingsTakeEffectAndLast(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.press("#settings summary")
	value[bool](b, `(() => {
		const scale = document.querySelector("#setting-scale");
		scale.value = "1.25";
		return scale.dispatchEvent(new Event("change", { bubbles: true }));
	})()`)
	b.has(`getComputedStyle(document.documentElement).fontSize`, "20px")
	b.press("#empty p")
	b.key("p")
	b.has(`getComputedStyle(document.querySelector("#caption")).fontSize`, "33px")
	b.saves(2)
	b.visit("/t/aaaaaaaaaa")
	for attribute, want := range map[string]string{"mode": "projector", "scale": "1.25", "theme": "auto"} {
		b.has(`document.documentElement.dataset.`+attribute, want, attribute)
	}
}

// key presses a key wherever the focus is.
func (b *browser) key(key string) {
	b.Helper()
	// A shortcut types nothing, as on a keyboard.
	b.do(chromedp.KeyEvent(key, func(p *input.DispatchKeyEventParams) {
		if p.Type == kb.KeyDown && len(key) == 1 {
			p.Type = "rawKeyDown"
		}
	}))
}

// chosen waits until a client is the chosen one.
func (b *browser) chosen(client string) {
	b.Helper()
	b.until(`document.querySelector("[data-client][aria-current=true]")?.dataset.client === "` + client + `"`)
}

// saves waits until the server has so many settings that were chosen on this page.
func (b *browser) saves(n int) {
	b.Helper()
	b.until(fmt.Sprintf(`performance.getEntriesByType("resource").filter((e) => e.name.endsWith("/settings") && e.responseEnd > 0).length === %d`, n))
}

// enters puts the focus on a button and presses Enter.
func (b *browser) enters(id string) {
	b.Helper()
	b.until(fmt.Sprintf(`(button => { button?.focus(); return button && document.activeElement === button })(document.querySelector("#%s"))`, id))
	b.key(kb.Enter)
}

// holds waits until the element with the focus is one that a reader sees.
func (b *browser) holds(id string) {
	b.Helper()
	b.is(`document.activeElement.checkVisibility() && document.activeElement.id`, id)
}

// A button that vanishes under the reader's fingers leaves the focus with the same client, or on what goes on.
func TestFocusStaysWhereTheReaderWorks(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.enters("spawn-two")
	b.until(`document.querySelector("#step-C2")`)
	b.holds("step")
	b.enters("spawn")
	b.until(`document.querySelector("#step-C3")`)
	b.holds("spawn")
	b.enters("step-C3")
	b.mustContain("#caption", "critical section")
	b.holds("step-C3")

	b.enters("crash-C1")
	b.until(`!document.querySelector("#crash-C1")`)
	b.holds("restart-C1")
	b.key(kb.Enter)
	b.until(`!document.querySelector("#restart-C1")`)
	b.holds("step-C1")

	// An action in the past begins a branch, which is another page.
	b.press("#back")
	b.rests()
	run := value[string](b, "location.pathname")
	b.enters("crash-C2")
	b.until(fmt.Sprintf(`location.pathname !== %q && document.querySelector("#restart-C2")`, run))
	b.holds("restart-C2")
}

// So does a lesson's question that is answered, and a path that is left.
func TestFocusStaysInALesson(t *testing.T) {
	b := open(t)
	b.visit(b.leads("/courses/redis-lock/race", url.Values{"moment": {"late"}}))
	b.enters("step-C1")
	b.until(`document.querySelector("#guess-title").checkVisibility()`)
	b.do(chromedp.Focus(chromedp.CSS("[name=guess]")))
	b.key(kb.Enter)
	b.until(`document.querySelector("#guide").dataset.moment === "gone"`)
	b.holds("task-title")

	b.visit("/courses/redis-lock/race")
	b.opens("code") // with the tools, time is at the axis
	b.enters("tick-1")
	b.holds("stay-on-path")
	b.key(kb.Enter)
	b.holds("go-on")
	b.enters("tick-1")
	b.holds("stay-on-path")
	b.enters("leave-path")
	b.until(`document.querySelector("#task-again")`)
	b.holds("tick-1")
}

// fewStops are all that Tab has to pass on its way to the picture, and from there to Step.
const fewStops, fewMore = 16, 30

// However long a run is, Tab comes to the picture and to Step soon, and the list of events is one stop, within which keys move.
func TestTabStopsAreFew(t *testing.T) {
	b := open(t)
	b.begun("program del-setnx timeout=10s\n" + strings.Join(append(shortOfDisaster, "step C3"), "\n") + "\n")
	if rows := value[int](b, `document.querySelectorAll("#event-rows tr").length`); rows < 35 {
		t.Fatalf("the run has %d events", rows)
	}
	b.opens("events")
	const stops = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")].filter((e) => e.tabIndex >= 0 && e.type !== "hidden" && e.checkVisibility({ visibilityProperty: true }))`
	picture := value[int](b, stops+`.findIndex((e) => e.closest("#timeline-box"))`)
	step := value[int](b, stops+`.findIndex((e) => e.id === "step")`)
	if picture < 0 || picture > fewStops || step < picture || step-picture > fewMore {
		t.Errorf("%d tab stops come before the picture, and %d before Step", picture, step)
	}
	const listed = stops + `.filter((e) => e.closest("#events .rows")).map((e) => e.id).join()`
	last := fmt.Sprintf("event-%d", value[int](b, lastEvent))
	b.is(listed, last)

	b.enters(last)
	for _, move := range []struct{ key, to string }{{kb.Home, "event-1"}, {kb.ArrowUp, "event-1"}, {kb.ArrowDown, "event-2"}, {kb.End, last}, {kb.ArrowDown, last}} {
		b.key(move.key)
		b.holds(move.to)
		b.is(listed, move.to)
	}
	b.key(kb.Enter)
	b.until(fmt.Sprintf(`document.querySelector("#event-rows .selected a").id === %q`, last))
	b.key(kb.Home)
	if at := value[string](b, `document.querySelector("#position").value`); at == "0" {
		t.Error("Home in the list moves the run")
	}
}

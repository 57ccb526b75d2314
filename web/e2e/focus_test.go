package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

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
	b.until(`!document.querySelector("#empty").checkVisibility()`)
	b.holds("step")

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
	b.goTo(b.leads("/courses/redis-lock/race", url.Values{"moment": {"late"}}))
	b.arrives()
	b.enters("step-C1")
	b.until(`document.querySelector("#guess-title").checkVisibility()`)
	b.do(chromedp.Focus(chromedp.CSS("[name=guess]")))
	b.key(kb.Enter)
	b.until(`document.querySelector("#guide").dataset.moment === "gone"`)
	b.holds("task-title")

	b.goTo("/courses/redis-lock/race")
	b.arrives()
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
const fewStops, fewMore = 16, 28

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

package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/engine/testtools"
)

// The picture as markup, at a zoom that shows all of it. Which of its marks Tab leads
// to depends on the way there.
const markup = `document.querySelector("#timeline").outerHTML.replaceAll(/ tabindex="-?\d"/g, "")`

// still waits until the picture stands still at a position.
func (b *browser) still(position string) {
	b.Helper()
	b.until(fmt.Sprintf(`document.querySelector("#position-text").textContent === %q`, position))
	b.until(`!document.querySelector("#timeline.moves")`)
}

// fitted returns the picture as markup.
func (b *browser) fitted() string {
	b.Helper()
	b.key("0")
	return value[string](b, markup)
}

// Nobody has to wait for a motion: twenty presses at once end as twenty one by one.
func TestTwentyPressesAtOnceEndAsTwentyOneByOne(t *testing.T) {
	testtools.Exhaustive(t, "it steps through a run again and again; requests.test.js holds their order")
	b := open(t)
	const space, tick = `document.body.dispatchEvent(new KeyboardEvent("keydown", { key: " ", bubbles: true, cancelable: true }))`, `document.querySelector("#tick-1").click()`
	presses := slices.Concat(slices.Repeat([]string{space}, 8), slices.Repeat([]string{tick}, 12)) // who is inside waits for the reader
	begin := func(path string) {
		b.visit(path)
		b.click("spawn-two")
		b.still("action 2 of 2")
	}
	begin("/t/aaaaaaaaaa")
	for i, press := range presses {
		value[bool](b, press+" ?? true")
		b.still(fmt.Sprintf("action %d of %d", i+3, i+3))
	}
	slow := b.fitted()

	begin("/t/bbbbbbbbbb")
	// A motion goes on while the others come: the page presses them itself, as the motion is short.
	value[bool](b, `new MutationObserver((_, moves) => {
		if (!document.querySelector("#timeline.moves")) return;
		moves.disconnect();
		`+strings.Join(presses[1:], "; ")+`;
	}).observe(document, { subtree: true, childList: true, attributes: true }), `+presses[0]+` ?? true`)
	b.still("action 22 of 22")
	b.alike("twenty presses at once", b.fitted(), "twenty one by one", slow)
}

// Wherever the playhead has been, the same position is the same picture.
func TestToAndFroEndsInTheSamePicture(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	b.still("action 2 of 2")
	value[bool](b, `document.activeElement.blur() ?? true`)
	for n := 3; n <= 9; n++ {
		b.key(" ")
		b.still(fmt.Sprintf("action %d of %d", n, n))
	}
	b.key(kb.ArrowLeft)
	b.still("action 8 of 9")
	before := b.fitted()
	for _, move := range []struct{ key, position string }{
		{kb.ArrowRight, "action 9 of 9"}, {kb.Home, "action 0 of 9"}, {kb.ArrowRight, "action 1 of 9"}, {kb.End, "action 9 of 9"}, {kb.ArrowLeft, "action 8 of 9"},
	} {
		b.key(move.key)
		b.still(move.position)
	}
	b.alike("to and fro", b.fitted(), "at first", before)
}

// alike compares two pictures as markup, and shows where they part.
func (b *browser) alike(oneName, one, otherName, other string) {
	b.Helper()
	if one == other {
		return
	}
	at := 0
	for at < min(len(one), len(other)) && one[at] == other[at] {
		at++
	}
	part := func(of string) string { return of[max(0, at-300):min(len(of), at+300)] }
	b.Errorf("%s the picture has\n%s\nand %s\n%s", oneName, part(one), otherName, part(other))
}

// drag presses at the middle of an element, and lets go so far from there.
func (b *browser) drag(selector string, dx, dy float64) {
	b.Helper()
	b.settled() // the picture scrolls in the frame after its last
	from := value[aim](b, fmt.Sprintf(`(({ left, top, width, height }) => ({ X: left + width / 2, Y: top + height / 2 }))(document.querySelector(%q).getBoundingClientRect())`, selector))
	b.do(
		chromedp.MouseEvent(input.DispatchMouseEventTypeMousePressed, from.X, from.Y, chromedp.ButtonLeft, chromedp.ClickCount(1)),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, from.X+dx/2, from.Y+dy/2, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, from.X+dx, from.Y+dy, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.DispatchMouseEventTypeMouseReleased, from.X+dx, from.Y+dy, chromedp.ButtonLeft, chromedp.ClickCount(1)),
	)
}

// A request in flight is delivered by hand, where it is; and the playhead is dragged.
func TestTokensAndThePlayheadAreTakenByHand(t *testing.T) {
	b := open(t)
	b.sized(1280, 720)
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	b.still("action 2 of 2")

	b.pressOn(`document.querySelector("#timeline .token > .token-target")`)
	b.still("action 3 of 3")
	b.mustContain("#timeline", "#1")

	const token = `#timeline .token:not(.leaving) > .token-target` // the other client's SETNX
	b.drag(token, 60, -40)
	b.drag(token, 0, value[float64](b, fmt.Sprintf(`(({ top, height }) => document.querySelector("#timeline .node").getBoundingClientRect().top - top - height / 2)(document.querySelector(%q).getBoundingClientRect())`, token)))
	b.still("action 4 of 4")
	b.mustContain("#timeline", "#2")
	b.mustContain("#caption", "GET") // it was delivered once: its client's next command is on its way

	back := value[float64](b, `document.querySelector("#timeline .axis-line").getBoundingClientRect().left - document.querySelector("#timeline .playhead-target").getBoundingClientRect().left`)
	b.drag("#timeline .playhead-target", back, 0)
	b.still("action 0 of 4")
}

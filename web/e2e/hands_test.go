package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

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

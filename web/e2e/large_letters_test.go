package e2e

import (
	"fmt"
	"net/url"
	"testing"
)

// With letters of twice the size the foot of the card stays in view, the picture keeps its share of the window, and every lane comes into view by scrolling.
func TestLettersOfTwiceTheSizeLeaveRoomForThePicture(t *testing.T) {
	b := open(t)
	b.sized(1280, 800)
	for _, page := range []struct {
		path, foot string
		lanes      int
	}{
		{b.leads("/runs", url.Values{"scenario": {"program del-setnx timeout=10s\nspawn C1 C2 C3\nstep C1\nstep C2\n"}}), "#step", 3},
		{b.leads("/courses/redis-lock/race", url.Values{"moment": {"gone"}}), "#guide-form .button", 1},
	} {
		b.goTo(page.path)
		b.arrives()
		value[string](b, `document.documentElement.style.fontSize = "200%"`)
		b.until(fmt.Sprintf(`((foot) => foot.checkVisibility() && foot.getBoundingClientRect().bottom <= innerHeight && foot.getBoundingClientRect().top >= innerHeight / 2)(document.querySelector(%q))`, page.foot))
		b.until(`document.querySelector("#stage").clientHeight >= 250`)
		b.atLeast(`((pane) => [...document.querySelectorAll(".client")].filter((e) => e.checkVisibility() && e.getBoundingClientRect().bottom <= pane.bottom).length)(document.querySelector("#picture").getBoundingClientRect())`, float64(page.lanes), page.path)
		b.shot("large-" + page.foot[1:5])
		for i := range 3 { // in the order of the lanes
			b.until(fmt.Sprintf(`((pane, card) => {
				pane.scrollTop = (pane.scrollHeight - pane.clientHeight) * %d / 2;
				const [around, place] = [pane.getBoundingClientRect(), card.getBoundingClientRect()];
				return place.width > 0 && place.top >= around.top && place.bottom <= around.bottom;
			})(document.querySelector("#picture"), document.querySelectorAll("#clients [data-client]")[%d])`, i, i))
		}
		b.fits()
	}
}

package e2e

import (
	"fmt"
	"testing"
)

// outside names the controls of a selector that are not wholly in the window; empty: there are some, and all are.
const outside = `((all) => (all.length ? [] : ["no control"]).concat(all.filter((e) => { const r = e.getBoundingClientRect(); return r.top < 0 || r.left < 0 || r.bottom > innerHeight || r.right > innerWidth; }).map((e) => e.textContent.trim())).join(", "))([...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()))`

// A room leaves the picture more than half of the window on a presenter's and on a follower's laptop, also while a poll is open and
// when it is revealed, and what is to be pressed is in view.
func TestRoomLeavesThePictureItsHeight(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, broken...)
	h.acts(h.presenter, h.run, "spawn C4")
	h.joins(5)
	h.does(h.presenter, "lanes", "size", "1")
	stations := 0
	look := func(who, station, controls string) {
		t.Helper()
		stations++
		for _, lang := range spokenBy(stations / 2) {
			h.visit(h.run + "?lang=" + lang)
			for _, size := range [][2]int64{{1280, 720}, {1280, 800}, {1366, 768}} {
				h.sized(size[0], size[1])
				h.settled()
				at := fmt.Sprintf("%s, %s, %d × %d, %s", who, station, size[0], size[1], lang)
				h.atLeast(`document.querySelector("#picture").clientHeight / innerHeight`, 0.55, at)
				h.has(fmt.Sprintf(outside, controls), "", at)
				h.fits()
			}
		}
	}
	both := func(station, presenter, follower string) {
		t.Helper()
		h.becomes(h.seats[0])
		look("follower", station, follower)
		h.becomes(h.presenter)
		look("presenter", station, presenter)
	}
	both("a violation", "#step", "#back")
	h.does(h.presenter, "ask", "kind", "predict", "client", "C4")
	both("a poll", "#step, .room-poll .button", "#back, .choice")
	h.does(h.presenter, "reveal")
	both("its answer", "#step, .room-poll .button", "#back, .poll-choice")
}

package e2e

import (
	"fmt"
	"net/url"
	"strconv"
	"testing"
)

// A reader's draft moves along to the branch that an action opens, and to the page
// in the other language.
func TestDraftIsKept(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	b.click("step-C1")
	b.opens("code")
	b.press("#own summary")
	b.until(`document.activeElement.matches("#own-form .cm-content")`)
	b.strikesIn("# mine\r")
	written := value[string](b, `document.querySelector("#own-source").value`)
	b.press("#back")
	b.press("#step-C2")
	b.waits(`location.pathname !== "/t/aaaaaaaaaa" && document.querySelector("#timeline.timeline")`, "the branch")
	b.is(`document.querySelector("#own-source").value`, written)
	b.is(`document.querySelector("#own").open`, "true")
	b.press("a[hreflang]")
	b.waits(`document.documentElement.lang === "zh-Hans" && document.querySelector("#timeline.timeline")`, "the page in Chinese")
	b.is(`/[一-龥]/.test(document.querySelector("#sources").textContent)`, "true") // the page shows Chinese comments
	b.is(`document.querySelector("#own-source").value`, written)                 // the text has its own
	b.visit(emptyRun())
	b.is(`document.querySelector("#own").open`, "false") // another run begins with the programs as they are
	b.chooses("redlock")                                 // whose text the next page does not have either
	b.until(`document.querySelector("#own-from").value === "redlock"`)
	b.press("#own summary")
	b.until(`document.activeElement.matches("#own-form .cm-content")`)
	b.strikesIn("# mine\r")
	written = value[string](b, `document.querySelector("#own-source").value`)
	b.press("a[hreflang]")
	b.waits(`document.documentElement.lang === "en" && document.querySelector("#timeline.timeline")`, "the page in English")
	b.until(`document.querySelector("#own-from").value === "redlock"`)
	b.is(`document.querySelector("#own-source").value`, written)
}

// Somebody else continues the run while the reader looks at its past. Nothing that
// the reader has opened, asked or found moves.
func TestOtherReadersDisturbNothing(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.chooses("del-setnx")
	for _, id := range race {
		b.click(id)
	}
	b.click("tick-1")
	actions := len(race) + 1
	b.stands(actions, actions)
	b.press("#back")
	b.stands(actions-1, actions) // a step puts the cause away that is asked for meanwhile
	b.press("[data-why]")
	b.until(`document.querySelector("#timeline.explaining")`)
	b.settled()
	where := `document.querySelector("#event-rows").closest(".rows").scrollTop`
	before, rows := value[string](b, `String(`+where+`)`), value[int](b, lastEvent)
	b.post("/t/aaaaaaaaaa/actions", url.Values{"action": {"tick 1s"}})
	b.until(lastEvent + ` > ` + strconv.Itoa(rows))
	b.is(`document.querySelector("#timeline").classList.contains("explaining")`, "true")
	b.is(`document.querySelectorAll("[data-why][aria-current]").length`, "1")
	b.settled()
	b.is(where, before)
}

// After a restart the server may have another run under this address. The page keeps
// what it shows, and takes nothing from the other run.
func TestPageKeepsItsRunWhereAnotherIsNow(t *testing.T) {
	b := open(t)
	b.expectsCuts()
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	b.click("step-C1")
	b.network.cut()
	b.replaceServer()
	b.until(`!document.querySelector("#connection").hidden`)
	b.post("/t/aaaaaaaaaa/actions", url.Values{"action": {"spawn C7"}, "program": {"getset"}})
	b.network.mend()
	b.until(`!document.querySelector("#refusal").hidden`)
	b.mustContain("#refusal", "This run has changed on the server.")
	rows := value[string](b, `document.querySelector("#event-rows").innerText`)
	b.post("/t/aaaaaaaaaa/actions", url.Values{"action": {"step C7"}})
	b.press("#tick-1")
	b.press("#back")
	b.mustContain("#position-text", "action 2 of 3")
	b.mustContain("#refusal", "This run has changed on the server.")
	b.is(`document.querySelector("#event-rows").innerText`, rows)
	same(t, b.served("/t/aaaaaaaaaa.txt"), "spawn C7 getset\nstep C7\n", "the other run is")
}

// The playhead stays in view when the window turns or grows at the end of a long
// picture, where the browser has to scroll back.
func TestPlayheadStaysInViewInATurnedWindow(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	for range 25 {
		b.click("tick-1")
	}
	inView := `((pane, handle) => handle.left >= pane.left && handle.right <= pane.right && handle.top >= pane.top && handle.bottom <= pane.bottom)(
		...["#picture", ".playhead-handle"].map((part) => document.querySelector(part).getBoundingClientRect()))`
	for _, turn := range [][2][2]int64{{{390, 844}, {1440, 900}}, {{320, 400}, {1440, 900}}, {{390, 844}, {844, 390}}, {{390, 600}, {390, 844}}, {{844, 390}, {390, 844}}} {
		for _, size := range turn {
			b.sized(size[0], size[1])
			b.waits(inView, fmt.Sprintf("the playhead in view at %d × %d", size[0], size[1]))
		}
	}
}

package e2e

import (
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
)

// The journeys of a learner, with what she presses and sees. TestJourneysBelowABasePath takes
// them again below a base path from another machine.
var journeys = []journey{
	{"first violation", firstViolation},
	{"race by hand", raceByHand},
	{"another future", anotherFuture},
	{"equal instant", equalInstant},
	{"file", fileIsTheRun},
	{"link", linkIsTheRun},
	{"without scripts", withoutScripts},
}

type journey struct {
	name string
	take func(*browser)
}

func TestJourneys(t *testing.T) {
	for _, journey := range journeys {
		t.Run(journey.name, func(t *testing.T) {
			b := open(t)
			journey.take(b)
		})
	}
}

// firstViolation goes from the first click to a violation and its cause, then to a lock without it.
func firstViolation(b *browser) {
	b.Helper()
	b.goTo("/")
	b.sees("Only one program may work at a time. C3 asks Redis for the lock.")
	b.presses("C3's SETNX lock.foo 1011")
	b.sees("The key is C3's lock. Its value says until when: 1011.")
	b.presses("C3: its machine dies")
	b.sees("Nobody will remove C3's lock.")
	b.presses("+12 s: time passes")
	b.sees("Whose DEL arrives first?")
	b.presses("C1's DEL")
	b.sees("C1's DEL removed C3's old lock.")
	b.presses("C1's SETNX")
	b.sees("C2's DEL is still on its way.")
	b.inPicture(".hold", "C1 is in the critical section")
	b.notInPicture(".overlap-hatch")
	b.presses("C2's DEL")
	b.sees("C2's DEL removed C1's lock.")
	b.presses("C2's SETNX")
	b.sees("You broke it.")
	b.sees("C1 and C2 are both inside, and each is sure that it is alone.")
	b.inPicture(".flag-word", "2 holders: C1 + C2")
	b.until(marks + `(".overlap-hatch").length === 2`)
	b.inPicture(".hold", "C1 is in the critical section")
	b.inPicture(".hold", "C2 is in the critical section")

	b.presses("See why")
	b.inPicture(".request.guilty.explained", "Redis executes #8, DEL lock.foo from C2")
	b.inPicture(".command.guilty", "DEL")
	b.marked("c.delete(")

	b.presses("Same order with GETSET")
	b.sees("C2 knows that it lost.")
	b.inPicture(".command", "GETSET")
	b.inPicture(".sleep-box", "C2")
	b.notInPicture(".overlap-hatch, .flag, .guilty")
}

// race is engine/testdata/del-setnx-race.lock by clicks. The page names clients in
// order of spawning: C1 crashes, and C2 and C3 race.
var race = []string{
	"spawn", "step-C1", "crash-C1", "tick-10", "tick-1", "tick-1",
	"spawn", "spawn",
	"step-C2", "step-C2", "step-C3", "step-C3", // SETNX -> 0, GET -> 1011: expired, DEL in flight
	"step-C2", "step-C2", // DEL, SETNX -> 1
	"step-C3", "step-C3", // DEL removes C2's lock, SETNX -> 1
}

// raceByHand goes from an empty playground to the race, client by client.
func raceByHand(b *browser) {
	b.Helper()
	b.goTo("/")
	b.presses("Playground")
	b.arrives()
	b.sees("Can you get two clients to hold the lock at once?")
	b.visit(emptyRun())
	b.sees("Nobody wants the lock yet.")
	b.chooses("del-setnx")
	for _, id := range race {
		b.click(id)
	}
	b.sees("C2 and C3 are both in the critical section, and both believe that they hold the lock")
	b.inPicture(".flag-word", "2 holders: C2 + C3")
	b.until(marks + `(".overlap-hatch").length === 2`)
	b.inPicture(".hold", "C2 is in the critical section")
	b.inPicture(".hold", "C3 is in the critical section")

	b.presses("Show me why")
	b.inPicture(".request.guilty.explained", "DEL lock.foo from C3")
	b.inPicture(".command.guilty", "DEL")
	b.marked("c.delete(")
	b.is(`document.querySelector("#event-rows .selected .sentence").innerText`, "Redis executes #8, DEL lock.foo from C3: lock.foo is gone; it held 1023, written by C2.")
}

// anotherFuture goes back by the slider, acts there, and returns to the old future by its tab.
func anotherFuture(b *browser) {
	b.Helper()
	b.visit("/new")
	first := value[string](b, "location.pathname")
	b.opens("events")
	b.click("step-C1")
	b.click("step-C2")
	b.sees("action 4 of 4", "C1 is in the critical section", "C2 receives (integer) 0")

	b.slides(2, 4)
	b.sees("action 2 of 4", "C2 sends SETNX lock.foo")
	b.click("step-C2")
	b.until(fmt.Sprintf(`location.pathname !== %q`, first))
	b.arrives()
	b.is(`document.querySelector(".branch[aria-current=page]").textContent`, "C2 before C1")
	b.sees("action 3 of 3", "C2 is in the critical section")
	b.notInPicture(`[aria-label*="C1 is in the critical section"]`)

	b.presses("First run")
	b.until(fmt.Sprintf(`location.pathname === %q`, first))
	b.arrives()
	b.sees("action 4 of 4", "C1 is in the critical section")
	b.inPicture(".hold", "C1 is in the critical section")
}

// equalInstant compares < and <= in the second 1011 of a lock that expires then. With <
// nobody can take it. With <= its owner still holds it, and another already takes it.
func equalInstant(b *browser) {
	b.Helper()
	b.visit(emptyRun())
	first := value[string](b, "location.pathname")
	b.chooses("getset")
	for _, id := range []string{"spawn", "step-C1", "tick-10", "tick-1", "spawn", "step-C2", "step-C2"} {
		b.click(id)
	}
	b.is(`document.querySelector("#client-C2 .word").textContent`, "asleep")
	b.notInPicture(".overlap-hatch")

	b.opens("code")
	b.presses("Edit")
	b.is(`document.querySelector("#own-source").value.split(" < ").length - 1`, "3")
	edited := strings.ReplaceAll(value[string](b, `document.querySelector("#own-source").value`), " < ", " <= ")
	b.edits("#own-form", edited)
	b.presses("Run the same schedule")
	b.until(fmt.Sprintf(`location.pathname !== %q`, first))
	b.arrives()
	b.is(`document.querySelector(".branch[aria-current=page]").textContent`, "getset-mine")
	b.is(`document.querySelector("[data-source]:not([hidden])").innerText.split(" <= ").length - 1`, "3")
	b.sees("C2 sends GETSET lock.foo 1022")

	b.press("#compare-here a") // two pictures are to be looked at; one is to be acted in
	b.until(`!document.querySelector("#beside")`)
	b.arrives()
	b.click("step-C2")
	b.sees("now 1011", "C1 and C2 are both in the critical section, and both believe that they hold the lock")
	b.inPicture(".flag-word", "2 holders: C1 + C2")
	b.until(marks + `(".overlap-hatch").length === 2`)
	b.inPicture(".hold", "C1 is in the critical section")
}

// goTo opens a page of the site.
func (b *browser) goTo(path string) {
	b.Helper()
	b.do(chromedp.Navigate(b.url + path))
}

// arrives waits until the page shows a run and accepts actions.
func (b *browser) arrives() {
	b.Helper()
	b.until(`document.readyState === "complete" && document.querySelector("#timeline-box #timeline.timeline")`)
}

// rests waits until nothing moves in the picture: then the words say what it shows.
func (b *browser) rests() {
	b.Helper()
	b.until(`!document.querySelector("#timeline.moves")`)
}

// presses clicks on the visible control with a name.
func (b *browser) presses(name string) {
	b.Helper()
	found := fmt.Sprintf(`[...document.querySelectorAll("a, button, summary")].find((e) => (e.checkVisibility() || e.closest("#menu > .menu-items, .timeline-controls, .transport, #also")) && (e.getAttribute("aria-label") || e.innerText || e.textContent).trim() === %q)`, name)
	b.pressOn(found)
}

// slides clicks the scrubber at a position.
func (b *browser) slides(to, of int) {
	b.Helper()
	const thumb = 16
	b.reachesTools()
	box := value[[]float64](b, `(({ left, top, width, height }) => [left, top + height / 2, width])(document.querySelector("#position").getBoundingClientRect())`)
	b.do(chromedp.MouseClickXY(box[0]+thumb/2+(box[2]-thumb)*float64(to)/float64(of), box[1]))
}

// emptyRun returns the address of a run that nobody has begun.
func emptyRun() string { return fmt.Sprintf("/t/empty%05d", runs.Add(1)) }

var runs atomic.Int64

// reachesTools opens the tools, if they are closed.
func (b *browser) reachesTools() {
	b.Helper()
	value[bool](b, `(document.querySelector("#open-drawers[aria-expanded=false]")?.click(), true)`)
	b.settled()
}

// sees waits for words that can be read on the page.
func (b *browser) sees(words ...string) {
	b.Helper()
	for _, w := range words {
		b.waits(fmt.Sprintf(`document.body?.innerText.replaceAll("\u00a0", " ").includes(%q)`, w), fmt.Sprintf("say %q", w))
	}
}

// marks finds the marks of the picture that have happened and are in view.
const marks = `((selector) => {
	const pane = document.querySelector("#picture").getBoundingClientRect();
	return [...document.querySelectorAll("#timeline :is(" + selector + ")")].filter((e) => {
		const box = e.getBoundingClientRect();
		return e.checkVisibility() && !e.closest(".future") && box.left < pane.right && box.right > pane.left && box.top < pane.bottom && box.bottom > pane.top;
	});
})`

// inPicture waits for a mark with some words, in letters or for a screen reader.
func (b *browser) inPicture(selector, words string) {
	b.Helper()
	b.waits(fmt.Sprintf(marks+`(%q).some((e) => [e.textContent, e.closest("[aria-label]:not(svg)")?.getAttribute("aria-label")].some((said) => said?.includes(%q)))`, selector, words),
		fmt.Sprintf("a picture with %s %q", selector, words))
}

func (b *browser) notInPicture(selector string) {
	b.Helper()
	b.none(fmt.Sprintf(marks+`(%q).map((e) => e.outerHTML.slice(0, 200))`, selector), "in the picture")
}

// marked waits until the page marks one line of the program, and no other.
func (b *browser) marked(code string) {
	b.Helper()
	b.until(fmt.Sprintf(`((lines) => lines.length === 1 && lines[0].innerText.includes(%q))([...document.querySelectorAll(".source :is(.guilty, .selected)")].filter((e) => e.checkVisibility()))`, code))
}

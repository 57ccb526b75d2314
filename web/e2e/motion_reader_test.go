package e2e

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// tones notes the pitch of each tone that a page sounds, in order, also where the machine's sound begins late.
const tones = `(() => {
	window.tones = [];
	AudioContext.prototype.resume = () => Promise.resolve();
	const { start } = OscillatorNode.prototype;
	OscillatorNode.prototype.start = function (...when) {
		const { frequency } = this;
		window.tones.push(this.pitch);
		return start.apply(this, when);
	};
	const { setValueAtTime } = AudioParam.prototype;
	const { createOscillator } = AudioContext.prototype;
	AudioContext.prototype.createOscillator = function () {
		const made = createOscillator.call(this);
		made.frequency.setValueAtTime = (pitch, at) => {
			made.pitch = pitch;
			return setValueAtTime.call(made.frequency, pitch, at);
		};
		return made;
	};
})()`

// opens a run that a scenario begins.
func (b *browser) begun(scenario string) string {
	b.Helper()
	run := b.opened(scenario)
	b.visit(run)
	b.settled()
	return run
}

// A reader who turns sound on hears a command arrive and a client enter. Nobody else
// hears anything, or loads the notes.
func TestSoundIsHeardWhereItIsOn(t *testing.T) {
	b := open(t)
	b.begun("program del-setnx timeout=10s\nspawn C1 C2\n")
	value[any](b, tones)
	b.click("step")
	b.until(`document.querySelector("#caption").textContent.includes("critical section")`)
	b.has("tones.length", 0)
	asked := func() bool {
		requests, _ := b.heard()
		return slices.ContainsFunc(requests, func(r asked) bool { return strings.HasSuffix(r.address, "/sound/synthesis.js") })
	}
	if asked() {
		t.Error("sound is off, and the notes are loaded")
	}
	b.press("#settings summary")
	b.press("[name=sound][type=checkbox]")
	b.until(`document.documentElement.dataset.sound === "on"`)
	b.push("Escape")
	b.click("step")
	b.until(`tones.includes(880)`) // C2's SETNX arrives
	if !asked() {
		t.Error("sound is on, and nobody has loaded the notes")
	}
}

// Who wants no movement sees the same in the same order: the playhead stands at event
// after event, and nothing glides.
func TestReducedMotionShowsOneMarkAfterAnother(t *testing.T) {
	b := open(t)
	b.prefers("prefers-reduced-motion: reduce")
	b.drives()
	run := b.begun("program del-setnx timeout=10s\nspawn C1 C2\n")
	value[any](b, "time.hold()")
	b.post(run+"/actions", url.Values{"action": {"step C1"}})
	b.until(`document.querySelector("#position").max === "3"`)
	var stops []float64
	var drawings []string
	for moves := true; moves; {
		x := value[float64](b, `Number(document.querySelector("#timeline .playhead-line").getAttribute("x1"))`)
		drawings = append(drawings, value[string](b, drawing))
		if len(stops) == 0 || stops[len(stops)-1] != x {
			stops = append(stops, x)
		}
		moves = value[bool](b, fmt.Sprintf(`time.pass(%d)`, frameMS))
	}
	// Before the step, the command has arrived, the reply is back, C1 is inside.
	if len(stops) < 3 || !slices.IsSorted(stops) {
		t.Errorf("the playhead stands at %v", stops)
	}
	if seen := distinct(drawings); seen > 5 {
		t.Errorf("of %d frames %d are unlike: something glides", len(drawings), seen)
	}
	value[any](b, "time.free()")
	b.mustContain("#caption", "C1 is in the critical section")
}

// What one viewer does moves the picture of another, which ends as that of the first.
func TestAnotherViewersPictureMovesToo(t *testing.T) {
	b := open(t)
	run := b.begun("program del-setnx timeout=10s\nspawn C1 C2\n")
	other := b.another()
	other.drives()
	other.visit(run)
	other.settled()
	value[any](other, "time.hold()")
	b.click("step-C1")
	other.until(`document.querySelector("#position").max === "3"`)
	drawings, _ := other.strip()
	if seen := distinct(drawings); seen < 4 {
		t.Errorf("of %d frames %d are unlike", len(drawings), seen)
	}
	value[any](other, "time.free()")
	b.until(`document.querySelector("#caption").textContent.includes("critical section")`)
	other.until(`document.querySelector("#caption").textContent.includes("critical section")`)
	for _, page := range []*browser{b, other} {
		value[any](page, `document.activeElement.blur()`)
		page.do(chromedp.MouseEvent("mouseMoved", 1, 1))
	}
	if mine, theirs := b.drawn(), other.drawn(); mine != theirs {
		t.Errorf("the pictures differ:\n%s", unlike(mine, theirs))
	}
}

// Space that is held down goes on playing from its step, until it is let go.
func TestHeldSpacePlays(t *testing.T) {
	b := open(t)
	run := b.begun("program del-setnx timeout=10s\nspawn C1 C2\nstep C1\nstep C2 2\ntick 1s\ntick 1s\n")
	b.visit(run + "?step=0")
	b.settled()
	stroke := func(kind input.DispatchKeyEventType, repeats bool) {
		call(b, input.DispatchKeyEvent, input.DispatchKeyEventParams{Type: kind, Key: " ", Code: "Space", WindowsVirtualKeyCode: 32, AutoRepeat: &repeats})
	}
	stroke("rawKeyDown", false)
	stroke("rawKeyDown", true)
	b.until(`document.querySelector("#play").hasAttribute("data-playing")`)
	b.until(`Number(document.querySelector("#position").value) >= 3`)
	stroke("keyUp", false)
	b.until(`!document.querySelector("#play").hasAttribute("data-playing")`)
}

// A screen reader hears what the settings allow. A violation is an alert, and nothing else is.
func TestScreenReaderHearsWhatSettingsAllow(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	const spoken = `document.querySelector("#spoken").textContent`
	b.mustSay("")
	b.chooses("del-setnx")
	b.click("spawn-two")
	b.mustSay("C1 starts del-setnx and wants the lock. C1 sends SETNX lock.foo 1011. C2 starts del-setnx and wants the lock. C2 sends SETNX lock.foo 1011.")
	b.click("step-C1")
	b.mustSay("Redis executes #1, SETNX lock.foo 1011 from C1: lock.foo was free and is now 1011. Redis answers C1: (integer) 1. C1 receives (integer) 1 for SETNX lock.foo 1011. C1 is in the critical section and believes that it holds the lock until 1011.")
	b.press("#first")
	b.mustSay("At the beginning; nothing has happened yet.")
	b.press("#last")

	b.click("step-C2")
	b.mustSay("Redis executes #2, SETNX lock.foo 1011 from C2: nothing changes. Redis answers C2: (integer) 0. C2 receives (integer) 0 for SETNX lock.foo 1011. C2 sends GET lock.foo.")
	b.set("speak", "changes")
	b.click("step-C2")
	b.mustSay("C2 sleeps until 1001.")
	for _, id := range []string{"tick-10", "tick-1", "tick-1", "spawn"} {
		b.click(id)
	}
	b.mustSay("C3 starts del-setnx and wants the lock.")
	b.click("step-C3")                                   // SETNX
	b.click("step-C3")                                   // GET
	b.mustSay("C3 starts del-setnx and wants the lock.") // they have changed nothing
	b.click("step-C3")
	b.mustSay("Redis executes #6, DEL lock.foo from C3: lock.foo is gone; it held 1011, written by C1.")
	b.click("step-C3") // SETNX
	b.mustSay("C3 is in the critical section and believes that it holds the lock until 1023.")
	b.until(`document.querySelector("#alarm[role=alert][aria-live=assertive] #alerts").textContent.includes("C1 and C3 are both in the critical section")`)
	if said := value[string](b, spoken); said == b.text("#alerts") {
		t.Errorf("the alert is spoken once more: %s", said)
	}
	b.has(`document.querySelectorAll("#caption[aria-live], .caption-box [aria-live=polite]").length`, 0)

	b.set("speak", "off")
	b.mustSay("")
	b.click("step-C3")
	b.mustSay("")
	b.until(`document.querySelector("#alarm").getAttribute("aria-live") === "off"`)
}

// mustSay waits until the polite region says that: words follow the picture.
func (b *browser) mustSay(want string) {
	b.Helper()
	b.is(`document.querySelector("#spoken").textContent`, want)
}

// set makes a choice in the menu of settings.
func (b *browser) set(name, choice string) {
	b.Helper()
	value[bool](b, fmt.Sprintf(`(() => {
		const field = document.querySelector("#setting-%s");
		field.value = %q;
		return field.dispatchEvent(new Event("change", { bubbles: true }));
	})()`, name, choice))
}

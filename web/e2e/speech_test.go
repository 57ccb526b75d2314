package e2e

import (
	"fmt"
	"testing"
)

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

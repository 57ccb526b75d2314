package e2e

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine/course"
)

// tokenOn is the token on a client's lane, beside the lane's buttons.
const tokenOn = `((middle) => [...document.querySelectorAll("#timeline .token-target")].find((token) => Math.abs(middle(token) - middle(document.querySelector("#client-%s"))) < 20))(
	(element) => element.getBoundingClientRect().top + element.getBoundingClientRect().height / 2)`

// Each lesson begins with an action on the stage: a press where the lesson goes on next keeps its reader on the path. For a
// step, and for a delivery by hand, that is the client's token.
func TestTheFirstPressStaysOnThePath(t *testing.T) {
	b := open(t)
	for i, l := range course.Builtin().Lessons {
		if i%4 != 0 && !whole() {
			continue
		}
		b.goTo("/courses/redis-lock/" + l.Name + "?lang=en")
		b.arrives()
		next := value[string](b, `document.querySelector("#guide").dataset.next`)
		at := value[int](b, `Number(document.querySelector("#position").value)`)
		verb, client, _ := strings.Cut(next, " ")
		switch verb {
		case "step", "deliver", "receive":
			b.pressOn(fmt.Sprintf(tokenOn, client))
		default:
			t.Errorf("%s begins with %s: there is nothing to press on the stage", l.Name, next)
			continue
		}
		b.until(fmt.Sprintf(`Number(document.querySelector("#position").value) >= %d || !document.querySelector("#leaving").hidden`, at+1))
		b.has(`document.querySelector("#leaving").hidden && document.querySelector("#guide").dataset.own === undefined`, true, fmt.Sprintf("%s: a press on %s leaves the path; %s is next", l.Name, client, next))
	}
}

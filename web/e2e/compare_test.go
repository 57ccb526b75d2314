package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// The race of the home page, taken to its end and run again with GETSET: the page
// shows both, marks where they part and says how.
func TestSameScheduleOtherProgram(t *testing.T) {
	b := open(t)
	b.do(chromedp.EmulateViewport(1440, 900))
	b.visit("/?show=step")
	b.do(chromedp.Submit(chromedp.CSS(`.home-goes form:not([data-goes])`)))
	b.until(`document.querySelector("#alerts p")`)
	race := value[string](b, "location.pathname")
	b.do(chromedp.Click(chromedp.CSS("#rerun > summary")))
	b.do(chromedp.Click(chromedp.CSS(`#rerun-form [value="getset"]`)))
	b.until(`document.querySelector("#beside-timeline .mark")`)

	if got := value[string](b, `new URLSearchParams(location.search).get("beside")`); "/t/"+got != race {
		t.Errorf("the new run is compared with %q, want %s", got, race)
	}
	b.mustContain("#compare-here", "getset")
	b.mustContain("#compare-there", "del-setnx", "First run")
	b.mustContain("#compare-says", "The runs part at event 20.", "getset: C1 sends GETSET lock.foo 1023.", "del-setnx: C1 sends DEL lock.foo.")
	b.mustContain("#beside-caption", "C1 and C2 are both in the critical section")
	b.mustContain("#beside-timeline", "2 holders: C1 + C2", "differs from here")
	b.mustContain("#timeline", "differs from here")

	// The mark stands between the last event that both have and the first that differs.
	for _, picture := range []string{"timeline", "beside-timeline"} {
		if got := value[[]float64](b, fmt.Sprintf(`(() => {
			const x = (e) => { const r = e.getBoundingClientRect(); return [r.left, r.right]; };
			const line = x(document.querySelector("#%[1]s .divergence-line"))[0];
			return [line, ...["19", "20"].flatMap((seq) => {
				const marks = [...document.querySelectorAll('#%[1]s .mark[data-seq="' + seq + '"]')].map(x);
				return [Math.max(...marks.map((m) => m[0]))];
			})];
		})()`, picture)); len(got) != 3 {
			t.Errorf("#%s: %v", picture, got)
		} else {
			t.Log(picture, got)
		}
	}
	b.shot("compare")
	b.matrix("compare", value[string](b, "location.pathname + location.search"))
}

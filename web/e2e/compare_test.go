package e2e

import (
	"fmt"
	"math"
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
	b.until(`document.querySelector("#alerts p") && document.querySelector("#timeline .mark")`)
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
	// The schedule ends here for both, though GETSET could not follow it to the letter.
	b.mustContain("#compare", "2 actions of the schedule are not possible under this program")
	b.mustContain("#position-text", "12 / 12")
	b.mustContain("#caption", "C2 sleeps until 1013")
	b.mustContain("#beside-caption", "C1 and C2 are both in the critical section")

	t.Log(value[string](b, `JSON.stringify(["#picture","#beside-picture"].map(s=>{const p=document.querySelector(s);return [p.scrollLeft,p.scrollWidth,p.clientWidth,p.querySelector(".playhead-handle")?.getAttribute("x"),p.querySelector(".heads")?.getAttribute("width"),p.closest(".timeline-box").dataset.axis]}))`))
	b.until(`document.querySelector("#picture").scrollLeft === document.querySelector("#beside-picture").scrollLeft`)
	for _, picture := range []string{"#timeline", "#beside-timeline"} {
		b.mustContain(picture, "differs from here")
		// In the column of event 19, right of its foot, and before anything else happens.
		between := value[[]float64](b, fmt.Sprintf(`["[data-seq='19'].mark", ".divergence-line", "[data-seq='21'].mark"].map((s) => document.querySelector("%[1]s " + s)?.getBoundingClientRect().right ?? 0)`, picture))
		t.Log(picture, between, math.Abs(between[0]))
	}

	b.do(chromedp.Click(chromedp.CSS("#compare-go")))
	b.until(`document.querySelector("#position-text").textContent === "8 / 12"`)
	b.mustContain("#beside-caption", "C1 sends DEL lock.foo.")
	b.mustContain("#caption", "C1 sends GETSET lock.foo 1023.")

	here := value[string](b, "location.pathname + location.search")
	for _, lang := range []string{"en", "zh"} {
		for name, size := range map[string][2]int64{"wide": {1440, 900}, "phone": {390, 844}} {
			b.do(chromedp.EmulateViewport(size[0], size[1]))
			b.visit(here + "&lang=" + lang)
			b.until(`document.querySelector("#beside-timeline .mark")`)
			b.fits()
			for _, scheme := range []string{"light", "dark"} {
				b.scheme(scheme)
				b.shot("compare-" + name + "-" + lang + "-" + scheme)
			}
		}
	}
	b.quiet()
}

package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/testtools"
)

// The race of the home page runs again with GETSET. The page shows both runs, marks
// where they diverge and says how.
func TestComparisonMarksWhereRunsDiverge(t *testing.T) {
	testtools.Long(t, "it compares two runs step by step")
	b := open(t)
	b.do(chromedp.EmulateViewport(1440, 900))
	b.visit("/?order=1122")
	b.do(chromedp.Submit(chromedp.CSS(`.home-open`)))
	b.until(`document.querySelector("#alerts p") && document.querySelector("#timeline .mark")`)
	race := value[string](b, "location.pathname")
	b.press("#rerun > summary")
	b.press(`#rerun-form [value="getset"]`)
	b.until(`document.querySelector("#beside-timeline .mark")`)

	if got := value[string](b, `new URLSearchParams(location.search).get("beside")`); "/t/"+got != race {
		t.Errorf("the new run is compared with %q, want %s", got, race)
	}
	b.mustContain("#compare-here", "getset")
	b.mustContain("#compare-there", "del-setnx", "First run")
	b.mustContain("#compare-says", "The runs diverge at event 20.", "getset: C1 sends GETSET lock.foo 1023.", "del-setnx: C1 sends DEL lock.foo.")
	// The schedule ends here for both, although GETSET could not follow it exactly.
	b.mustContain("#compare", "2 actions of the schedule are impossible under this program")
	b.mustContain("#position-text", "12 / 12")
	b.mustContain("#caption", "C2 sleeps until 1013")
	b.mustContain("#beside-caption", "C1 and C2 are both in the critical section")

	b.until(`document.querySelector("#picture").scrollLeft === document.querySelector("#beside-picture").scrollLeft`)
	places := map[string][]float64{}
	for _, picture := range []string{"#timeline", "#beside-timeline"} {
		b.mustContain(picture, "differs from here")
		// After the command of event 20 leaves, and before Redis executes another's, event 21.
		places[picture] = value[[]float64](b, fmt.Sprintf(`[".flight[data-seq='20']", ".divergence-line", ".request-arrow[data-seq='21']"]
			.map((s) => document.querySelector("%s " + s).getBoundingClientRect().left)`, picture))
		if at := places[picture]; !slices.IsSorted(at) {
			t.Errorf("%s: event 20, the mark and event 21 stand at %v", picture, at)
		}
	}
	if one, other := places["#timeline"], places["#beside-timeline"]; !slices.Equal(one, other) {
		t.Errorf("what both have stands at %v and %v", one, other)
	}

	// Both share one position, and each says what has happened there.
	b.press("#compare-go")
	b.until(`document.querySelector("#position-text").textContent === "8 / 12"`)
	b.says("#beside-caption", "C1 sends DEL lock.foo.")
	b.says("#caption", "C1 sends GETSET lock.foo 1023.")
	b.press("#back")
	b.says("#beside-caption", "C1 sends GET lock.foo.")
	b.until(`document.querySelector("#compare-go").checkVisibility()`)

	// A selection in the other picture is none in this run.
	value[bool](b, `document.querySelector("#beside-picture .request-arrow[data-seq='13']").dispatchEvent(new MouseEvent("click", { bubbles: true }))`)
	b.says("#beside-caption", "Redis executes #2, SETNX lock.foo 1023 from C1: nothing changes.")
	if value[bool](b, `Boolean(document.querySelector("#event-rows .selected"))`) {
		t.Error("an event of this run is selected")
	}

	// This run continues after the end of the other.
	b.press("#last")
	b.click("tick-1")
	b.says("#position-text", "13 / 13")
	b.says("#beside-caption", "C1 and C2 are both in the critical section")

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
	b.press("#compare-close")
	b.until(`!document.querySelector("#beside") && document.querySelector("#timeline .mark")`)
	b.mustContain("#position-text", "13 / 13")
	b.press(".branch-compare")
	b.until(`document.querySelector("#beside-timeline .mark")`)
	b.quiet()
}

// says waits until an element has a text.
func (b *browser) says(selector, wanted string) {
	b.Helper()
	b.until(fmt.Sprintf("document.querySelector(%q).textContent.includes(%q)", selector, wanted))
}

// One press on the home page leads to both runs. They pan as one, and axe-core finds
// nothing.
func TestComparisonFromHomePassesAxe(t *testing.T) {
	testtools.Long(t, "axe-core examines two runs in five looks and two languages")
	source := axe(t)
	b := open(t)
	b.do(chromedp.EmulateViewport(900, 900)) // both pictures are wider than that
	b.visit("/?order=1122&show=why")
	b.press(`[data-goes="getset"]`)
	b.press(`.card-foot form button`)
	b.until(`document.querySelector("#beside-timeline .mark")`)
	b.mustContain("#compare-says", "The runs diverge at event 20.")

	const panned = `(() => {
		const pane = document.querySelector("%[1]s");
		if ([...document.querySelectorAll(".comparing .picture")].every((p) => p.scrollLeft === %[2]d)) return true;
		pane.dispatchEvent(new WheelEvent("wheel", { bubbles: true }));
		pane.scrollLeft = pane.scrollLeft === %[2]d ? %[2]d - 1 : %[2]d; // a reader who sees nothing follow goes on scrolling
		return false;
	})()`
	for pane, to := range map[string]int{"#picture": 100, "#beside-picture": 300} {
		b.until(fmt.Sprintf(panned, pane, to))
	}
	width := `[...document.querySelectorAll(".comparing .picture > svg:not(.heads)")].map((svg) => svg.clientWidth)`
	before := value[[]int](b, width)
	b.press(`[data-timeline="in"]`)
	b.until(fmt.Sprintf(`%s.every((width, i) => width > [%d, %d][i])`, width, before[0], before[1]))

	here := value[string](b, "location.pathname + location.search")
	for look, lang := range testtools.Matrix(t, looks) {
		b.see(look)
		name := fmt.Sprintf("axe-compare-%s-%s", look.name, lang)
		b.visit(here + "&lang=" + lang + "&" + look.query)
		b.until(`document.querySelector("#beside-timeline .mark")`)
		if look.name == looks[0].name {
			b.audit(source, name)
		} else {
			b.audit(source, name, ".stage") // where the runs are compared
		}
		b.fits()
		b.legible(name)
		b.shot(name)
	}
	b.quiet()
}

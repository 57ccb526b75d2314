package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/web/present"
)

// The race of the home page runs again with GETSET. The page shows both runs, marks
// where they diverge and says how.
func TestComparisonMarksWhereRunsDiverge(t *testing.T) {
	b := open(t)
	b.sized(1440, 900)
	b.visit("/?order=1122&show=why")
	b.do(chromedp.Submit(chromedp.CSS(`.home-open`)))
	b.until(`document.querySelector("#alerts p") && document.querySelector("#timeline .mark")`)
	race := value[string](b, "location.pathname")
	b.opens("code")
	b.press("#rerun > summary")
	b.press(`#rerun-form [value="getset"]`)
	b.until(`document.querySelector("#beside-timeline .mark")`)

	if got := value[string](b, `new URLSearchParams(location.search).get("beside")`); "/t/"+got != race {
		t.Errorf("the new run is compared with %q, want %s", got, race)
	}
	b.mustContain("#compare-here", "getset")
	b.mustContain("#compare-there", "del-setnx", "First run")
	b.mustContain("#compare-says", "The runs part at the dashed line.", "getset: C1 sends GETSET lock.foo 1023.", "del-setnx: C1 sends DEL lock.foo.")
	// The schedule ends here for both, although GETSET could not follow it exactly.
	b.mustContain("#compare", "2 actions of the schedule are impossible under this program")
	b.mustContain("#position-text", "action 12 of 12")
	b.mustContain("#caption", "C2 sleeps until 1013")
	b.mustContain("#beside-caption", "C1 and C2 are both in the critical section")

	b.until(`document.querySelector("#picture").scrollLeft === document.querySelector("#beside-picture").scrollLeft`)
	places := map[string][]float64{}
	for picture, mark := range map[string]string{"#timeline": "≠ C1 sends GETSET lock.foo 1023", "#beside-timeline": "≠ C1 sends DEL lock.foo"} {
		b.mustContain(picture, mark)
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
	b.until(`document.querySelector("#position-text").textContent === "action 8 of 12"`)
	b.mustContain("#beside-caption", "C1 sends DEL lock.foo.")
	b.mustContain("#caption", "C1 sends GETSET lock.foo 1023.")
	b.press("#back")
	b.mustContain("#beside-caption", "C1 sends GET lock.foo.")
	b.until(`document.querySelector("#compare-go").checkVisibility()`)

	// A selection in the other picture is none in this run.
	value[bool](b, `document.querySelector("#beside-picture .request-arrow[data-seq='13']").dispatchEvent(new MouseEvent("click", { bubbles: true }))`)
	b.mustContain("#beside-caption", "Redis executes #2, SETNX lock.foo 1023 from C1: nothing changes.")
	b.has(`Boolean(document.querySelector("#event-rows .selected"))`, false, "an event of this run is selected")

	// This run continues after the end of the other.
	b.press("#last")
	b.press("#step")
	b.mustContain("#position-text", "action 13 of 13")
	b.mustContain("#beside-caption", "C1 and C2 are both in the critical section")

	here := value[string](b, "location.pathname + location.search")
	for _, lang := range []string{"en", "zh"} {
		for _, size := range [][2]int64{{1440, 900}, {390, 844}} {
			b.sized(size[0], size[1])
			b.visit(here + "&lang=" + lang)
			b.until(`document.querySelector("#beside-timeline .mark")`)
			b.fits()
		}
	}
	b.sized(1440, 900)
	b.press("#compare-here a")
	b.until(`!document.querySelector("#beside") && document.querySelector("#timeline .mark")`)
	b.mustContain("#position-text", "动作 13 / 13")
	b.press(".branch-compare")
	b.until(`document.querySelector("#beside-timeline .mark")`)
	b.visit(race)
	b.press(".branch-compare")
	b.until(`document.querySelector("#beside-timeline .mark")`)
}

// A crowd of five races for the lock of a crashed client.
const crowd = `program del-setnx timeout=10s
spawn C3
step C3
spawn C4 C5
step C4
step C5
crash C3
tick 12s
spawn C1 C2
step C1
step C1
step C2
step C2
step C1
step C1
step C2
step C2
`

// compares opens a schedule beside itself under another program.
func (b *browser) compares(scenario, program string) {
	b.Helper()
	b.goTo("/p")
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`(() => {
		const form = Object.assign(document.createElement("form"), { method: "post", action: "/runs" });
		for (const [name, value] of Object.entries({ scenario: %q, program: %q })) form.append(Object.assign(document.createElement("textarea"), { name, value }));
		document.body.append(form);
		form.submit();
	})()`, scenario, program)))
	b.until(`document.querySelector("#beside-timeline .mark")`)
}

// Each window shows all lanes of both runs, all words about them, and the one thing to do next. A small one shows one
// run at a time, at the same playhead.
func TestBothComparedRunsAreInView(t *testing.T) {
	b := open(t)
	for name, scenario := range map[string]string{"three": present.HomeScenario, "five": crowd} {
		b.compares(scenario, "getset")
		here := value[string](b, "location.pathname + location.search")
		for screen, lang := range seen(t, screens) {
			b.sized(screen.width, screen.height)
			b.visit(here + "&lang=" + lang + "&" + screen.query)
			b.until(`document.querySelector("#beside-timeline .mark") && document.querySelector("#stage .divergence-flag")`)
			b.settled()
			name := fmt.Sprintf("compare-%s-%s-%s", name, screen.name, lang)
			single := value[bool](b, `document.querySelector("#stage").hasAttribute("data-single")`)
			if phone := screen.width < 560; phone && !single || screen.query == "scale=1" && !phone && single {
				t.Errorf("%s: one run at a time is shown: %t", name, single)
			}
			sides := []string{"#timeline-box", "#beside"}
			for i, side := range sides {
				if single {
					b.press(fmt.Sprintf(`#compare-switch > :nth-child(%d)`, i+1))
				}
				if hidden := value[[]string](b, fmt.Sprintf(unseen, side, screen.covered)); len(hidden) > 0 {
					t.Errorf("%s: %s hides %q", name, side, hidden)
				}
				if single && value[bool](b, fmt.Sprintf(`document.querySelector("%s .picture").checkVisibility({ visibilityProperty: true })`, sides[1-i])) {
					t.Errorf("%s: both runs lie over each other", name)
				}
			}
			b.fits()
		}
	}
}

// unseen returns what of one of two runs cannot be read: a client's lane or its words beyond the pane, a sentence that is
// cut, a control outside the window, a mark of the divergence over a key.
const unseen = `(() => {
	const side = document.querySelector(%q), pane = side.querySelector(".picture"), hidden = [], covered = %t;
	const within = (e, box) => {
		const { top, bottom, left, right } = e.getBoundingClientRect(), of = box.getBoundingClientRect();
		return top >= of.top - 1 && bottom <= of.bottom + 1 && left >= of.left - 1 && right <= of.right + 1;
	};
	const desk = pane.parentElement.dataset.axis === "x";
	for (const badge of pane.querySelectorAll(".badge-name")) if (!covered && !within(badge, pane)) hidden.push(badge.textContent);
	for (const words of document.querySelectorAll("#compare-says, .compared .caption, .compared .alerts p")) {
		if ((side.contains(words) || !covered && words.id) && words.checkVisibility() && (words.scrollWidth > words.clientWidth + 1 || words.scrollHeight > words.clientHeight + 4)) hidden.push(words.textContent);
	}
	for (const control of document.querySelectorAll("#step, #compare-back, #compare-go, #position")) if (!within(control, document.documentElement)) hidden.push(control.id);
	const flag = pane.querySelector(".divergence-flag").getBoundingClientRect();
	for (const band of pane.querySelectorAll(".key-band > .band, .band")) {
		const { left, right, top, bottom } = band.getBoundingClientRect();
		if (left < flag.right && right > flag.left && top < flag.bottom && bottom > flag.top) hidden.push("a key, under the mark");
	}
	if (desk && !within(pane.querySelector(".divergence-flag"), pane)) hidden.push("the mark");
	return hidden;
})()`

// To drag either playhead moves both; zooming one picture zooms both.
func TestComparedRunsHaveOnePlayhead(t *testing.T) {
	b := open(t)
	b.sized(1280, 720)
	b.compares(present.HomeScenario, "getset")
	b.still("action 12 of 12")
	const at = `[...document.querySelectorAll(".comparing .playhead-handle")].map((e) => Number(e.getAttribute("x")))`
	ends := value[[]float64](b, at)
	// From the end to the divergence, which has the same place in both.
	const back = `document.querySelector("%[1]s .divergence-line").getBoundingClientRect().left - document.querySelector("%[1]s .playhead-line").getBoundingClientRect().left + 8`
	for _, picture := range []string{"#beside-timeline", "#timeline"} {
		b.drag(picture+" .playhead-target", value[float64](b, fmt.Sprintf(back, picture)), 0)
		b.still("action 8 of 12")
		b.until(`((at) => at[0] === at[1])(` + at + `)`)
		b.press("#last")
		b.still("action 12 of 12")
		b.until(fmt.Sprintf(`((at) => at[0] === %v && at[1] === %v)(%s)`, ends[0], ends[1], at))
	}
	const zooms = `[...document.querySelectorAll(".comparing .picture > svg:not(.heads)")].map((svg) => svg.querySelector(".divergence-line").getAttribute("x1"))`
	fitted := value[[]string](b, zooms)
	if fitted[0] != fitted[1] {
		t.Errorf("both are shown whole, and what they have in common ends at %v", fitted)
	}
	b.press(`[data-timeline="in"]`)
	b.until(fmt.Sprintf(`((at) => at[0] === at[1] && at[0] !== %q)(%s)`, fitted[0], zooms))
	b.press(`[data-timeline="fit"]`)
	b.until(fmt.Sprintf(`((at) => at[0] === at[1] && at[0] === %q)(%s)`, fitted[0], zooms))
}

// One press on the home page leads to both runs. They pan as one, and axe-core finds
// nothing.
func TestComparisonFromHomePassesAxe(t *testing.T) {
	b := open(t)
	b.do(chromedp.EmulateViewport(900, 900)) // both pictures are wider than that
	b.visit("/?order=1122&show=why")
	b.press(`[data-goes="getset"]`)
	b.press(`.card-foot form:not([hidden]) button`)
	b.until(`document.querySelector("#beside-timeline .mark")`)
	b.mustContain("#compare-says", "The runs part at the dashed line.")
	b.mustContain("#compare-back", "Back to del-setnx")

	const panned = `(() => {
		const pane = document.querySelector("%[1]s");
		if ([...document.querySelectorAll(".comparing .picture")].every((p) => p.scrollLeft === %[2]d)) return true;
		pane.dispatchEvent(new WheelEvent("wheel", { bubbles: true }));
		pane.scrollLeft = pane.scrollLeft === %[2]d ? %[2]d - 1 : %[2]d; // a reader who sees nothing follow goes on scrolling
		return false;
	})()`
	const whole = `[...document.querySelectorAll(".comparing .picture")].every((p) => p.scrollWidth <= p.clientWidth)`
	b.until(whole)
	b.press(`[data-timeline="in"]`)
	b.press(`[data-timeline="in"]`)
	b.until("!" + whole)
	for pane, to := range map[string]int{"#picture": 100, "#beside-picture": 300} {
		b.until(fmt.Sprintf(panned, pane, to))
	}

	here := value[string](b, "location.pathname + location.search")
	b.inLooks("compare", here, looks, func(string) { b.until(`document.querySelector("#beside-timeline .mark")`) })
}

package e2e

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"lockstep/engine/testtools"
	"lockstep/web"
)

// answered waits until a search has its answer, and its picture if there is one.
func (b *browser) answered() {
	b.Helper()
	b.until(`document.readyState === "complete" && document.documentElement.dataset.live === ""
		&& document.querySelector("#explore-progress").hidden && document.querySelector("#verdict")?.checkVisibility()
		&& document.querySelectorAll(".counterexample:not([hidden]) svg.timeline.heads").length === document.querySelectorAll(".counterexample:not([hidden])").length`)
}

// sets gives a field of the question a value, as a reader does.
func (b *browser) sets(field, to string) {
	b.Helper()
	value[bool](b, fmt.Sprintf(`((field) => {
		field.value = %q;
		field.dispatchEvent(new Event("input", { bubbles: true }));
		return field.dispatchEvent(new Event("change", { bubbles: true }));
	})(document.querySelector("#explore-%s"))`, to, field))
}

// A reader asks whether a lock can be broken, sees how, and breaks it.
func TestExploreJourney(t *testing.T) {
	b := open(t)
	b.goTo("/")
	b.presses("Explorer")
	b.sees("Nothing has been searched yet.")
	b.sets("program", "del-setnx")
	b.sets("ticks", "4")
	b.presses("Search")
	b.answered()
	b.mustContain("#verdict", "mutual-exclusion is violated: of all that 3 clients of del-setnx can do in 4 ticks of 1 s", "the shortest way takes")
	b.mustContain("#explore-says", "mutual-exclusion is violated") // to who does not see it
	if n := value[int](b, `document.querySelectorAll("#counterexample-1 svg .overlap").length`); n == 0 {
		t.Error("the picture shows no overlap")
	}
	b.presses("Show me why")
	b.until(`document.querySelector("#counterexample-1 svg.explaining")`)
	b.mustContain("#counterexample-1 li.guilty", "c.delete")
	b.shot("explore-journey")

	// The address and the link lead to the same answer.
	said := b.text("#verdict")
	address := value[string](b, "location.href")
	if link := value[string](b, `document.querySelector("#explore-link").href`); link != address {
		t.Errorf("the link is %s at the address %s", link, address)
	}
	b.do(chromedp.Navigate(address))
	b.answered()
	if again := b.text("#verdict"); again != said {
		t.Errorf("the address answers %q, want %q", again, said)
	}
	if ticks := value[string](b, `document.querySelector("#explore-ticks").value + document.querySelector("[data-for=explore-ticks]").value`); ticks != "44" {
		t.Errorf("the bounds of ticks are shown as %s", ticks)
	}
	b.presses("Open in the playground")
	b.arrives()
	b.mustContain("#position-text", "action 1 of") // the first client stands on its lane, and nothing has happened
	b.press("#last")
	b.says("#alarm", "both in the critical section, and both believe")
	b.quiet()
}

// A proof states its bounds, counterexamples with different causes can be compared,
// and the result of random walks stands beside them.
func TestExploreStatesItsBounds(t *testing.T) {
	b := open(t)
	b.goTo("/explore?program=set-px&clients=2&ticks=3")
	b.presses("Search")
	b.answered()
	b.mustContain("#outcome", "mutual-exclusion holds: nothing that 2 clients of set-px can do in 3 ticks", "none within these bounds")
	b.presses("Ask again with one more tick")
	b.until(`document.querySelector("#verdict")?.textContent.includes("in 4 ticks")`)
	b.answered()
	b.mustContain("#verdict", "in 4 ticks of 1 s")

	b.goTo("/explore?ticks=4")
	b.presses("Search")
	b.answered()
	b.presses("Look for other causes")
	b.until(`document.querySelectorAll(".causes tbody tr").length > 1`)
	b.answered()
	b.presses("Compare with counterexample 2")
	if shown := value[string](b, `[...document.querySelectorAll(".counterexample:not([hidden])")].map((e) => e.id).join()`); shown != "counterexample-1,counterexample-2" {
		t.Errorf("to be compared are %s", shown)
	}
	b.shot("explore-compare")
	b.presses("Show counterexample 2")
	if shown := value[string](b, `[...document.querySelectorAll(".counterexample:not([hidden])")].map((e) => e.id).join()`); shown != "counterexample-2" {
		t.Errorf("shown is %s", shown)
	}
	b.presses("10,000 random schedules")
	b.until(`document.querySelector("#luck-says")?.textContent.includes("of 10,000 random schedules violated mutual-exclusion.")`)
	b.mustContain("#luck", "The search needed")
	b.shot("explore-luck")
	b.quiet()
}

// The page shows the progress of a long search, and can stop it.
func TestExploreStopsALongSearch(t *testing.T) {
	b := openSite(t, web.Options{SearchMoment: 50 * time.Millisecond})
	b.goTo("/explore?program=set-px&clients=5&ticks=30")
	b.presses("Search")
	b.until(`Number(document.querySelector("#explore-progress [data-figure=states]").textContent.replaceAll(",", "")) > 10000`)
	b.shot("explore-progress")
	b.presses("Stop")
	b.answered()
	b.mustContain("#verdict", "Not decided: it was stopped after")
	if said := b.text("#verdict"); strings.Contains(said, "holds") {
		t.Errorf("a search that was stopped says %s", said)
	}
	// At its address the search continues past the limit of a page.
	b.do(chromedp.Reload())
	b.presses("Stop")
	b.answered()
	b.mustContain("#verdict", "Not decided: it was stopped after")
	b.quiet()
}

// The explorer searches the reader's own program like any other, and the link carries its text.
func TestExploreSearchesAnOwnProgram(t *testing.T) {
	b := open(t)
	b.goTo("/explore?program=naive&clients=2&ticks=2&crashes=1")
	b.sets("property", "stuck")
	b.presses("Edit its text")
	b.until(`document.querySelector("#explore-source")`)
	own := strings.ReplaceAll(value[string](b, `document.querySelector("#explore-source").value`), "lock.foo", "lock.锁")
	b.sets("source", "def acquire(c):\n    oops()\n")
	b.presses("Search")
	b.sees("Line 2, column 5")
	if at := value[int](b, `document.querySelector("#explore-source").selectionStart`); at != len("def acquire(c):\n    ") {
		t.Errorf("the cursor stands at %d", at)
	}
	b.is(`document.querySelector("#explore-refusal").offsetWidth === document.querySelector("#luck").offsetWidth`, "true") // above it, where the answer will be
	b.sets("source", own)
	b.presses("Search")
	b.answered()
	b.mustContain("#verdict", "stuck is violated", "2 clients of naive-mine")
	said := b.text("#verdict")
	b.until(`document.querySelector("#explore-link").hash.length > 100`)
	link := value[string](b, `document.querySelector("#explore-link").href`)
	b.goTo("/")
	b.do(chromedp.Navigate(link))
	b.answered()
	if again := b.text("#verdict"); again != said {
		t.Errorf("the link answers %q, want %q", again, said)
	}
	// The other language has the same question.
	b.presses("中文")
	b.waits(`document.documentElement?.lang === "zh-Hans"`, "be Chinese")
	b.answered()
	b.mustContain("#verdict", "出现死锁：最短", "范围：运行 naive-mine 的 2 个客户端，时钟推进 2 次")
	b.presses("在实验台中打开")
	b.arrives()
	b.quiet()
}

// The page is a form: without scripts it asks, answers and links to the next steps.
func TestExploreWithoutScripts(t *testing.T) {
	b := open(t)
	b.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
		return err
	}))
	b.goTo("/explore")
	b.do(chromedp.SetValue(chromedp.CSS("#explore-ticks"), "4"))
	b.do(chromedp.Click(chromedp.CSS("#explore-search")))
	b.sees("mutual-exclusion is violated", "in 4 ticks of 1 s", "both in the critical section")
	if address, err := url.Parse(value[string](b, "location.href")); err != nil || address.Query().Get("ticks") != "4" || address.Query().Get("run") != "search" {
		t.Errorf("the address is %s (%v)", address, err)
	}
	b.do(chromedp.Click(chromedp.CSS("#explore-luck")))
	b.sees("random schedules violated mutual-exclusion", "The search needed")
	b.shot("explore-no-script")
	b.do(chromedp.Click(chromedp.CSS("#counterexample-1 form button")))
	b.sees("C1", "both in the critical section, and both believe")
	b.quiet()
}

// axe-core finds no violation in any state of the explorer.
func TestExplorePassesAxe(t *testing.T) {
	testtools.Long(t, "axe-core examines the explorer in five looks and two languages")
	source := axe(t)
	b := open(t)
	for look, lang := range testtools.Matrix(t, append(looks, look{"390px", "theme=light", nil, 390})) {
		b.see(look)
		name := "explore-" + look.name + "-" + lang
		for state, query := range map[string]string{"start": "own=1&nodes=3", "holds": "run=search&program=set-px&clients=2&ticks=2", "causes": "run=search&causes=1&ticks=4&crashes=0"} {
			b.goTo("/explore?lang=" + lang + "&" + look.query + "&" + query)
			b.until(`document.documentElement.dataset.live === "" && document.readyState === "complete"`)
			if state != "start" {
				b.answered()
			}
			if state == "causes" {
				b.press("[data-compare=\"2\"]")
				b.press("#explore-luck")
				b.until(`document.querySelector("#luck-says")?.textContent.includes("10,000")`)
			}
			value[bool](b, `document.querySelectorAll("details:not(.settings)").forEach((d) => d.open = true) ?? true`)
			if look.name == looks[0].name || state == "start" {
				b.audit(source, name+"-"+state)
			} else {
				b.audit(source, name+"-"+state, ".explore-answer") // the question is as it was
			}
			b.fits()
			b.legible(name + "-" + state)
			b.shot(name + "-" + state)
		}
	}
	b.quiet()
}

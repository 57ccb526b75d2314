package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/web"
)

// answered waits until the page shows the answer to its question, and the picture if there is one.
func (b *browser) answered() {
	b.Helper()
	b.until(`document.readyState === "complete" && document.documentElement.dataset.live === ""
		&& document.querySelector("#explore-progress").hidden && document.querySelector("#stage .stamp, #card .stamp")?.closest("[hidden]") === null // a drawer may cover it
		&& !document.querySelector("[data-stale]") && document.querySelector("#outcome").getAnimations({ subtree: true }).length === 0
		&& document.querySelectorAll("#stage .timeline-box:not([hidden]) svg.timeline.heads").length === document.querySelectorAll("#stage .timeline-box:not([hidden])").length`)
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
	b.goTo("/explore")
	b.answered() // it asks by itself
	b.mustContain("#verdict", "3 clients of del-setnx, 5 ticks of 1 s")
	b.is(`document.querySelector("#question").innerText.replace(/\s+/g, " ").split(" clients of")[0].replace(/[0-5]/g, "").trim()`, "Can two of")
	b.sets("ticks", "4")
	b.mustContain("#verdict", "mutual-exclusion is violated. The shortest way takes", "3 clients of del-setnx, 4 ticks of 1 s")
	b.answered()
	const story = "C1 left in time, but its DEL was four seconds on its way. The lease ran out, and C2 took the lock. C1's DEL removed it, and C3 went in beside C2."
	b.mustContain("#explore-says", "Broken in 15. "+story) // to who does not see it
	b.mustContain("#card .stamp", "Broken in 15")
	b.mustContain("#card .story", story)

	// The counterexample stands at its end. Play begins at its beginning, and the story comes with it.
	b.is(`document.querySelector("#position-text").textContent`, "15 / 15")
	if n := value[int](b, `document.querySelectorAll("#counterexample-1 svg .overlap").length`); n == 0 {
		t.Error("the picture shows no overlap")
	}
	b.press("#play")
	b.until(`document.querySelector("#card[data-under-way]") && document.querySelectorAll(".story [data-ahead]").length === 3`)
	b.until(`Number(document.querySelector("#position").value) > 3`)
	b.press("#position")
	b.do(chromedp.KeyEvent(kb.Home))
	b.mustContain("#caption", "Nothing has happened yet.")
	b.mustContain("#explore-spoken", "Nothing has happened yet.")
	b.do(chromedp.KeyEvent(kb.ArrowRight))
	b.is(`document.querySelector("#position").getAttribute("aria-valuetext")`, "action 1 of 15")
	b.mustContain("#explore-spoken", "C1 sends SETNX lock.foo 1003.")
	b.do(chromedp.KeyEvent(kb.End))
	b.is(`document.querySelector("#position-text").textContent`, "15 / 15")
	b.mustContain("#explore-spoken", "C2 and C3 are both in the critical section, and both believe")
	b.opens("code")
	b.mustContain("#answer-code li.guilty", "c.delete")
	b.press("#close-drawers")

	// The address and the link lead to the same answer.
	said := b.text("#verdict")
	address := value[string](b, "location.href")
	b.press("#answer-share > summary")
	b.is(`document.querySelector("#answer-link").value`, address)
	b.do(chromedp.KeyEvent(kb.Escape))
	b.until(`!document.querySelector("#answer-share").open`)
	b.press("#answer-share > summary")
	b.press("#card .story")
	b.until(`!document.querySelector("#answer-share").open`)
	b.do(chromedp.Navigate(address))
	b.answered()
	same(t, b.text("#verdict"), said, "the address answers")
	b.has(`document.querySelector("#explore-ticks").value`, "4")
	b.presses("Open it")
	b.arrives()
	b.mustContain("#position-text", "action 1 of") // the first client stands on its lane, and nothing has happened
	b.press("#last")
	b.mustContain("#alarm", "both in the critical section, and both believe")
}

// A value that changes fast asks on its way. The page shows the newest answer, never waits for an older one, and dims what
// answers another question.
func TestExploreAnswersWhileAControlMoves(t *testing.T) {
	b := open(t)
	b.goTo("/explore")
	b.answered()
	took := value[[]float64](b, `(async () => {
		const field = document.querySelector("#explore-ticks");
		const all = [];
		for (const ticks of [6, 7, 4, 3, 2, 5, 4, 3, 6, 5]) {
			const begun = performance.now();
			field.value = ticks;
			field.dispatchEvent(new Event("input", { bubbles: true }));
			if (!document.querySelector("#outcome[data-stale]")) throw new Error("the answer before stands there as that to " + ticks + " ticks");
			while (!document.querySelector("#verdict").textContent.includes(" " + ticks + " ticks")) await new Promise((go) => setTimeout(go, 1));
			all.push(performance.now() - begun);
		}
		return all;
	})()`)
	b.answered()
	b.mustContain("#verdict", ", 5 ticks of 1 s")
	b.is(`new URLSearchParams(location.search).get("ticks")`, "5")
	t.Logf("milliseconds from a move to its answer: %.0f", took)
}

// A proof states its bounds, counterexamples with different causes can be compared,
// and the result of random walks stands beside them.
func TestExploreStatesItsBounds(t *testing.T) {
	b := open(t)
	b.goTo("/explore?program=set-px&clients=2&ticks=3")
	b.answered()
	b.mustContain("#stage .stamp", "Holds")
	b.mustContain("#feat", "none breaks it")
	b.until(`document.querySelectorAll("#stage .shape rect").length > 10`)
	b.mustContain("#explore", "mutual-exclusion holds: nothing within the bounds violates it. Bounds: 2 clients of set-px, 3 ticks", "none within these bounds")
	b.presses("Ask again with one more tick")
	b.until(`document.querySelector("#verdict")?.textContent.includes(", 4 ticks")`)
	b.answered()
	b.mustContain("#verdict", ", 4 ticks of 1 s")
	value[bool](b, `history.back() ?? true`)
	b.mustContain("#verdict", ", 3 ticks of 1 s") // the question before
	b.answered()

	b.goTo("/explore?ticks=4")
	b.answered()
	b.opens("causes")
	b.presses("Look for other causes")
	b.until(`document.querySelectorAll(".causes li").length > 1`)
	b.answered()
	b.presses("Compare with counterexample 2")
	b.has(`[...document.querySelectorAll("#stage .timeline-box:not([hidden])")].map((e) => e.id).join()`, "counterexample-1,counterexample-2")
	b.presses("Show counterexample 2")
	b.has(`[...document.querySelectorAll("#stage .timeline-box:not([hidden])")].map((e) => e.id).join()`, "counterexample-2")
	b.opens("luck")
	b.presses("10,000 random schedules")
	b.until(`document.querySelector("#luck-says")?.textContent.includes("of 10,000 random schedules violated mutual-exclusion.")`)
	b.mustContain("#luck-bars", "The search needed")
}

// stops presses Stop in the page itself as soon as the search has begun, and stopsGrown once the progress and its shape have grown: the search has
// used up its memory in two seconds, and a busy test would come too late.
const (
	stops = `(() => {
		const look = () => {
			if (!document.querySelector("#progress-states")?.textContent || !document.querySelector("#explore-stop").checkVisibility()) return setTimeout(look, 5);
			document.querySelector("#explore-stop").click();
			window.stopped = true;
		};
		look();
		return true;
	})()`
	stopsGrown = `new MutationObserver(() => {
		const states = Number(document.querySelector("#progress-states")?.textContent.replaceAll(",", ""));
		const stop = document.querySelector("#explore-stop");
		if (!window.grew && states > 10000 && document.querySelectorAll("#explore-progress .shape rect").length > 5 && stop.checkVisibility()) {
			window.grew = true;
			stop.click();
		}
	}).observe(document, { subtree: true, childList: true, attributes: true, characterData: true })`
)

// The page shows the progress of a long search, and can stop it.
func TestExploreStopsALongSearch(t *testing.T) {
	b := openSite(t, web.Options{SearchMoment: 50 * time.Millisecond})
	b.begins(stopsGrown)
	stopped := func(ticks int) bool { // or it has used up its memory before the page could stop it, and another question is asked
		b.until(`window.grew`)
		b.answered()
		said := b.text("#verdict")
		if strings.Contains(said, "holds") {
			t.Errorf("a search of %d ticks that was stopped says %s", ticks, said)
		}
		return strings.Contains(said, "Not decided: it was stopped after")
	}
	ticks := 30
	for begin := true; begin || !stopped(ticks); begin = false {
		if ticks--; ticks < 20 {
			t.Fatal("no search is stopped")
		}
		b.goTo(fmt.Sprintf("/explore?program=set-px&clients=5&ticks=%d", ticks))
	}
	// At its address the search continues past the limit of a page.
	for b.do(chromedp.Reload()); !stopped(ticks); b.goTo(fmt.Sprintf("/explore?program=set-px&clients=5&ticks=%d", ticks)) {
		if ticks--; ticks < 20 {
			t.Fatal("no search is stopped")
		}
	}
}

// The explorer searches the reader's own program like any other, and the link carries its text.
func TestExploreSearchesAnOwnProgram(t *testing.T) {
	b := open(t)
	b.expects("422") // of the mistake
	b.goTo("/explore?program=naive&clients=2&ticks=2&crashes=1")
	b.answered()
	b.sets("property", "stuck")
	b.press("#explore-more")
	b.presses("Edit its text")
	b.until(`document.querySelector("#explore-source") && document.documentElement.dataset.live === ""`)
	own := strings.ReplaceAll(value[string](b, `document.querySelector("#explore-source").value`), "lock.foo", "lock.锁")
	b.opens("question")
	b.sets("source", "def acquire(c):\n    oops()\n")
	b.presses("Search")
	b.sees("Line 2, column 5")
	b.is(`document.querySelector(".cm-wrong")?.textContent`, "oops")
	b.is(`document.activeElement.matches(".explore-fields .cm-content") && document.querySelector(".cm-wrong").contains(getSelection().anchorNode)`, "true")
	b.sets("source", own)
	b.presses("Search")
	b.answered()
	b.mustContain("#verdict", "stuck is violated", "2 clients of naive-mine")
	said := b.text("#verdict")
	b.until(`location.hash.length > 100`)
	link := value[string](b, `location.href`)
	b.goTo("/")
	b.do(chromedp.Navigate(link))
	b.answered()
	same(t, b.text("#verdict"), said, "the link answers")
	// The other language has the same question.
	b.presses("中文")
	b.waits(`document.documentElement?.lang === "zh-Hans"`, "be Chinese")
	b.answered()
	b.mustContain("#verdict", "出现死锁：最短", "范围：运行 naive-mine 的 2 个客户端，时钟推进 2 次")
	b.presses("打开")
	b.arrives()
}

// The page is a form: without scripts it asks, answers and links to the next steps.
func TestExploreWithoutScripts(t *testing.T) {
	b := open(t)
	call(b, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.goTo("/explore")
	b.do(chromedp.SetValue(chromedp.CSS("#explore-ticks"), "4"))
	b.do(chromedp.Click(chromedp.CSS("#explore-search")))
	b.sees("mutual-exclusion is violated", ", 4 ticks of 1 s", "both in the critical section")
	if address, err := url.Parse(value[string](b, "location.href")); err != nil || address.Query().Get("ticks") != "4" || address.Query().Get("run") != "search" {
		t.Errorf("the address is %s (%v)", address, err)
	}
	b.do(chromedp.Click(chromedp.CSS("#explore-luck")))
	b.sees("random schedules violated mutual-exclusion", "The search needed")
	b.do(chromedp.Click(chromedp.CSS("#answer-open")))
	b.sees("C1", "both in the critical section, and both believe")
}

// axe-core finds no violation in any state of the explorer.
func TestExplorePassesAxe(t *testing.T) {
	b := open(t)
	for state, query := range map[string]string{"start": "own=1&nodes=3", "holds": "run=search&program=set-px&clients=2&ticks=2", "causes": "run=search&causes=1&ticks=4&crashes=0"} {
		b.inLooks("explore-"+state, "/explore?"+query, append(looks, look{"390px", "theme=light", "", 390}), func(string) {
			b.until(`"live" in document.documentElement.dataset`)
			b.answered()
			if state == "causes" {
				b.opens("causes")
				b.press("[data-compare=\"2\"]")
				b.opens("luck")
				b.press("#explore-luck")
				b.until(`document.querySelector("#luck-says")?.textContent.includes("10,000")`)
			}
			value[bool](b, `document.querySelectorAll("details:not(.settings)").forEach((d) => d.open = true) ?? true`)
		})
	}
}

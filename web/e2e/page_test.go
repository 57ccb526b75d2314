package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	cdpnetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Two pages of one run show the same, each in its language.
func TestTwoPagesShowTheSame(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa?lang=zh")
	b.post("/t/aaaaaaaaaa/actions", url.Values{"action": {"spawn C1"}, "program": {"naive"}})
	b.until(`document.querySelector("#client-C1")`)
	b.mustContain("#caption", "C1 发出 SETNX lock.foo C1。")
	b.mustContain("#spawn", "启动 C2")
}

// An update keeps what the reader has opened, chosen and focused.
func TestUpdatesDisturbNothing(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	b.chooses("getset")
	b.press("#more-C1 summary")
	b.click("deliver-C1")
	b.click("receive-C1")
	for expression, want := range map[string]string{
		`document.activeElement.id`:                                                                 "receive-C1",
		`document.querySelector("#program :checked").value`:                                         "getset",
		`String(document.querySelector("#more-C1").open)`:                                           "true",
		`document.querySelector("[data-source]:not([hidden])").dataset.source`:                      "del-setnx", // the code follows C1
		`document.querySelector("#program-next:not([hidden]) b").textContent`:                       "getset",
		`document.querySelector("#receive-C1").getAttribute("aria-disabled")`:                       "true",
		`[...document.querySelectorAll("#source-del-setnx .badge")].map(e => e.textContent).join()`: "C2,C1",
		`String(document.querySelectorAll("#source-getset .badge").length)`:                         "0",
		`document.querySelector("#event-rows tr:last-child .sentence").innerText`:                   "C1 is in the critical section and believes that it holds the lock until 1011.",
	} {
		b.has(expression, want)
	}
	b.press("#receive-C1")
	b.until(`!document.querySelector("#refusal").hidden`)
	b.mustContain("#refusal", "no reply to C1 is in flight")
	b.click("step-C1")
	b.until(`document.querySelector("#refusal").hidden`)
}

// Pressing a mark selects its row in the list, and pressing a row its mark.
func TestMarksAndRowsSelectEachOther(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	b.click("step-C1")
	b.opens("events")
	b.press("#event-3") // C2 is there: no mark of its own, but a place in time
	b.until(`document.querySelector(".picture svg .pointer")`)
	b.press("#event-5")
	b.until(`document.querySelector(".picture svg .request.selected")?.dataset.seq === "5"`)
	seq := value[string](b, `(() => {
		const mark = [...document.querySelectorAll("#timeline [data-seq]")].at(-1);
		mark.dispatchEvent(new MouseEvent("click", { bubbles: true }));
		return mark.dataset.seq;
	})()`)
	b.has(`document.querySelector("#event-rows .selected").dataset.seq`, seq)
	b.has(`document.querySelectorAll("#event-rows .selected").length`, 1)
}

// A word that names a mark lights it, by pointer and by keyboard, and a mark lights its words. Who reads the picture meets each event once, in
// order of time.
func TestWordsAndMarksLightEachOther(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	b.click("step-C1")
	const word = `document.querySelector('#card .ref[data-ref="C1"][role="button"]')`
	b.until(word)
	value[bool](b, word+`.dispatchEvent(new PointerEvent("pointerover", { bubbles: true, pointerType: "mouse" }))`)
	b.until(`document.querySelector("#timeline.lighting .section.lit-mark") && document.querySelector(".heads .lit-mark .badge-name").textContent === "C1"`)
	value[bool](b, word+`.dispatchEvent(new PointerEvent("pointerout", { bubbles: true }))`)
	b.until(`!document.querySelector("#timeline.lighting")`)
	value[bool](b, word+`.focus() === undefined`)
	b.key(kb.Enter)
	b.until(word + `.getAttribute("aria-pressed") === "true" && document.querySelector("#timeline.lighting")`)
	b.key(kb.Escape)
	b.until(word + `.getAttribute("aria-pressed") === "false"`)
	b.has(`(() => {
		const marks = document.querySelector("#timeline").getAttribute("aria-owns").split(" ").map((id) => Number(document.getElementById(id).dataset.seq));
		return marks.length === new Set(marks).size && marks.every((seq, i) => i === 0 || seq > marks[i - 1]);
	})()`, true)
}

// The editor puts the cursor on the mistake in a custom program, and loses nothing typed.
func TestEditorPointsAtTheMistake(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa")
	b.opens("code")
	b.press("details.own summary")
	const source = "def acquire(c):\n    return c.setnx(\"mine\", 1) == 1\n\ndef release(c, lease):\n    c.explode(\"mine\")\n"
	b.edits("#own-form", source)
	b.press("#own-form button")
	b.until(`document.querySelector("#own-error").textContent`)
	b.mustContain("#own-error", "Line 5, column ")
	b.has(`document.querySelector("#own-source").value`, source)
	b.is(`document.querySelector(".cm-wrong-line").textContent`, `    c.explode("mine")`)
	b.mustContain(".cm-says", "Line 5, column ", "there is no .explode()")
	b.is(`document.activeElement.matches(".cm-content[aria-invalid=true]") && document.querySelector(".cm-wrong-line").contains(getSelection().anchorNode)`, "true")
	b.edits("#own-form", strings.Replace(source, "explode", "delete", 1))
	b.is(`document.querySelectorAll(".cm-says, [aria-invalid=true]").length`, "0")
	b.press("#own-form button")
	b.until(`document.querySelector("#program :checked")?.value === "del-setnx-mine" && document.querySelector("#timeline.timeline")`)
	b.click("spawn")
	b.click("step-C1")
	b.mustContain("#caption", "C1 is in the critical section")
	b.mustContain("[data-source]:not([hidden])", `c.delete("mine")`)
}

// Every target is large enough, in the narrowest window. There a client's token is its Step, whose button only the keyboard
// and a screen reader find: it has one px.
func TestTargetsAreLargeEnough(t *testing.T) {
	b := open(t)
	b.sized(320, 800)
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	value[int](b, `document.querySelectorAll("details").forEach(d => d.open = true) ?? 0`)
	small := value[[]string](b, `[...document.querySelectorAll("button, summary, select, input:not([type=hidden]), nav a, h1 a")]
		.map(e => [e, (e.closest("label") ?? e).getBoundingClientRect()])
		.filter(([e, box]) => box.width > 1 && (box.height < 40 || box.width < 40))
		.map(([e, box]) => e.tagName + "#" + e.id + " " + box.width + "x" + box.height)`)
	for _, target := range small {
		t.Errorf("%s is smaller than 40 px", target)
	}
}

// withoutScripts uses the forms, which work by themselves if no script arrives.
func withoutScripts(b *browser) {
	b.Helper()
	b.expects("422 (Unprocessable Entity)") // the page with the program that does not parse
	b.blocksScripts()
	press := func(selector, then string) {
		b.Helper()
		b.press(selector)
		b.until(fmt.Sprintf("document.querySelector(%q)?.textContent", then))
	}
	b.goTo("/t/aaaaaaaaaa")
	press("#spawn-two", "#step-C2")
	press("#step-C2", "#event-8")
	b.mustContain("#caption", "C2 is in the critical section")
	b.mustContain("#event-rows", "Redis executes #1, SETNX lock.foo 1011 from C2")
	b.has(`document.querySelector("#timeline.timeline") !== null`, false, "the scripts have arrived")
	b.has(`document.querySelector("[data-timeline=fit], [data-timeline-scale]").checkVisibility({visibilityProperty: true})`, false, "a button is shown that needs the scripts")
	b.press("details.own summary")
	b.do(chromedp.SetValue(chromedp.CSS("#own-source"), "def acquire(c): oops"))
	press("#own-form button", "#own-error")
	b.has(`document.querySelector("#own-source").value`, "def acquire(c): oops")
}

// blocksScripts blocks all scripts from now on.
func (b *browser) blocksScripts() {
	b.Helper()
	b.blocks("*://*:*/*/js/*")
}

// blocks blocks all addresses that match a pattern, and only these.
func (b *browser) blocks(patterns ...string) {
	b.Helper()
	b.expects("ERR_BLOCKED_BY_CLIENT")
	blocked := []*cdpnetwork.BlockPattern{}
	for _, pattern := range patterns {
		blocked = append(blocked, &cdpnetwork.BlockPattern{URLPattern: pattern, Block: true})
	}
	call(b, cdpnetwork.SetBlockedURLs, cdpnetwork.SetBlockedURLsParams{URLPatterns: blocked})
}

// post acts as somebody else.
func (b *browser) post(path string, form url.Values) {
	b.Helper()
	b.leads(path, form)
}

// leads sends a form and returns the address to which it redirects.
func (b *browser) leads(path string, form url.Values) string {
	b.Helper()
	return leadsTo(b, try(newClient(b).PostForm(b.direct+path, form)).orFail(b))
}

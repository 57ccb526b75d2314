package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"lockstep/web/present"
)

// From a wide window paper gets the handout's picture: rows with all lanes and letters of one size, whole, one below
// the other. Nothing lies over them, and no control is printed.
func TestPaperHasTheWholePicture(t *testing.T) {
	b := open(t)
	b.sized(1920, 1080)
	b.compares(present.HomeScenario, "getset")
	compared := value[string](b, "location.pathname + location.search")
	for _, print := range []struct {
		name, path string
		pictures   int
		clients    string
	}{
		{"run", "/t/" + value[string](b, `new URLSearchParams(location.search).get("beside")`), 1, "C3 C1 C2"},
		{"comparison", compared, 2, "C3 C1 C2"},
		{"comparison, one at a time", compared + "&scale=2", 2, "C3 C1 C2"},
		{"explorer", "/explore?program=del-setnx&run=search", 1, "C1 C2 C3"},
	} {
		b.goTo(print.path)
		b.until(`document.querySelector(".picture .mark")`)
		b.onPaper(true)
		b.has(`[...document.querySelectorAll(".paper")].filter((e) => e.checkVisibility({ visibilityProperty: true })).length`, print.pictures, print.name)
		b.none(fmt.Sprintf(onPaper, print.clients), print.name)
		b.onPaper(false)
		b.until(`!document.querySelector(".paper") && document.querySelector(".picture").checkVisibility()`)
		b.printedOn(6)
		b.until(`!document.querySelector(".paper")`)
	}
}

// printedOn fails the test unless the page is printed on so few pages.
func (b *browser) printedOn(most int) {
	b.Helper()
	if pages := strings.Count(string(call(b, page.PrintToPDF, page.PrintToPDFParams{}).Data), "/Type /Page\n"); pages == 0 || pages > most {
		b.Errorf("%s is printed on %d pages", value[string](b, "location.href"), pages)
	}
}

// onPaper lets the page look as it is printed on A4, or as before.
func (b *browser) onPaper(yes bool) {
	b.Helper()
	media, event, width, height := "", "afterprint", int64(1920), int64(1080)
	if yes {
		media, event, width, height = "print", "beforeprint", 703, 1032 // A4 without its margins
	}
	b.do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`dispatchEvent(new Event(%q)) && undefined`, event)), chromedp.EmulateViewport(width, height))
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media})
}

// onPaper returns what is wrong with the pictures of a printed page.
const onPaper = `(() => {
	const flaws = [], seen = (e) => e.checkVisibility({ visibilityProperty: true });
	for (const sheet of [...document.querySelectorAll(".paper")].filter(seen)) {
		const box = sheet.getBoundingClientRect(), rows = [...sheet.querySelectorAll("svg")];
		for (const row of rows) {
			const { left, right, top, bottom } = row.getBoundingClientRect();
			if (left < 0 || right > innerWidth) flaws.push("a row is wider than the paper");
			const letters = 12 * Math.min((right - left) / row.viewBox.baseVal.width, (bottom - top) / row.viewBox.baseVal.height);
			if (letters < 9) flaws.push("letters have " + letters + " px"); // 7 pt
			for (const bar of row.querySelectorAll("rect")) if (getComputedStyle(bar).width !== bar.getAttribute("width") + "px") flaws.push(bar.getAttribute("class") + " has the width of something else");
			for (const node of row.querySelectorAll(".badge-name")) {
				const head = node.getBoundingClientRect();
				if (head.left < left || head.right > right || head.top < top || head.bottom > bottom) flaws.push(node.textContent + " is cut");
			}
		}
		const heads = [...rows.at(-1).querySelectorAll(".badge-name")].map((e) => e.textContent).join(" ");
		if (heads !== "%s") flaws.push("the lanes are " + heads);
		for (const words of [...document.querySelectorAll("p, h1, h2, li, td, pre")].filter(seen)) {
			const at = words.getBoundingClientRect();
			if (at.height > 1 && at.top < box.bottom - 1 && at.bottom > box.top + 1) flaws.push("over the picture lies " + words.textContent);
		}
	}
	for (const control of document.querySelectorAll("button, select, input, textarea")) if (seen(control)) flaws.push("printed is " + control.outerHTML);
	return flaws;
})()`

// Paper has the picture and the whole list, and no controls.
func TestPaperHasNoControls(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa?theme=dark&mode=projector")
	b.click("spawn-two")
	b.click("step-C1")
	for range 8 {
		b.click("tick-1")
	}
	b.sized(794, 1123)
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
	b.settled()
	b.none(`[...document.querySelectorAll("button, select, input, textarea")].filter((e) => e.checkVisibility()).map((e) => e.id)`, "is printed")
	b.has(`(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector(".events .rows"))`, false, "the list of events is cut")
	b.atMost(`Math.ceil(document.querySelector("#timeline").getBoundingClientRect().right) - innerWidth`, 0)
	b.has(`getComputedStyle(document.documentElement).backgroundColor`, "rgb(255, 255, 255)")
}

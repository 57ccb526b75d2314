package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// keepSaved keeps what the page saves where a test finds it, and what it would
// have been called.
const keepSaved = `(() => {
	window.saved = [];
	const made = URL.createObjectURL;
	URL.createObjectURL = (blob) => (window.saved.push({ blob }), made(blob));
	HTMLAnchorElement.prototype.click = function () { window.saved.at(-1).name = this.download; };
})() ?? 0`

// drop lets go of a file over the page, as a hand would.
const drop = `((file) => {
	const data = new DataTransfer();
	data.items.add(file);
	for (const type of ["dragenter", "dragover", "drop"]) {
		document.querySelector("main").dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
	}
	return 0;
})`

// scenarioOf is the text of the run that the page shows.
func (b *browser) scenario() string {
	b.Helper()
	text, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`fetch(location.pathname + ".txt").then((answer) => answer.text())`, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatal(err)
	}
	return text
}

// arrive waits until the page of another run is there.
func (b *browser) arrive(from string) {
	b.Helper()
	b.until(fmt.Sprintf(`location.pathname !== %q && location.pathname.includes("/t/") && document.querySelector("#timeline.timeline")`, from))
}

// A picture is saved, and dropped on the page it is the run again.
func fileIsTheRun(b *browser) {
	b.Helper()
	b.visit("/new")
	b.do(chromedp.SetValue(chromedp.CSS("#program"), "del-setnx"))
	for _, id := range race {
		b.click(id)
	}
	text := b.scenario()
	for _, kind := range []string{"svg", "png"} {
		from := value[string](b, "location.pathname")
		value[int](b, keepSaved)
		b.do(chromedp.Click(chromedp.CSS("#share > summary")))
		b.do(chromedp.Click(chromedp.CSS("#share-" + kind)))
		b.until("window.saved[0]?.name")
		if name := value[string](b, "window.saved[0].name"); !strings.HasPrefix(name, "lockstep-") || !strings.HasSuffix(name, "."+kind) {
			b.Errorf("the picture is saved as %q", name)
		}
		b.shot("share-" + kind)
		value[int](b, drop+`(new File([window.saved[0].blob], "renamed.bin"))`)
		b.arrive(from)
		if back := b.scenario(); back != text {
			b.Errorf("the %s gives back\n%s\nwant\n%s", kind, back, text)
		}
		b.mustContain("#timeline", "2 holders: C2 + C3")
	}
}

// A picture stands on its own: no class, no script, nothing that is loaded, and
// every colour that the page shows.
func TestPictureStandsOnItsOwn(t *testing.T) {
	b := open(t)
	b.visit("/new")
	for _, id := range race[:4] {
		b.click(id)
	}
	value[int](b, keepSaved)
	b.do(chromedp.Click(chromedp.CSS("#share > summary")), chromedp.Click(chromedp.CSS("#share-svg")))
	b.until("window.saved[0]?.name")
	svg, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("window.saved[0].blob.text()", chromedp.EvalAwaitPromise))
	if err != nil {
		t.Fatal(err)
	}
	for _, forbidden := range []string{"class=", "style=", "href", "url(", "var(", "light-dark", "<script"} {
		if strings.Contains(svg, forbidden) {
			t.Errorf("the picture contains %q", forbidden)
		}
	}
	for _, wanted := range []string{`xmlns="http://www.w3.org/2000/svg"`, "rgb(0, 114, 178)", "SETNX", "<metadata><scenario "} {
		if !strings.Contains(svg, wanted) {
			t.Errorf("the picture lacks %q", wanted)
		}
	}
	if problem := value[string](b, fmt.Sprintf(`new DOMParser().parseFromString(%q, "image/svg+xml").querySelector("parsererror")?.textContent ?? ""`, svg)); problem != "" {
		t.Errorf("the picture is no XML: %s", problem)
	}
	b.quiet()
}

// Whoever follows the link has a run of their own, and stands where it was copied.
func linkIsTheRun(b *browser) {
	b.Helper()
	b.visit("/new")
	for _, id := range race[:4] {
		b.click(id)
	}
	b.do(chromedp.Click(chromedp.CSS("#back")))
	text, from := b.scenario(), value[string](b, "location.pathname")
	b.do(chromedp.Click(chromedp.CSS("#share > summary")), chromedp.Click(chromedp.CSS("#share-copy")))
	b.until(`document.querySelector("#share-note").textContent`)
	b.mustContain("#share-note", "Copied.")
	link := value[string](b, `document.querySelector("#share-link").value`)
	if !strings.HasPrefix(link, b.url+"/p?step=3#") {
		b.Fatalf("the link is %s", link)
	}
	b.do(chromedp.Navigate(link))
	b.arrive(from)
	if back := b.scenario(); back != text {
		b.Errorf("the link gives back\n%s\nwant\n%s", back, text)
	}
	if query := value[string](b, "location.search"); query != "?step=3" {
		b.Errorf("the link leads to the position %q", query)
	}
	b.mustContain("#position-text", "3 / 4")
	b.expects("Page entered Back-Forward Cache") // with its socket, which ends
	// Who goes back is not sent forth again.
	value[int](b, "history.back() ?? 0")
	b.until(fmt.Sprintf(`location.pathname === %q || document.querySelector("#link-error")?.textContent.startsWith("This link has opened a run already")`, from))
}

// What is no link and no file of ours gets a sentence, and nothing is opened.
func TestHostileLinksAndFiles(t *testing.T) {
	b := open(t)
	for _, c := range []struct{ fragment, lang, says string }{
		{"%3Cscript%3Ealert(1)%3C/script%3E", "en", "The link is damaged"},
		{"AAAA", "zh", "链接已损坏"},
		{strings.Repeat("A", 400_000), "en", "longer than the 256 KB"},
	} {
		b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.url+"/p?lang="+c.lang+"#"+c.fragment))
		b.until(`document.querySelector("#link-error")?.textContent`)
		b.mustContain("#link-error", c.says)
		b.shot("link-" + c.lang)
	}
	b.visit("/new?lang=en")
	from := value[string](b, "location.pathname")
	for content, says := range map[string]string{
		`"<svg xmlns='http://www.w3.org/2000/svg'/>"`: "The picture carries no run",
		`new Uint8Array([255, 216, 255, 224])`:        "The file is no scenario",
		`new Uint8Array(3 << 20)`:                     "larger than the 2 MB",
	} {
		value[int](b, drop+`(new File([`+content+`], "race.svg"))`)
		b.until(fmt.Sprintf(`document.querySelector("#share-note").textContent.includes(%q)`, says))
	}
	value[int](b, drop+`(new File(["spawn C1\nfly C1\n"], "race.lock"))`)
	b.until(`document.querySelector("#link-error")?.textContent.startsWith("Line 2, column 1: ")`)
	if at := value[string](b, "location.pathname"); at == from {
		t.Errorf("a text that is no run stays at %s", at)
	}
	if marked := value[string](b, `(({ value, selectionStart }) => value.slice(selectionStart))(document.activeElement)`); marked != "fly C1\n" {
		t.Errorf("the cursor stands before %q", marked)
	}
	b.shot("link-misread")
}

package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// Whoever follows the link has a run of their own that has come as far.
func linkIsTheRun(b *browser) {
	b.Helper()
	b.visit("/new")
	for _, id := range race[:4] {
		b.click(id)
	}
	b.do(chromedp.Click(chromedp.CSS("#back")))
	b.mustContain("#position-text", "3 / 4")
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
		`new Uint8Array(33 << 20)`:                    "larger than the 32 MB",
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

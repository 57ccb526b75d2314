package e2e

import (
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"

	"lockstep/web"
	"lockstep/web/door"
)

// linked returns a link to a run with a custom program, as Share writes it.
func (b *browser) linked() (link, text string) {
	b.Helper()
	text = "define mine\n| def acquire(c):\n|     return c.setnx(\"k\", c.name) == 1\n|\n| def release(c, lease):\n|     c.delete(\"k\")\nspawn C1 mine\nspawn C2 getset\nstep C1\n"
	return b.linkTo(text), text
}

// linkTo returns the link to a run, as the page of the run gives it.
func (b *browser) linkTo(text string) string {
	b.Helper()
	b.visit(strings.TrimPrefix(b.opened(text), b.options.BasePath) + "?lang=en")
	b.press("#share > summary")
	b.until(`document.querySelector("#share-link").value`)
	return value[string](b, `document.querySelector("#share-link").value`)
}

// posted returns the addresses to which the browser has sent forms, except Settings.
func (b *browser) posted() (paths []string) {
	b.Helper()
	requests, _ := b.heard()
	for _, r := range requests {
		if path := strings.TrimPrefix(r.address, b.url); r.method == http.MethodPost {
			paths = append(paths, path)
		}
	}
	return paths
}

// A link from another site says in the reader's language what it would open, and opens it on a press of the mouse or of
// Enter.
func TestLinkFromAnotherSiteAsksFirst(t *testing.T) {
	for _, c := range []struct {
		lang, ask, open, says, own string
	}{
		{"en", "Open this run?", "Open it", "Nothing is run or kept until you press the button.", "Brings along\nmine"},
		{"zh", "打开这次运行吗？", "打开", "按下按钮之前，什么都不会执行，也不会保存。", "自带的程序\nmine"},
	} {
		t.Run(c.lang, func(t *testing.T) {
			b := open(t)
			link, text := b.linked()
			elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprintf(w, `<link rel="icon" href="data:,"><a id="a" href="%s">A run</a>`, strings.Replace(link, "/p#", "/p?lang="+c.lang+"#", 1))
			}))
			t.Cleanup(elsewhere.Close)
			b.do(chromedp.Navigate(elsewhere.URL))
			b.press("#a")
			b.looks()
			b.around = []string{elsewhere.URL}
			if referrer := value[string](b, "document.referrer"); !strings.HasPrefix(referrer, elsewhere.URL) {
				t.Fatalf("the link is followed from %q: nothing is proved", referrer)
			}
			b.sees(c.ask, c.says, "mine getset", c.own)
			if posted := b.posted(); !slices.Equal(posted, []string{"/p?lang=" + c.lang}) {
				t.Errorf("before the press the page has posted to %q", posted)
			}
			if shown := value[string](b, `document.querySelector("#link-text").value`); shown != text || value[bool](b, `document.querySelector("#link-text").checkVisibility()`) {
				t.Errorf("the scenario is %q, or takes the place of what it is", shown)
			}
			if there := value[string](b, `location.href`); !strings.HasSuffix(there, link[strings.Index(link, "#"):]) {
				t.Errorf("the address has lost the link: %.100s", there)
			}
			// A key held down since the page before presses nothing.
			b.pushEnter(true)
			b.settled()
			if at := value[string](b, "location.pathname"); at != "/p" {
				t.Fatalf("a key that is held leads to %s", at)
			}
			b.presses(map[string]string{"en": "Scenario", "zh": "场景文本"}[c.lang])
			b.until(`document.querySelector("#link-text").checkVisibility()`)
			b.do(chromedp.Focus(chromedp.CSS("#link-open")))
			b.pushEnter(false)
			b.arrive("/p")
			if back := b.scenario(); back != text {
				t.Errorf("the link opens\n%s\nwant\n%s", back, text)
			}
			b.has("document.documentElement.lang", map[string]string{"en": "en", "zh": "zh-Hans"}[c.lang])
			b.expects("Page entered Back-Forward Cache")
		})
	}
}

// pushEnter presses Enter, or keeps it held down from an earlier press.
func (b *browser) pushEnter(held bool) {
	b.Helper()
	for _, p := range []input.DispatchKeyEventParams{{Type: input.DispatchKeyEventTypeKeyDown, Text: "\r", AutoRepeat: &held}, {Type: input.DispatchKeyEventTypeKeyUp}} {
		p.Key, p.Code, p.WindowsVirtualKeyCode = "Enter", "Enter", 13
		call(b, input.DispatchKeyEvent, p)
	}
}

// A link typed into the address bar shows its preview too, and keeps it: in the other language, after another link
// takes its place, and after a reload.
func TestLinkInTheAddressBarAsksFirst(t *testing.T) {
	b := open(t)
	link, text := b.linked()
	b.do(chromedp.Navigate(link))
	b.looks()
	b.presses("中文")
	b.until(`document.documentElement.lang === "zh-Hans"`)
	b.looks()
	b.sees("打开这次运行吗？")
	if value[string](b, "document.referrer") == "" {
		t.Error("the other language is come to from nowhere: nothing is proved")
	}
	b.do(chromedp.Reload())
	b.looks()

	// The reader goes from a page of this site to the page for pasting, and puts a link into the address.
	b.goTo("/?lang=en")
	value[int](b, `(document.body.insertAdjacentHTML("beforeend", '<a id="paste" href="/p">Paste</a>'), 0)`)
	b.press("#paste")
	b.sees("A run is text")
	b.until(`!document.querySelector(".link-file").hidden`) // its script listens
	value[int](b, fmt.Sprintf(`(location.hash = %q, 0)`, link[strings.Index(link, "#"):]))
	b.looks()
	if posted := b.posted(); slices.ContainsFunc(posted, func(path string) bool { return !strings.HasPrefix(path, "/p") }) {
		t.Errorf("the page has posted to %q", posted)
	}
	b.press("#link-open")
	b.arrive("/p")
	if back := b.scenario(); back != text {
		t.Errorf("the link opens\n%s\nwant\n%s", back, text)
	}
}

// A link on a page of this site opens at once, below a base path as well.
func TestLinkFromThisSiteOpensAtOnce(t *testing.T) {
	for _, base := range []string{"", basePath} {
		t.Run("base "+base, func(t *testing.T) {
			o := web.Options{BasePath: base}
			b := openSite(t, o)
			link, text := b.linked()
			b.goTo("/courses/redis-lock")
			value[int](b, fmt.Sprintf(`(document.body.insertAdjacentHTML("beforeend", '<a id="a">A run</a>'), document.querySelector("#a").href = %q, 0)`, link))
			b.press("#a")
			b.arrive("/courses/redis-lock")
			if back := b.scenario(); back != text {
				t.Errorf("the link opens\n%s\nwant\n%s", back, text)
			}
		})
	}
}

// If the server refuses a preview, the page shows its sentence, and can open the text as if it were pasted.
func TestRefusedPreviewCanStillBeOpened(t *testing.T) {
	b := openSite(t, web.Options{Limits: door.Limits{Reading: 64 << 10}})
	text := strings.Repeat("do A1 GET lock.foo\n", 1200)
	link := b.linkTo(text)
	neighbour, err := net.Dial("tcp", strings.TrimPrefix(b.direct, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(neighbour, "POST /runs HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 200000\r\n\r\nscenario=%s", strings.Repeat("x", 70<<10))
	b.expects("503")
	b.do(chromedp.Navigate(link))
	b.sees("The server is receiving as much as it can at the moment.")
	neighbour.Close()
	b.presses("Open the run")
	b.arrive("/p")
	if back := b.scenario(); back != text {
		t.Errorf("the link opens\n%s\nwant\n%s", back, text)
	}
}

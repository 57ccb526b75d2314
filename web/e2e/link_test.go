package e2e

import (
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"math/rand/v2"
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

// follows opens a link as from a chat: the page says what it would open, and a press opens it.
func (b *browser) follows(link string) {
	b.Helper()
	b.do(chromedp.Navigate(link))
	b.looks()
	b.press("#link-open")
}

// looks waits until the page of a link says what it would open.
func (b *browser) looks() {
	b.Helper()
	b.until(`document.activeElement?.id === "link-open"`)
}

// linkIsTheRun follows a link to a run of one's own, at the same position.
func linkIsTheRun(b *browser) {
	b.Helper()
	b.visit(emptyRun())
	for _, id := range race[:4] {
		b.click(id)
	}
	b.press("#back")
	b.mustContain("#position-text", "action 3 of 4")
	text, from := b.scenario(), value[string](b, "location.pathname")
	b.press("#share > summary")
	b.notes("#share-note")
	clipboard.Lock()
	b.press("#share-copy")
	b.noted("Copied.")
	clipboard.Unlock()
	link := value[string](b, `document.querySelector("#share-link").value`)
	if !strings.HasPrefix(link, b.url+"/p?step=3&s=") {
		b.Fatalf("the link is %s", link)
	}
	b.follows(link)
	b.arrive(from)
	same(b, b.scenario(), text, "the link gives back")
	b.has("location.search", "?step=3")
	b.expects("Page entered Back-Forward Cache") // with its socket, which ends
	// The back button does not lead forward again.
	value[int](b, "setTimeout(() => history.back()) && 0") // the answer comes before the page goes
	b.until(fmt.Sprintf(`location.pathname === %q || document.querySelector("#link-error")?.textContent.startsWith("This link has opened a run already")`, from))
}

// A link carries the run to its end, the position shown and the edited program,
// however long. The reader keeps their own language.
func TestLinkCarriesTheWholeRun(t *testing.T) {
	own := "def acquire(c):\n    return c.setnx(\"k\", c.name) == 1\n\ndef release(c, lease):\n    c.delete(\"k\")\n# 锁 <script>alert(1)</script>\n"
	source := rand.New(rand.NewPCG(1, 2)) // what it says is hard to compress
	for len(own)+20 < 8<<10 {
		own += fmt.Sprintf("# %016x\n", source.Uint64())
	}
	own += strings.Repeat("#", 8<<10-len(own)-1) + "\n"
	edited := "define mine\n| " + strings.ReplaceAll(strings.TrimRight(own, "\n"), "\n", "\n| ") + "\nspawn C1 mine\nspawn C2 mine\nstep C1\nstep C2\n"
	t.Logf("the program has %d bytes", len(own))
	for _, c := range []struct {
		name, text string
		at         int
	}{
		{"a program of 8 KB", edited, 3},
		{"a run of 2,000 events", crowded(t).Scenario().String(), 200},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t)
			b.url = strings.Replace(b.url, "127.0.0.1", workshop, 1)
			b.visit(b.opened(c.text) + fmt.Sprintf("?lang=zh&step=%d", c.at))
			text, from := b.scenario(), value[string](b, "location.pathname")
			b.press("#share > summary")
			b.until(`document.querySelector("#share-link").value`)
			link := value[string](b, `document.querySelector("#share-link").value`)
			b.has(`document.querySelector("#share-long").checkVisibility()`, len(link) > 2000, len(link))
			t.Logf("the link has %d characters", len(link))
			if strings.Contains(link, "lang") {
				t.Errorf("the link is in a language: %.100s", link)
			}
			b.follows(link)
			b.arrive(from)
			same(t, b.scenario(), text, "the link gives back")
			b.has(`document.querySelector("#position").value`, c.at)
			b.has("document.documentElement.lang", "zh-Hans")
		})
	}
}

// If a script may not copy, the page selects the link and says which keys copy it.
func TestLinkIsSelectedWhereScriptsMayNotCopy(t *testing.T) {
	b := open(t)
	b.url = strings.Replace(b.url, "127.0.0.1", workshop, 1)
	b.visit(emptyRun())
	if value[bool](b, "isSecureContext || Boolean(navigator.clipboard)") {
		t.Fatal("the browser trusts the host: nothing is proved")
	}
	value[int](b, `(document.execCommand = () => false, 0)`)
	b.press("#share > summary")
	b.notes("#share-note")
	b.press("#share-copy")
	b.noted("Ctrl+C")
	b.has(`(({ id, selectionStart, selectionEnd, value }) => id === "share-link" && selectionStart === 0 && selectionEnd === value.length)(document.activeElement)`, true, "the link is not selected")
}

// A broken link or file gets a sentence, and opens nothing.
func TestBrokenLinksAndFilesOpenNothing(t *testing.T) {
	b := open(t)
	b.expects("422 (Unprocessable Entity)")
	var whole, bomb, many bytes.Buffer
	for text, out := range map[string]*bytes.Buffer{
		"program naive\nspawn C1\nstep C1\n": &whole,
		strings.Repeat("#", 64<<20):          &bomb,
		strings.Repeat("spawn C1\n", 6_000):  &many,
	} {
		zip := try(flate.NewWriter(out, flate.BestCompression)).orFail(t)
		if _, err := zip.Write([]byte(text)); err != nil || zip.Close() != nil {
			t.Fatal(err)
		}
	}
	link := func(deflated *bytes.Buffer) string { return base64.RawURLEncoding.EncodeToString(deflated.Bytes()) }
	script := base64.RawURLEncoding.EncodeToString(append([]byte{0, 25, 0, 0xe6, 0xff}, "<script>alert(1)</script>"...)) + "AQAA__8"
	for _, c := range []struct{ name, fragment, en, zh string }{
		{"letters that are none of a link's", "%3Cscript%3Ealert(1)%3C/script%3E", "The link is damaged", "链接已损坏"},
		{"what deflate does not read", "AAAA", "The link is damaged", "链接已损坏"},
		{"a link cut off", link(&whole)[:len(link(&whole))-5], "The link is damaged", "链接已损坏"},
		{"400,000 letters", strings.Repeat("A", 400_000), "longer than 256 KB", "超过 256 KB"},
		{"a bomb of 64 MB", link(&bomb), "longer than 256 KB", "超过 256 KB"},
		{"more lines than a run may have", link(&many), "Line 5001, column 1: ", "第 5001 行第 1 列：场景文本除程序之外超过 5000 行"},
		{"a script", script, "Line 1, column 1: unknown action", "第 1 行第 1 列：没有"},
	} {
		for lang, says := range map[string]string{"en": c.en, "zh": c.zh} {
			b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.url+"/p?lang="+lang+"#"+c.fragment))
			b.until(fmt.Sprintf(`document.querySelector("#link-error")?.textContent.includes(%q)`, says))
		}
	}
	// A position beyond the end is the end.
	b.do(chromedp.Navigate("about:blank"))
	b.follows(b.url + "/p?step=99#" + link(&whole))
	b.arrive("/p")
	b.until(`document.querySelector("#position").value === "2"`)
	if paths := value[string](b, `location.pathname`); !strings.HasPrefix(paths, "/t/") {
		t.Errorf("the link leads to %s", paths)
	}
	b.visit(emptyRun() + "?lang=en")
	from := value[string](b, "location.pathname")
	for content, says := range map[string]string{
		`"<svg xmlns='http://www.w3.org/2000/svg'/>"`: "The picture carries no run",
		`new Uint8Array([255, 216, 255, 224])`:        "The file is no scenario",
		`new Uint8Array(33 << 20)`:                    "larger than 32 MB",
	} {
		b.notes("#share-note")
		value[int](b, drop+`(new File([`+content+`], "race.svg"))`)
		b.noted(says)
	}
	value[int](b, drop+`(new File(["spawn C1\nfly C1\n"], "race.lock"))`)
	b.until(`document.querySelector("#link-error")?.textContent.startsWith("Line 2, column 1: ")`)
	if at := value[string](b, "location.pathname"); at == from {
		t.Errorf("a text that is no run stays at %s", at)
	}
	b.until(`document.activeElement.matches(".cm-content")`) // there the cursor stands
}

// linked returns a link to a run with a custom program, as Share writes it.
func (b *browser) linked() (link, text string) {
	b.Helper()
	text = "define mine\n| def acquire(c):\n|     return c.setnx(\"k\", c.name) == 1\n|\n| def release(c, lease):\n|     c.delete(\"k\")\nspawn C1 mine\nspawn C2 getset\nstep C1\n"
	return b.linkTo(text), text
}

// behind returns a short link with its run behind #, as a longer one has it, and as each had it before links became short.
func behind(link string) string { return strings.Replace(link, "?s=", "#", 1) }

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

// A link from another site, long or short, shows in the reader's language what it would open, and opens it on a press of the mouse
// or of Enter.
func TestLinkFromAnotherSiteAsksFirst(t *testing.T) {
	for _, c := range []struct {
		lang, counts, details, own string
		long                       bool
	}{
		{"en", "mine 2 clients, 3 actions", "Details", "Brings along\nmine", true},
		{"zh", "mine 2 个客户端，3 个动作", "详情", "自带的程序\nmine", false},
	} {
		t.Run(c.lang, func(t *testing.T) {
			b := open(t)
			link, text := b.linked()
			asked := []string{}
			if c.long {
				asked = []string{"/p?lang=" + c.lang}
				link = behind(link)
			}
			elsewhere := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				fmt.Fprintf(w, `<link rel="icon" href="data:,"><a id="a" href="%s">A run</a>`, strings.NewReplacer("/p#", "/p?lang="+c.lang+"#", "/p?", "/p?lang="+c.lang+"&").Replace(link))
			}))
			t.Cleanup(elsewhere.Close)
			b.do(chromedp.Navigate(elsewhere.URL))
			b.press("#a")
			b.looks()
			b.around = []string{elsewhere.URL}
			if referrer := value[string](b, "document.referrer"); !strings.HasPrefix(referrer, elsewhere.URL) {
				t.Fatalf("the link is followed from %q: nothing is proved", referrer)
			}
			b.is(`document.querySelector(".link-title").textContent.trim()`, c.counts)
			b.until(`document.querySelectorAll("#timeline [data-seq]").length > 3`)
			if posted := b.posted(); !slices.Equal(posted, asked) {
				t.Errorf("before the press the page has posted to %q", posted)
			}
			if shown := value[string](b, `document.querySelector("#link-text").value`); shown != text || value[bool](b, `document.querySelector("#link-text").checkVisibility()`) {
				t.Errorf("the scenario is %q, or takes the place of what it is", shown)
			}
			if there := value[string](b, `location.href`); !strings.HasSuffix(there, link[strings.LastIndexAny(link, "#="):]) {
				t.Errorf("the address has lost the link: %.100s", there)
			}
			// A key held down since the page before presses nothing.
			b.pushEnter(true)
			b.settled()
			if at := value[string](b, "location.pathname"); at != "/p" {
				t.Fatalf("a key that is held leads to %s", at)
			}
			b.presses(c.details)
			b.sees(c.own)
			b.until(`document.querySelector("#link-text").checkVisibility()`)
			b.do(chromedp.Focus(chromedp.CSS("#link-open")))
			b.pushEnter(false)
			b.arrive("/p")
			same(t, b.scenario(), text, "the link opens")
			b.has("document.documentElement.lang", map[string]string{"en": "en", "zh": "zh-Hans"}[c.lang])
			b.expects("Page entered Back-Forward Cache")
		})
	}
}

// pushEnter presses Enter, or keeps it held down from an earlier press, as a keyboard does: a page that prevents its default prevents the
// character, too.
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
	link = behind(link)
	b.do(chromedp.Navigate(link))
	b.looks()
	b.presses("中文")
	b.until(`document.documentElement.lang === "zh-Hans"`)
	b.looks()
	b.sees("2 个客户端，3 个动作")
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
	same(t, b.scenario(), text, "the link opens")
}

// A link on a page of this site opens at once, below a base path as well.
func TestLinkFromThisSiteOpensAtOnce(t *testing.T) {
	for base, long := range map[string]bool{"": false, basePath: true} {
		t.Run("base "+base, func(t *testing.T) {
			o := web.Options{BasePath: base}
			b := openSite(t, o)
			link, text := b.linked()
			if long {
				link = behind(link)
			}
			b.goTo("/courses/redis-lock")
			value[int](b, fmt.Sprintf(`(document.body.insertAdjacentHTML("beforeend", '<a id="a">A run</a>'), document.querySelector("#a").href = %q, 0)`, link))
			b.press("#a")
			b.arrive("/courses/redis-lock")
			same(t, b.scenario(), text, "the link opens")
		})
	}
}

// If the server refuses a preview, the page shows its sentence, and can open the text as if it were pasted.
func TestRefusedPreviewCanStillBeOpened(t *testing.T) {
	b := openSite(t, web.Options{Limits: door.Limits{Reading: 64 << 10}})
	text := strings.Repeat("do A1 GET lock.foo\n", 1200)
	link := behind(b.linkTo(text))
	neighbour := try(net.Dial("tcp", strings.TrimPrefix(b.direct, "http://"))).orFail(t)
	fmt.Fprintf(neighbour, "POST /runs HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 200000\r\n\r\nscenario=%s", strings.Repeat("x", 70<<10))
	b.expects("503")
	b.do(chromedp.Navigate(link))
	b.sees("The server is receiving as much as it can at the moment.")
	neighbour.Close()
	b.presses("Open the run")
	b.arrive("/p")
	same(t, b.scenario(), text, "the link opens")
}

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"lockstep/engine/testtools"
	"lockstep/web"
)

// moodle is a page of another site that frames the address in its query, follows its height and keeps what it is told.
const moodle = `<!doctype html><meta charset="utf-8"><title>Moodle</title><link rel="icon" href="data:,">
<meta name="color-scheme" content="light dark">
<h1>Moodle</h1>
<iframe id="frame" title="A lesson" style="border:0; width:100%%; height:420px" src="%s"></iframe>
<script>
	window.told = [];
	addEventListener("message", (event) => {
		if (event.data.source !== "lockstep" || event.source !== frame.contentWindow) return;
		told.push({ ...event.data, from: event.origin });
		if (event.data.type === "height" && !%t) frame.style.height = event.data.height + "px";
	});
</script>`

// platform serves such a page, and returns its origin by a name that is another site than the server's address.
func platform(t *testing.T) (origin string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w, moodle, r.URL.Query().Get("src"), r.URL.Query().Has("deaf"))
	}))
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "127.0.0.1", workshop, 1)
}

// strict is a Chromium that keeps sites apart, as those of readers do: a frame of another site has a process of its own, and
// gets no cookie.
var strict = sync.OnceValues(func() (context.Context, error) {
	return startChromium(chromedp.Flag("disable-features", "Translate"), chromedp.Flag("site-per-process", true), chromedp.Flag("test-third-party-cookie-phaseout", true))
})

// openStrict shows a site in such a Chromium.
func openStrict(t *testing.T, o web.Options) *browser {
	t.Helper()
	b := openIn(t, strict, o)
	b.around = o.EmbedFrom
	return b
}

// high reports whether the frame is as high as its page has told last.
const high = `Math.abs(frame.clientHeight - told.findLast(({ type }) => type === "height").height) < 1`

// A posted message is one that a framed page sends.
type posted struct {
	Source, Type, Path, Title, From string
	Version, Height, Done, Of       int
	Actions, Par                    int
	Score                           float64
}

// told returns the messages of a type that the page around has heard.
func (b *browser) told(kind string) (all []posted) {
	b.Helper()
	for _, m := range value[[]posted](b, "window.told") {
		if m.Type == kind {
			all = append(all, m)
		}
	}
	return all
}

// inner attaches to the frame in a page, which has a process of its own: it is another site's.
func (b *browser) inner() *browser {
	b.Helper()
	var id target.ID
	if !testtools.Eventually(func() bool {
		all := try(chromedp.Targets(b.ctx)).orFail(b)
		mine := chromedp.FromContext(b.ctx).BrowserContextID
		for _, one := range all {
			if one.Type == "iframe" && one.BrowserContextID == mine && strings.Contains(one.URL, "/embed/") {
				id = one.TargetID
			}
		}
		return id != ""
	}) {
		b.Fatal("the page has no frame in a process of its own")
	}
	ctx, stop := chromedp.NewContext(b.ctx, chromedp.WithTargetID(id))
	b.Cleanup(stop)
	f := &browser{TB: b.TB, ctx: ctx, network: b.network, url: b.url, direct: b.direct, options: b.options}
	must(b, chromedp.Listen(ctx, f.listen))
	b.Cleanup(f.quiet)
	f.until(`document.querySelector("#timeline.timeline, .stamp") && document.documentElement.dataset.live === ""`) // the scripts have run
	return f
}

// pressIn clicks on an element of the frame, at its place in the page around.
func (b *browser) pressIn(f *browser, selector string) {
	b.Helper()
	if !testtools.Eventually(func() bool { return b.aimsIn(f, selector) }) {
		b.Fatalf("no click reaches %s", selector)
	}
}

// aimsIn clicks once, if there is something to click. The page around may give the frame another height meanwhile, and the click miss.
func (b *browser) aimsIn(f *browser, selector string) bool {
	b.Helper()
	if !value[bool](f, fmt.Sprintf(`((found) => {
		if (!found?.checkVisibility()) return false;
		window.hit = false;
		found.addEventListener("click", () => (window.hit = true), { capture: true, once: true });
		return true;
	})(document.querySelector(%q))`, selector)) {
		return false
	}
	at := value[aim](f, fmt.Sprintf(`new Promise((done) => {
		const where = () => JSON.stringify(document.querySelector(%[1]q)?.getBoundingClientRect());
		const look = (was) => requestAnimationFrame(() => {
			if (where() !== was) return look(where());
			const { left, top, width, height } = document.querySelector(%[1]q)?.getBoundingClientRect() ?? { left: 0, top: 0, width: 0, height: 0 };
			done({ X: left + width / 2, Y: top + height / 2, Over: "" });
		});
		look("");
	})`, selector))
	value[bool](b, fmt.Sprintf(`(({ top }) => (scrollBy(0, top + %f - innerHeight / 2), true))(frame.getBoundingClientRect())`, at.Y))
	b.settled()
	corner := value[aim](b, `(({ left, top }) => ({ X: left, Y: top, Over: "" }))(frame.getBoundingClientRect())`)
	b.do(chromedp.MouseClickXY(corner.X+at.X, corner.Y+at.Y))
	hit, err := chromedp.Run(f.ctx, chromedp.Evaluate[bool]("window.hit ?? true"))
	return err != nil || hit // a frame that the click has led elsewhere was hit
}

// learns does a lesson to its end: it answers by the letters and the mouse in turn, and goes on by the space bar and the mouse.
func (b *browser) learns(f *browser) (answers int) {
	b.Helper()
	for i := 0; ; i++ {
		reached := value[string](f, `document.querySelector("#guide").dataset.reached`)
		switch {
		case value[bool](f, `document.querySelector("#guide").dataset.over !== undefined`):
			return answers
		case value[bool](f, `document.querySelector("#guide").dataset.asks !== undefined`):
			if answers++; answers%2 == 1 {
				b.pressIn(f, ".guesses .answer")
			} else {
				value[bool](f, `document.querySelector("#guess-title").focus() ?? true`)
				b.key("2")
			}
		case i%2 == 0:
			b.pressIn(f, "#go-on")
		default:
			value[bool](f, `document.querySelector("#go-on").focus() ?? true`)
			b.key(" ")
		}
		f.until(fmt.Sprintf(`document.querySelector("#guide").dataset.reached !== %q && !document.querySelector(".playing")`, reached))
	}
}

// A page of another site frames a lesson. The reader does it to its end by mouse and keyboard, and then its challenge. The
// page around hears how high the frame is and how far the reader has come. The browser refuses all cookies of the frame.
func TestALessonIsDoneInAFrame(t *testing.T) {
	for _, c := range []struct{ lang, title, open string }{
		{"en", "DEL and SETNX: the race", "Open in Lockstep"},
		{"zh", "DEL 加 SETNX：竞态条件", "在 Lockstep 中打开"},
	} {
		t.Run(c.lang, func(t *testing.T) {
			origin := platform(t)
			b := openStrict(t, web.Options{EmbedFrom: []string{"https://moodle.example", origin}})
			const path = "/courses/redis-lock/race"
			b.do(chromedp.Navigate(origin + "/?src=" + url.QueryEscape(b.url+"/embed"+path+"?lang="+c.lang)))
			f := b.inner()
			b.until(`told.some(({ type }) => type === "height")`)
			if ready := b.told("ready"); len(ready) != 1 || ready[0] != (posted{Source: "lockstep", Version: 1, Type: "ready", Path: path, Title: c.title, From: b.url}) {
				t.Errorf("the page around is told %+v", ready)
			}
			answers := b.learns(f)
			b.until(`told.some(({ type }) => type === "solved")`)
			var steps []string
			for _, m := range b.told("progress") {
				steps = append(steps, fmt.Sprintf("%d/%d", m.Done, m.Of))
			}
			same(t, strings.Join(steps, " "), "0/6 1/6 2/6 3/6 4/6 5/6 6/6", "the reader comes to")
			solved := b.told("solved")
			if hits := solved[0].Score * float64(answers); len(solved) != 1 || answers != 2 || hits != float64(int(hits)) || solved[0].Path != path || solved[0].Actions != 0 {
				t.Errorf("after %d answers the page around is told %+v", answers, solved)
			}
			b.until(high)
			f.until(`document.documentElement.scrollHeight <= innerHeight`)
			f.has("document.cookie", "")
			if link := value[[]string](f, `(({ textContent, target, rel, href }) => [textContent, target, rel, href])(document.querySelector("#frame-open"))`); link[0] != c.open || link[1] != "_blank" || link[2] != "noopener" || !strings.HasPrefix(link[3], b.url+"/t/") {
				t.Errorf("the way out is %q", link)
			}

			// The challenge opens in the same frame.
			heard := len(value[[]posted](b, "window.told"))
			b.pressIn(f, `.card-foot > [data-challenge]`)
			b.until(fmt.Sprintf(`told.slice(%d).some(({ type, path }) => type === "ready" && path === %q)`, heard, path+"/second"))
			f.until(`document.querySelector("#challenge") && document.querySelector("#timeline.timeline")`)
			f.bringsTokens()
		})
	}
}

// bringsTokens fails the test unless each socket of a frame has brought a token.
func (b *browser) bringsTokens() {
	b.Helper()
	requests, _ := b.heard()
	sockets := 0
	for _, r := range requests {
		if strings.HasPrefix(r.address, "ws") {
			sockets++
			if !strings.Contains(r.address, "&visitor=") {
				b.Errorf("a socket brings no token: %s", r.address)
			}
		}
	}
	if sockets == 0 {
		b.Error("the frame has opened no socket")
	}
}

// A challenge tells its actions and those of the shortest way. The page around asks again, and is told again; nobody else is
// answered.
func TestAChallengeIsSolvedInAFrame(t *testing.T) {
	origin := platform(t)
	b := openStrict(t, web.Options{EmbedFrom: []string{origin}})
	const path = "/courses/redis-lock/race/break"
	b.do(chromedp.Navigate(origin + "/?src=" + url.QueryEscape(b.url+"/embed"+path+"?lang=en")))
	f := b.inner()
	for i, client := range []string{"C1", "C1", "C2", "C2", "C1", "C1", "C2", "C2"} {
		f.until(fmt.Sprintf(`document.querySelector("#position-text").textContent.match(/\d+/)[0] === "%d"`, 6+i))
		b.pressIn(f, "#step-"+client)
	}
	b.until(`told.some(({ type }) => type === "solved")`)
	if solved := b.told("solved"); len(solved) != 1 || solved[0] != (posted{Source: "lockstep", Version: 1, Type: "solved", Path: path, Score: 1, Actions: 8, Par: 8, From: b.url}) {
		t.Errorf("the page around is told %+v", solved)
	}
	if progress := b.told("progress"); len(progress) != 2 || progress[1].Done != 1 || progress[1].Of != 1 {
		t.Errorf("the reader comes to %+v", progress)
	}

	latest := func() map[string]posted {
		all := map[string]posted{}
		for _, m := range value[[]posted](b, "window.told") {
			all[m.Type] = m
		}
		return all
	}
	b.until(high)
	f.settled()
	b.settled()
	before := latest()
	for _, said := range []string{`{}`, `null`, `"hello"`, `{"source": "lockstep", "version": 2, "type": "hello"}`, `{"source": "lockstep", "version": 1, "type": "bye"}`} {
		value[bool](b, fmt.Sprintf(`(told.length = 0, frame.contentWindow.postMessage(%s, "*"), true)`, said))
	}
	value[bool](f, `window.postMessage({ source: "lockstep", version: 1, type: "hello" }, "*") ?? true`) // the frame itself is nobody
	f.settled()
	b.settled()
	if heard := value[[]posted](b, "window.told"); len(heard) > 0 {
		t.Errorf("what is no question is answered: %+v", heard)
	}
	value[bool](b, `frame.contentWindow.postMessage({ source: "lockstep", version: 1, type: "hello" }, "*") ?? true`)
	b.until(`["ready", "height", "progress", "solved"].every((type) => told.some((m) => m.type === type))`)
	if after := latest(); !reflect.DeepEqual(after, before) {
		t.Errorf("the page around is told again %+v, want %+v", after, before)
	}
	f.bringsTokens()
}

// The browser refuses to show a framed page to a site that is not listed, and any other page to a listed site.
func TestOnlyAListedSiteFramesALesson(t *testing.T) {
	listed, stranger := platform(t), platform(t)
	b := openStrict(t, web.Options{EmbedFrom: []string{listed}})
	b.around = append(b.around, stranger)
	b.expects("frame-ancestors")
	for _, c := range []struct {
		around, path string
		shown        bool
	}{
		{listed, "/embed/courses/redis-lock/race", true},
		{stranger, "/embed/courses/redis-lock/race", false},
		{stranger, "/embed/explore", false},
		{listed, "/courses/redis-lock/race", false},
		{listed, "/", false},
	} {
		b.mu.Lock()
		b.complaints = nil
		b.mu.Unlock()
		b.do(chromedp.Navigate(c.around + "/?src=" + url.QueryEscape(b.url+c.path)))
		refused := func() bool {
			b.mu.Lock()
			defer b.mu.Unlock()
			return slices.ContainsFunc(b.complaints, func(said string) bool { return strings.Contains(said, "frame-ancestors") })
		}
		if c.shown {
			b.until(`told.length > 0`)
		} else if !testtools.Eventually(refused) || len(value[[]posted](b, "window.told")) > 0 {
			t.Errorf("%s shows %s", c.around, c.path)
		}
		if c.shown == refused() {
			t.Errorf("%s shows %s: %t", c.around, c.path, !c.shown)
		}
	}
}

// The frame that DEPLOY.md shows works as it stands there: its height follows the page, and it hears that the lesson is solved.
func TestTheFrameOfTheManualWorks(t *testing.T) {
	manual := try(os.ReadFile(filepath.Join("..", "DEPLOY.md"))).orFail(t)
	_, snippet, _ := strings.Cut(string(manual), "```html\n")
	snippet, _, _ = strings.Cut(snippet, "```")
	if lines := strings.Count(snippet, "\n"); lines < 5 || lines > 15 {
		t.Fatalf("the manual has %d lines of HTML", lines)
	}
	site := ""
	around := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, `<!doctype html><link rel="icon" href="data:,">`, strings.ReplaceAll(snippet, "https://lockstep.example", site))
	}))
	t.Cleanup(around.Close)
	origin := strings.Replace(around.URL, "127.0.0.1", workshop, 1)
	b := openStrict(t, web.Options{EmbedFrom: []string{origin}})
	site = b.url
	b.do(chromedp.Navigate(origin))
	f := b.inner()
	b.until(`frame.clientHeight !== 640`)
	value[bool](b, `(window.said = [], console.log = (text) => said.push(text), true)`)
	b.learns(f)
	b.until(`said.length > 0`)
	if said := value[[]string](b, "said"); len(said) != 1 || !strings.HasPrefix(said[0], "/courses/redis-lock/race: ") || !strings.HasSuffix(said[0], " %") {
		t.Errorf("the page around says %q", said)
	}
	f.until(`document.documentElement.scrollHeight <= innerHeight`)
	f.bringsTokens()
}

// axe-core finds nothing wrong with the pages for frames.
func TestFramedPagesPassAxe(t *testing.T) {
	b := openSite(t, web.Options{EmbedFrom: []string{"https://moodle.example"}})
	for name, path := range map[string]string{
		"lesson": "/courses/redis-lock/race", "end": "/courses/redis-lock/race?done=99", "challenge": "/courses/redis-lock/race/break",
		"fix": "/courses/redis-lock/race/mend", "explorer": "/explore", "run": "/t/aaaaaaaaaa",
	} {
		b.inLooks("frame-"+name, "/embed"+path, looks, func(string) {
			b.until(`"live" in document.documentElement.dataset && !document.querySelector("[data-stale]") && document.getAnimations().every(({ playState }) => playState === "finished")`)
		})
	}
}

// A frame whose page around does not listen stays as high as it is: the page fits into it, and the one thing to do next is in
// view.
func TestAPageFitsIntoADeafFrame(t *testing.T) {
	origin := platform(t)
	b := openStrict(t, web.Options{EmbedFrom: []string{origin}})
	for n, width := range []int64{640, 1200} {
		for _, lang := range spokenBy(n) {
			b.sized(width, 900)
			b.do(chromedp.Navigate(origin + "/?deaf&src=" + url.QueryEscape(b.url+"/embed/courses/redis-lock/race?lang="+lang)))
			value[bool](b, `(frame.style.height = "480px", true)`)
			f := b.inner()
			f.until(`document.documentElement.dataset.fits === ""`)
			for range 2 {
				f.until(`(({ top, bottom }) => top >= 0 && bottom <= innerHeight)(document.querySelector("#go-on, .guesses").getBoundingClientRect())`)
				reached := value[string](f, `document.querySelector("#guide").dataset.reached`)
				b.pressIn(f, "#go-on")
				f.until(fmt.Sprintf(`document.querySelector("#guide").dataset.reached !== %q && !document.querySelector(".playing")`, reached))
			}
			value[bool](b, `(frame.style.height = "1400px", true)`) // now it has room
			f.until(`document.documentElement.dataset.fits === undefined`)
		}
	}
}

// The explorer asks its question in the frame, within its own addresses, and the page around is told when the answer makes
// the frame higher.
func TestTheExplorerWorksInAFrame(t *testing.T) {
	origin := platform(t)
	b := openStrict(t, web.Options{EmbedFrom: []string{origin}})
	b.do(chromedp.Navigate(origin + "/?src=" + url.QueryEscape(b.url+"/embed/explore?lang=en&program=set-px")))
	f := b.inner()
	f.until(`document.querySelector(".stamp.holds")`)
	value[bool](f, `((field) => { field.value = "del-setnx"; field.dispatchEvent(new Event("change", { bubbles: true })); return true })(document.querySelector("#explore-program"))`)
	f.until(`document.querySelector(".stamp.violated") && location.pathname === "/embed/explore" && new URLSearchParams(location.search).get("program") === "del-setnx" && new URLSearchParams(location.search).get("lang") === "en"`)
	b.until(high)
	if told := b.told("progress"); len(told) > 0 {
		t.Errorf("the explorer says that the reader comes to %+v", told)
	}
	b.atMost("history.length", 2)
}

// Firefox, which refuses the frame its cookies and its storage, has the lesson done as well.
func TestFirefoxDoesALessonInAFrame(t *testing.T) {
	testtools.Exhaustive(t, "Firefox takes again what Chromium does")
	f := openFirefox(t, `user_pref("network.cookie.cookieBehavior", 1);`)
	around := strings.Replace(platform(t), workshop, "127.0.0.1", 1)
	site := strings.Replace("http://"+serve(t, web.Options{EmbedFrom: []string{around}}), "127.0.0.1", "localhost", 1)
	f.visit(around + "/?src=" + url.QueryEscape(site+"/embed/courses/redis-lock/race?lang=en"))
	f.until(`told.some(({ type }) => type === "ready")`)
	top := f.tab
	var tree struct {
		Contexts []struct {
			Children []struct{ Context, URL string }
		}
	}
	f.call("browsingContext.getTree", fmt.Sprintf(`{"root": %q}`, top), &tree)
	f.tab = tree.Contexts[0].Children[0].Context
	if refused := f.evaluate(`(() => { try { return localStorage.length } catch (e) { return e.name } })()`); refused != "SecurityError" {
		t.Fatalf("the frame has a storage (%s): nothing is proved", refused)
	}
	for range 20 {
		if f.evaluate(`document.querySelector("#guide").dataset.over !== undefined`) == "true" {
			break
		}
		reached := f.evaluate(`document.querySelector("#guide").dataset.reached`)
		f.evaluate(`document.querySelector(".guesses .answer, #go-on").click()`)
		f.until(fmt.Sprintf(`document.querySelector("#guide").dataset.reached !== %s && !document.querySelector(".playing")`, strconv.Quote(reached)))
	}
	// The answers stay while the frame goes on to the challenge and back.
	f.evaluate(`document.querySelector(".card-foot > [data-challenge]").click()`)
	f.until(`document.querySelector("#challenge") && document.querySelector("#timeline.timeline")`)
	same(t, f.evaluate(`Object.keys(JSON.parse(window.name).courses["redis-lock"].race.guesses).length`), "2", "the frame keeps")
	f.tab = top
	f.until(`told.some(({ type }) => type === "solved")`)
	var all []posted
	must(t, json.Unmarshal([]byte(f.evaluate(`JSON.stringify(told)`)), &all))
	kinds := map[string]int{}
	for _, m := range all {
		kinds[m.Type]++
	}
	if kinds["ready"] != 2 || kinds["progress"] < 7 || kinds["solved"] != 1 || kinds["height"] == 0 {
		t.Errorf("the page around is told %v", kinds)
	}
}

// Package e2e drives the page of a real server in a real Chromium.
//
// With E2E_SHOTS=dir a test leaves pictures there: of each window in the end, of each look in which it measures a page, and of
// what it waits for in vain.
//
// The package has more than 25 files: each journey has its own.
package e2e

import (
	"cmp"
	"context"
	"flag"
	"fmt"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"os"
	"path/filepath"
	processors "runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	cdpnetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"lockstep/engine/testtools"
	"lockstep/web"
)

// A browser is a window that shows the pages of a server of its own.
type browser struct {
	testing.TB
	ctx     context.Context
	network *network // between the browser and the server
	url     string   // of the site, as the browser reaches it
	direct  string   // of the site, for others
	options web.Options
	around  []string // the sites whose pages frame those of the server

	mu         sync.Mutex
	complaints []string             // of the console: exceptions, what the policy has blocked
	requests   []asked              // of all pages and scripts, sockets included
	expected   []string             // what complaints may say
	document   cdpnetwork.RequestID // of the page that is shown
	frames     [][]byte             // that the sockets have brought
	over       bool                 // quiet has looked at all this
}

// asked is a request of the browser.
type asked struct{ method, address string }

// workshop is a host that the browser takes for another machine.
const workshop = "workshop.test"

// TestMain lets browsers run side by side, and at the end stops the Chromium that
// they share and removes the binary.
func TestMain(m *testing.M) {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given { // one more than processors, because each test waits for its page now and then
		if err := flag.Set("test.parallel", fmt.Sprint(1+processors.GOMAXPROCS(0))); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	for _, stop := range stopChromiums {
		stop()
	}
	removeBinary()
	os.Exit(code)
}

var stopChromiums []func()

// chromium starts the one Chromium of all tests, because starting one takes longer
// than many journeys.
var chromium = sync.OnceValues(func() (context.Context, error) { return startChromium() })

// startChromium starts a Chromium with some more options.
func startChromium(more ...chromedp.ExecAllocatorOption) (context.Context, error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(testtools.Path(browsers...)), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.WindowSize(1440, 900),
		chromedp.Flag("host-resolver-rules", "MAP "+workshop+" 127.0.0.1"), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true), chromedp.Flag("lang", "en"),
		chromedp.Flag("allow-pre-commit-input", true), // or a key before the first frame is lost
		chromedp.WSURLReadTimeout(time.Minute))
	options = append(options, more...)
	allocator, stopAllocator := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, stop := chromedp.NewContext(allocator)
	stopChromiums = append(stopChromiums, stop, stopAllocator)
	return ctx, chromedp.Do(ctx) // the browser outlives the first context that it is run with
}

// browsers are the names of Chromium. The headless shell comes first: it draws no
// window around a page, and takes half of the processor's time.
var browsers = []string{"chromium-headless-shell", "chrome-headless-shell", "chromium", "chromium-browser", "google-chrome"}

// open starts a server, and shows it in a window with its own cookies and storage.
// Tests with windows run side by side. Without Chromium the test is skipped and says
// why; in CI it fails.
func open(t testing.TB) *browser {
	t.Helper()
	return openSite(t, web.Options{})
}

func openSite(t testing.TB, o web.Options) *browser {
	t.Helper()
	return openIn(t, chromium, o)
}

// openIn shows a site in a Chromium that is started when it is needed first.
func openIn(t testing.TB, start func() (context.Context, error), o web.Options) *browser {
	t.Helper()
	inItsCircle(t)
	testtools.Find(t, browsers...)
	if t, ok := t.(*testing.T); ok {
		t.Parallel()
	}
	return window(t, try(start()).orFail(t), serve(t, o), o)
}

// another opens a window of somebody else at the same server, with cookies and a
// network of its own.
func (b *browser) another() *browser {
	b.Helper()
	return window(b, try(chromium()).orFail(b), b.network.leads(), b.options)
}

// window opens a window for the pages of a server.
func window(t testing.TB, shared context.Context, server string, o web.Options) *browser {
	t.Helper()
	ctx, stop := chromedp.NewContext(shared, chromedp.WithNewBrowserContext())
	t.Cleanup(stop)
	if err := chromedp.Do(ctx, chromedp.EmulateViewport(1440, 900), focused); err != nil {
		t.Fatalf("opening a window: %v", err)
	}
	ctx, stopWaiting := context.WithTimeout(ctx, 30*time.Minute)
	t.Cleanup(stopWaiting)
	n := newNetwork(t, server)
	b := &browser{TB: t, ctx: ctx, network: n, url: "http://" + n.address + o.BasePath, direct: "http://" + server + o.BasePath, options: o}
	if err := chromedp.Listen(ctx, b.listen); err != nil {
		t.Fatalf("opening a window: %v", err)
	}
	t.Cleanup(b.quiet)
	t.Cleanup(b.shot)
	return b
}

// serve starts a server and returns its address.
func serve(t testing.TB, o web.Options) string {
	t.Helper()
	o.Lookahead = cmp.Or(o.Lookahead, testtools.Patience) // a busy machine takes longer than 2 s for what a lookahead may cost
	site := web.New(o)
	server := httptest.NewServer(site.Handler())
	t.Cleanup(func() {
		site.Close()
		server.Close()
	})
	return server.Listener.Addr().String()
}

// newClient returns a client that keeps its cookies and does not follow redirects.
func newClient(t testing.TB) *http.Client {
	jar := try(cookiejar.New(nil)).orFail(t)
	transport := &http.Transport{}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Jar: jar, Transport: transport, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// leadsTo returns where an answer redirects, as every form of the site does.
func leadsTo(t testing.TB, answer *http.Response) string {
	t.Helper()
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		t.Fatalf("%s %s: %s", answer.Request.Method, answer.Request.URL, answer.Status)
	}
	return answer.Header.Get("Location")
}

// replaceServer replaces the server by an empty one.
func (b *browser) replaceServer() {
	b.Helper()
	server := serve(b, b.options)
	b.Cleanup(b.quiet) // before this server ends
	b.direct = "http://" + server + b.options.BasePath
	b.network.lead(server)
}

// focused makes a window behave as if it had the focus, which only one window of a
// browser has.
func focused(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
	return chromedp.Call(ctx, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
}

// listen notes the errors of a page, its requests, and what its sockets bring.
func (b *browser) listen(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		b.complaints = append(b.complaints, e.ExceptionDetails.Text+" "+e.ExceptionDetails.Exception.Description)
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError {
			b.complaints = append(b.complaints, e.Entry.Text+" "+e.Entry.URL)
		}
	case *cdpnetwork.EventRequestWillBeSent:
		b.requests = append(b.requests, asked{e.Request.Method, e.Request.URL})
	case *cdpnetwork.EventResponseReceived:
		if e.Type == cdpnetwork.ResourceTypeDocument {
			b.document = e.RequestID
		}
	case *cdpnetwork.EventWebSocketFrameReceived:
		b.frames = append(b.frames, e.Response.PayloadData)
	case *cdpnetwork.EventWebSocketCreated:
		b.requests = append(b.requests, asked{http.MethodGet, e.URL})
	}
}

// quiet fails the test, at its end, for each unexpected error on the console of its windows, and for each request to another site.
func (b *browser) quiet() {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.over {
		return
	}
	b.over = true
	// A page gives up a connection that a busy machine does not open in five seconds, and tries again.
	expected := append([]string{"WebSocket is closed before the connection is established"}, b.expected...)
	for _, complaint := range b.complaints {
		if !slices.ContainsFunc(expected, func(said string) bool { return strings.Contains(complaint, said) }) {
			b.Errorf("the console says: %s", complaint)
		}
	}
	for _, request := range b.requests {
		if !b.ours(request.address) {
			b.Errorf("the page asks for %s, which is not below %s", request.address, b.url)
		}
	}
}

// heard returns the requests of the pages, and the frames of their sockets.
func (b *browser) heard() (requests []asked, frames [][]byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.requests), slices.Clone(b.frames)
}

// expects allows an error that the test itself causes.
func (b *browser) expects(said string) { b.expected = append(b.expected, said) }

// ours reports whether an address is below that of the site, or needs no network.
func (b *browser) ours(address string) bool {
	scheme, place, _ := strings.Cut(address, ":")
	_, site, _ := strings.Cut(b.url, ":")
	switch scheme {
	case "http", "ws":
		return strings.HasPrefix(place, site+"/") || slices.ContainsFunc(b.around, func(other string) bool { return strings.HasPrefix(address, other+"/") })
	case "data", "blob", "file", "about":
		return true
	}
	return false
}

func (b *browser) do(steps ...chromedp.Action[chromedp.Void]) {
	b.Helper()
	must(b, chromedp.Do(b.ctx, steps...))
}

// visit opens a page with a picture, and waits until its scripts have run.
func (b *browser) visit(path string) {
	b.Helper()
	b.goTo(path)
	b.until(`document.readyState === "complete" && document.querySelector("#timeline.timeline")`)
}

// press clicks on the first element of a selector.
func (b *browser) press(selector string) {
	b.Helper()
	b.pressOn(fmt.Sprintf("document.querySelector(%q)", selector))
}

// pressOn clicks on the element of an expression, as a reader does: when it stands
// still and nothing covers it. What stands in the page's menu is there when the menu is open. If the page moves under the
// pointer at the last moment, the click reaches nothing and the pointer aims again.
func (b *browser) pressOn(found string) {
	b.Helper()
	b.until(found)
	value[bool](b, fmt.Sprintf(`((menu) => (menu && !menu.open && menu.querySelector("summary").click(), true))((%s).closest("#menu > .menu-items, #also > .buttons")?.parentElement)`, found))
	var over string
	hit := testtools.Eventually(func() bool {
		aim := value[aim](b, fmt.Sprintf(aimed, found))
		if over = aim.Over; over != "" {
			b.uncovers(found, aim)
			return false
		}
		b.do(chromedp.MouseClickXY(aim.X, aim.Y))
		missed, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`window.guard?.abort(), window.missed ?? ""`))
		over = missed
		return err != nil || missed == "" // a page that the click has left was hit
	})
	if !hit {
		b.shot()
		b.Fatalf("over %s lies %.80s", found, over)
	}
}

// uncovers does what a reader does who looks for a control: what waits for the pointer comes with it, and a tool is behind Tools.
func (b *browser) uncovers(found string, at aim) {
	b.Helper()
	b.do(chromedp.MouseEvent(input.DispatchMouseEventTypeMouseMoved, at.X, at.Y))
	value[bool](b, fmt.Sprintf(`((tool) => (tool && document.querySelector("#open-drawers[aria-expanded=false]")?.click(), true))((%s)?.closest(".transport, .timeline-controls, .with-guide .times, .with-guide .spawn"))`, found))
}

// An aim is where a click has to go, or what covers that place.
type aim struct {
	X, Y float64
	Over string
}

// aimed finds the middle of the element of an expression, once it stands still, and
// keeps the next click from everything else.
const aimed = `(async () => {
	const find = () => %s; // again each time: the page may put another in its place
	const frame = () => new Promise(requestAnimationFrame);
	const where = () => JSON.stringify(find()?.getBoundingClientRect());
	let was;
	do {
		find()?.scrollIntoViewIfNeeded();
		was = where();
		await frame();
	} while (was !== where());
	if (!find()) return { X: 0, Y: 0, Over: "nothing: it is gone" };
	const { left, top, width, height } = find().getBoundingClientRect();
	const X = left + width / 2, Y = top + height / 2;
	const there = document.elementFromPoint(X, Y);
	if (!find().contains(there)) return { X, Y, Over: there?.outerHTML ?? "nothing" };
	window.missed = "";
	window.guard = new AbortController();
	for (const type of ["pointerdown", "mousedown", "pointerup", "mouseup", "click"]) {
		addEventListener(type, (event) => {
			const over = find()?.contains(event.target);
			if (type === "pointerdown") window.pressed = event.target;
			if (type === "pointerdown" && !over) window.missed = event.target.outerHTML;
			// Where the page moves or changes between press and release, there is no click.
			const kept = window.pressed?.isConnected && (over || event.target.hasPointerCapture(event.pointerId));
			if (type === "pointerup" && !kept) window.missed = "another place at the release";
			if (!window.missed) return;
			event.preventDefault();
			event.stopImmediatePropagation();
		}, { capture: true, signal: window.guard.signal });
	}
	return { X, Y, Over: "" };
})()`

// click presses the button and waits until the page has shown the answer.
func (b *browser) click(id string) {
	b.Helper()
	b.happens(func() { b.press("#" + id) })
}

// happens does something, and waits until the page shows what has happened.
func (b *browser) happens(does func()) {
	b.Helper()
	before := value[int](b, lastEvent)
	does()
	b.until(fmt.Sprintf("%s !== %d", lastEvent, before))
}

// chooses chooses the program of the next client.
func (b *browser) chooses(program string) {
	b.Helper()
	value[bool](b, fmt.Sprintf(`document.querySelector("#program [value=%s]").click() ?? true`, program))
}

// stands waits until the page shows a position, in either language.
func (b *browser) stands(position, of int) {
	b.Helper()
	b.until(fmt.Sprintf(`document.querySelector("#position-text")?.textContent.match(/\d+/g).join("/") === "%d/%d"`, position, of))
}

// opens opens a drawer.
func (b *browser) opens(drawer string) {
	b.Helper()
	value[bool](b, fmt.Sprintf(`((tab) => tab.getAttribute("aria-expanded") === "true" || (tab.click() ?? true))(document.querySelector("#tab-%s"))`, drawer))
}

// begins runs a script in the pages that the window opens from now on, before their own.
func (b *browser) begins(source string) {
	b.Helper()
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
}

// notes begins to write down what a place says: a note goes after a few seconds. noted waits until it has said something.
func (b *browser) notes(place string) {
	b.Helper()
	value[bool](b, fmt.Sprintf(`(() => {
		const place = document.querySelector(%q);
		window.noting?.disconnect();
		window.said = "";
		window.noting = new MutationObserver(() => (said += place.textContent + "\n"));
		noting.observe(place, { childList: true, characterData: true, subtree: true });
		return true;
	})()`, place))
}

func (b *browser) noted(says string) {
	b.Helper()
	b.until(fmt.Sprintf(`said.replaceAll("\u00a0", " ").includes(%q)`, says))
}

// settled waits until the work for the next frame is done and the list no longer moves.
func (b *browser) settled() {
	b.Helper()
	value[bool](b, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
}

// lastEvent is the number of the last row in the list of events.
const lastEvent = `Number(document.querySelector("#event-rows tr:last-child")?.dataset.seq ?? 0)`

// until waits for a condition of the page.
func (b *browser) until(condition string) {
	b.Helper()
	b.waits(condition, condition)
}

// waits waits for a condition of the page, also of a page that has not loaded yet, and
// fails the test if it never holds.
func (b *browser) waits(condition, that string) {
	b.Helper()
	come, err := b.comes(condition)
	if come {
		return
	}
	b.shot()
	if err != nil {
		that += ": " + err.Error()
	}
	b.Fatalf("%.200s never comes to %s; it says %q", value[string](b, "location.href"), that,
		value[string](b, `[...document.querySelectorAll("#refusal, #connection")].filter((e) => !e.hidden).map((e) => e.textContent).join(" ")`))
}

// comes reports whether a condition of the page comes to hold before a test loses patience.
func (b *browser) comes(condition string) (holds bool, err error) {
	holds = testtools.Eventually(func() (holds bool) {
		ctx, stop := context.WithTimeout(b.ctx, 2*time.Second) // a frozen page answers when it is asked again
		defer stop()
		holds, err = chromedp.Run(ctx, chromedp.Evaluate[bool](fmt.Sprintf(watched, condition), chromedp.EvalAwaitPromise))
		return err == nil && holds
	})
	return holds, err
}

// watched looks at a condition in the page when the page has changed, and every 50 ms for what is not in the document, for a
// second: to ask from here each time would take a tenth of the processor's time.
const watched = `new Promise((answer, fail) => {
	const end = performance.now() + 1000;
	let soon = false, later;
	const changes = new MutationObserver(() => {
		if (!soon) setTimeout(look, 5);
		soon = true;
	});
	const look = () => {
		soon = false;
		clearTimeout(later);
		try {
			const holds = Boolean(%s);
			if (!holds && performance.now() <= end) return (later = setTimeout(look, 50));
			changes.disconnect();
			answer(holds);
		} catch (e) {
			changes.disconnect();
			fail(e);
		}
	};
	changes.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
	look();
})`

// text returns the text of an element, once it is there.
func (b *browser) text(selector string) string {
	b.Helper()
	found := fmt.Sprintf("document.querySelector(%q)", selector)
	b.until(found)
	return value[string](b, found+".textContent.trim()")
}

// call sends a command of the browser's own protocol.
func call[P, R any](b *browser, command cdp.Command[P, R], params P) R {
	b.Helper()
	return try(chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (R, error) { return chromedp.Call(ctx, command, params) })).orFail(b)
}

// value returns the value of an expression, or what it promises.
func value[T any](b *browser, expression string) T {
	b.Helper()
	v, err := chromedp.Run(b.ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("%s: %v", expression, err)
	}
	return v
}

// shots counts the pictures of all tests.
var shots atomic.Int64

// shot takes a picture if E2E_SHOTS asks for pictures.
func (b *browser) shot() {
	b.Helper()
	dir := os.Getenv("E2E_SHOTS")
	if dir == "" {
		return
	}
	name := fmt.Sprintf("%s-%03d", strings.ReplaceAll(strings.TrimPrefix(b.Name(), "Test"), "/", "-"), shots.Add(1))
	time.Sleep(150 * time.Millisecond)
	picture := try(chromedp.Run(b.ctx, chromedp.FullScreenshot(100))).orFail(b)
	must(b, os.WriteFile(filepath.Join(dir, name+".png"), picture, 0o644))
}

// sized gives the window a size.
func (b *browser) sized(width, height int64, as ...chromedp.EmulateViewportOption) {
	b.Helper()
	b.do(chromedp.EmulateViewport(width, height, as...))
}

// prefers gives the reader a preference, as a media query asks for it.
func (b *browser) prefers(query string) {
	b.Helper()
	feature, value, _ := strings.Cut(query, ": ")
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{{Name: feature, Value: value}}})
}

// mustContain waits until an element contains all the texts.
func (b *browser) mustContain(selector string, wanted ...string) {
	b.Helper()
	for _, w := range wanted {
		b.comesTo(fmt.Sprintf("document.querySelector(%q)?.textContent.replaceAll(\"\\u00a0\", \" \").trim()", selector), fmt.Sprintf("contain %q", w), "value.includes("+quoteJS(w)+")")
	}
}

// has fails the test unless an expression has a value now; is waits until it has. The test says where it looks.
func (b *browser) has(expression string, want any, where ...any) {
	b.Helper()
	same(b, value[string](b, `Promise.resolve(`+expression+`).then(String)`), fmt.Sprint(want), expression, where)
}

// atLeast and atMost fail the test unless a number is as large, or as small.
func (b *browser) atLeast(expression string, least float64, where ...any) {
	b.Helper()
	if got := value[float64](b, expression); got < least {
		b.Errorf("%v: %s is %g, want %g or more", where, expression, got, least)
	}
}

func (b *browser) atMost(expression string, most float64, where ...any) {
	b.Helper()
	if got := value[float64](b, expression); got > most {
		b.Errorf("%v: %s is %g, want %g or less", where, expression, got, most)
	}
}

// none fails the test for each text of a list.
func (b *browser) none(expression string, where ...any) {
	b.Helper()
	for _, found := range value[[]string](b, expression) {
		b.Errorf("%v: %s", where, found)
	}
}

func (b *browser) is(expression, want string) {
	b.Helper()
	b.comesTo(expression, fmt.Sprintf("be %q", want), "value === "+quoteJS(want))
}

// comesTo waits until the value of an expression is right, because an effect that one
// browser shows may still be on its way to another.
func (b *browser) comesTo(expression, wanted, right string) {
	b.Helper()
	if come, err := b.comes("((value) => " + right + ")(String(" + expression + "))"); !come {
		got, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("String("+expression+")"))
		b.Errorf("%s is %q, want it to %s (%v)", expression, got, wanted, err)
	}
}

// An outcome is what a call has returned.
type outcome[T any] struct {
	value T
	err   error
}

// try(call).orFail(t) returns what the call returns, and ends the test if that is an error.
func try[T any](value T, err error) outcome[T] { return outcome[T]{value, err} }

func (o outcome[T]) orFail(t testing.TB) T {
	t.Helper()
	must(t, o.err)
	return o.value
}

// must ends the test if there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// same fails the test unless two values are equal.
func same[T comparable](t testing.TB, got, want T, what ...any) {
	t.Helper()
	if got != want {
		t.Errorf("%v: %v\nwant %v", what, got, want)
	}
}

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	cdpnetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/go-chi/chi/v5"

	"lockstep/engine/testtools"
	"lockstep/web"
)

// aRun is the run that the pages below show; violated is one at the end of the race.
const (
	aRun     = "/t/aaaaaaaaaa"
	violated = "/t/violated00"
)

// pages are those of web/routes.go, in the states to which a reader brings them.
var pages = []struct {
	name string
	make func(*browser)
}{
	{"home", func(b *browser) { b.goTo("/"); b.sees("Only one program may work at a time.") }},
	{"home, C3 inside", func(b *browser) { b.press("#press-C3"); b.sees("The key is C3's lock.") }},
	{"home, C3 crashed", func(b *browser) { b.press("#press-C3"); b.sees("Nobody will remove C3's lock.") }},
	{"home, the race", func(b *browser) { b.press("#press-time"); b.sees("Whose DEL arrives first?") }},
	{"home, one press further", func(b *browser) { b.press("#press-C1"); b.sees("Which one arrives first?") }},
	{"home, the lock broken", func(b *browser) {
		for i, press := range []string{"C1", "C2", "C2"} {
			b.until("!document.querySelector('#home.arriving')")
			b.press("#press-" + press)
			b.until(`new URLSearchParams(location.search).get("order") === "` + "1122"[:i+2] + `"`)
		}
		b.sees("You broke it")
	}},
	{"home, the reason", func(b *browser) { b.presses("See why") }},
	{"home, with GETSET", func(b *browser) { b.presses("Same order with GETSET") }},
	{"home, the lock held", func(b *browser) { b.goTo("/?order=1212"); b.sees("This time it held") }},
	{"home in Chinese", func(b *browser) { b.goTo("/?lang=zh&order=1122&show=why"); b.sees("删掉了 C1 的锁") }},
	{"its run", func(b *browser) {
		b.goTo("/?lang=en&order=1122&show=why")
		b.presses("Open it in the playground")
		b.arrives()
	}},
	{"a new run", func(b *browser) { b.visit("/new") }},
	{"an action", func(b *browser) { b.click("step-C1") }},
	{"a refused action", func(b *browser) {
		b.press("#more-C1 summary")
		b.press("#receive-C1")
		b.until(`!document.querySelector("#refusal").hidden`)
	}},
	{"a violation", func(b *browser) {
		for _, line := range []string{
			"spawn C1", "step C1", "crash C1", "tick 12s", "spawn C2", "spawn C3",
			"step C2", "step C2", "step C3", "step C3", "step C2", "step C2", "step C3", "step C3",
		} {
			b.post(violated+"/actions", url.Values{"action": {line}, "program": {"del-setnx"}, "timeout": {"10s"}})
		}
		b.visit(violated)
		b.presses("Show me why")
	}},
	{"the past", func(b *browser) { b.visit(violated + "?step=7"); b.sees("action 7 of 14") }},
	{"everything opened", func(b *browser) {
		value[bool](b, `document.querySelectorAll("details").forEach((e) => e.open = true) ?? true`)
	}},
	{"the help", func(b *browser) {
		b.visit(violated)
		b.key("?")
		b.until(`document.querySelector("#help").open`)
	}},
	{"the help at its own address", func(b *browser) {
		b.goTo("/")
		b.press("#help-open")
		b.sees("How to read the picture")
	}},
	{"the projector", func(b *browser) {
		b.visit(violated)
		b.key("p")
		b.until(`document.documentElement.dataset.mode === "projector"`)
		b.saves(1)
	}},
	{"the picture as a picture", func(b *browser) {
		b.visit(violated)
		value[int](b, keepSaved)
		b.presses("Share")
		b.presses("PNG")
		b.until("window.saved[0]?.name")
	}},
	{"real time, on a phone", func(b *browser) {
		b.presses("Real time")
		b.sized(390, 844)
		b.until(`document.querySelector("#timeline-box").dataset.axis === "y"`)
		b.sized(1440, 900)
		b.key("p")
		b.until(`document.documentElement.dataset.mode === "desk"`)
		b.saves(1)
	}},
	{"another program", func(b *browser) {
		b.visit(violated)
		b.presses("Same schedule, other program")
		b.press(`#rerun-form [value="getset"]`)
		b.until(`location.pathname !== new URL(document.querySelector(".branch")?.href).pathname`)
		b.arrives()
	}},
	{"a program that does not parse", func(b *browser) {
		b.opens("code") // a comparison begins with its drawers closed
		b.presses("Edit")
		b.edits("#own-form", "def acquire(c): oops")
		b.presses("Run the same schedule")
		b.until(`document.querySelector("#own-error").textContent`)
	}},
	{"the console", func(b *browser) { b.console(aRun); b.run(`SETNX mykey "Hello"`, "(integer) 1"); b.strikes("se") }},
	{"the connection lost", func(b *browser) {
		b.network.cut()
		b.until(`!document.querySelector("#connection").hidden`)
		b.network.mend()
		b.until(`document.querySelector("#connection").hidden`)
	}},
	{"every file of a run", func(b *browser) {
		for _, address := range value[[]string](b, `[...document.querySelectorAll("a[download], .downloads a")].map((e) => e.href)`) {
			b.unstyled(address, b.fetches(address))
		}
	}},
	{"the log of a run, as scripts ask for it", func(b *browser) {
		first := b.stretch(violated + "/events?lang=en")
		if n := len(first.Events); n == 0 || n != first.Total || len(first.Lines) != 14 || first.Actions != 14 || first.Header == nil {
			b.Fatalf("all of the log is %d of %d events and %d of %d lines, its header %v", n, first.Total, len(first.Lines), first.Actions, first.Header)
		}
		rest := b.stretch(fmt.Sprintf("%s/events?epoch=%s&after=12&since=%d&lang=zh", violated, first.Epoch, first.Total-2))
		if rest.Epoch != first.Epoch || rest.Header != nil || rest.After != 12 || !slices.Equal(rest.Lines, first.Lines[12:]) {
			b.Errorf("after 12 actions the log goes on with %+v", rest)
		}
		if rest.Since != first.Total-2 || len(rest.Events) != 2 {
			b.Fatalf("two events are missing, and %d come after %d", len(rest.Events), rest.Since)
		}
		for i, e := range rest.Events {
			known := first.Events[rest.Since+i]
			if e.Seq != rest.Since+i+1 || e.Seq != known.Seq || e.Kind != known.Kind || e.Sentence["zh"] == "" || len(e.Sentence) != 1 || known.Sentence["en"] == "" || len(known.Sentence) != 1 {
				b.Errorf("event %d is %+v, and was %+v", rest.Since+i+1, e, known)
			}
		}
		if again := b.stretch(fmt.Sprintf("%s/events?epoch=another&after=12&since=%d", violated, first.Total)); again.After != 0 || len(again.Lines) != 14 || again.Since != 0 || len(again.Events) != first.Total {
			b.Errorf("of another epoch %d lines come after %d, and %d events after %d", len(again.Lines), again.After, len(again.Events), again.Since)
		}
	}},
	{"an action that comes too late", func(b *browser) {
		b.submits(aRun+"/actions", "at", "99", "action", "tick 1s")
		b.sees("Showing step")
	}},
	{"a fork", func(b *browser) {
		b.submits(aRun+"/forks", "at", "1")
		b.until(`location.pathname.includes("/t/") && !location.pathname.includes("` + aRun + `")`)
		b.arrives()
	}},
	{"the addresses of forms, as a browser asks for them that is started again", func(b *browser) {
		for _, form := range []string{"/actions", "/reruns", "/forks"} {
			b.visit(aRun + form)
		}
	}},
	{"another program that does not parse", func(b *browser) {
		b.submits(aRun+"/reruns", "source", "def acquire(c): oops")
		b.sees("Line 1, column")
	}},
	{"paste a scenario", func(b *browser) { b.goTo("/p"); b.sees("Scenario") }},
	{"a scenario that is none", func(b *browser) {
		b.edits("#link-form", "fly C1")
		b.presses("Open the run")
		b.sees("Line 1, column 1")
	}},
	{"a link cut off", func(b *browser) { b.goTo("/p#AAAA"); b.sees("The link is damaged") }},
	{"a link out of a chat", func(b *browser) { b.goTo("/p#Ky5ILM9TcDZUyEvMLEvlKi5JLQDyuAA"); b.looks(); b.sees("Open it") }},
	{"a link that a chat can read", func(b *browser) {
		b.goTo("/p?s=Ky5ILM9TcDZUyEvMLEvlKi5JLQDyuAA")
		b.looks()
		b.until(`document.querySelector("#timeline g [data-seq]")`)
	}},
	{"the run that it opens", func(b *browser) { b.presses("Open it"); b.arrives() }},
	{"the address that logs are sent to", func(b *browser) { b.goTo("/imports"); b.sees("C3 asks Redis for the lock.") }},
	{"a log that is dropped", func(b *browser) {
		b.visit("/new?lang=en")
		value[int](b, drop+"(new File([`"+monitored+"`], 'incident.log'))")
		b.until(`document.querySelector("#remarks")`)
		b.arrives()
	}},
	{"the address that scenarios are sent to", func(b *browser) { b.goTo("/runs"); b.sees("C3 asks Redis for the lock.") }},
	{"the help as a page", func(b *browser) { b.goTo("/help"); b.sees("Keys") }},
	{"the explorer", func(b *browser) { b.goTo("/explore"); b.answered() }},
	{"a search for other causes", func(b *browser) { b.opens("causes"); b.presses("Look for other causes"); b.answered() }},
	{"a long search", func(b *browser) {
		b.goTo("/explore?program=set-px&clients=5&ticks=30")
		value[bool](b, stops)
		b.until(`window.stopped`)
		b.answered()
	}},
	{"a program of one's own", func(b *browser) { b.goTo("/explore?own=1&program=naive"); b.answered() }},
	{"a search at its address", func(b *browser) { b.goTo("/explore?run=search&ticks=5"); b.answered() }},
	{"a question that makes no sense", func(b *browser) { b.goTo("/explore?clients=0"); b.sees("is not a whole number") }},
	{"a search without scripts", func(b *browser) {
		b.submits("/explore", "own", "1", "run", "search", "source", "def acquire(c): oops")
		b.sees("Line 1, column")
	}},
	{"the contents of the first course", func(b *browser) { b.goTo("/courses?lang=en"); b.sees("The Redis lock") }},
	{"a lesson", func(b *browser) {
		b.presses("DEL and SETNX: the race")
		b.until(`document.querySelector("#task-dots").ariaLabel === "0 / 6"`)
		b.arrives()
	}},
	{"its last card", func(b *browser) {
		b.goTo("/courses/redis-lock/race?done=14&lang=en")
		b.until(`document.querySelector("#task-dots").ariaLabel === "6 / 6"`)
		b.arrives()
	}},
	{"its handout", func(b *browser) { b.presses("Handout"); b.sees("Tick what you expect") }},
	{"its handout as a file", func(b *browser) { b.fetches(b.url + "/courses/redis-lock/race/handout.html") }},
	{"its handout with answers", func(b *browser) { b.presses("With answers"); b.sees("This came true.") }},
	{"the lesson's run", func(b *browser) {
		b.visit("/courses/redis-lock/race?lang=en")
		b.press("#go-on")
		b.until(`document.querySelector("#task-dots").ariaLabel === "1 / 6"`)
		b.until(`location.pathname.includes("/t/")`)
	}},
	{"the lesson's next moment, without scripts", func(b *browser) {
		b.submits(b.here() + "/lesson")
		b.until(`document.querySelector("#task-dots").ariaLabel === "2 / 6"`)
		b.visit(b.here() + "/lesson")
	}},
	{"the lesson again", func(b *browser) {
		b.submits("/courses/redis-lock/race")
		b.until(`document.querySelector("#task-dots").ariaLabel === "0 / 6"`)
		b.arrives()
	}},
	{"a challenge", func(b *browser) {
		b.submits("/courses/redis-lock/race/break")
		b.arrives()
	}},
	{"a hint", func(b *browser) {
		b.press("#hint summary")
		b.until(`document.querySelector("#ahead-says").textContent.includes("8")`)
	}},
	{"the claim that it cannot be broken", func(b *browser) {
		b.press("#claim > summary")
		b.press("#reason-setnx")
		b.sees("It can be broken")
		b.visit(b.here() + "/claims")
	}},
	{"a program to mend", func(b *browser) {
		b.goTo("/courses/redis-lock/race/mend")
		b.press("#mend-search")
		b.until(`document.querySelector("#mend").dataset.answered !== undefined && document.querySelector("#outcome svg.timeline")`)
	}},
	{"what to use", func(b *browser) { b.goTo("/courses/redis-lock/what-to-use") }},
	{"a question that comes back", func(b *browser) {
		b.visit("/courses/redis-lock/race/again?lang=en")
	}},
	{"the test", func(b *browser) { b.goTo("/courses/redis-lock/test?lang=en"); b.sees("What do you know about locks?") }},
	{"its first question", func(b *browser) { b.presses("Begin: before the course"); b.sees("1 / 8") }},
	{"the test on paper", func(b *browser) { b.goTo("/courses/redis-lock/test/handout?form=before"); b.sees("8.") }},
	{"a program", func(b *browser) { b.goTo("/programs/del-setnx"); b.sees("acquire") }},
	{"a program in Java", func(b *browser) { b.goTo("/programs/del-setnx/java"); b.sees("acquire") }},
	{"what the sources say", func(b *browser) { b.goTo("/courses/redis-lock/sources") }},
	{"no lesson", func(b *browser) { b.goTo("/courses/redis-lock/nothing"); b.sees("There is no such lesson") }},
	{"what a machine asks for", func(b *browser) {
		for _, path := range []string{"/healthz", "/metrics", "/robots.txt"} {
			b.fetches(b.url + path)
		}
	}},
	{"a room", func(b *browser) {
		b.goTo("/rooms")
		b.presses("Start a room")
		b.until(`document.querySelector("#room-box.presenting")`)
		b.arrives()
		value[string](b, `sessionStorage.room = document.querySelector("#room-box").dataset.path`)
	}},
	{"its test", func(b *browser) {
		b.submits(b.inRoom("/do"), "verb", "test", "form", "before", "course", "redis-lock")
		b.sees("You present")
	}},
	{"its results", func(b *browser) { b.goTo(b.inRoom("/results?lang=en")); b.sees("What do you know about locks?") }},
	{"its results as files", func(b *browser) {
		for _, file := range []string{"/results.csv", "/results.json"} {
			b.fetches(b.url + b.inRoom(file))
		}
	}},
	{"what its people take home", func(b *browser) { b.goTo(b.inRoom("/home?lang=en")); b.sees("Take home") }},
	{"its wall", func(b *browser) { b.goTo(b.inRoom("/screen?lang=en")); b.sees("Everybody answers alone") }},
	{"its wall with a strip", func(b *browser) { b.goTo(b.inRoom("/single?lang=en")); b.sees("Desk") }},
	{"the start of its exercise", func(b *browser) { b.fetches(b.url + b.inRoom("/start")) }},
	{"what a site asks about a link", func(b *browser) {
		b.fetches(b.url + "/oembed?url=" + url.QueryEscape(b.url+"/courses/redis-lock/race"))
	}},
	{"everybody's copies", func(b *browser) { b.goTo(b.inRoom("/wall")); b.sees("Back to the room") }},
	{"the presenter's remote", func(b *browser) { b.goTo(b.inRoom("/remote")); b.sees("Step") }},
	{"a link for a remote", func(b *browser) { b.submits(b.inRoom("/remotes")); b.sees("Scan this with your own phone") }},
	{"a link for a remote that is none", func(b *browser) { b.submits(b.inRoom("/remote"), "pair", "none"); b.sees("This link has been used") }},
	{"the room's run", func(b *browser) { b.fetches(b.url + b.inRoom("/run")) }},
	{"the room, for the presenter", func(b *browser) { b.goTo(b.inRoom("")); b.sees("You present") }},
	{"the presenter does not join", func(b *browser) { b.submits(b.inRoom("/seats")); b.sees("You present") }},
	{"something in the room, without scripts", func(b *browser) { b.submits(b.inRoom("/do"), "verb", "gather"); b.sees("You present") }},
	{"the addresses of the room's forms", func(b *browser) {
		for _, form := range []string{"/seats", "/remotes", "/do", "/forget"} {
			b.goTo(b.inRoom(form))
			b.sees("You present")
		}
	}},
	{"back to the run", func(b *browser) { b.visit(b.inRoom("/present")) }},
	{"the handout of its lessons", func(b *browser) {
		b.submits(b.inRoom("/do"), "verb", "show", "task", "redis-lock/race")
		b.fetches(b.url + b.inRoom("/handout.html"))
	}},
	{"the room, no more", func(b *browser) { b.submits(b.inRoom("/forget")); b.sees("This room is gone") }},
	{"a code", func(b *browser) { b.goTo("/join?code=12345"); b.sees("A code has six digits.") }},
	{"no room", func(b *browser) { b.goTo("/r/000000"); b.sees("There is no room with this code.") }},
	{"no page", func(b *browser) { b.goTo("/nothing"); b.sees("There is no such page.") }},
}

// monitored is what MONITOR prints of a late DEL.
const monitored = `OK
1795510000.000000 [0 127.0.0.1:5001] "set" "lock.foo" "a" "NX" "PX" "1000"
1795510002.000000 [0 127.0.0.1:5002] "set" "lock.foo" "b" "NX" "PX" "1000"
1795510002.500000 [0 127.0.0.1:5001] "del" "lock.foo"
1795510002.600000 [0 127.0.0.1:5002] "del" "lock.foo"
`

// No page in any state requests another origin, violates the policy or has an inline
// style. No link or form leads out of the site's base path, except to the sources of a
// course.
func TestEveryPageStaysOnTheSite(t *testing.T) {
	for name, base := range map[string]string{"at the root": "", "below a base path": basePath} {
		t.Run(name, func(t *testing.T) {
			if base == "" {
				testtools.Exhaustive(t, "below a base path an address that leaves the site is seen as well")
			}
			b := openSite(t, web.Options{BasePath: base})
			b.expects("the server responded with a status of 4") // to what is wrong on purpose
			b.expectsCuts()
			shown := map[string]bool{} // beside a page: by a tab, a phone's screen, a chat
			for _, page := range pages {
				page.make(b)
				b.unstyled(page.name, b.source())
				for _, address := range value[[]string](b, `[...document.querySelectorAll("link[rel$=icon], meta[property='og:image']")].map((named) => named.href ?? named.content)`) {
					if !b.ours(address) {
						t.Errorf("%s shows itself with %s", page.name, address)
					} else if !shown[address] {
						shown[address] = true
						b.fetches(address)
					}
				}
				b.keepsLinks(page.name)
			}
			requests, frames := b.heard()
			for _, frame := range frames {
				var told struct{ Panels map[string]any } // HTML, or a change of it
				must(t, json.Unmarshal(frame, &told))
				for id, panel := range told.Panels {
					b.unstyled("the panel "+id, fmt.Sprint(panel))
				}
			}
			b.walked(base, requests)
		})
	}
}

// keepsLinks fails the test for each link and form of the page that leads out of the site.
func (b *browser) keepsLinks(name string) {
	b.Helper()
	for _, address := range value[[]string](b, `["href", "src", "action", "formaction"].flatMap((name) => [...document.querySelectorAll("[" + name + "]:not([rel=external])")].map((e) => new URL(e.getAttribute(name), document.baseURI).href))`) {
		if !b.ours(address) {
			b.Errorf("%s leads to %s", name, address)
		}
	}
}

// fetches returns the answer to a request by a script of the page.
func (b *browser) fetches(address string) string {
	b.Helper()
	text := value[string](b, "fetch("+quoteJS(address)+").then((answer) => answer.text())")
	if text == "" {
		b.Errorf("%s is empty", address)
	}
	return text
}

// A stretch is a part of a run's log (web/PROTOCOL.md).
type stretch struct {
	Epoch          string
	Actions, Total int
	Header         *string
	After, Since   int
	Lines          []string
	Events         []struct {
		Seq      int
		Kind     string
		Sentence map[string]string
	}
}

// stretch requests a stretch as the page's scripts do.
func (b *browser) stretch(path string) (s stretch) {
	b.Helper()
	text := b.fetches(b.url + path)
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		b.Fatalf("%s: %v in %.200s", path, err, text)
	}
	return s
}

// inRoom returns a path in the room that the reader presents.
func (b *browser) inRoom(path string) string {
	b.Helper()
	return value[string](b, "sessionStorage.room") + path
}

// here returns the path of the current page within the site.
func (b *browser) here() string {
	b.Helper()
	return strings.TrimPrefix(value[string](b, "location.pathname"), b.options.BasePath)
}

var inlineStyle = regexp.MustCompile(`<[^>]*\sstyle\s*=[^>]*>`)

func (b *browser) unstyled(name, markup string) {
	b.Helper()
	for _, element := range inlineStyle.FindAllString(markup, -1) {
		b.Errorf("%s: %s", name, element)
	}
}

// submits sends a form as a browser without scripts does, and waits for the page that answers: the one before it may say
// the same words.
func (b *browser) submits(path string, fields ...string) {
	b.Helper()
	value[bool](b, fmt.Sprintf(`((form, fields) => {
		form.setAttribute("method", "post");
		form.setAttribute("action", %q);
		for (let i = 0; i < fields.length; i += 2) form.append(Object.assign(document.createElement("input"), { name: fields[i], value: fields[i + 1] }));
		document.body.append(form);
		window.submitted = true;
		HTMLFormElement.prototype.submit.call(form); // form.submit may be a field of that name
	})(document.createElement("form"), ["%s"]) ?? true`, b.options.BasePath+path, strings.Join(fields, `", "`)))
	b.until("!window.submitted")
}

// source returns the current page as the server sent it.
func (b *browser) source() string {
	b.Helper()
	b.until(`document.readyState === "complete"`) // its words may be seen before its end has come
	b.mu.Lock()
	document := b.document
	b.mu.Unlock()
	source, err := chromedp.Run(b.ctx, func(ctx context.Context, _ *chromedp.Target) (cdpnetwork.GetResponseBodyResult, error) {
		return chromedp.Call(ctx, cdpnetwork.GetResponseBody, cdpnetwork.GetResponseBodyParams{RequestID: document})
	})
	if err != nil || !strings.Contains(string(source.Body), "<html") {
		b.Fatalf("the source of %s is %.80q (%v)", value[string](b, "location.href"), source.Body, err)
	}
	return string(source.Body)
}

// walked fails the test for every route of the site that the browser has not requested.
func (b *browser) walked(base string, requests []asked) {
	b.Helper()
	routes := web.New(web.Options{}).Handler().(chi.Routes)
	walked := map[string]bool{}
	for _, request := range requests {
		address := try(url.Parse(request.address)).orFail(b)
		found := chi.NewRouteContext()
		if routes.Match(found, request.method, strings.TrimPrefix(address.Path, base)) {
			walked[request.method+" "+found.RoutePattern()] = true
		}
	}
	err := chi.Walk(routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		if route == "/static/*" && method != http.MethodGet {
			return nil // it takes every method
		}
		route = strings.ReplaceAll(route, "/*/", "/")
		if !walked[method+" "+route] && !walked[method+" "+strings.TrimSuffix(route, "/")] {
			b.Errorf("%s %s has not been asked for", method, route)
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

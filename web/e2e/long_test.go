package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/engine/testtools"
)

// full returns a run of 5,000 events: three clients, and then somebody who types GET over and over, with
// one other command in the middle.
func full(t testing.TB) (text string, world *engine.World) {
	t.Helper()
	text = "spawn C1 C2 C3 naive\n" + strings.Repeat("do A1 GET lock.foo\n", 600) + "do A1 SET needle found PX 5000\n" + strings.Repeat("do A1 GET lock.foo\n", 646)
	scenario := try(engine.Parse("full", text, nil)).orFail(t)
	trace := try(scenario.Play("full", check.All()...)).orFail(t)
	world = trace.Run.World()
	if n := len(world.Events()); n < engine.MaxEvents-10 {
		t.Fatalf("the run has %d events", n)
	}
	return text, world
}

// fetched returns the requests for stretches of the log so far.
func (b *browser) fetched() (addresses []string) {
	b.Helper()
	requests, _ := b.heard()
	for _, r := range requests {
		if strings.Contains(r.address, "/events?") {
			addresses = append(addresses, r.address)
		}
	}
	return addresses
}

// A full run opens, scrubs to both ends and can be searched like a short one, although its page brings only a part of
// its log.
func TestFullRunScrubsAndSearches(t *testing.T) {
	testtools.Exhaustive(t, "it opens a run of 5,000 events in two languages")
	b := open(t)
	text, world := full(t)
	events, actions := len(world.Events()), world.Actions()
	path := b.opened(text)
	for _, language := range []lang.Language{lang.English, lang.Chinese} {
		name := map[lang.Language]string{lang.English: "en", lang.Chinese: "zh"}[language]
		b.visit(path + "?lang=" + name)
		b.opens("events")
		b.stands(actions, actions)
		b.sees(world.Events()[events-1].Sentence(language))
		b.until(`document.querySelector("#loading").hidden`)
		b.is(lastEvent, fmt.Sprint(events))
		b.until(marks + `(".request").length > 0`)
		b.is(`document.querySelectorAll("#event-pages").length`, "0")
		if n := len(b.fetched()); n < 2 || n > 10 {
			t.Errorf("the page has asked %d times for what it lacks: %v", n, b.fetched())
		}

		// The beginning, the middle and the end each show their row and their mark.
		for _, at := range []int{0, actions / 2, actions} {
			value[int](b, fmt.Sprintf(`((p) => { p.value = %d; p.dispatchEvent(new Event("input", { bubbles: true })); return 0; })(document.querySelector("#position"))`, at))
			b.stands(at, actions)
			happened := 0
			for _, e := range world.Events() {
				if e.Action <= at {
					happened = e.Seq
				}
			}
			b.settled()
			if happened < events {
				b.is(`document.querySelector("#event-rows .future").dataset.seq`, fmt.Sprint(happened+1))
			}
			if happened > 0 {
				b.is(fmt.Sprintf(`document.querySelector("#event-%d").closest("tr").querySelector(".sentence").textContent`, happened), world.Events()[happened-1].Sentence(language))
				b.is(inPane("#event-rows", happened), "true")
			}
			b.atMost(`document.querySelectorAll("#event-rows tr").length`, 400, at)
		}

		// The search finds an event that the page did not bring.
		b.do(chromedp.SendKeys(chromedp.CSS("#search"), "needle found"))
		b.until(`document.querySelector("#search-count").textContent`)
		b.is(`document.querySelectorAll("#event-rows tr").length`, "3") // it is sent, executed and answered
		b.key(kb.Enter)
		b.key(kb.Enter)
		b.is(`document.querySelector("#event-rows .selected .lane").textContent`, "redis")
		found := value[int](b, `Number(document.querySelector("#event-rows .selected").dataset.seq)`)
		b.opens("wire")
		b.is(`document.querySelector("#wire-rows .selected .wire-request").textContent`, `*5\r\n$3\r\nSET\r\n$6\r\nneedle\r\n$5\r\nfound\r\n$2\r\nPX\r\n$4\r\n5000\r\n`)
		b.is(`document.querySelector("#wire-rows .selected .wire-reply").textContent`, `+OK\r\n`)
		b.opens("events")
		b.press("#search")
		b.key(kb.Escape)
		b.until(`document.querySelectorAll("#event-rows tr").length > 4`)

		// The number of an event leads to it, also on a page that begins elsewhere.
		link := value[string](b, fmt.Sprintf(`document.querySelector("#event-rows tr a").getAttribute("href").replace(/(events=|#event-)\d+/g, "$1%d")`, found))
		b.visit(emptyRun())
		b.visit(link)
		b.until(fmt.Sprintf(`document.querySelector("#event-rows .selected")?.dataset.seq === "%d"`, found))
		b.settled()
		b.is(inPane("#event-rows", found), "true")
	}
}

// On a phone the whole bar of a full run is in view, despite its long positions.
func TestFullRunFitsAPhone(t *testing.T) {
	testtools.Exhaustive(t, "it opens a run of 5,000 events six times")
	b := open(t)
	text, _ := full(t)
	path := b.opened(text)
	for _, language := range []string{"en", "zh"} {
		for _, width := range []int64{390, 360, 320} {
			b.sized(width, 844, chromedp.EmulateMobile)
			b.visit(path + "?lang=" + language)
			b.stands(1250, 1250)
			b.until(`document.querySelector("#loading").hidden`)
			b.fits()
			b.is(`document.querySelector(".transport").getBoundingClientRect().bottom <= 845`, "true")
		}
	}
}

// inPane is an expression that says whether a row is in view in its pane.
func inPane(rows string, seq int) string {
	return fmt.Sprintf(`((row) => { const [seen, pane] = [row, row.closest(".rows")].map((e) => e.getBoundingClientRect()); return seen.top >= pane.top - 1 && seen.bottom <= pane.bottom + 1; })(document.querySelector("%s [data-seq='%d']"))`, rows, seq)
}

// While the rest of a full run is on its way, the page says that it is loading and shows what it has.
func TestFullRunShowsThatItLoads(t *testing.T) {
	b := open(t)
	text, world := full(t)
	events, actions := len(world.Events()), world.Actions()
	path := b.opened(text)
	for language, says := range map[string]string{"en": fmt.Sprintf(" of %d", events), "zh": fmt.Sprintf(" / %d", events)} {
		b.blocks("*://*:*/*/events*")
		b.visit(path + "?lang=" + language)
		b.until(`!document.querySelector("#loading").hidden`)
		b.mustContain("#loading", says)
		b.is(lastEvent, fmt.Sprint(events)) // as the server has sent it
		b.is(`document.querySelectorAll("#client-C3").length`, "1")
		b.fits()
		b.press("#first") // which it has
		b.until(`document.querySelector("#timeline .mark, #timeline .request")`)
		b.is(`document.querySelector("#event-rows .future").dataset.seq`, "1")
		b.press("#last")
		b.stands(actions, actions)
		b.blocks()
		b.until(`document.querySelector("#loading").hidden && ` + lastEvent + fmt.Sprintf(" === %d", events))
		b.settled()
		b.is(`document.querySelector("#event-rows .future")`, "null")
	}
}

// A run of 8 MB opens too. Its rows are short, and a selected row shows its whole text.
func TestLongValuesAreShortenedInRows(t *testing.T) {
	b := open(t)
	line := "do A1 MSET k \"" + strings.Repeat("<", 500) + "\"\n"
	b.visit(b.opened(strings.Repeat(line, 103)))
	b.opens("events")
	b.stands(103, 103)
	b.until(`document.querySelector("#loading").hidden`)
	b.is(lastEvent, "413")
	row := `document.querySelector("#event-411 ").closest("tr")`
	b.is(row+`.querySelector(".sentence").textContent.length`, "240")
	b.press("#event-411")
	b.until(row + `.classList.contains("selected")`)
	if n := value[int](b, row+`.querySelector(".sentence").textContent.length`); n < 1500 { // the command, the old value and the new one
		t.Errorf("the row that is looked at has %d characters", n)
	}
	b.is(row+`.querySelector(".sentence").textContent.includes("…")`, "false")
	b.is(`document.querySelector("#wire-rows .selected .wire-request").textContent.length > 500`, "true")
	b.press("#event-410")
	b.until(row + `.querySelector(".sentence").textContent.length === 240`)
	b.fits()
	b.press("#first")
	b.stands(0, 103)
}

// The texts of many long programs come with the socket, and each can be read and edited.
func TestLongProgramsCanBeRead(t *testing.T) {
	b := open(t)
	text := ""
	for i := range engine.MaxOwn {
		text += fmt.Sprintf("define own%d\n| def acquire(c):\n|     return True\n| def release(c, lease):\n|     pass\n", i) + strings.Repeat("| # & & & & & & & & & & & & & & & & & & & & & & & & & & & & & & &\n", 110)
	}
	b.visit(b.opened(text + "spawn C1 own7\n"))
	for i := range engine.MaxOwn {
		name := fmt.Sprint("own", i)
		b.until(fmt.Sprintf(`document.querySelectorAll("#source-%s li").length === 114`, name))
		b.chooses(name)
		b.is(`document.querySelector("#own-from").value`, name)
		b.is(`document.querySelector("#own-source").value.split("\n").length`, "115")
	}
}

// Scrolling through the list shows all of its rows.
func TestScrollingShowsEveryRow(t *testing.T) {
	testtools.Exhaustive(t, "it scrolls through 5,000 rows")
	b := open(t)
	text, world := full(t)
	b.visit(b.opened(text))
	b.opens("events")
	b.until(`document.querySelector("#loading").hidden`)
	seen := value[[]int](b, `(async () => {
		const pane = document.querySelector("#events .rows");
		const frame = () => new Promise(requestAnimationFrame);
		const seen = new Set();
		const note = () => { for (const row of document.querySelectorAll("#event-rows tr")) seen.add(Number(row.dataset.seq)); };
		let most = 0;
		for (const direction of [-1, 1]) {
			for (let still = 0; still < 4;) {
				const before = document.querySelector("#event-rows tr").dataset.seq + " " + pane.scrollTop;
				pane.scrollTop += direction * 5000;
				await frame(); await frame();
				note();
				most = Math.max(most, document.querySelectorAll("#event-rows tr").length);
				still = before === document.querySelector("#event-rows tr").dataset.seq + " " + pane.scrollTop ? still + 1 : 0;
			}
		}
		return [seen.size, Math.min(...seen), Math.max(...seen), most];
	})()`)
	if want := len(world.Events()); len(seen) != 4 || seen[0] != want || seen[1] != 1 || seen[2] != want || seen[3] > 400 {
		t.Errorf("of %d rows %v are seen (how many, first, last, at once)", want, seen)
	}
}

// A full run plays from the reader's position, and continues in a branch.
func TestFullRunPlaysAndBranches(t *testing.T) {
	b := open(t)
	text, world := full(t)
	path := b.opened(text)
	b.visit(path + "?step=0")
	b.until(`document.querySelector("#loading").hidden`)
	value[bool](b, `((speed) => { speed.value = "20"; return speed.dispatchEvent(new Event("change", { bubbles: true })); })(document.querySelector("#play-speed"))`)
	b.press("#play")
	b.until(`Number(document.querySelector("#position").value) > 20`)
	b.press("#play")
	at := value[int](b, `Number(document.querySelector("#position").value)`)
	past := 0
	for _, e := range world.Events() {
		if e.Action <= at {
			past = e.Seq
		}
	}
	b.stands(at, world.Actions())
	b.is(`document.querySelector("#event-rows .future").dataset.seq`, fmt.Sprint(past+1))
	b.press("#step-C1") // which was done at another place in the run: it begins a branch
	b.until(fmt.Sprintf(`location.pathname !== %q`, path))
	b.arrives()
	b.until(`document.querySelector(".branch[aria-current]").textContent.includes("C1")`)
}

// The link to a full run carries all of it, and opens the same run.
func TestLinkCarriesAFullRun(t *testing.T) {
	b := open(t)
	text, world := full(t)
	path := b.opened(text)
	b.visit(path)
	b.press("#share summary")
	b.until(`document.querySelector("#share-link").value`)
	link := value[string](b, `document.querySelector("#share-link").value`)
	b.follows(link)
	b.arrive(path)
	b.arrives()
	b.sees(fmt.Sprintf("action 3 of %d", world.Actions()))
	b.press("#last")
	b.stands(world.Actions(), world.Actions())
	if got := strings.ReplaceAll(b.scenario(), "\nspawn C", " C"); !strings.HasSuffix(got, text[strings.Index(text, "\n"):]) {
		t.Errorf("the link leads to %d bytes of text: %.80q", len(got), got)
	}
	content, _ := b.saved("svg")
	if !strings.Contains(string(content), "SET needle found PX 5000") || strings.Count(string(content), "do A1 GET lock.foo\n") != 1246 {
		t.Errorf("the picture has %d bytes and not the whole run", len(content))
	}
}

// Two full runs are compared as soon as both have loaded.
func TestFullRunsCompare(t *testing.T) {
	b := open(t)
	text, _ := full(t)
	path := b.opened(text)
	there := try(url.Parse(b.leads("/runs", url.Values{"scenario": {strings.Replace(text, "SET needle found", "SET needle other", 1)}}))).orFail(t)
	b.visit(path + "?beside=" + strings.TrimPrefix(there.Path, "/t/"))
	b.until(`document.querySelector("#loading").hidden`)
	b.sees("SET needle found", "SET needle other")
	b.press("#compare-go")
	b.until(`document.querySelectorAll(".picture .diverges, .picture [class*=diverge]").length > 0`)
}

// A tick that makes thousands of events reaches a page that is open, and one that opens later.
func TestManyEventsReachOpenAndLaterPages(t *testing.T) {
	b := open(t)
	path := b.opened(testtools.Flip + "spawn C1 flip\n")
	b.visit(path)
	b.stands(1, 1)
	b.post(path+"/actions", url.Values{"action": {"tick 40m"}})
	b.stands(2, 2)
	b.until(`document.querySelector("#loading").hidden && ` + lastEvent + ` > 2000`)
	events := value[int](b, lastEvent)
	if n := len(b.fetched()); n == 0 {
		t.Error("all events have come in one message")
	}
	_, frames := b.heard()
	for _, frame := range frames {
		if len(frame) > 512<<10 {
			t.Errorf("a message has %d bytes", len(frame))
		}
	}
	b.visit(emptyRun())
	b.goTo(path)
	b.until(lastEvent + fmt.Sprintf(" === %d", events))
	b.is(`document.querySelector("#event-rows .future")`, "null")
}

// The projector shows a full run where its driver looks.
func TestScreenShowsAFullRunAtTheDriver(t *testing.T) {
	b := open(t)
	text, world := full(t)
	h := b.hall(url.Values{"run": {strings.TrimPrefix(b.opened(text), "/t/")}, "at": {fmt.Sprint(world.Actions())}})
	h.goTo(h.path + "/screen")
	h.until(`document.querySelector("#timeline .request")`)
	h.mustContain("#caption", "A1 receives (nil) for GET lock.foo.")
	h.is(`[...document.querySelectorAll("#timeline .order")].at(-1)?.textContent`, "#1247")
	h.form(h.presenter, h.path+"/do", url.Values{"verb": {"cursor"}, "at": {"604"}})
	h.until(`document.querySelector("#caption").textContent.includes("SET needle found")`)
}

// Without scripts links lead to the earlier rows, and to the whole of a shortened sentence.
func TestFullRunHasPagesWithoutScripts(t *testing.T) {
	b := open(t)
	text, world := full(t)
	b.blocksScripts()
	path := b.opened("note \"" + strings.Repeat("long ", 100) + "\"\n" + strings.TrimSuffix(text, "do A1 GET lock.foo\n"))
	events := len(world.Events()) + 1 - 4
	b.goTo(path)
	b.until(`document.readyState === "complete"`)
	b.is(lastEvent, fmt.Sprint(events))
	b.is(`document.querySelectorAll("#event-rows tr").length`, "400")
	first := events%400 + 1 // of the second page
	b.press(fmt.Sprintf(`#event-pages a[href*="events=%d-"]`, first))
	b.until(fmt.Sprintf(`document.querySelector("#event-%d")`, first+100))
	b.is(`document.querySelector("#event-rows tr").dataset.seq`, fmt.Sprint(first))
	b.is(`location.hash`, fmt.Sprintf("#event-%d", first))
	b.press(`#event-pages a`)
	b.until(`document.querySelector("#event-1")`)
	b.is(`document.querySelector("#event-rows tr").dataset.seq`, "1")
	b.is(`document.querySelector("#event-rows .sentence").textContent.endsWith("…")`, "true")
	b.press("#event-1")
	b.until(`document.querySelectorAll("#event-rows tr").length === 1`)
	b.is(`document.querySelector("#event-rows .sentence").textContent.length`, "500")
}

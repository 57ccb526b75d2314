package e2e

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// The page says when it has lost the connection, and afterwards receives what it missed.
func TestLostConnectionCatchesUp(t *testing.T) {
	b := open(t)
	b.expectsCuts()
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	b.click("step-C1")
	b.mustContain("#event-rows", "C1 receives (integer) 1")
	b.network.cut()
	b.until(`!document.querySelector("#connection").hidden`)
	b.mustContain("#connection", "Connection lost")
	b.press("#tick-1") // it cannot be done, and the page stays
	b.until(`!document.querySelector("#refusal").hidden`)
	b.mustContain("#refusal", "Connection lost")
	b.post("/t/aaaaaaaaaa/actions", url.Values{"action": {"step C2"}})
	b.press("#back") // the past is here, connection or not
	b.mustContain("#position-text", "action 2 of 3")
	b.mustContain("#caption", "C2 sends SETNX lock.foo")
	b.press("#last")
	b.network.mend()
	b.until(`document.querySelector("#connection").hidden`)
	b.until(`document.querySelector("#position-text").textContent === "action 4 of 4"`)
	b.mustContain("#event-rows", "C2 receives (integer) 0")
	b.click("tick-1") // and it goes on
	b.quiet()
}

// The connection breaks between a request and its answer. The page repeats the request,
// and the server does it once.
func TestRepeatedRequestIsDoneOnce(t *testing.T) {
	b := open(t)
	b.expectsCuts()
	b.visit("/t/aaaaaaaaaa")
	b.click("spawn-two")
	b.network.mute()
	b.press("#step-C1")
	b.untilServed("/t/aaaaaaaaaa.txt", "step C1")
	b.mustContain("#caption", "C2 sends SETNX lock.foo") // nothing has been heard of it
	b.network.cut()
	b.until(`!document.querySelector("#connection").hidden`)
	b.network.mend()
	b.sees("C1 is in the critical section")
	b.click("step-C2")
	if text := b.served("/t/aaaaaaaaaa.txt"); strings.Count(text, "step C1") != 1 || !strings.HasSuffix(text, "step C1\nstep C2\n") {
		t.Errorf("the run is\n%s", text)
	}
	b.quiet()
}

// A reload in the middle of a run loses nothing.
func TestReloadLosesNothing(t *testing.T) {
	b := open(t)
	b.visit("/new")
	for _, id := range race[:10] {
		b.click(id)
	}
	seen := func() string {
		return value[string](b, `["#event-rows", "#caption", "#clients", "#redis", "#position-text"].map((part) => document.querySelector(part).innerText).join("\n")`)
	}
	b.rests()
	before := seen()
	b.do(chromedp.Reload())
	b.arrives()
	b.inPicture(".command", "GET lock.foo")
	if after := seen(); after != before {
		t.Errorf("after a reload there is\n%s\nwant\n%s", after, before)
	}
	for _, id := range race[10:] {
		b.click(id)
	}
	b.inPicture(".flag-word", "2 holders: C2 + C3")
	b.quiet()
}

// After a restart without data the server has no run. The page still has it, with its
// program, and restores it.
func TestPageRestoresALostRun(t *testing.T) {
	b := open(t)
	b.expectsCuts()
	b.visit("/new")
	run := value[string](b, "location.pathname")
	b.chooses("del-setnx")
	for _, id := range race[:12] {
		b.click(id)
	}
	before := b.served(run + ".txt")
	b.network.cut()
	b.beginAnew()
	b.until(`!document.querySelector("#connection").hidden`)
	b.slides(6, 12) // the past is still there
	b.sees("action 6 of 12", "1 s pass: it is 1012.")
	b.press("#last")
	b.network.mend()
	b.sees("The server restarted. This run is restored.")
	b.untilServed(run+".txt", "step C3")
	if after := b.served(run + ".txt"); after != before {
		t.Errorf("the run comes back as\n%s\nwant\n%s", after, before)
	}
	for _, id := range race[12:] {
		b.click(id)
	}
	b.inPicture(".flag-word", "2 holders: C2 + C3")
	b.quiet()
}

// served returns what the site serves under a path, without the browser.
func (b *browser) served(path string) string {
	b.Helper()
	r, err := http.Get(b.direct + path)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Body.Close()
	text, err := io.ReadAll(r.Body)
	if err != nil {
		b.Fatal(err)
	}
	return string(text)
}

// untilServed waits until it contains that.
func (b *browser) untilServed(path, wanted string) {
	b.Helper()
	if !eventually(func() bool { return strings.Contains(b.served(path), wanted) }) {
		b.Fatalf("%s never contains %q", path, wanted)
	}
}

package e2e

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/web"
	"lockstep/web/door"
)

// sockets returns how many sockets the pages have opened.
func (b *browser) sockets() (n int) {
	requests, _ := b.heard()
	for _, r := range requests {
		if strings.HasPrefix(r.address, "ws:") {
			n++
		}
	}
	return n
}

// A lesson's page has no run. Its first action makes one, in the page, and a reload stays in the run.
func TestTheFirstActionMakesTheRun(t *testing.T) {
	b := open(t)
	b.begins(`window.made = []; window.WebSocket = class extends WebSocket { constructor(...to) { super(...to); made.push(this); } }`)
	for _, first := range []struct {
		name, path, act, holds string
		visit                  func(path string)
	}{
		{"go on", "race", `document.querySelector("#go-on").click()`, `document.querySelector("#guide").dataset.moment === "crashed"`, b.visit},
		{"a client's step", "race/break", `document.querySelector("#step-C1").click()`, `document.querySelector("#challenge").textContent.includes("1 action")`, b.visit},
		{"an answer", "race?moment=late", `document.querySelector("#guess-not-sure").click()`, `document.querySelector("#guide").dataset.moment === "gone"`, b.visit},
		{"a look back", "race?done=14", `document.querySelector("#first").click()`, `document.querySelector("#position").value === "0"`, b.visit},
		{"a command", "race/break", `(document.querySelector("#console-command").value = "GET lock.foo", document.querySelector("#console-form").requestSubmit())`, `document.querySelector("#console-log .console-entry")`, b.console},
	} {
		before := b.sockets()
		first.visit("/courses/redis-lock/" + first.path)
		same(t, b.sockets(), before, first.name, "the sockets before anybody acts")
		b.is("location.pathname.split('/')[1]", "courses")
		value[bool](b, first.act+` ?? true`)
		b.until(`location.pathname.startsWith("/t/")`)
		b.until(first.holds)
		b.is(`made.filter(({ readyState }) => readyState < WebSocket.CLOSING).length`, "1") // a busy machine may have ended an earlier one
		run := b.here()
		text := get(t, b.direct+run+".txt", http.StatusOK)
		if !strings.Contains(text, "program del-setnx") {
			t.Errorf("%s: the run is\n%s", first.name, text)
		}
		b.do(chromedp.Reload())
		b.arrives()
		b.is("location.pathname", run)
		b.until(`document.querySelector("#task-box[data-lesson=race]")`)
		b.is(`document.querySelector("a[hreflang]").pathname`, run)
	}
}

// Presses that come before the server has the run are done in their order, none twice.
func TestPressesWaitForTheRun(t *testing.T) {
	b := open(t)
	b.visit("/courses/redis-lock/race/break")
	value[bool](b, `["#step-C1", "#step-C2", "#step-C1", "#step-C2"].forEach((id) => document.querySelector(id).click()) ?? true`)
	b.until(`location.pathname.startsWith("/t/") && document.querySelector("#position").max === "10"`)
	if got := get(t, b.direct+b.here()+".txt", http.StatusOK); !strings.HasSuffix(got, "step C1\nstep C2\nstep C1\nstep C2\n") {
		t.Errorf("the run is\n%s", got)
	}
}

// A server that has no room for the run says so, and the page keeps what it shows. The next press asks again.
func TestARefusedFirstActionIsToldOnThePage(t *testing.T) {
	b := openSite(t, web.Options{Limits: door.Limits{Makings: 1}})
	b.visit("/courses/redis-lock/race?lang=en")
	b.leads("/courses/redis-lock/race", nil)
	for range 2 {
		value[bool](b, `(document.querySelector("#refusal").textContent = "", document.querySelector("#go-on").click(), true)`)
		b.until(`document.querySelector("#refusal").textContent.includes("Try again in a minute.")`)
		b.is("location.pathname", "/courses/redis-lock/race")
		b.mustContain("#guide", "DEL")
	}
}

// A claim about a draft is decided on its page.
func TestAClaimMakesTheRun(t *testing.T) {
	b := open(t)
	b.visit("/courses/redis-lock/race/break?lang=en")
	value[bool](b, `(document.querySelector("#claim-form").requestSubmit(document.querySelector("#claim-form button")), true)`)
	b.until(`location.pathname.startsWith("/t/") && document.querySelector("#standing .foul")`)
}

// Without a network the first press waits, and is done once there is one.
func TestAFirstActionWaitsForTheNetwork(t *testing.T) {
	b := open(t)
	b.expectsCuts()
	b.visit("/courses/redis-lock/race/break?lang=en")
	b.network.cut()
	b.press("#step-C1")
	b.until(`!document.querySelector("#connection").hidden`)
	b.network.mend()
	b.until(`location.pathname.startsWith("/t/") && document.querySelector("#challenge").textContent.includes("1 action")`)
}

// The server may start over while a draft is read: the draft does not notice.
func TestADraftOutlivesTheServer(t *testing.T) {
	b := open(t)
	b.visit("/courses/redis-lock/race")
	b.replaceServer()
	b.press("#go-on")
	b.until(`location.pathname.startsWith("/t/") && document.querySelector("#guide").dataset.moment === "crashed"`)
	requests, _ := b.heard()
	if posts := slices.DeleteFunc(requests, func(r asked) bool { return r.method != http.MethodPost }); len(posts) > 0 {
		t.Errorf("the page has posted %v", posts)
	}
}

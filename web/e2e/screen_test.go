package e2e

import (
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	cdpnetwork "github.com/chromedp/cdproto/network"
)

// A hall is a room whose presenter and participants use the forms of the pages, with one
// browser window, which belongs to one of them.
type hall struct {
	*browser
	path      string // of the room
	run       string // of the run that it shows at first
	presenter *http.Client
	seats     []*http.Client
}

func openHall(t *testing.T) *hall {
	t.Helper()
	return open(t).hall(nil)
}

// hall opens a room for a presenter, by a form.
func (b *browser) hall(form url.Values) *hall {
	b.Helper()
	h := &hall{browser: b}
	h.presenter = newClient(h)
	h.path = strings.TrimSuffix(h.form(h.presenter, "/rooms", form), "/present")
	h.run = h.leadsTo(h.presenter, h.path+"/present")
	return h
}

// form sends a form for somebody and returns the address to which it redirects.
func (h *hall) form(who *http.Client, path string, fields url.Values) string {
	h.Helper()
	return leadsTo(h, try(who.PostForm(h.direct+path, fields)).orFail(h))
}

func (h *hall) leadsTo(who *http.Client, path string) string {
	h.Helper()
	return leadsTo(h, try(who.Get(h.direct+path)).orFail(h))
}

// acts plays actions in a run for somebody.
func (h *hall) acts(who *http.Client, run string, lines ...string) {
	h.Helper()
	for _, line := range lines {
		h.form(who, run+"/actions", url.Values{"action": {line}, "program": {"del-setnx"}, "timeout": {"10s"}})
	}
}

// does sends the room a verb, and fields with their values.
func (h *hall) does(who *http.Client, verb string, fields ...string) string {
	h.Helper()
	form := url.Values{"verb": {verb}, "back": {h.path}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return h.form(who, h.path+"/do", form)
}

// joins lets n more people join.
func (h *hall) joins(n int) {
	h.Helper()
	for range n {
		seat := newClient(h)
		h.form(seat, h.path+"/seats", nil)
		h.seats = append(h.seats, seat)
	}
}

// own starts the own run of a seat, from 1.
func (h *hall) own(seat int) {
	h.Helper()
	h.does(h.seats[seat-1], "own")
}

// owns returns the runs of the seats, by seat, as the presenter's wall shows them.
func (h *hall) owns() map[int]string {
	h.Helper()
	answer := try(h.presenter.Get(h.direct + h.path + "/wall")).orFail(h)
	defer answer.Body.Close()
	page := try(io.ReadAll(answer.Body)).orFail(h)
	runs := map[int]string{}
	for _, m := range regexp.MustCompile(`data-seat="(\d+)" data-actions="\d+" data-path="([^"]+)"`).FindAllStringSubmatch(string(page), -1) {
		seat := try(strconv.Atoi(m[1])).orFail(h)
		runs[seat] = m[2]
	}
	return runs
}

// becomes gives the window somebody's cookies.
func (h *hall) becomes(who *http.Client) {
	h.Helper()
	site := try(url.Parse(h.direct)).orFail(h)
	for _, cookie := range who.Jar.Cookies(site) {
		call(h.browser, cdpnetwork.SetCookies, cdpnetwork.SetCookiesParams{Cookies: []*cdpnetwork.CookieParam{{Name: cookie.Name, Value: cookie.Value, URL: h.url}}})
	}
}

// The actions of a race that ends with two clients in the critical section, for a run without clients.
var broken = []string{
	"spawn C3", "step C3", "crash C3", "tick 12s", "spawn C1", "spawn C2",
	"step C1", "step C1", "step C2", "step C2", "step C1", "step C1", "step C2", "step C2",
}

// The projector says how to join until there is something to see. Then it shows the run
// at the driver's position.
func TestScreenFollowsTheDriver(t *testing.T) {
	h := openHall(t)
	h.sized(1280, 720)
	h.goTo(h.path + "/screen?lang=en")
	joins := `document.querySelector("#screen-join").checkVisibility()`
	h.until(joins)
	h.joins(2)
	h.until(`document.querySelectorAll(".screen-joined li").length === 2`)
	h.acts(h.presenter, h.run, broken...)
	h.until("!" + joins)
	h.until(`document.querySelector("#alerts").textContent.includes("C1 and C2 are both in the critical section")`)
	h.inPicture(".flag-word", "2 holders: C1 + C2")
	h.until(`!document.querySelector("#picture .edge") && document.querySelector("#picture").scrollHeight <= document.querySelector("#picture").clientHeight`)
	if value[float64](h.browser, `parseFloat(getComputedStyle(document.querySelector("#alerts p")).fontSize)`) < 32 {
		t.Error("an alert is smaller than 32 px")
	}

	h.does(h.presenter, "cursor", "at", "3")
	h.until(`document.querySelector("#caption").textContent === "C3 crashes."`)
	h.until(`document.querySelector("#alerts").childElementCount === 0`)
	h.does(h.presenter, "cursor", "at", "0")
	h.until(`document.querySelector("#caption").textContent.startsWith("At the beginning")`)
	h.does(h.presenter, "cursor", "at", "-1")
	h.until(`document.querySelector("#alerts").childElementCount > 0`)

	h.does(h.presenter, "lanes", "size", "1")
	h.until(`[...document.querySelectorAll(".screen-lanes .badge")].map((e) => e.textContent).join() === "C3,C1,C2"`)
	h.does(h.presenter, "drive", "seat", "1")
	h.until(`document.querySelector(".screen-driver").textContent === document.querySelector(".screen-lanes .team").textContent.trim() + " drives"`)

	// A key shows how to join, and hides it again.
	h.key("j")
	h.until(joins + ` && document.querySelector("#join").ariaExpanded === "true"`)
	h.key("j")
	h.until("!" + joins)

	// Black, and back.
	h.does(h.presenter, "black", "on", "on")
	h.until(`document.querySelector(".screen-black") && document.querySelector("#screen-state").textContent.includes("dark")`)
	h.has(`document.querySelector("#picture").checkVisibility({ visibilityProperty: true })`, false, "a black projector shows the picture")
	h.does(h.presenter, "black", "on", "")
	h.until(`document.querySelector("#picture").checkVisibility({ visibilityProperty: true })`)

	h.key("l")
	h.until(`document.documentElement.lang === "zh-Hans" && document.querySelector("#alerts").textContent.includes("C1 和 C2 同时在临界区")`)
	h.does(h.presenter, "end")
	h.until(`document.querySelector("#screen-over a[href*='/t/']") && document.querySelector("#screen-over svg.qr")`)
}

// The projector shows where everybody's own run begins, then the run of the chosen person, which it follows.
func TestScreenFollowsTheChosenPerson(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, "spawn C1")
	h.joins(1)
	h.does(h.presenter, "fork")
	h.own(1)
	own := h.owns()[1]
	h.sized(1280, 720)
	h.goTo(h.path + "/screen?lang=en")
	h.until(`document.querySelector("#caption").textContent.includes("Everybody begins here.")`)
	h.inPicture(".command", "SETNX 1011")
	h.acts(h.seats[0], own, "step C1")
	h.does(h.presenter, "show", "seat", "1")
	h.until(`document.querySelector("#caption").textContent.includes("C1 is in the critical section")`)
	h.acts(h.seats[0], own, "crash C1")
	h.until(`document.querySelector("#caption").textContent.includes("C1 crashes")`)
	h.does(h.presenter, "show", "seat", "0")
	h.until(`document.querySelector("#caption").textContent.includes("Everybody begins here.")`)
	h.acts(h.presenter, h.run, "step C1") // who goes on in the room's run is followed there
	h.until(`document.querySelector("#caption").textContent.includes("C1 is in the critical section")`)
}

// axe-core finds nothing on the projector and on the wall.
func TestScreenAndWallPassAxe(t *testing.T) {
	h := openHall(t)
	screen := h.path + "/screen"
	looked := func(name, path string) {
		h.inLooks(name, path, looks, func(string) { h.until(`document.querySelector("#connection").hidden`) })
	}
	looked("screen-joins", screen)
	h.joins(4)
	h.acts(h.presenter, h.run, broken...)
	h.does(h.presenter, "lanes", "size", "1")
	looked("screen-lanes", screen)
	h.acts(h.presenter, h.run, "spawn C4")
	h.does(h.presenter, "ask", "kind", "predict", "client", "C4")
	h.does(h.presenter, "reveal")
	looked("screen-revealed", screen)
	h.does(h.presenter, "drop")
	h.does(h.presenter, "fork")
	h.own(1)
	h.own(2)
	h.acts(h.seats[0], h.owns()[1], "step C4")
	h.becomes(h.presenter)
	looked("wall", h.path+"/wall")
}

// The wall draws everybody's own run, draws it again when it continues, and keeps the
// picture where nothing has changed.
func TestWallDrawsEverybodysRun(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, broken[:len(broken)-1]...)
	h.joins(3)
	h.does(h.presenter, "fork")
	h.own(1)
	h.own(2)
	owns := h.owns()
	h.becomes(h.presenter)
	h.goTo(h.path + "/wall?lang=en")
	h.until(`document.querySelectorAll(".tile-picture svg .hold, .tile-picture svg.timeline path.hold").length >= 2`)
	value[bool](h.browser, `document.querySelector("#picture-1 svg").kept = true`)

	h.acts(h.seats[1], owns[2], "step C2")
	h.until(`document.querySelector("#tile-2").dataset.state === "broken" && document.querySelector("#picture-2 .overlap")`)
	h.until(`document.querySelector("#tiles > :first-child").id === "tile-2"`)
	h.has(`document.querySelector("#picture-1 svg").kept === true`, true, "a picture has been drawn again though its run has not changed")
	h.mustContain("#filter-broken", "1")

	// A third one starts. The filter shows one, and the order by name shows all.
	h.own(3)
	h.until(`document.querySelector("#tile-3 svg")`)
	h.press("#filter-broken")
	h.until(`[...document.querySelectorAll(".tile")].filter((e) => e.checkVisibility()).map((e) => e.id).join() === "tile-2"`)
	h.press("#filter-all")
	h.press("#sort-name")
	h.until(`((names) => names.join() === names.toSorted().join())([...document.querySelectorAll(".tile h2")].map((e) => e.textContent.replace(/\d+ · /, "")))`)

	h.press("#show-2")
	h.until(`document.querySelector("#tile-2.shown") && !document.querySelector("#show-2")`)
	h.press("#show-0")
	h.until(`document.querySelector("#show-2") && !document.querySelector("#show-0")`)
}

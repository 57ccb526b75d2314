package e2e

import (
	"context"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	cdpnetwork "github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// A hall is a room with its presenter and participants, who use the forms of the
// pages, and a window of the browser that is somebody's.
type hall struct {
	*browser
	path      string // of the room
	run       string // of the run that it shows at first
	presenter *http.Client
	seats     []*http.Client
}

func openHall(t *testing.T) *hall {
	t.Helper()
	h := &hall{browser: open(t)}
	h.presenter = h.visitor()
	h.path = strings.TrimSuffix(h.form(h.presenter, "/rooms", nil), "/present")
	h.run = h.leadsTo(h.presenter, h.path+"/present")
	return h
}

func (h *hall) visitor() *http.Client {
	jar, err := cookiejar.New(nil)
	if err != nil {
		h.Fatal(err)
	}
	return &http.Client{Jar: jar, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// form sends a form off for somebody and gives the address that it leads to.
func (h *hall) form(who *http.Client, path string, fields url.Values) string {
	h.Helper()
	answer, err := who.PostForm(h.direct+path, fields)
	return h.led(path, answer, err)
}

func (h *hall) leadsTo(who *http.Client, path string) string {
	h.Helper()
	answer, err := who.Get(h.direct + path)
	return h.led(path, answer, err)
}

func (h *hall) led(path string, answer *http.Response, err error) string {
	h.Helper()
	if err != nil {
		h.Fatal(err)
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusSeeOther {
		h.Fatalf("%s: %s", path, answer.Status)
	}
	return answer.Header.Get("Location")
}

// acts does actions in a run for somebody.
func (h *hall) acts(who *http.Client, run string, lines ...string) {
	h.Helper()
	for _, line := range lines {
		h.form(who, run+"/actions", url.Values{"action": {line}, "program": {"del-setnx"}, "timeout": {"10s"}})
	}
}

// does asks something of the room: a verb, and fields with their values.
func (h *hall) does(who *http.Client, verb string, fields ...string) string {
	h.Helper()
	form := url.Values{"verb": {verb}, "back": {h.path}}
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return h.form(who, h.path+"/do", form)
}

// joins lets so many more people join.
func (h *hall) joins(n int) {
	h.Helper()
	for range n {
		seat := h.visitor()
		h.form(seat, h.path+"/seats", nil)
		h.seats = append(h.seats, seat)
	}
}

// own begins a run of its own for a seat, from 1.
func (h *hall) own(seat int) {
	h.Helper()
	h.does(h.seats[seat-1], "own")
}

// owns are the runs of the seats, by seat, as the presenter's wall has them.
func (h *hall) owns() map[int]string {
	h.Helper()
	answer, err := h.presenter.Get(h.direct + h.path + "/wall")
	if err != nil {
		h.Fatal(err)
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		h.Fatal(err)
	}
	runs := map[int]string{}
	for _, m := range regexp.MustCompile(`data-seat="(\d+)" data-actions="\d+" data-path="([^"]+)"`).FindAllStringSubmatch(string(page), -1) {
		seat, err := strconv.Atoi(m[1])
		if err != nil {
			h.Fatal(err)
		}
		runs[seat] = m[2]
	}
	return runs
}

// becomes gives the window what somebody's browser keeps.
func (h *hall) becomes(who *http.Client) {
	h.Helper()
	site, err := url.Parse(h.direct)
	if err != nil {
		h.Fatal(err)
	}
	for _, cookie := range who.Jar.Cookies(site) {
		h.do(chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
			_, err := chromedp.Call(ctx, cdpnetwork.SetCookies, cdpnetwork.SetCookiesParams{Cookies: []*cdpnetwork.CookieParam{{Name: cookie.Name, Value: cookie.Value, URL: h.url}}})
			return err
		}))
	}
}

// sized makes the window a screen of that size.
func (h *hall) sized(width, height int64) {
	h.Helper()
	h.do(chromedp.EmulateViewport(width, height))
}

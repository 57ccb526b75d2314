package e2e

import (
	"fmt"
	"strings"
	"testing"
	"github.com/chromedp/chromedp"
	"context"
	"net/url"
	"time"
	"os"
	"github.com/chromedp/cdproto/page"
)

func (h *hall) snap(name string) {
	h.Helper()
	h.settled()
	h.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error { time.Sleep(250 * time.Millisecond); return nil }))
	for _, size := range sizes {
		h.do(chromedp.EmulateViewport(size[0], size[1]))
		h.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error { time.Sleep(250 * time.Millisecond); return nil }))
		out, err := chromedp.Run(h.ctx, chromedp.CaptureScreenshot())
		_ = page.CaptureScreenshot
		if err != nil { h.Fatal(err) }
		err = os.WriteFile(fmt.Sprintf("%s/%s-%d.png", os.Getenv("E2E_SHOTS"), name, size[0]), out, 0o644)
		if err != nil { h.Fatal(err) }
	}
	h.do(chromedp.EmulateViewport(sizes[0][0], sizes[0][1]))
}

var sizes = [][2]int64{{1280, 720}}

func TestZZScreen(t *testing.T) {
	if os.Getenv("BIG") != "" { sizes = append(sizes, [2]int64{1920, 1080}) }
	for _, lang := range []string{"en", "zh"} {
		if l := os.Getenv("LANGS"); l != "" && !strings.Contains(l, lang) { continue }
		t.Run(lang, func(t *testing.T) {
			h := openHall(t)
			h.do(chromedp.EmulateViewport(1280, 720))
			h.do(chromedp.Navigate(h.url + h.path + "/screen?lang=" + lang))
			h.snap(lang + "-a-empty")
			h.joins(5)
			h.snap(lang + "-b-joined")
			h.acts(h.presenter, h.run, zzrace[:6]...)
			h.snap(lang + "-c-three")
			h.does(h.presenter, "lanes", "size", "1")
			h.snap(lang + "-d-lanes")
			h.acts(h.presenter, h.run, zzrace[6:8]...)
			h.does(h.presenter, "ask", "kind", "predict", "client", "C2")
			h.does(h.seats[0], "vote", "choice", "0")
			h.does(h.seats[1], "vote", "choice", "1")
			h.does(h.seats[2], "vote", "choice", "1")
			h.snap(lang + "-e-vote")
			h.does(h.presenter, "round")
			h.snap(lang + "-f-discuss")
			h.does(h.presenter, "round")
			for i := range 4 { h.does(h.seats[i], "vote", "choice", "1") }
			h.snap(lang + "-g-again")
			h.does(h.presenter, "reveal")
			h.snap(lang + "-h-revealed")
			h.does(h.presenter, "drop")
			h.does(h.presenter, "ask", "kind", "network")
			h.snap(lang + "-i-network")
			h.does(h.seats[3], "vote", "choice", "1")
			h.does(h.seats[4], "vote", "choice", "1")
			h.does(h.presenter, "reveal")
			h.snap(lang + "-j-network-revealed")
			h.does(h.presenter, "drop")
			for _, l := range []string{"step C2", "step C1", "step C1", "step C1", "step C2", "step C2"} {
				h.presenter.PostForm(h.direct+h.run+"/actions", url.Values{"action": {l}, "program": {"del-setnx"}})
			}
			h.snap(lang + "-k-violation")
			h.does(h.presenter, "cursor", "at", "9")
			h.snap(lang + "-l-past")
			h.does(h.presenter, "cursor", "at", "-1")
			h.does(h.presenter, "black", "on", "on")
			h.snap(lang + "-m-black")
			h.does(h.presenter, "black", "on", "")
			h.does(h.presenter, "challenge", "task", "redis-lock/race/break")
			for i := range 4 { h.own(i+1) }
			h.snap(lang + "-n-exercise")
			h.does(h.presenter, "home")
			value[bool](h.browser, `document.querySelector("#join").click(), true`)
			h.snap(lang + "-o-join")
			value[bool](h.browser, `document.querySelector("#join").click(), true`)
			h.does(h.presenter, "end")
			h.snap(lang + "-p-over")
		})
	}
}

var zzrace = []string{
	"spawn C3", "step C3", "crash C3", "tick 12s", "spawn C1", "spawn C2",
	"step C1", "step C1", "step C2", "step C2", "step C1", "step C1", "step C2", "step C2",
}

func TestZZViolation(t *testing.T) {
	if os.Getenv("BIG") != "" { sizes = append(sizes, [2]int64{1920, 1080}) }
	for _, lang := range []string{"en", "zh"} {
		if l := os.Getenv("LANGS"); l != "" && !strings.Contains(l, lang) { continue }
		t.Run(lang, func(t *testing.T) {
			h := openHall(t)
			h.acts(h.presenter, h.run, zzrace...)
			h.do(chromedp.EmulateViewport(1280, 720))
			h.do(chromedp.Navigate(h.url + h.path + "/screen?lang=" + lang))
			h.snap(lang + "-r-violation")
			h.does(h.presenter, "cursor", "at", "9")
			h.snap(lang + "-s-past")
			h.joins(5)
			h.does(h.presenter, "cursor", "at", "-1")
			h.does(h.presenter, "lanes", "size", "1")
			h.snap(lang + "-t-violation-lanes")
		})
		t.Run(lang+"12", func(t *testing.T) {
			h := openHall(t)
			for i := range 12 { h.acts(h.presenter, h.run, fmt.Sprintf("spawn C%d", i+1)) }
			for i := range 12 { h.acts(h.presenter, h.run, fmt.Sprintf("step C%d", i+1)) }
			h.joins(40)
			h.do(chromedp.EmulateViewport(1280, 720))
			h.do(chromedp.Navigate(h.url + h.path + "/screen?lang=" + lang))
			h.snap(lang + "-u-12")
			h.does(h.presenter, "lanes", "size", "2")
			h.snap(lang + "-v-12-lanes")
			h.does(h.presenter, "ask", "kind", "network")
			h.snap(lang + "-w-12-poll")
		})
	}
}

func TestZZWall(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, zzrace[:8]...)
	n := 30
	if os.Getenv("N") != "" { fmt.Sscan(os.Getenv("N"), &n) }
	h.joins(n)
	h.does(h.presenter, "fork")
	for i := range n { h.own(i+1) }
	h.becomes(h.presenter)
	h.do(chromedp.EmulateViewport(1280, 900))
	sizes = [][2]int64{{1280, 900}}
	h.do(chromedp.Navigate(h.url + h.path + "/wall?lang=en&theme=light"))
	h.snap("wall-a-fresh")
	runs := h.owns()
	for i := range n {
		more := [][]string{{}, {"step C2"}, zzrace[8:], zzrace[8:12], {"crash C1", "step C2", "step C2"}, {"pause C2"}}[i%6]
		if len(runs[i+1]) == 0 { t.Fatal("no run", i, runs) }
		for _, l := range more { h.seats[i].PostForm(h.direct+runs[i+1]+"/actions", url.Values{"action": {l}, "program": {"del-setnx"}}) }
	}
	time.Sleep(1500*time.Millisecond)
	h.snap("wall-b-acted")
	h.do(chromedp.Navigate(h.url + h.path + "/wall?lang=zh&theme=dark"))
	h.snap("wall-c-zh")
	h.does(h.presenter, "show", "seat", "2")
	h.do(chromedp.Navigate(h.url + h.path + "/wall?lang=en&theme=light"))
	value[bool](h.browser, `document.querySelector("#sort-name").click(), true`)
	value[bool](h.browser, `document.querySelector("#filter-broken").click(), true`)
	h.snap("wall-d-broken")
	sizes = [][2]int64{{390, 800}}
	value[bool](h.browser, `document.querySelector("#filter-all").click(), true`)
	h.snap("wall-e")
	sizes = [][2]int64{{1280, 720}}
}

func TestZZMany(t *testing.T) {
	h := openHall(t)
	h.acts(h.presenter, h.run, zzrace[:8]...)
	n := 300
	h.joins(n)
	h.does(h.presenter, "fork")
	for i := range n { h.own(i+1) }
	h.becomes(h.presenter)
	h.do(chromedp.EmulateViewport(1280, 900))
	h.do(chromedp.Navigate(h.url + h.path + "/wall?lang=en&theme=light"))
	value[bool](h.browser, `(() => { window.long = []; new PerformanceObserver((l) => { for (const e of l.getEntries()) long.push(Math.round(e.duration)); }).observe({ type: "longtask", buffered: true }); return true })()`)
	runs := h.owns()
	begin := time.Now()
	for i := range n {
		for _, l := range zzrace[8:] { r, err := h.seats[i].PostForm(h.direct+runs[i+1]+"/actions", url.Values{"action": {l}, "program": {"del-setnx"}}); if err != nil || r.StatusCode != 303 { t.Fatal(err, r.Status, len(runs), runs[i+1], i) }; r.Body.Close() }
	}
	t.Log("acted in", time.Since(begin))
	time.Sleep(1500*time.Millisecond)
	t.Log("long tasks", value[string](h.browser, `JSON.stringify(long)`))
	_, f := h.heard(); total := 0; for _, x := range f { total += len(x) }
	t.Log(len(f), total)
	value[bool](h.browser, `(long.length = 0, true)`)
	out, _ := chromedp.Run(h.ctx, chromedp.Evaluate[string](`(async () => { const times = []; let last = performance.now(); for (let y = 0; y < 12000; y += 60) { scrollTo(0, y); await new Promise(requestAnimationFrame); const n = performance.now(); times.push(n - last); last = n; } times.sort((a, b) => a - b); return JSON.stringify({ median: times[times.length >> 1], p99: times[Math.floor(times.length * 0.99)], max: times.at(-1), long, nodes: document.querySelectorAll("*").length }) })()`, chromedp.EvalAwaitPromise))
	t.Log("scroll", out)
	h.snap("many")
}

package e2e

import (
	"slices"
	"testing"

	"github.com/chromedp/chromedp"
)

// clickToPaint presses a button and gives the milliseconds until the event that
// it caused has been painted: the picture has changed, and the frame after the
// next one begins.
const clickToPaint = `new Promise((done) => {
	const button = document.querySelector("#step-C1");
	let began = 0;
	new MutationObserver((_, observer) => {
		observer.disconnect();
		requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
	}).observe(document.querySelector("#timeline"), { childList: true, subtree: true });
	began = performance.now();
	button.click();
})`

// BenchmarkClickToPaint steps a client back and forth between two others that
// wait: request, engine, broadcast, panels, layout and drawing, on loopback.
func BenchmarkClickToPaint(b *testing.B) {
	page := open(b)
	page.do(chromedp.EmulateViewport(1440, 900))
	page.visit("/t/aaaaaaaaaa")
	for _, id := range []string{"spawn-two", "spawn", "step-C2"} {
		page.click(id)
	}
	var times []float64
	for b.Loop() {
		ms, err := chromedp.Run(page.ctx, chromedp.Evaluate[float64](clickToPaint, chromedp.EvalAwaitPromise))
		if err != nil {
			b.Fatal(err)
		}
		times = append(times, ms)
		b.StopTimer()
		// C1 now sleeps after a refusal, or has sent its next command; once it
		// sleeps, the run goes back to where its SETNX was in flight.
		if page.text("#card-C1 .word") != "waits" {
			page.do(chromedp.Click(chromedp.CSS("#back"))) // and a branch from there, which the next click opens
		}
		b.StartTimer()
	}
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2], "ms-median")
	b.ReportMetric(times[len(times)*95/100], "ms-p95")
}

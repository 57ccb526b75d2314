package e2e

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"
)

// painted presses a button and returns the milliseconds until the browser has painted
// the effect: the picture shows it, and the frame after the next one begins.
const painted = `((button, shown) => new Promise((done) => {
	let began = 0;
	const check = (_, observer) => {
		if (!shown()) return;
		observer.disconnect();
		requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
	};
	new MutationObserver(check).observe(document.querySelector("#timeline"), { childList: true, subtree: true, attributes: true });
	began = performance.now();
	document.querySelector(button).click();
}))`

// paints measures once.
func (b *browser) paints(button, shown string) float64 {
	b.Helper()
	ms := value[float64](b, fmt.Sprintf(`%s(%q, () => %s)`, painted, button, shown))
	return ms
}

// report prints the median and the 95th percentile of the measured times.
func report(b *testing.B, name string, times []float64) {
	slices.Sort(times)
	b.ReportMetric(times[len(times)/2], name+"ms-median")
	b.ReportMetric(times[len(times)*95/100], name+"ms-p95")
}

// BenchmarkClickToPaint steps a client back and forth between two others that
// wait: request, engine, broadcast, panels, layout and drawing, on loopback.
func BenchmarkClickToPaint(b *testing.B) {
	page := open(b)
	page.visit("/t/aaaaaaaaaa")
	for _, id := range []string{"spawn-two", "spawn", "step-C2"} {
		page.click(id)
	}
	var times []float64
	for b.Loop() {
		times = append(times, page.paints("#step-C1", "true"))
		b.StopTimer()
		// C1 now sleeps after a refusal, or has sent its next command; once it
		// sleeps, the run goes back to where its SETNX was in flight.
		if page.text("#client-C1 .word") != "asks Redis" {
			page.press("#back") // and a branch from there, which the next click opens
		}
		b.StartTimer()
	}
	report(b, "", times)
}

// BenchmarkClickToViolation takes the step with which two hold the lock: on the
// home page, which has it already, and in the playground, where the server does it.
func BenchmarkClickToViolation(b *testing.B) {
	const holders = `[...document.querySelectorAll("#timeline .flag-word")].some((flag) => flag.textContent.startsWith("2 holders")) && document.querySelector("#timeline .overlap-hatch")`
	b.Run("home", func(b *testing.B) {
		page := open(b)
		var times []float64
		for b.Loop() {
			b.StopTimer()
			page.visit("/?order=112")
			b.StartTimer()
			times = append(times, page.paints(`#press-C2`, holders))
		}
		report(b, "", times)
	})
	b.Run("playground", func(b *testing.B) {
		page := open(b)
		page.visit(emptyRun())
		page.chooses("del-setnx")
		for _, id := range race[:len(race)-1] {
			page.click(id)
		}
		before := page.scenario()
		var times []float64
		for b.Loop() {
			b.StopTimer()
			page.visit(page.opened(before))
			page.until(`document.querySelector("#connection").hidden && document.querySelector("#timeline .mark")`)
			b.StartTimer()
			times = append(times, page.paints("#step-C3", holders))
		}
		report(b, "", times)
	})
}

// firstMarks notes when a page that loads has painted its picture.
const firstMarks = `(function look() {
	if (!document.querySelector("#timeline .mark")) return requestAnimationFrame(look);
	requestAnimationFrame(() => requestAnimationFrame(() => { window.drawn = performance.now(); }));
})()`

const scrubFrames = 240

// measureScrub drags the scrubber over the whole run, a step a frame.
const measureScrub = `(async () => {
	const scrubber = document.querySelector("#position");
	const frame = () => new Promise(requestAnimationFrame);
	const tip = Number(scrubber.max);
	const frames = %d;
	await frame();
	const began = performance.now();
	let worst = 0;
	for (let n = 1; n <= frames; n++) {
		const last = performance.now();
		scrubber.value = String(tip - Math.round((n / frames) * tip));
		scrubber.dispatchEvent(new Event("input", { bubbles: true }));
		await frame();
		worst = Math.max(worst, performance.now() - last);
	}
	return [frames / ((performance.now() - began) / 1000), worst];
})()`

// BenchmarkPage prints the cost of the page of a run of twelve clients and 2,000 events,
// with everything on it: to open, to step and to scrub. On a busy machine only its own
// processor time means something.
func BenchmarkPage(b *testing.B) {
	run := crowded(b)
	reader := open(b)
	text := run.Scenario().String()
	call(reader, performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks})
	reader.begins(firstMarks)
	const steps = 10
	var opened, stepped, perSecond, worst []float64
	costs := map[string][]float64{}
	cost := func(what string, before, after map[string]float64, times float64) {
		for _, part := range []string{"Task", "Script", "RecalcStyle", "Layout"} {
			name := what + "-cpu-" + strings.ToLower(part) + "-ms"
			costs[name] = append(costs[name], 1000*(after[part+"Duration"]-before[part+"Duration"])/times)
		}
	}
	for b.Loop() {
		reader.do(chromedp.Navigate("about:blank"))
		begun := reader.processor()
		reader.goTo(reader.opened(text))
		reader.until(`window.drawn && document.querySelector("#connection").hidden`)
		open := reader.processor()
		opened = append(opened, value[float64](reader, "window.drawn"))
		cost("open", begun, open, 1)
		for range steps {
			stepped = append(stepped, reader.paints("#step", "true"))
		}
		there := reader.processor()
		cost("step", open, there, steps)
		figures := value[[]float64](reader, fmt.Sprintf(measureScrub, scrubFrames))
		cost("scrub", there, reader.processor(), scrubFrames)
		perSecond, worst = append(perSecond, figures[0]), append(worst, figures[1])
	}
	report(b, "open-", opened)
	report(b, "step-", stepped)
	b.ReportMetric(middle(perSecond), "scrub-frames/s")
	b.ReportMetric(slices.Max(worst), "scrub-worst-frame-ms")
	for name, times := range costs {
		b.ReportMetric(middle(times), name)
	}
}

func middle(times []float64) float64 {
	slices.Sort(times)
	return times[len(times)/2]
}

// processor returns the processor time of the page in seconds, by purpose.
func (b *browser) processor() map[string]float64 {
	b.Helper()
	by := map[string]float64{}
	for _, metric := range call(b, performance.GetMetrics, cdp.Empty{}).Metrics {
		by[metric.Name] = metric.Value
	}
	return by
}

// measureComparison drags the scrubber of the page over all of a run, pans, and
// lets a client step at its end, a step a frame.
const measureComparison = `(async () => {
	const frame = () => new Promise(requestAnimationFrame);
	const position = document.querySelector("#position");
	const results = {};
	async function perSecond(name, frames, step) {
		await frame();
		const began = performance.now();
		let worst = 0, script = 0;
		for (let n = 0; n < frames; n++) {
			const last = performance.now();
			step(n / frames);
			script += performance.now() - last;
			await frame();
			worst = Math.max(worst, performance.now() - last);
		}
		results[name + "-frames/s"] = frames / ((performance.now() - began) / 1000);
		results[name + "-worst-frame-ms"] = worst;
		results[name + "-script-ms"] = script / frames;
	}
	await perSecond("scrub", 120, (part) => {
		position.value = String(Math.round(part * Number(position.max)));
		position.dispatchEvent(new Event("input"));
	});
	const pane = document.querySelector("#picture");
	pane.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }));
	await perSecond("pan", 120, (part) => { pane.scrollLeft = part * (pane.scrollWidth - pane.clientWidth); });
	results["nodes"] = document.querySelectorAll(".picture svg *").length;
	return results;
})()`

// BenchmarkCompare prints what a second run of two thousand events costs the page.
func BenchmarkCompare(b *testing.B) {
	scenario := crowded(b).Scenario()
	page := open(b)
	page.sized(1440, 900)
	there := try(url.Parse(page.leads("/runs", url.Values{"scenario": {scenario.String()}, "program": {"getset"}}))).orFail(b)
	for _, run := range []struct{ name, path, picture string }{{"alone", there.Path, "#picture"}, {"beside", there.String(), "#beside-picture"}} {
		b.Run(run.name, func(b *testing.B) {
			for b.Loop() {
				page.visit(run.path)
				page.until(fmt.Sprintf(`document.querySelector("%s .mark")`, run.picture))
				page.reports(b, measureComparison)
			}
		})
	}
}

package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/engine/lang"
	"lockstep/views"
)

// crowded returns a run of twelve clients and two thousand events: steps in the order
// of a seeded scheduler, with faults in between, on a lock that breaks.
func crowded(t testing.TB) *engine.Run {
	t.Helper()
	const clients, events = 12, 2000
	run := engine.NewRun(engine.Header{Program: "del-setnx", Options: engine.Options{Timeout: 10_000}}, check.All()...)
	must := func(a engine.Action) {
		if _, err := run.Do(a); err != nil {
			t.Fatalf("%s: %v", a, err)
		}
	}
	for n := 1; n <= clients; n++ {
		must(engine.Action{Verb: engine.VerbSpawn, Client: fmt.Sprint("C", n)})
	}
	scheduler := engine.Scheduler{Random: true, Seed: 7}
	for n := 0; len(run.World().Events()) < events; n++ {
		// A client that finished or crashed starts again; now and then one crashes, or pauses past its lease.
		client := fmt.Sprint("C", 1+n*5%clients)
		faults := []engine.Action{{Verb: engine.VerbRestart, Client: client}}
		switch n % 36 {
		case 3, 21:
			faults = append(faults, engine.Action{Verb: engine.VerbPause, Client: client})
		case 11, 29:
			faults = append(faults, engine.Action{Verb: engine.VerbTick, Time: 6_000})
		case 17, 35:
			faults = append(faults, engine.Action{Verb: engine.VerbCrash, Client: client})
		}
		for m := range clients {
			if n%36 == 15 {
				faults = append(faults, engine.Action{Verb: engine.VerbResume, Client: fmt.Sprint("C", 1+m)})
			}
		}
		for _, a := range faults {
			if run.World().Can(a) == nil {
				must(a)
			}
		}
		if a, ok := scheduler.Next(run.World()); ok {
			must(a)
		}
	}
	return run
}

// The page of the benchmark has the timeline as every page has it, and nothing else.
const stageOfTimeline = `<!DOCTYPE html><meta charset="utf-8"><link rel="icon" href="data:,"><link rel="stylesheet" href="/static/css/site.css">
<link rel="stylesheet" href="/stage.css"><body>%s</body>`

// measureTimeline draws the run, lets it grow by its last events, drags the
// scrubber over all of it and pans through all of it, a step a frame.
const measureTimeline = `(async () => {
	const { timeline } = await import("/static/js/timeline/timeline.js");
	const { minimap } = await import("/static/js/timeline/minimap.js");
	const { events, words } = await (await fetch("/run.json")).json();
	const frame = () => new Promise(requestAnimationFrame);
	const root = document.querySelector("#timeline-box");
	const pane = root.querySelector(".picture");
	const results = { events: events.length };
	let most = 0;
	const count = () => (most = Math.max(most, root.querySelectorAll(".picture svg, .picture svg *, .minimap *").length));
	const middle = (times, at) => times.sort((a, b) => a - b)[Math.floor(times.length * at)];

	await frame();
	let began = performance.now();
	const picture = timeline(root, { lang: "en", words, minimap, onToken() {}, onSeek() {} });
	picture.show(events);
	results["first-draw-ms"] = performance.now() - began;
	await frame(); await frame();
	results["first-painted-ms"] = performance.now() - began;
	count();

	async function append() {
		const times = [];
		for (let n = events.length - 200; n <= events.length; n++) {
			const log = events.slice(0, n);
			began = performance.now();
			picture.show(log);
			times.push(performance.now() - began);
			await frame();
			count();
		}
		return times;
	}
	let times = await append();
	results["append-ms-median"] = middle(times, 0.5);
	results["append-ms-p95"] = middle(times, 0.95);

	async function perSecond(frames, step) {
		await frame();
		const start = performance.now();
		let worst = 0;
		for (let n = 0; n < frames; n++) {
			const last = performance.now();
			step(n / frames);
			await frame();
			worst = Math.max(worst, performance.now() - last);
			if (n % 10 === 0) count();
		}
		return [frames / ((performance.now() - start) / 1000), worst];
	}
	const scrub = (part) => picture.show(events, { playhead: Math.round(part * events.length) });
	const pan = (part) => { pane.scrollLeft = part * (pane.scrollWidth - pane.clientWidth); };
	picture.show(events);
	[results["scrub-frames/s"], results["scrub-worst-frame-ms"]] = await perSecond(240, scrub);
	picture.show(events);
	[results["pan-frames/s"], results["pan-worst-frame-ms"]] = await perSecond(240, pan);
	// As a hand pans: 24 px a frame.
	[results["pan-slowly-frames/s"]] = await perSecond(240, (part) => { pane.scrollLeft = 4000 + part * 240 * 24; });

	for (const [name, factor] of [["out", 1 / 3], ["far-out", 1 / 3]]) {
		picture.zoom(factor);
		await frame();
		count();
		[results["scrub-" + name + "-frames/s"]] = await perSecond(120, scrub);
		[results["pan-" + name + "-frames/s"]] = await perSecond(120, pan);
	}
	picture.show(events);
	picture.fit();
	times = await append();
	results["append-fit-ms-median"] = middle(times, 0.5);
	results["nodes-at-most"] = most;
	return results;
})()`

// benched opens a page of that size with the timeline alone, which can ask for the crowded run.
func benched(b *testing.B, size string) *browser {
	run := crowded(b)
	mux := http.NewServeMux()
	mux.Handle("GET /static/", http.StripPrefix("/static/", http.FileServer(http.Dir("../../static"))))
	mux.HandleFunc("GET /stage.css", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/css")
		fmt.Fprintf(w, "body { %s; display: flex; margin: 0; }", size)
	})
	mux.HandleFunc("GET /run.json", func(w http.ResponseWriter, _ *http.Request) {
		if err := json.NewEncoder(w).Encode(map[string]any{"events": run.World().Events(), "words": views.TimelineWords(lang.English, check.Flags(lang.English))}); err != nil {
			b.Error(err)
		}
	})
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		var markup strings.Builder
		if err := views.Timeline(views.Site{Lang: lang.English}).Render(r.Context(), &markup); err != nil {
			b.Error(err)
		}
		fmt.Fprintf(w, stageOfTimeline, markup.String())
	})
	server := httptest.NewServer(mux)
	b.Cleanup(server.Close)

	page := open(b)
	page.url = server.URL
	page.sized(1440, 900)
	return page
}

// reports reports what a script measures on the page.
func (b *browser) reports(bench *testing.B, script string) {
	for name, figure := range value[map[string]float64](b, script) {
		bench.ReportMetric(figure, name)
	}
}

// figures reports what a script measures on the page, which is loaded again each time.
func (b *browser) figures(bench *testing.B, script string) {
	for bench.Loop() {
		b.do(chromedp.Navigate(b.url))
		b.reports(bench, script)
	}
}

// BenchmarkTimeline prints what the picture of twelve clients and two thousand
// events costs the browser.
func BenchmarkTimeline(b *testing.B) {
	benched(b, "width: 760px; height: 640px").figures(b, measureTimeline)
}

// measureMotion steps through the middle of the run, and lets the run grow at its end,
// action by action: each begins when the picture has shown the one before.
const measureMotion = `(async () => {
	const { timeline } = await import("/static/js/timeline/timeline.js");
	const { events, words } = await (await fetch("/run.json")).json();
	const frame = () => new Promise(requestAnimationFrame);
	const ends = events.flatMap((e, i) => (events[i + 1]?.action === e.action ? [] : [e.seq]));
	const results = {};
	let arrive = () => {};
	const work = []; // ms, of each frame's script: it tells more than frames on a busy machine
	const ask = window.requestAnimationFrame.bind(window);
	window.requestAnimationFrame = (frame) => ask((now) => {
		const began = performance.now();
		frame(now);
		work.push(performance.now() - began);
	});
	const picture = timeline(document.querySelector("#timeline-box"), { lang: "en", words, onArrive: (seq) => arrive(seq), onToken() {}, onSeek() {} });

	async function moves(name, from, show) {
		show(ends[from]);
		await frame(); await frame();
		work.length = 0;
		let moving = true, frames = 0, worst = 0, script = 0;
		const walk = (async () => {
			for (let n = from + 1; n <= from + 12; n++) {
				const there = new Promise((done) => (arrive = (seq) => seq === ends[n] && done()));
				const began = performance.now();
				show(ends[n]);
				script = Math.max(script, performance.now() - began);
				await there;
			}
			moving = false;
		})();
		const began = performance.now();
		for (let last = began; moving; frames++) {
			await new Promise(ask);
			const now = performance.now();
			worst = Math.max(worst, now - last);
			last = now;
		}
		await walk;
		results[name + "-frames/s"] = frames / ((performance.now() - began) / 1000);
		results[name + "-worst-frame-ms"] = worst;
		results[name + "-press-ms"] = script;
		work.sort((a, b) => a - b);
		results[name + "-script-ms-median"] = work[Math.floor(work.length / 2)];
		results[name + "-script-ms-p95"] = work[Math.floor(work.length * 0.95)];
	}
	await moves("step", Math.floor(ends.length / 2), (playhead) => picture.show(events, { playhead }));
	await moves("grow", ends.length - 14, (n) => picture.show(events.slice(0, n)));
	return results;
})()`

// BenchmarkMotion prints how many frames a second the picture of twelve clients and two
// thousand events has while it moves, on a desk, on a wall and on a phone, and on a
// processor that is four times as slow.
func BenchmarkMotion(b *testing.B) {
	for _, screen := range []struct {
		name          string
		width, height int64
	}{{"desk", 1280, 720}, {"wall", 1280, 720}, {"phone", 390, 844}} {
		for _, slower := range []float64{1, 4} {
			b.Run(fmt.Sprintf("%s-%gx-slower", screen.name, slower), func(b *testing.B) {
				page := benched(b, "width: 100vw; height: 100vh")
				page.do(chromedp.EmulateViewport(screen.width, screen.height), slowed(slower))
				page.figures(b, strings.Replace(measureMotion, "onArrive:", fmt.Sprintf("wall: %t, onArrive:", screen.name == "wall"), 1))
			})
		}
	}
}

// slowed makes the processor of a page so many times as slow.
func slowed(times float64) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: times})
		return err
	})
}

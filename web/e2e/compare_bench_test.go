package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"testing"
)

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
	return JSON.stringify(results);
})()`

// BenchmarkCompare prints what a second run of two thousand events costs the page.
func BenchmarkCompare(b *testing.B) {
	scenario := crowded(b).Scenario()
	page := open(b)
	page.sized(1440, 900)
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	answer, err := client.PostForm(page.direct+"/runs", url.Values{"scenario": {scenario.String()}, "program": {"getset"}})
	if err != nil {
		b.Fatal(err)
	}
	answer.Body.Close()
	there, err := url.Parse(answer.Header.Get("Location"))
	if err != nil || there.Query().Get("beside") == "" {
		b.Fatalf("POST /runs: %s, Location %q", answer.Status, answer.Header.Get("Location"))
	}
	for _, run := range []struct{ name, path, picture string }{{"alone", there.Path, "#picture"}, {"beside", there.String(), "#beside-picture"}} {
		b.Run(run.name, func(b *testing.B) {
			for b.Loop() {
				page.visit(run.path)
				page.until(fmt.Sprintf(`document.querySelector("%s .mark")`, run.picture))
				said := value[string](page, measureComparison)
				var figures map[string]float64
				if err := json.Unmarshal([]byte(said), &figures); err != nil {
					b.Fatal(err)
				}
				for name, figure := range figures {
					b.ReportMetric(figure, name)
				}
			}
		})
	}
}

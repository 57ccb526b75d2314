package e2e

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"lockstep/engine/testtools"
)

// A look is one way to see the site.
type look struct {
	name, query string
	media       []*emulation.MediaFeature
	width       int64
}

var looks = []look{
	{"light", "theme=light", nil, 1440},
	{"dark", "theme=auto", []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}, 1440},
	{"projector", "mode=projector", nil, 1920},
	{"forced-colors", "", []*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}, 1440},
	{"320px", "theme=light", nil, 320},
}

// axe-core finds no violation in any look, whatever the run shows.
func TestRunPassesAxe(t *testing.T) {
	testtools.Long(t, "axe-core examines three runs in five looks and two languages")
	source := axe(t)
	states := []struct {
		name, path string
		actions    []string
	}{
		{"start", "/t/starting00", nil},
		{"violation", "/t/violation0", []string{
			"spawn C1", "step C1", "crash C1", "tick 12s", "spawn C2", "spawn C3",
			"step C2", "step C2", "step C3", "step C3", "step C2", "step C2", "step C3", "step C3",
		}},
		{"12-clients", "/t/twelve0000", twelve()},
	}
	for _, state := range states {
		t.Run(state.name, func(t *testing.T) {
			b := open(t)
			for _, line := range state.actions {
				b.post(state.path+"/actions", url.Values{"action": {line}, "program": {"del-setnx"}, "timeout": {"10s"}})
			}
			for look, lang := range seen(t, looks) {
				b.see(look)
				name := fmt.Sprintf("axe-%s-%s-%s", state.name, look.name, lang)
				b.visit(state.path + "?lang=" + lang + "&" + look.query)
				if !whole() || state.name == "start" || look.name == looks[0].name {
					b.audit(source, name)
				} else {
					b.audit(source, name, ".stage", ".world-side") // elsewhere nothing has changed
				}
				b.fits()
				b.legible(name)
				b.shot(name)
				if state.name != "start" {
					continue
				}
				value[bool](b, `document.querySelectorAll("details").forEach(d => d.open = true) ?? true`)
				b.audit(source, name+"-open")
				b.fits()
				b.shot(name + "-open")
				value[bool](b, `document.querySelector("#settings").removeAttribute("open") ?? true`)
				b.key("?")
				b.until(`document.querySelector("#help").open`)
				b.audit(source, name+"-help", "#help") // the rest is behind it
				b.fits()
				b.shot(name + "-help")
			}
			b.quiet()
		})
	}
}

func twelve() []string {
	var lines []string
	for n := range 12 {
		lines = append(lines, fmt.Sprintf("spawn C%d", n+1))
	}
	return append(lines, "skew C2 -1500ms", "pause C3", "crash C4", "step C1", "deliver C5", "drop C7", "tick 1s")
}

// axe returns the text of axe-core.
func axe(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", ".ci", "node_modules", "axe-core", "axe.min.js"))
	if err == nil {
		return string(text)
	}
	testtools.Absent(t, "axe-core is not installed (npm ci --prefix .ci)")
	return ""
}

// see gives the browser a look.
func (b *browser) see(l look) {
	b.Helper()
	media := l.media
	if media == nil {
		media = []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "light"}}
	}
	b.do(chromedp.EmulateViewport(l.width, 900), chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: media})
		return err
	}))
}

// audit fails the test for everything that axe-core finds on the page, or in some parts
// of it.
func (b *browser) audit(source, name string, part ...string) {
	b.Helper()
	if !value[bool](b, `"axe" in window`) {
		value[bool](b, source+"; true")
	}
	if len(part) == 0 {
		part = []string{"html"}
	}
	findings, err := chromedp.Run(b.ctx, chromedp.Evaluate[[]string](fmt.Sprintf(`axe.run({ include: ["%s"] }, { preload: false, resultTypes: ["violations"] })
		.then(({ violations }) => violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary.replaceAll("\n", " "))))`, strings.Join(part, `", "`)), chromedp.EvalAwaitPromise))
	if err != nil {
		b.Fatalf("examining %s: %v", name, err)
	}
	for _, finding := range findings {
		b.Errorf("%s: %s", name, finding)
	}
}

// legible fails the test for words in the colour of the background that forced colours
// put behind all words. axe-core does not see them.
func (b *browser) legible(name string) {
	b.Helper()
	blank := value[[]string](b, `!matchMedia("(forced-colors: active)").matches ? [] : [...document.querySelectorAll("body *:not(svg *)")]
		.filter((e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim()))
		.filter((e) => e.checkVisibility())
		.filter((e) => getComputedStyle(e).forcedColorAdjust !== "none" && getComputedStyle(e).color === getComputedStyle(document.documentElement).backgroundColor)
		.map((e) => e.tagName + "#" + e.id + "." + e.className + " " + e.textContent.trim())`)
	for _, element := range blank {
		b.Errorf("%s: %s cannot be read", name, element)
	}
}

// Paper has the picture and the whole list, and no controls.
func TestPaperHasNoControls(t *testing.T) {
	b := open(t)
	b.visit("/t/aaaaaaaaaa?theme=dark&mode=projector")
	b.click("spawn-two")
	b.click("step-C1")
	for range 8 {
		b.click("tick-1")
	}
	b.do(chromedp.EmulateViewport(794, 1123), chromedp.Func(func(ctx context.Context, _ *chromedp.Target) error {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return err
	}))
	b.settled()
	b.shot("print")
	for _, pressed := range value[[]string](b, `[...document.querySelectorAll("button, select, input, textarea")].filter((e) => e.checkVisibility()).map((e) => e.id)`) {
		t.Errorf("%s is printed", pressed)
	}
	if cut := value[bool](b, `(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight)(document.querySelector(".events .rows"))`); cut {
		t.Error("the list of events is cut")
	}
	if over := value[int](b, `Math.ceil(document.querySelector("#timeline").getBoundingClientRect().right) - innerWidth`); over > 0 {
		t.Errorf("the picture is %d px wider than the paper", over)
	}
	if paper := value[string](b, `getComputedStyle(document.documentElement).backgroundColor`); paper != "rgb(255, 255, 255)" {
		t.Errorf("the paper is %s", paper)
	}
	b.quiet()
}

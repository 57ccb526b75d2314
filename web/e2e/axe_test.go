package e2e

import (
	"cmp"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"lockstep/engine/testtools"
)

// A look is one way to see the site.
type look struct {
	name, query string
	prefers     string // as a media query asks for it; empty: light colours
	width       int64
}

var looks = []look{
	{"light", "theme=light", "", 1440},
	{"dark", "theme=auto", "prefers-color-scheme: dark", 1440},
	{"projector", "mode=projector", "", 1920},
	{"forced-colors", "", "forced-colors: active", 1440},
	{"320px", "theme=light", "", 320},
}

// axe-core finds no violation in any look, whatever the run shows.
func TestRunPassesAxe(t *testing.T) {
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
			b.inLooks(state.name, state.path, looks, func(name string) {
				b.until(`document.querySelector("#timeline.timeline")`)
				if state.name != "start" {
					return
				}
				b.examine(name + "-closed")
				b.key("?")
				b.until(`document.querySelector("#help").open`)
				b.examine(name+"-help", "#help") // the rest is behind it
				b.key(kb.Escape)
				value[bool](b, opensAll)
			})
		})
	}
}

// opensAll opens everything that a page has closed.
const opensAll = `document.querySelectorAll("details").forEach((e) => e.open = true) ?? true`

func twelve() []string {
	var lines []string
	for n := range 12 {
		lines = append(lines, fmt.Sprintf("spawn C%d", n+1))
	}
	return append(lines, "skew C2 -1500ms", "pause C3", "crash C4", "step C1", "deliver C5", "drop C7", "tick 1s")
}

// inLooks examines a page, or parts of it, in each look, after a test has waited for what it waits for.
func (b *browser) inLooks(name, path string, looks []look, rests func(name string), part ...string) {
	b.Helper()
	query := "?"
	if strings.Contains(path, "?") {
		query = "&"
	}
	for look, lang := range seen(b, looks) {
		b.see(look)
		b.goTo(path + query + "lang=" + lang + "&" + look.query + "&mode=desk") // the first mode counts
		b.until(`document.readyState === "complete"`)
		name := "axe-" + name + "-" + look.name + "-" + lang
		rests(name)
		b.settled()
		b.examine(name, part...)
	}
}

// examine fails the test for everything that axe-core finds on the page or in parts of it, for what cannot be read, and for what is
// wider than the window.
func (b *browser) examine(name string, part ...string) {
	b.Helper()
	b.audit(name, part...)
	b.fits()
	b.legible(name)
}

// axe returns the text of axe-core.
func axe(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", ".ci", "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		testtools.Absent(t, "axe-core is not installed (npm ci --prefix .ci)")
	}
	return string(text)
}

// see gives the browser a look.
func (b *browser) see(l look) {
	b.Helper()
	b.sized(l.width, 900)
	b.prefers(cmp.Or(l.prefers, "prefers-color-scheme: light"))
}

// audit fails the test for everything that axe-core finds on the page, or in some parts of it.
func (b *browser) audit(name string, part ...string) {
	b.Helper()
	if !value[bool](b, `"axe" in window`) {
		value[bool](b, axe(b)+"; true")
	}
	if len(part) == 0 {
		part = []string{"html"}
	}
	b.none(fmt.Sprintf(`axe.run({ include: ["%s"] }, { preload: false, resultTypes: ["violations"] })
		.then(({ violations }) => violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary.replaceAll("\n", " "))))`, strings.Join(part, `", "`)), name)
}

// legible fails the test for words in the colour of the background that forced colours
// put behind all words. axe-core does not see them.
func (b *browser) legible(name string) {
	b.Helper()
	b.none(`!matchMedia("(forced-colors: active)").matches ? [] : [...document.querySelectorAll("body *:not(svg *)")]
		.filter((e) => [...e.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim()))
		.filter((e) => e.checkVisibility())
		.filter((e) => getComputedStyle(e).forcedColorAdjust !== "none" && getComputedStyle(e).color === getComputedStyle(document.documentElement).backgroundColor)
		.map((e) => e.tagName + "#" + e.id + "." + e.className + " " + e.textContent.trim())`, name, "cannot be read")
}

package static

import (
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sheet returns a style sheet without comments.
func sheet(name string) string {
	text, err := os.ReadFile(filepath.Join("css", name))
	if err != nil {
		panic(err) // the test names a file that is not here
	}
	return regexp.MustCompile(`(?s)/\*.*?\*/`).ReplaceAllString(string(text), "")
}

// These rules hold on every page that has their sheet, and no layout shows that one is gone.
func TestEachPageHasTheseRules(t *testing.T) {
	for _, c := range []struct{ claim, file, rule string }{
		{"what is hidden stays hidden, whatever layout it has", "base.css", `\[hidden\] \{ display: none !important; \}`},
		{"the focus is seen", "base.css", `:focus-visible \{ outline: [2-9]px solid var\(--accent\); outline-offset: 2px; \}`},
		{"controls are large under a finger", "base.css", `@media \(pointer: coarse\) \{ body \{ --target: 3rem; \} \}`},
		{"controls are large on a narrow page", "base.css", `@container page \(max-width: 35rem\) \{ body \{ --target: 3rem; \} \}`},
		{"code shows != as two letters", "base.css", `code, textarea, \.value, \.source, \.timeline \{ font-variant-ligatures: none; \}`},
		{"nothing moves for a reader who wants that", "settings.css", `@media \(prefers-reduced-motion: reduce\) \{\s*\*, ::before, ::after \{\s*animation: none !important;\s*scroll-behavior: auto !important;\s*transition: none !important;`},
		{"an alarm without news takes nothing of a phone's screen", "phone.css", `(?m)^  \.alarm:not\(:has\(\.alerts p\)\) \{ display: none; \}`},
		{"nor while the room asks, when an alarm is small", "phone.css", `(?m)^    \.alarm \{ display: flex; [^}]*\}\n    \.alarm:not\(:has\(\.alerts p\)\) \{ display: none; \}`},
		{"what the wall does not show yet is not on a phone", "phone.css", `\[data-earlier\] :is\(\.alarm, \.world\), \[data-earlier\] ~ \.card \.caption-box \{ display: none; \}`},
	} {
		if !regexp.MustCompile(c.rule).MatchString(sheet(c.file)) {
			t.Errorf("%s: css/%s has no %s", c.claim, c.file, c.rule)
		}
	}
}

// Each class and id of a sheet occurs in a page or a script: a rule for another is for nothing.
func TestEachNameIsUsed(t *testing.T) {
	// These are put together where they are given.
	composed := map[string]string{
		"drawer-": "views/stage.templ: the name of the drawer", "in-": "views/listing.go: the indent of a line", "outcome-": "views/run/guide.templ: right or wrong", "to-": "views/run, views/room: where a message flies to",
	}
	name := regexp.MustCompile(`[A-Za-z_][\w-]*`)
	used := map[string]bool{}
	err := filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "built" || entry.Name() == ".git") {
			return fs.SkipDir
		}
		test := strings.Contains(path, "_test.") || strings.Contains(path, ".test.") || strings.Contains(path, "_templ.go")
		if ext := filepath.Ext(path); err != nil || test || ext != ".templ" && ext != ".go" && ext != ".js" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, found := range name.FindAllString(string(text), -1) {
			used[found] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	sheets, err := filepath.Glob("css/*.css")
	if err != nil || len(sheets) < 30 {
		t.Fatalf("the sheets: %v, %v", sheets, err)
	}
	selector := regexp.MustCompile(`[^{}]+\{`)
	of := regexp.MustCompile(`[.#]([A-Za-z_][\w-]*)`)
	for _, path := range sheets {
		text := regexp.MustCompile(`"[^"]*"|url\([^)]*\)`).ReplaceAllString(sheet(filepath.Base(path)), "")
		for _, found := range of.FindAllStringSubmatch(strings.Join(selector.FindAllString(text, -1), " "), -1) {
			if before, _, _ := strings.Cut(found[1], "-"); !used[found[1]] && composed[before+"-"] == "" {
				t.Errorf("%s: nothing is called %s", path, found[1])
			}
		}
	}
}

// Words have the contrast of WCAG 2.2 AA with what they stand on, in both themes.
func TestWordsCanBeRead(t *testing.T) {
	colours := map[string][2]string{}
	for _, found := range regexp.MustCompile(`--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`).FindAllStringSubmatch(sheet("tokens.css"), -1) {
		colours[found[1]] = [2]string{found[2], found[3]}
	}
	for _, c := range []struct{ words, on string }{
		{"ink", "page"}, {"ink", "panel"}, {"ink-quiet", "page"}, {"ink-quiet", "panel"}, {"accent", "page"}, {"accent", "panel"},
		{"ink-inverse", "accent"}, {"ink", "accent-tint"}, {"hold-ink", "hold"}, {"violation-ink", "page"}, {"violation-ink", "violation-tint"},
		{"code-keyword", "page"}, {"code-literal", "page"},
	} {
		words, on := colours[c.words], colours[c.on]
		for i, theme := range []string{"light", "dark"} {
			if words[i] == "" || on[i] == "" {
				t.Fatalf("tokens.css does not say --%s or --%s in both themes", c.words, c.on)
			}
			if ratio := contrast(words[i], on[i]); ratio < 4.5 {
				t.Errorf("%s: --%s on --%s has a contrast of %.2f", theme, c.words, c.on, ratio)
			}
		}
	}
}

// contrast returns the contrast ratio of two colours, as WCAG defines it.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

func luminance(colour string) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		n, err := strconv.ParseUint(strings.TrimPrefix(colour, "#")[2*i:2*i+2], 16, 8)
		if err != nil {
			return math.NaN()
		}
		if c := float64(n) / 255; c <= 0.04045 {
			sum += weight * c / 12.92
		} else {
			sum += weight * math.Pow((c+0.055)/1.055, 2.4)
		}
	}
	return sum
}

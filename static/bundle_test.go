package static

import (
	"strings"
	"testing"
)

// A bundle needs nothing besides itself.
func TestBundleIsWhole(t *testing.T) {
	script, err := Bundle("js/run/page.js")
	if err != nil {
		t.Fatal(err)
	}
	if text := string(script); strings.Contains(text, `from"./`) || strings.Contains(text, `import"./`) || !strings.Contains(text, "WebSocket") {
		t.Error("the script of the page still imports, or lacks what it imported")
	}
	sheet, err := Bundle("css/site.css")
	if err != nil {
		t.Fatal(err)
	}
	text := string(sheet)
	if strings.Contains(text, "@import") || !strings.Contains(text, "url(../fonts/") {
		t.Error("the style sheet still imports, or the path of the font is not what a browser can follow")
	}
	order, base := strings.Index(text, "@layer tokens,base"), strings.Index(text, "@layer base{")
	if order < 0 || base < order {
		t.Errorf("the order of the layers stands at %d and the first of them at %d", order, base)
	}
}

// A script that few pages need is a file of its own. The player is one file, and loads none.
func TestBundleLeavesRareScriptsOut(t *testing.T) {
	for entry, asks := range map[string]bool{"js/run/page.js": true, "js/share/onefile.js": false} {
		script, err := Bundle(entry)
		if err != nil {
			t.Fatal(err)
		}
		if text := string(script); strings.Contains(text, `import("./compare.js")`) != asks || strings.Contains(text, "import(") != asks {
			t.Errorf("%s asks for a script when it needs it: %v, want %v", entry, !asks, asks)
		}
	}
	if served()["js/run/compare.js"] == nil {
		t.Error("the script that compares is not served")
	}
}

func TestBundleErrors(t *testing.T) {
	for _, c := range []struct{ entry, why string }{
		{"js/nothing.js", "file does not exist"},
		{"js/trace/log.test.js", "is for tests only"},
		{"../go.mod", "file does not exist"},
	} {
		if _, err := Bundle(c.entry); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("bundling %s: %v, want it to say %q", c.entry, err, c.why)
		}
	}
}

// The files of a first visit keep their budgets, gzipped; home shows no code and loads
// no font. web/e2e/transfer_test.go measures all that a browser is sent, with the page.
func TestBudgets(t *testing.T) {
	const font = "fonts/jetbrains-mono-latin-400-normal.woff2"
	for _, page := range []struct {
		name   string
		limit  int // bytes
		loaded []string
	}{
		{"home", 52_400, []string{"css/site.css", "css/home.css", "js/site/home.js"}},                    // and 7.6 KB for the page,
		{"playground", 90_000, []string{"css/site.css", "css/playground.css", "js/run/page.js", font}},   // and 20 KB for the page
		{"explorer", 80_000, []string{"css/site.css", "css/explore.css", "js/explore/explore.js", font}}, // and 10 KB for the page
		{"phone", 28_000, []string{"css/site.css", "css/phone.css", "js/phone/phone.js"}},                // and 2 KB for the page
	} {
		sum := 0
		for _, name := range page.loaded {
			file := served()[name]
			if file == nil {
				t.Fatalf("%s is not served", name)
			}
			plain, gzipped, err := file.content()
			if err != nil {
				t.Fatal(err)
			}
			size := len(gzipped)
			if gzipped == nil {
				size = len(plain)
			}
			t.Logf("%s: %s is %d bytes", page.name, name, size)
			sum += size
		}
		t.Logf("%s: %d bytes of %d", page.name, sum, page.limit)
		if sum > page.limit {
			t.Errorf("the %s loads %d bytes, at most %d are wanted", page.name, sum, page.limit)
		}
	}
}

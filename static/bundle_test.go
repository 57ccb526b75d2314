package static

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"lockstep/static/sources"
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

// A bundle is made of the scripts and style sheets as they are.
func TestBundlesAreCurrent(t *testing.T) {
	want, err := sources.Hash(os.DirFS("."), os.DirFS(".."))
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile("built/" + sources.Name); err != nil || strings.TrimSpace(string(got)) != want {
		t.Fatalf("static/built is older than what it is made of: run go generate ./static (%v)", err)
	}
	list, err := os.ReadFile("bundles.txt")
	if err != nil {
		t.Fatal(err)
	}
	listed := 0
	for line := range strings.Lines(string(list)) {
		entry, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if strings.HasPrefix(line, "#") {
			continue
		}
		listed++
		if served()[entry] == nil {
			t.Errorf("%s is not in static/built: run go generate ./static", entry)
		}
	}
	for name := range served() {
		if strings.HasSuffix(name, ".js") || strings.HasSuffix(name, ".css") {
			listed--
		}
	}
	if listed != 0 {
		t.Errorf("bundles.txt names %d files more than there are in static/built: run go generate ./static", listed)
	}
	for _, entry := range []string{"js/nothing.js", "js/trace/log.js", "js/trace/log.test.js", "../go.mod"} {
		if _, err := Bundle(entry); !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrInvalid) {
			t.Errorf("%s is a bundle: %v", entry, err)
		}
	}
}

// Each file that a page or a bundle names is served.
func TestNamedFilesAreServed(t *testing.T) {
	templates, err := filepath.Glob("../views/*/*.templ")
	shared, _ := filepath.Glob("../views/*.templ")
	if err != nil || len(templates) < 30 || len(shared) == 0 {
		t.Fatalf("looking for templates: %v, %v, %v", templates, shared, err)
	}
	named := 0
	static := regexp.MustCompile(`\bStatic\("([^"]+)"\)`)
	for _, template := range append(templates, shared...) {
		text, err := os.ReadFile(template)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range static.FindAllStringSubmatch(string(text), -1) {
			named++
			if served()[name[1]] == nil {
				t.Errorf("%s names %s: add it to bundles.txt", template, name[1])
			}
		}
	}
	// A name in an import is a string, or a constant: home.js keeps two from the bundler.
	imports := regexp.MustCompile(`["'\x60](\.\.?/[a-z0-9/-]+\.js)["'\x60]|url\("?(\.\.?/[^)"]+)`)
	for from, file := range served() {
		if !strings.HasSuffix(from, ".js") && !strings.HasSuffix(from, ".css") {
			continue
		}
		text, _, err := file.content()
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range imports.FindAllStringSubmatch(string(text), -1) {
			named++
			if name := path.Join(path.Dir(from), found[1]+found[2]); served()[name] == nil {
				t.Errorf("%s asks for %s: add it to bundles.txt", from, name)
			}
		}
	}
	if named < 60 {
		t.Errorf("only %d names are found", named)
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
		{"editor", 120_000, []string{"js/editor/editor.js"}},                                             // which comes when somebody edits
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

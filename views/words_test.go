package views_test

import (
	"cmp"
	"go/build"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/views"
	_ "lockstep/views/course"
	_ "lockstep/views/explore"
	_ "lockstep/views/room"
	_ "lockstep/views/run"
	_ "lockstep/views/site"
)

// Every text exists in both languages, with the same arguments.
func TestEveryTextExistsInBothLanguages(t *testing.T) {
	argument := regexp.MustCompile(`%(?:\[(\d)\])?[a-z]|\{\w+\}`)
	for key, w := range views.Catalogue {
		switch {
		case strings.TrimSpace(w.English) == "":
			t.Errorf("%s has no English: %+v", key, w)
		case strings.TrimSpace(w.Chinese) == "":
			testtools.Untranslated(t, "%s has no Chinese: %+v", key, w)
			continue
		}
		counts := map[string]int{}
		for _, a := range argument.FindAllString(w.English, -1) {
			counts[a]++
		}
		for _, a := range argument.FindAllString(w.Chinese, -1) {
			counts[a]--
		}
		for a, n := range counts {
			if n != 0 {
				t.Errorf("%s has the argument %s in one language only: %+v", key, a, w)
			}
		}
	}
}

// Each text stands in its own language. A Chinese sentence may have an English word in it; the texts named here are no sentences.
func TestEachTextStandsInItsLanguage(t *testing.T) {
	same := map[string]bool{"redis": true, "face.locale": true, "other-language": true}
	argument := regexp.MustCompile(`%(?:\[\d\])?[a-z]|\{\w+\}`)
	han, letter := regexp.MustCompile(`\p{Han}`), regexp.MustCompile(`[A-Za-z]`)
	for key, w := range views.Catalogue {
		chinese := argument.ReplaceAllString(w.Chinese, "")
		if !same[key] && (han.MatchString(w.English) || letter.MatchString(chinese) && !han.MatchString(chinese)) {
			t.Errorf("%s says %q in English and %q in Chinese", key, w.English, w.Chinese)
		}
	}
}

// The catalogue holds each text that a page asks for, and nothing else.
func TestCatalogueHoldsEachTextThatAPageAsksFor(t *testing.T) {
	asked := map[string]bool{}
	literal := regexp.MustCompile(`"([a-z-]+(?:\.[a-z-]+)*)"`)
	said := regexp.MustCompile(`\bSay\((?:[^",()]|\([^()]*\))*, "([^"]+)"( ?\+)?`)
	scripts, err := filepath.Glob("../static/js/*/*.js")
	if err != nil || len(scripts) == 0 {
		t.Fatalf("looking for scripts: %v, %v", scripts, err)
	}
	for _, script := range scripts {
		text, err := os.ReadFile(script)
		if err != nil {
			t.Fatal(err)
		}
		prefix := "script."
		if filepath.Base(script) == "compare.js" {
			prefix = "beside."
		}
		for _, m := range regexp.MustCompile(`\bwords\.(\w+)`).FindAllStringSubmatch(string(text), -1) {
			asked[prefix+m[1]] = true
		}
	}
	for _, pattern := range []string{"*.templ", "author.go", "edit.go", "site.go", "*/*.templ", "course/*.go", "explore/*.go", "room/*.go", "run/*.go", "site/*.go", "../web/*.go", "../web/present/*.go", "../web/limit/*.go", "../web/refusal/*.go", "../web/search/*.go", "../web/store/*.go", "../engine/*.go", "../engine/explore/*.go", "../engine/program/*.go", "../web/door/*.go", "../web/*pages/*.go", "../web/class/*.go", "../web/live/*.go", "../web/real/attach/*.go", "../web/room/refusal.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %v, %v", pattern, files, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || strings.HasSuffix(file, "words.go") && !strings.HasPrefix(file, "..") {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range said.FindAllStringSubmatch(string(text), -1) {
				if m[2] != "" { // the prefix of a group of keys
					for key := range views.Catalogue {
						asked[key] = asked[key] || strings.HasPrefix(key, m[1])
					}
				} else if _, ok := views.Catalogue[m[1]]; !ok {
					t.Errorf("%s asks for %q, which is not in the catalogue", file, m[1])
				}
			}
			for _, m := range literal.FindAllStringSubmatch(string(text), -1) {
				asked[m[1]] = true
			}
		}
	}
	for key := range views.Catalogue {
		if !asked[key] && !strings.HasPrefix(key, "timeline.") {
			t.Errorf("nothing asks for %q", key)
		}
	}
}

// A text stands in the package that asks for it, or in one that this imports: a sentence of one page leaves the others compiled.
func TestATextStandsBelowItsPages(t *testing.T) {
	key := regexp.MustCompile(`(?m)^\t"([^"]+)":\s`)
	said := regexp.MustCompile(`\b[sS]ay\((?:[^"()]|\([^()]*\))*"([^"]+)"( ?\+)?`)
	names := []string{".", "course", "explore", "room", "run", "site"}
	texts := map[string][]string{} // the keys of each package
	for _, name := range names {
		for _, file := range files(t, name+"/*words.go") {
			for _, m := range key.FindAllStringSubmatch(file, -1) {
				texts[name] = append(texts[name], m[1])
			}
		}
	}
	asks := 0
	for _, name := range names {
		p, err := build.ImportDir(name, 0)
		if err != nil {
			t.Fatal(err)
		}
		below := slices.Clone(texts[name])
		for _, imported := range p.Imports {
			if rest, ok := strings.CutPrefix(imported, "lockstep/views"); ok {
				below = append(below, texts[cmp.Or(strings.TrimPrefix(rest, "/"), ".")]...)
			}
		}
		for _, file := range append(files(t, name+"/*.templ"), files(t, name+"/*.go")...) {
			if strings.HasPrefix(file, "// Code generated") {
				continue
			}
			for _, m := range said.FindAllStringSubmatch(file, -1) {
				asks++
				if !slices.ContainsFunc(below, func(key string) bool { return key == m[1] || m[2] != "" && strings.HasPrefix(key, m[1]) }) {
					t.Errorf("package views/%s asks for %q, which stands in none that it imports", name, m[1])
				}
			}
		}
	}
	if asks < 800 {
		t.Errorf("only %d texts are asked for", asks)
	}
}

// files returns the texts of the files whose names match.
func files(t *testing.T, pattern string) (texts []string) {
	t.Helper()
	names, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// The timeline asks for its words in a table at the top of its file.
func TestTimelineListsItsWords(t *testing.T) {
	text, err := os.ReadFile("../static/js/timeline/timeline.js")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^ \*   ([a-z.-]+) {2,}\S`).FindAllStringSubmatch(string(text), -1) {
		if m[1] != "key" {
			listed[m[1]] = true
		}
	}
	for key := range listed {
		if _, ok := views.Catalogue["timeline."+key]; !ok {
			t.Errorf("the timeline asks for %q, which is not in the catalogue", key)
		}
	}
	for key := range views.Catalogue {
		if name, ok := strings.CutPrefix(key, "timeline."); ok && !listed[name] {
			t.Errorf("the timeline does not ask for %q", name)
		}
	}
}

func TestTimelineWordsHoldTheFlags(t *testing.T) {
	said := views.TimelineWords(lang.Chinese, map[string]string{"stuck": "死锁"})
	property, ok := said["property"].(map[string]string)
	if !ok || property["stuck"] != "死锁" || said["inside"] != "临界区内" {
		t.Errorf("the timeline is given %v", said)
	}
}

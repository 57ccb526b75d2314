package views_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"lockstep/views"
)

// A term is a row of the glossary in CONTRIBUTING.md.
type term struct {
	english, chinese string
	both             bool     // wherever English says it, Chinese does
	not              []string // words that mean it, and are not used
}

// glossary reads the table.
func glossary(t *testing.T) (terms []term) {
	t.Helper()
	text, err := os.ReadFile("../.github/CONTRIBUTING.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n## Glossary\n")
	table, _, _ = strings.Cut(table, "\n## ")
	for line := range strings.Lines(table) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if len(cells) != 4 || strings.Contains(line, "---") || strings.TrimSpace(cells[0]) == "term" {
			continue
		}
		name, both := strings.CutSuffix(strings.TrimSpace(cells[0]), "*")
		row := term{english: name, chinese: strings.TrimSpace(cells[1]), both: both}
		for _, word := range strings.Split(cells[3], ",") {
			if word = strings.TrimSpace(word); word != "" {
				row.not = append(row.not, word)
			}
		}
		terms = append(terms, row)
	}
	if len(terms) < 30 {
		t.Fatalf("the glossary has %d terms", len(terms))
	}
	return terms
}

// courseSays are words that the texts of the course still say.
var courseSays = []string{"弄坏", "回答", "谁也进不去", "轮流", "碰运气", "mend"}

// broken returns the first word of a line that the glossary does not allow, with its term.
func broken(terms []term, line string, allowed ...string) (word, say string) {
	line = strings.ToLower(quoted.ReplaceAllString(line, ""))
	for _, term := range terms {
		for _, not := range term.not {
			found := strings.Contains(line, not)
			if not[0] < 0x80 { // an English one is a word of its own
				found = regexp.MustCompile(`\b` + not + `\b`).MatchString(line)
			}
			if found && !slices.Contains(allowed, not) {
				return not, term.english + ", " + term.chinese
			}
		}
	}
	return "", ""
}

var quoted = regexp.MustCompile(`“[^”]*”|「[^」]*」|"[^"]*"|\x60[^\x60]*\x60|(?m)^\s*quote:.*$`)

// One word for one thing, in the pages and in the lessons.
func TestTextsFollowTheGlossary(t *testing.T) {
	terms := glossary(t)
	for key, w := range views.Catalogue {
		for _, text := range []string{w.English, w.Chinese} {
			if word, say := broken(terms, text); word != "" {
				t.Errorf("%s: %q is called %s: %s", key, word, say, text)
			}
		}
		for _, term := range terms {
			if term.both && w.Chinese != "" && regexp.MustCompile(`(?i)\b`+term.english+`\b`).MatchString(w.English) && !strings.Contains(w.Chinese, term.chinese) {
				t.Errorf("%s: %s is %s, which is not in %s", key, term.english, term.chinese, w.Chinese)
			}
		}
	}
	files, err := filepath.Glob("../engine/course/redis-lock/*")
	if err != nil {
		t.Fatal(err)
	}
	read := 0
	for _, file := range files {
		if !strings.HasSuffix(file, ".zh.md") && !strings.HasSuffix(file, ".yaml") {
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		read++
		for number, line := range strings.Split(string(text), "\n") {
			if word, say := broken(terms, line, courseSays...); word != "" {
				t.Errorf("%s:%d: %q is called %s: %s", filepath.Base(file), number+1, word, say, line)
			}
		}
	}
	if read < 20 {
		t.Fatal("the lessons are not there")
	}
}

// The glossary finds forbidden words, and passes allowed ones.
func TestGlossaryFindsForbiddenWords(t *testing.T) {
	terms := glossary(t)
	for line, want := range map[string]string{
		"资源拒绝小于 3 的隔离令牌。": "隔离令牌", "Begin anew.": "begin anew", "他说“答复”了。": "", "Redis 的回复是 1。": "",
	} {
		if word, _ := broken(terms, line); word != want {
			t.Errorf("%s: found %q, want %q", line, word, want)
		}
	}
}

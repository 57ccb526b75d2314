package highlight

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine/program"
)

func TestLinesMarkWordsByKind(t *testing.T) {
	const source = `# One attempt.
def acquire(c):
    """As the page says."""
    if c.setnx("lock.foo", 10) == None and not held:  # "taken"
        return c.now()
`
	want := `(comment # One attempt.)
(keyword def )acquire(c):
    (literal """As the page says.""")
    (keyword if )c.setnx((literal "lock.foo"), (literal 10)) == (literal None )(keyword and not )held:  (comment # "taken")
        (keyword return )c.now()`
	var got []string
	for _, line := range Lines(source) {
		text := ""
		for _, p := range line {
			if p.Kind == "" {
				text += p.Text
			} else {
				text += fmt.Sprintf("(%s %s)", p.Kind, p.Text)
			}
		}
		got = append(got, text)
	}
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
}

// Each language has colours: a keyword, a string and a comment of it.
func TestEachLanguageHasColours(t *testing.T) {
	for language, source := range map[string]string{
		"go":         "func f() string { return \"a\" } // c",
		"java":       "class A { String f() { return \"a\"; } } // c",
		"javascript": "const f = () => \"a\"; // c",
		"lua":        "return \"a\" -- c",
		"python":     "return \"a\"  # c",
		"sql":        "SELECT 'a' -- c",
		"starlark":   "return \"a\"  # c",
	} {
		kinds := map[string]bool{}
		text := ""
		for _, p := range In(language, source)[0] {
			kinds[p.Kind] = true
			text += p.Text
		}
		if !kinds[Keyword] || !kinds[Literal] || !kinds[Comment] || text != source {
			t.Errorf("%s: %+v", language, In(language, source))
		}
	}
	if len(languages) != 7 {
		t.Errorf("%d languages, and the test has seven", len(languages))
	}
	if lines := In("klingon", "a\nb"); len(lines) != 2 || lines[0][0] != (Part{"", "a"}) {
		t.Errorf("an unknown language: %v", lines)
	}
}

// A stranger's text costs no more than a program: a longer one has no colours, and of many texts few are kept.
func TestColoursHaveBounds(t *testing.T) {
	coloured := func(source string) bool { return In("lua", source)[0][0].Kind != "" }
	at := "--" + strings.Repeat("x", longest-2)
	if !coloured(at) || coloured(at+"x") {
		t.Errorf("a text of %d bytes has colours: %t; one of a byte more: %t", longest, coloured(at), coloured(at+"x"))
	}
	for i := range 2*kept + 1 {
		if Lines(fmt.Sprint("a", i)); len(known) > kept {
			t.Fatalf("after %d texts, %d are kept", i+1, len(known))
		}
	}
}

// Lines loses and changes no letter of a program, whatever a stranger writes.
func FuzzLines(f *testing.F) {
	for _, name := range program.Names() {
		p, _ := program.Builtin(name)
		f.Add(p.Source)
	}
	for _, odd := range []string{"", "\n", "\n\n\n", "def acquire(c):\r\n\treturn\r\n", "s = \"open", `"""open`, "\x00\xff", "é = '中文'  ", "  "} {
		f.Add(odd)
	}
	f.Fuzz(func(t *testing.T, source string) {
		var lines []string
		for _, line := range Lines(source) {
			text := ""
			for _, p := range line {
				text += p.Text
			}
			lines = append(lines, text)
		}
		if text := strings.Join(lines, "\n"); text != strings.TrimSuffix(source, "\n") {
			t.Errorf("%q became %q", source, text)
		}
	})
}

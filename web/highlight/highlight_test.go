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

package present

import (
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/engine/program"
)

// A program's text does not change, whether the page shows it with colours or not.
func TestSourceKeepsItsText(t *testing.T) {
	for _, line := range []string{"", "    x = 1+2+3+4+5+6+7+8+9+1+2+3+4+5+6+7+8+9", "# " + strings.Repeat("&", 90), "# x"} {
		source := "def acquire(c):\n    c.set(\"key\" * 100, \"<>&\" * 100)\n    return True\ndef release(c, lease):\n    pass\n"
		for len(source)+len(line)+1 <= 8<<10 {
			source += line + "\n"
		}
		p, err := program.Parse("p0", source)
		if err != nil {
			t.Fatal(err)
		}
		shown := presenter{}.program(p).Lines
		var text []string
		for _, l := range shown {
			text = append(text, textOf(l))
		}
		if got := strings.Join(text, "\n") + "\n"; got != source {
			t.Errorf("%d bytes of text have become %d", len(source), len(got))
		}
		if n := sizeOf(shown); n > colouredSize && n > linesSize+5*len(source)+lineSize {
			t.Errorf("lines of %q take %d bytes", line, n)
		}
	}
}

// In Chinese a program has its comments in Chinese. Its code, the numbers of its lines and the text that a reader edits stay
// as they are.
func TestCommentsAreShownInTheReadersLanguage(t *testing.T) {
	for _, name := range program.Names() {
		p, _ := program.Builtin(name)
		text := strings.Split(strings.TrimSuffix(p.Source, "\n"), "\n")
		for _, in := range []lang.Language{lang.English, lang.Chinese} {
			lines := presenter{language: in}.lines(p)
			if len(lines) != len(text) {
				t.Fatalf("%s in %s has %d lines, not %d", name, in, len(lines), len(text))
			}
			for i, line := range lines {
				if line.Number != i+1 || textOf(line) != text[i] {
					t.Errorf("%s in %s: line %d is %d, %q, not %q", name, in, i+1, line.Number, textOf(line), text[i])
				}
				shown := line
				shown.Text = ""
				code, _, _ := strings.Cut(text[i], "#")
				if !strings.HasPrefix(textOf(shown), strings.TrimSpace(code)) && !strings.HasPrefix(textOf(shown), code) {
					t.Errorf("%s in %s: line %d shows %q for %q", name, in, i+1, textOf(shown), text[i])
				}
				if in == lang.English && line.Text != "" {
					t.Errorf("%s: line %d has a translated comment in English", name, i+1)
				}
			}
		}
	}
	p, _ := program.Builtin("del-setnx")
	lines := presenter{language: lang.Chinese}.lines(p)
	if shown := lines[16].Parts; shown[len(shown)-1].Text != "# DEL 只认键名，不管读到过什么值：" {
		t.Errorf("line 17 of del-setnx shows %v", shown)
	}
}

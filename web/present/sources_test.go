package present

import (
	"strings"
	"testing"

	"lockstep/engine"
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
		shown := presenter{world: engine.New(engine.Header{})}.programs([]*program.Program{p})[0].Lines
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

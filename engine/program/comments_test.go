package program

import (
	"strings"
	"testing"
)

// The Chinese takes the place of comments alone, paragraph by paragraph. A line of code and an unknown comment have none,
// and a shorter paragraph ends with empty lines.
func TestCommentsIn(t *testing.T) {
	comments := ReadComments("# one\n# two\n一二\n\n# why\n为什么\n\n# \"quoted\"\n引\n")
	source := "# one\n# two\n#\n# one\n# three\n\ndef acquire(c):\n    # why\n    c.get(\"# why\")    # why\n    return '\\'# why'  # \"quoted\"\n"
	want := map[int]string{0: "# 一二", 1: "", 7: "# 为什么", 8: "# 为什么", 9: "# 引"}
	got := comments.In(source)
	for i, line := range strings.Split(source, "\n") {
		text, known := got[i]
		wanted, shown := want[i]
		if known != shown || text != wanted {
			t.Errorf("the Chinese of %q is %q (%v), not %q (%v)", line, text, known, wanted, shown)
		}
	}
}

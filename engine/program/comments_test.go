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

// A text to edit has the Chinese in its place, and no empty line where the English is longer.
func TestCommentsPut(t *testing.T) {
	all := ReadComments("# It waits,\n# and waits.\n它一直等。\n\n# no key\n没有键")
	got := all.Put("def acquire(c):\n    # It waits,\n    # and waits.\n    c.get(\"#\") # no key\n    # mine\n")
	want := "def acquire(c):\n    # 它一直等。\n    c.get(\"#\") # 没有键\n    # mine\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

package present

import "testing"

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{{"", 3, ""}, {"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"锁锁锁", 3, "锁锁锁"}, {"锁锁锁锁", 3, "锁锁…"}, {"\xff\xff\xff\xff", 3, "\xff\xff…"}, {"abcd", 1, "…"}} {
		if got := shorten(c.text, c.most); got != c.want {
			t.Errorf("%q becomes %q, not %q", c.text, got, c.want)
		}
	}
}

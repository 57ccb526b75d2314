package web

import (
	"net/http"
	"strings"
	"testing"

	"lockstep/web/present"
)

// A sentence has 240 characters in its row. A request for that row alone returns all of it.
func TestALongSentenceIsCutInItsRow(t *testing.T) {
	s := newSite(t, Options{})
	for _, n := range []int{240, 241, 500} {
		text := strings.Repeat("x", n)
		path, _ := s.begins("note \"" + text + "\"\n")
		shown := text
		if n > 240 {
			shown = text[:239] + "…"
		}
		s.get(path).wants(t, http.StatusOK, `<td class="sentence">`+shown+`</td>`)
		s.get(path+"?events=1-1").wants(t, http.StatusOK, `<td class="sentence">`+text+`</td>`)
	}
}

// The panels have room for a fixed number of keys, violations and commands, and say in both languages how many more
// there are.
func TestPanelsHaveBounds(t *testing.T) {
	s := newSite(t, Options{})
	said := func(path string, en, zh string, there bool) {
		t.Helper()
		for lang, text := range map[string]string{"en": en, "zh": zh} {
			if a := s.get(path + "?lang=" + lang); strings.Contains(a.body, text) != there {
				t.Errorf("%s in %s says %q: %v", path, lang, text, !there)
			}
		}
	}
	keys := func(n int) string {
		path, _ := s.begins(each(n, "do A1 SET k%d v"))
		return path
	}
	said(keys(present.KeysShown), "More keys", "另有更早改动过的键", false)
	more := keys(present.KeysShown + 7)
	said(more, "More keys, which changed earlier: 7.", "另有更早改动过的键：7 个。", true)
	if n := strings.Count(s.get(more).body, `class="key-name"`); n != present.KeysShown {
		t.Errorf("there are %d keys", n)
	}
	inside := func(n int) string { // clients in the critical section, two by two
		path, _ := s.begins("define open\n| def acquire(c):\n|     c.setnx(\"k\", 1)\n|     return True\n| def release(c, lease):\n|     pass\n" + spawned(n, "open") + each(n, "step C%d"))
		return path
	}
	said(inside(4), "More violations", "另有违反性质", false) // 6 pairs
	said(inside(6), "More violations, in the list of events: 7.", "另有违反性质（见事件列表）：7 处。", true)

	typed, _ := s.begins(each(100, "do CLI ECHO "+strings.Repeat("x", 500)))
	if n := strings.Count(s.get(typed).body, `<p class="console-typed"`); n > 20 || n < 10 {
		t.Errorf("the console has %d entries", n)
	}
}

package web

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/views"
)

func TestRowsFor(t *testing.T) {
	for text, want := range map[string]rowRange{
		"":                                   {},
		"77":                                 {77, 476},
		"1-400":                              {1, 400},
		"1-5000":                             {1, 400},
		"3-3":                                {3, 3},
		"400-1":                              {400, 799},
		"0":                                  {},
		"-5":                                 {},
		"x":                                  {},
		"7-x":                                {7, 406},
		strings.Repeat("9", 99):              {},
		"5-" + strings.Repeat("9", 99) + "-": {5, 404},
	} {
		if got := rowsFor(text); got != want {
			t.Errorf("%q asks for %v, not %v", text, got, want)
		}
	}
}

// The list has all events of a short run. Of a long one it has those around the position, or those that the
// address asks for, and says where the others are.
func TestListEvents(t *testing.T) {
	many := func(n int) (events []engine.Event) {
		for i := range n {
			events = append(events, engine.Event{Seq: i + 1, Action: i + 1, Kind: engine.Note, Text: "x"})
		}
		return events
	}
	for _, c := range []struct {
		events, at int
		asked      string
		first, n   int
		pages      string
	}{
		{0, 0, "", 0, 0, ""},
		{400, 400, "", 1, 400, ""},
		{400, 0, "", 1, 400, ""},
		{401, 401, "", 2, 400, "1-1 [2-401]"},
		{401, 0, "", 1, 400, "[1-400] 401-401"},
		{5000, 5000, "", 4601, 400, "1-200 201-600 601-1000 1001-1400 1401-1800 1801-2200 2201-2600 2601-3000 3001-3400 3401-3800 3801-4200 4201-4600 [4601-5000]"},
		{1000, 500, "", 201, 400, "1-200 [201-600] 601-1000"},
		{1000, 1000, "1-400", 1, 400, "[1-400] 401-800 801-1000"},
		{1000, 1000, "900", 900, 101, "1-99 100-499 500-899 [900-1000]"},
		{1000, 1000, "7-7", 7, 1, "1-6 [7-7] 8-407 408-807 808-1000"},
		{1000, 1000, "1001", 601, 400, "1-200 201-600 [601-1000]"},
	} {
		page := views.Page{Site: views.Site{Lang: views.English}, At: c.at, Total: c.events}
		listEvents(&page, many(c.events), rowsFor(c.asked))
		var said []string
		for _, p := range page.Pages {
			text := fmt.Sprintf("%d-%d", p.From, p.To)
			if p.Current {
				text = "[" + text + "]"
			}
			said = append(said, text)
		}
		first := 0
		for i, e := range page.Events {
			if i == 0 {
				first = e.Seq
			}
			if e.Seq != first+i || e.Future != (e.Seq > c.at) {
				t.Errorf("of %d events at %d, row %d is that of event %d; in the future: %v", c.events, c.at, i, e.Seq, e.Future)
			}
		}
		if got := strings.Join(said, " "); first != c.first || len(page.Events) != c.n || got != c.pages {
			t.Errorf("of %d events at %d, asked for %q, there are %d rows from %d on and the pages %s; want %d from %d on and %s", c.events, c.at, c.asked, len(page.Events), first, got, c.n, c.first, c.pages)
		}
	}
}

// A sentence has 240 characters in its row. The row that is asked for by itself has all of it.
func TestSentenceInARow(t *testing.T) {
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

// The panels have room for so many keys, violations and commands, and say in both languages what there is besides.
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
	said(keys(keysShown), "More keys", "另有更早改动过的键", false)
	more := keys(keysShown + 7)
	said(more, "More keys, which changed earlier: 7.", "另有更早改动过的键：7 个。", true)
	if n := strings.Count(s.get(more).body, `class="key-name"`); n != keysShown {
		t.Errorf("there are %d keys", n)
	}
	inside := func(n int) string { // who are in the critical section two by two
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

// The text of a program is what it was, however it is shown.
func TestSourceKeepsItsText(t *testing.T) {
	for _, line := range []string{"", "    x = 1+2+3+4+5+6+7+8+9+1+2+3+4+5+6+7+8+9", "# " + strings.Repeat("&", 90), "# x"} {
		scenario, err := engine.Parse("own", own("p0", line)+"spawn C1 p0\n", nil)
		if err != nil {
			t.Fatal(err)
		}
		source := scenario.Own[0].Source
		shown := presenter{world: engine.New(scenario.Header)}.programs(scenario.Own)[0].Lines
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

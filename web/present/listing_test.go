package present

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/views"
	runview "lockstep/views/run"
)

func TestRowsFor(t *testing.T) {
	for text, want := range map[string]Rows{
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
		if got := RowsFor(text); got != want {
			t.Errorf("%q asks for %v, not %v", text, got, want)
		}
	}
}

// The list has all events of a short run. For a long run it has the events around the position, or the events that
// the address asks for, and links to the others.
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
		page := runview.Page{Site: views.Site{Lang: lang.English}, At: c.at, Total: c.events}
		listEvents(&page, many(c.events), RowsFor(c.asked))
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

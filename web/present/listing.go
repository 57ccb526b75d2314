package present

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/views"
	runview "lockstep/views/run"
)

// These bound the list of events on a page. The scripts make the other rows when a reader
// scrolls to them; without scripts, links lead to them.
const (
	rowsSize = 128 << 10 // bytes of HTML
	rowSize  = 200       // bytes of HTML, without the sentence and the address
)

// Rows is the range of events that a reader asks for, counted from 1; 0: the reader does not ask.
type Rows struct{ from, to int }

// RowsFor reads a range such as 1-400, or 77, which means from 77 on. Any other text means no range.
func RowsFor(text string) Rows {
	first, last, ranged := strings.Cut(text, "-")
	from, err := strconv.Atoi(first)
	if err != nil || from < 1 {
		return Rows{}
	}
	to, err := strconv.Atoi(last)
	if !ranged || err != nil || to < from {
		return Rows{from, from + runview.EventsListed - 1}
	}
	return Rows{from, min(to, from+runview.EventsListed-1)}
}

// listEvents puts rows of events on the page: the wanted rows, or the rows around the position that the page shows,
// most of them before it. If a reader wants a single event, it has its whole sentence.
func listEvents(page *runview.Page, events []engine.Event, want Rows) {
	head := 0 // events that have happened
	for head < len(events) && events[head].Action <= page.At {
		head++
	}
	row := func(i, most int) views.Event {
		e := &events[i]
		sentence := e.Sentence(page.Lang)
		shown := shorten(sentence, most)
		return views.Event{
			Seq: e.Seq, Time: e.When(e.Time), Lane: e.Lane, Sentence: shown, Cut: shown != sentence,
			Violation: e.Kind == engine.Violated, Future: e.Action > page.At,
		}
	}
	if want.from > len(events) {
		want = Rows{}
	}
	page.Asked = want.from > 0
	if want.from > 0 && want.from == want.to {
		page.Events = []views.Event{row(want.from-1, rowsSize)}
		page.Pages = pages(want.from-1, want.from, len(events))
		return
	}
	left := rowsSize
	fits := func(r views.Event) bool {
		left -= sizeOfRow(page, r)
		return left >= 0
	}
	var before, after []views.Event // in the order of the search
	from, to, end := head, head, len(events)
	if want.from > 0 {
		from, to, end = want.from-1, want.from-1, min(want.to, end)
	}
	for len(before)+len(after) < runview.EventsListed {
		back := want.from == 0 && from > 0 && (to == end || len(before) <= 3*len(after))
		if !back && to == end {
			break
		}
		i := to
		if back {
			i = from - 1
		}
		r := row(i, sentenceShown)
		if !fits(r) {
			break
		}
		if back {
			before, from = append(before, r), from-1
		} else {
			after, to = append(after, r), to+1
		}
	}
	for i := range before {
		page.Events = append(page.Events, before[len(before)-1-i])
	}
	page.Events = append(page.Events, after...)
	page.Pages = pages(from, to, len(events))
}

// takeRow takes a row from the page: the last of the wanted rows, or the row furthest from the position. It returns
// the approximate size of the row in bytes.
func takeRow(page *runview.Page) int {
	rows := page.Events
	head := slices.IndexFunc(rows, func(e views.Event) bool { return e.Future })
	if head < 0 {
		head = len(rows)
	}
	least := len(rows) - 1
	if !page.Asked && head > 3*(len(rows)-head) {
		least = 0
	}
	taken := sizeOfRow(page, rows[least])
	page.Events = slices.Delete(rows, least, least+1)
	page.Pages = pages(page.Events[0].Seq-1, page.Events[len(page.Events)-1].Seq, page.Total)
	return taken
}

// sizeOfRow returns the approximate size of a row in bytes of HTML.
func sizeOfRow(page *runview.Page, r views.Event) int {
	return rowSize + len(page.Base) + escaped(r.Sentence)
}

// pages returns the pages of a list of events, if the page shows rows from to to-1, counted
// from 0. It returns none if the page shows all rows.
func pages(from, to, total int) []runview.EventPage {
	if from == 0 && to == total {
		return nil
	}
	var all []runview.EventPage
	for last := from; last > 0; last -= runview.EventsListed {
		all = append([]runview.EventPage{{From: max(1, last-runview.EventsListed+1), To: last}}, all...)
	}
	if to > from {
		all = append(all, runview.EventPage{From: from + 1, To: to, Current: true})
	}
	for first := to; first < total; first += runview.EventsListed {
		all = append(all, runview.EventPage{From: first + 1, To: min(total, first+runview.EventsListed)})
	}
	return all
}

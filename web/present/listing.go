package present

import (
	"slices"
	"strconv"
	"strings"

	"lockstep/engine"
	"lockstep/views"
)

// Bounds on the list of events as a page has it. The scripts make the other rows as they
// are scrolled into view; without scripts, links lead to them.
const (
	rowsSize = 128 << 10 // bytes of HTML
	rowSize  = 200       // bytes of HTML, beside the sentence and the address
)

// Rows are those that a reader wants of the list of events, counted from 1; 0: the reader does not say.
type Rows struct{ from, to int }

// RowsFor reads 1-400, and 77, which means from 77 on. Any other text says nothing.
func RowsFor(text string) Rows {
	first, last, ranged := strings.Cut(text, "-")
	from, err := strconv.Atoi(first)
	if err != nil || from < 1 {
		return Rows{}
	}
	to, err := strconv.Atoi(last)
	if !ranged || err != nil || to < from {
		return Rows{from, from + views.EventsListed - 1}
	}
	return Rows{from, min(to, from+views.EventsListed-1)}
}

// listEvents puts rows of events on the page: those that are wanted or, where nobody says which, those around the
// position that it shows, most of them before it. An event that is wanted by itself has its whole sentence.
func listEvents(page *views.Page, events []engine.Event, want Rows) {
	head := 0 // events that have happened
	for head < len(events) && events[head].Action <= page.At {
		head++
	}
	row := func(i, most int) views.Event {
		e := &events[i]
		sentence := e.Sentence(page.Lang)
		shown := shorten(sentence, most)
		return views.Event{
			Seq: e.Seq, Time: e.Time.String(), Lane: e.Lane, Sentence: shown, Cut: shown != sentence,
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
	var before, after []views.Event // in the order in which they are found
	from, to, end := head, head, len(events)
	if want.from > 0 {
		from, to, end = want.from-1, want.from-1, min(want.to, end)
	}
	for len(before)+len(after) < views.EventsListed {
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

// takeRow takes a row from the page: the last of those that are wanted, or the one that is furthest from the position. It
// returns about how many bytes the row had.
func takeRow(page *views.Page) int {
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

// sizeOfRow is about how many bytes of HTML a row takes.
func sizeOfRow(page *views.Page, r views.Event) int {
	return rowSize + len(page.Base) + escaped(r.Sentence)
}

// pages are the stretches into which a list of events falls when the page shows the rows
// from one up to, but not with, another, counted from 0; none when it shows all.
func pages(from, to, total int) []views.EventPage {
	if from == 0 && to == total {
		return nil
	}
	var all []views.EventPage
	for last := from; last > 0; last -= views.EventsListed {
		all = append([]views.EventPage{{From: max(1, last-views.EventsListed+1), To: last}}, all...)
	}
	if to > from {
		all = append(all, views.EventPage{From: from + 1, To: to, Current: true})
	}
	for first := to; first < total; first += views.EventsListed {
		all = append(all, views.EventPage{From: first + 1, To: min(total, first+views.EventsListed)})
	}
	return all
}

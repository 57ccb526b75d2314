package present

import (
	"unicode/utf8"

	runview "lockstep/views/run"
)

// PageSize bounds the page of a run, in bytes of HTML. The panels have their own bounds and take less. The beginnings
// of the logs and the rows of the list share the rest. A run of EventsListed events fits as a whole: its page has up to 325 KB.
const PageSize = 352 << 10

// These bound the texts that a request brings and the page repeats, in characters.
const (
	sentenceSaid = 2_000  // of the reason for a refusal
	textKept     = 12_000 // of a refused program, which may have 8 KB
	addressKept  = 1_000  // of the page's own address, to which the reader comes back
)

// Fit draws the page of a run and cuts it to PageSize. It calls redrawn with the length of each drawing that was too
// long.
func Fit(page runview.Page, redrawn func(bytes int)) string {
	page.Refusal, page.Limit = shorten(page.Refusal, sentenceSaid), shorten(page.Limit, sentenceSaid)
	page.Own.Error, page.Own.Source = shorten(page.Own.Error, sentenceSaid), shorten(page.Own.Source, textKept)
	page.Console.Refusal, page.Console.Typed = shorten(page.Console.Refusal, sentenceSaid), shorten(page.Console.Typed, textKept)
	if len(page.Here) > addressKept {
		page.Here = page.Path
	}
	for {
		html := Markup(runview.RunPage(page))
		if over := len(html) - PageSize; over <= 0 || !shrink(&page, over) {
			return html
		}
		redrawn(len(html))
	}
}

// shrink takes over bytes from the page. It takes from the ends of the logs first, which the scripts ask for later,
// and then from the rows. It reports whether it took anything.
func shrink(page *runview.Page, over int) bool {
	logs := []any{page.Data.Log}
	if page.Data.Beside != nil {
		logs = append(logs, page.Data.Beside.Log)
	}
	taken := 0
	for _, log := range logs {
		if p, ok := log.(*Piece); ok && taken < over {
			taken += p.shrink(over - taken)
		}
	}
	for taken < over && len(page.Events) > 1 {
		taken += takeRow(page)
	}
	if taken == 0 && len(page.Events) == 1 {
		before := page.Events[0].Sentence
		page.Events[0].Sentence = shorten(before, max(sentenceShown, utf8.RuneCountInString(before)-over))
		taken = len(before) - len(page.Events[0].Sentence)
	}
	return taken > 0
}

// These bound a text from a run on the page, in characters. A longer text ends in an ellipsis. The list has the whole
// sentence of a selected event (static/js/run/list.js cuts the others as well).
const (
	sentenceShown = 240
	captionShown  = 400 // of the spoken sentence, and of an alert
	commandShown  = 120 // of a command in flight
	keyShown      = 64  // of a key's name, and of a value
	tabShown      = 60  // of a branch's name
	promiseShown  = 60  // of the first comment of a reader's own program
)

// These bound the number of keys and alerts.
const (
	KeysShown   = 24 // the last changed keys
	alertsShown = 8  // current alerts
)

// shorten cuts a text that has more than most characters.
func shorten(text string, most int) string {
	if len(text) <= most || utf8.RuneCountInString(text) <= most {
		return text
	}
	n := 0
	for i := range text {
		if n++; n == most {
			return text[:i] + "…"
		}
	}
	return text
}

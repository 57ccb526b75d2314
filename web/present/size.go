package present

import (
	"unicode/utf8"

	"lockstep/views"
)

// PageSize is how long the page of a run is at most, in bytes of HTML. The panels have bounds of their own, and take
// less. The beginnings of the logs and the rows of the list share the rest.
const PageSize = 400_000

// Bounds on what a request may bring that the page repeats, in characters.
const (
	sentenceSaid = 2_000  // of why something was refused
	textKept     = 12_000 // of a program that was refused: it may have 8 KB
	addressKept  = 1_000  // of the page's own address, to come back to
)

// Fit draws the page of a run, and cuts it to the size of a page. It calls redrawn with the length of each drawing
// that was too long.
func Fit(page views.Page, redrawn func(bytes int)) string {
	page.Refusal, page.Limit = shorten(page.Refusal, sentenceSaid), shorten(page.Limit, sentenceSaid)
	page.Own.Error, page.Own.Source = shorten(page.Own.Error, sentenceSaid), shorten(page.Own.Source, textKept)
	page.Console.Refusal, page.Console.Typed = shorten(page.Console.Refusal, sentenceSaid), shorten(page.Console.Typed, textKept)
	if len(page.Here) > addressKept {
		page.Here = page.Path
	}
	for {
		html := Markup(views.RunPage(page))
		if over := len(html) - PageSize; over <= 0 || !shrink(&page, over) {
			return html
		}
		redrawn(len(html))
	}
}

// shrink takes so many bytes from the page: from the ends of the logs first, as the scripts ask for them, then
// from the rows. It reports whether the page had anything to take.
func shrink(page *views.Page, over int) bool {
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

package present

import "unicode/utf8"

// How much of a text from a run the page shows at most, in characters. A longer text ends in an ellipsis. The
// list has the whole sentence of an event that a reader selects (static/js/run/list.js cuts the others as well).
const (
	sentenceShown = 240
	captionShown  = 400 // of the sentence that is also spoken, and of what is wrong
	commandShown  = 120 // of a command that is in flight
	keyShown      = 64  // of the name of a key, and of a value
	tabShown      = 60  // of a branch's name
)

// And how many of them.
const (
	KeysShown   = 24 // the keys that changed last
	alertsShown = 8  // of what is wrong now
)

// shorten cuts a text that has more characters than that.
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

package room

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Names that people give themselves are for others to read, so they are brought into one
// form, and nothing in them is invisible or changes how what stands around
// them is written.

// cleanName is a text as a name or an entry of the roster, or not ok. Nothing
// stays nothing.
func cleanName(text string, most int) (name string, ok bool) {
	if len(text) > 8*most || !utf8.ValidString(text) {
		return "", false
	}
	name = strings.Join(strings.Fields(norm.NFKC.String(text)), " ")
	seen := false
	for _, r := range name {
		switch {
		case r == ' ':
		case !unicode.IsGraphic(r), isBlank(r):
			return "", false
		case !unicode.IsMark(r):
			seen = true
		}
	}
	if utf8.RuneCountInString(name) > most || !seen && name != "" {
		return "", false
	}
	return name, true
}

// isBlank reports a character that counts as a letter or a symbol, and yet nobody sees it.
func isBlank(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || r == '\u2800' || r == '\ufffd'
}

// folded is what two names have in common that look alike but for large and small letters.
func folded(name string) string { return strings.ToLower(strings.ToUpper(name)) }

// isShort reports a text that the site itself has made, such as an id, of a bounded length.
func isShort(text string, most int) bool {
	if text == "" || len(text) > most || !utf8.ValidString(text) {
		return false
	}
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) })
}

// isText reports a sentence of a bounded length.
func isText(w Words) bool {
	for _, text := range []string{w.English, w.Chinese} {
		if text == "" || len(text) > MaxText || !utf8.ValidString(text) {
			return false
		}
	}
	return true
}

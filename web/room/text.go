package room

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"lockstep/engine/lang"
)

// Other people read the names that people choose. The room brings them into one form and refuses characters that are
// invisible or change the direction of the text around them.

// cleanName returns a text as a name or an entry of the roster, or not ok. An empty text stays empty. Letters that look alike
// become the same.
func cleanName(text string, most int) (name string, ok bool) { return clean(norm.NFKC, text, most) }

// cleanWords returns a text as a question or an answer, or not ok. Chinese punctuation stays as wide as it is.
func cleanWords(text string, most int) (words string, ok bool) { return clean(norm.NFC, text, most) }

func clean(form norm.Form, text string, most int) (name string, ok bool) {
	if len(text) > 8*most || !utf8.ValidString(text) {
		return "", false
	}
	name = strings.Join(strings.Fields(form.String(text)), " ")
	seen, marks := false, 0
	for _, r := range name {
		if !unicode.In(r, unicode.Mn, unicode.Me) {
			marks = 0
		} else if marks++; marks > maxMarks {
			return "", false
		}
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

// isBlank reports whether a character counts as a letter or a symbol although nobody sees it.
func isBlank(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector) || r == '\u2800' || r == '\ufffd'
}

// maxMarks bounds the marks on one letter. No language stacks more, and a pile of them covers the lines above.
const maxMarks = 3

// isShort reports whether a text is an id or the like, as the site makes them, of a bounded length.
func isShort(text string, most int) bool {
	if text == "" || len(text) > most || !utf8.ValidString(text) {
		return false
	}
	return !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsGraphic(r) || unicode.IsSpace(r) })
}

// isText reports whether both languages have a sentence of a bounded length.
func isText(w lang.Text) bool {
	for _, text := range []string{w.English, w.Chinese} {
		if text == "" || len(text) > MaxText || !utf8.ValidString(text) {
			return false
		}
	}
	return true
}

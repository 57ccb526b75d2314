package web

import (
	"html"
	"regexp"
	"strings"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/room"
)

// words are a sentence of the catalogue, as a room's log keeps it.
func words(key string) lang.Text {
	return lang.Text{English: views.English.Say(key), Chinese: views.Chinese.Say(key)}
}

// both are a text of a course, as a room's log keeps it.
func both(w lang.Text) lang.Text {
	return lang.Text{English: plain(w.In(lang.English)), Chinese: plain(w.In(lang.Chinese))}
}

// questionOf is what a lesson asks at a moment. Its heading says only what has happened; what its answers
// are about stands in its last paragraph.
func questionOf(m *course.Moment) lang.Text {
	asks := m.Heading
	for _, l := range lang.All {
		text := m.Text.In(l)
		if at := strings.LastIndex(text, "<p>"); at >= 0 && len(text)-at < room.MaxText {
			last, _, _ := strings.Cut(text[at:], "</p>")
			asks.Set(l, last)
		}
	}
	return asks
}

var tag = regexp.MustCompile(`<[^>]*>`)

// plain is a line of HTML as text.
func plain(line string) string { return html.UnescapeString(tag.ReplaceAllString(line, "")) }

package web

import (
	"html"
	"regexp"
	"strings"

	"lockstep/engine"
	"lockstep/engine/course"
	"lockstep/views"
	"lockstep/web/room"
)

// words are a sentence of the catalogue, as a room's log keeps it.
func words(key string) room.Words {
	return room.Words{English: views.English.Say(key), Chinese: views.Chinese.Say(key)}
}

// both are a text of a course, as a room's log keeps it.
func both(w course.Words) room.Words {
	return room.Words{English: plain(w.In(engine.English)), Chinese: plain(w.In(engine.Chinese))}
}

// questionOf is what a lesson asks at a moment. Its heading says only what has happened; what its answers
// are about stands in its last paragraph.
func questionOf(m *course.Moment) course.Words {
	asks := course.Words{}
	for l, text := range m.Text {
		asks[l] = m.Heading.In(l)
		if at := strings.LastIndex(text, "<p>"); at >= 0 && len(text)-at < room.MaxText {
			last, _, _ := strings.Cut(text[at:], "</p>")
			asks[l] = last
		}
	}
	return asks
}

var tag = regexp.MustCompile(`<[^>]*>`)

// plain is a line of HTML as text.
func plain(line string) string { return html.UnescapeString(tag.ReplaceAllString(line, "")) }

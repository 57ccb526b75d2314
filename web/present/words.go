package present

import (
	"html"
	"regexp"
	"strings"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	"lockstep/web/room"
)

// Words returns a sentence of the catalogue as a room's log keeps it.
func Words(key string) lang.Text {
	return lang.Both(views.Say(lang.English, key), views.Say(lang.Chinese, key))
}

// Plain returns a text of a course as a room's log keeps it.
func Plain(text lang.Text) lang.Text {
	return lang.Both(plain(text.In(lang.English)), plain(text.In(lang.Chinese)))
}

// QuestionOf returns what a lesson asks at a moment. The heading says only what has happened; the last paragraph
// says what the answers are about.
func QuestionOf(m *course.Moment) lang.Text {
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

// plain returns a line of HTML as text.
func plain(line string) string { return html.UnescapeString(tag.ReplaceAllString(line, "")) }

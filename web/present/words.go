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

// Words returns a sentence of the catalogue in the form of a room's log.
func Words(key string) lang.Text {
	return lang.Both(views.Say(lang.English, key), views.Say(lang.Chinese, key))
}

// Plain returns a text of a course in the form of a room's log.
func Plain(text lang.Text) lang.Text {
	return lang.Both(plain(text.In(lang.English)), plain(text.In(lang.Chinese)))
}

// QuestionOf returns the question of a lesson at a moment: the last paragraph of its text, which the answers are about.
// If no paragraph fits, the heading takes its place, though it says only what has happened.
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

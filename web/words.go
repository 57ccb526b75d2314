package web

import (
	"html"
	"regexp"

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

var tag = regexp.MustCompile(`<[^>]*>`)

// plain is a line of HTML as text.
func plain(line string) string { return html.UnescapeString(tag.ReplaceAllString(line, "")) }

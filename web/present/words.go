package present

import (
	"html"
	"regexp"
	"strings"

	"lockstep/engine/course"
	"lockstep/engine/lang"
	"lockstep/views"
	courseview "lockstep/views/course"
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

// QuestionOf returns the question of a lesson at a moment, in the form of a room's log. If the moment's text asks none, its
// last paragraph takes the place, and if none fits, the heading, though it says only what has happened.
func QuestionOf(m *course.Moment) lang.Text {
	asks := Plain(m.Heading)
	for _, l := range lang.All {
		text := m.Text.In(l)
		if asked := m.Asks.In(l); asked != "" && len(asked) <= room.MaxText {
			asks.Set(l, asked)
		} else if at := strings.LastIndex(text, "<p>"); at >= 0 && len(text)-at < room.MaxText {
			last, _, _ := strings.Cut(text[at:], "</p>")
			asks.Set(l, plain(last))
		}
	}
	return asks
}

// ReasonOf returns the reason why an answer of a lesson is right or wrong, in the form of a room's log; the zero Text: it
// is too long for one.
func ReasonOf(a *course.Answer) lang.Text {
	why := Plain(a.After)
	for _, l := range lang.All {
		if len(why.In(l)) > room.MaxText {
			return lang.Text{}
		}
	}
	return why
}

// asks splits a text into what it says and the question that ends it. The answers stand below the question. The
// question is missing if the last sentence of the last paragraph is none.
func asks(text courseview.Text) (says, question courseview.Text) {
	at := strings.LastIndex(text.Say, "<p>")
	line, rest, closed := strings.Cut(text.Say[max(at, 0):], "</p>")
	if at < 0 || !closed || strings.TrimSpace(rest) != "" || !strings.HasSuffix(line, "?") && !strings.HasSuffix(line, "？") {
		return text, courseview.Text{Lang: text.Lang}
	}
	line = strings.TrimPrefix(line, "<p>")
	from := 0
	for _, end := range sentenceEnd.FindAllStringIndex(line, -1) {
		if end[1] < len(line) && balanced(line[end[1]:]) {
			from = end[1]
		}
	}
	says, question = text, text
	says.Say, question.Say = text.Say[:at], line[from:]
	if before := strings.TrimSpace(line[:from]); before != "" {
		says.Say += "<p>" + before + "</p>\n"
	}
	return says, question
}

// sentenceEnd matches the end of a sentence within a line, with the quotation marks and blanks after it.
var sentenceEnd = regexp.MustCompile(`[.!?](?:["'”’)]|&quot;|&#39;)*\s+|[。！？][”’）」』]*\s*`)

// balanced reports whether a part of a line of HTML closes every element that it opens, and no other.
func balanced(part string) bool {
	depth := 0
	for _, t := range tag.FindAllString(part, -1) {
		if strings.HasPrefix(t, "</") {
			depth--
		} else {
			depth++
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

var tag = regexp.MustCompile(`<[^>]*>`)

// plain returns a line of HTML as text.
func plain(line string) string { return html.UnescapeString(tag.ReplaceAllString(line, "")) }

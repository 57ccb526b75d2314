package engine

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"lockstep/engine/redis"
)

// MaxLabel is how many characters say who a client is.
const MaxLabel = 64

// A Label says who a client is in the system that a run comes from: its address and its name there. It changes nothing but how the
// client is shown.
type Label struct{ Client, Text string }

// Label returns who a client is; empty: the header does not say.
func (h *Header) Label(client string) string {
	for _, l := range h.Labels {
		if l.Client == client {
			return l.Text
		}
	}
	return ""
}

// String writes the label as scenario text: label C1 10.0.0.7:40990 worker-3.
func (l Label) String() string {
	return "label " + l.Client + " " + redis.Quote(strings.Fields(l.Text))
}

// LabelOf returns a text that a label can have: one line of at most MaxLabel characters.
func LabelOf(text string) string {
	text = strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case r == utf8.RuneError, !unicode.IsPrint(r):
			return '?'
		}
		return r
	}, text)), " ")
	if utf8.RuneCountInString(text) > MaxLabel {
		text = strings.TrimSpace(string([]rune(text)[:MaxLabel-1])) + "…"
	}
	return text
}

// label reads who a client is: label C1 10.0.0.7:40990 worker-3.
func (p *parser) label(words []word) error {
	if len(words) < 3 || !isClient(words[1].text) {
		return p.problem(words[0].column, "label needs a client and who it is, such as label C1 10.0.0.7:40990 worker-3",
			"label 后面应是客户端和它的身份，如 label C1 10.0.0.7:40990 worker-3")
	}
	client := words[1].text
	if p.scenario.Label(client) != "" {
		return p.problem(words[1].column, "%s has a label already", "%s 已经有标签了", client)
	}
	if len(p.scenario.Labels) >= MaxClients {
		return p.problem(words[0].column, "a scenario has at most %d labels", "场景文本至多有 %d 个标签", MaxClients)
	}
	parts := make([]string, len(words)-2)
	for i, w := range words[2:] {
		parts[i] = w.text
	}
	text := strings.Join(strings.Fields(strings.Join(parts, " ")), " ")
	if n := utf8.RuneCountInString(text); n < 1 || n > MaxLabel {
		return p.problem(words[2].column, "a label has 1 to %d characters; this one has %d", "标签有 1 到 %d 个字符；这一个有 %d 个", MaxLabel, n)
	}
	if !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }) {
		return p.problem(words[2].column, "a label has printable characters only", "标签只能有可打印的字符")
	}
	p.scenario.Labels = append(p.scenario.Labels, Label{client, text})
	return nil
}

// wall reads the wall time at which the run starts: began 2026-11-27T21:54:07.133Z.
func (p *parser) wall(words []word) error {
	if len(words) != 2 {
		return p.problem(words[0].column, "began needs a time, such as 2026-11-27T21:54:07.133Z", "began 后面应是一个时刻，如 2026-11-27T21:54:07.133Z")
	}
	if p.scenario.Began != 0 {
		return p.problem(words[0].column, "there is a began line already", "已经有 began 行了")
	}
	at, err := time.Parse(time.RFC3339, words[1].text)
	began := Wall(at.UnixMilli())
	if err != nil || at.Nanosecond()%1e6 != 0 || began <= 0 || began > lastWall {
		return p.problem(words[1].column, "%q is not a wall time in whole milliseconds after 1970, such as 2026-11-27T21:54:07.133Z",
			"%q 不是 1970 年之后、以整毫秒计的时刻，如 2026-11-27T21:54:07.133Z", words[1].text)
	}
	p.scenario.Began = began
	return nil
}

package export

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// plainID matches a lane's name that begins with no word of Mermaid's grammar: its lexer reads End, and also Endor, as
// the end of a block.
var plainID = regexp.MustCompile(`^([A-Z][0-9]+|redis[0-9]*|storage)$`)

// id returns the participant that stands for a lane.
func id(lane string) string {
	if plainID.MatchString(lane) {
		return lane
	}
	return "client_" + lane
}

// mermaidEscape escapes all that has a meaning in Mermaid: ; (the end of a statement), # (an entity), % (a comment, a
// directive), $ (a formula), and HTML.
var mermaidEscape = strings.NewReplacer(
	"#", "#35;", ";", "#59;", "%", "#37;", "$", "#36;", "&", "#38;", "<", "#60;", ">", "#62;",
	"\r\n", "<br/>", "\n", "<br/>", "\r", "<br/>")

// mermaidWidth bounds the letters in a line of a note that has spaces. Mermaid does not widen a note over two lanes for
// its text, and such a note has room for as many letters.
const mermaidWidth = 34

// mermaidText returns a text for a message or a note. Mermaid takes a leading wrap: or nowrap: for a command.
func mermaidText(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = fold(line)
	}
	escaped := mermaidEscape.Replace(strings.Join(lines, "\n"))
	for _, command := range []string{"wrap:", "nowrap:"} {
		if rest, ok := strings.CutPrefix(escaped, command); ok {
			return strings.TrimSuffix(command, ":") + "#58;" + rest
		}
	}
	return escaped
}

// fold breaks a line at spaces.
func fold(line string) string {
	var b strings.Builder
	width := 0
	for i, word := range strings.Split(line, " ") {
		length := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case width+1+length > mermaidWidth:
			b.WriteString("\n")
			width = 0
		default:
			b.WriteString(" ")
			width++
		}
		b.WriteString(word)
		width += length
	}
	return b.String()
}

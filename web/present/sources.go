package present

import (
	"strings"

	"lockstep/views"
)

// Bounds on the texts of programs as a page has them, in bytes of HTML. A program of 8 KB can be
// thousands of empty lines, or of numbers that each have a colour of their own.
const (
	colouredSize = 48 << 10 // of one program in colours
	linesSize    = 24 << 10 // of the lines of one that is too long for colours
	ownSize      = 64 << 10 // of a run's own programs together, but for the one that is shown
	lineSize     = 64       // of a line, beside its text
	partSize     = 24       // of a part that has a colour, beside its text
)

// sizeOf is about how many bytes of HTML some lines take.
func sizeOf(lines []views.SourceLine) int {
	n := lineSize * len(lines)
	for _, line := range lines {
		for _, part := range line.Parts {
			n += escaped(part.Text)
			if part.Class != "" {
				n += partSize
			}
		}
	}
	return n
}

// escaped is how many bytes a text takes within HTML.
func escaped(text string) int {
	n := len(text)
	for i := range len(text) {
		switch text[i] {
		case '&', '"', '\'':
			n += len("&#39;") - 1
		case '<', '>':
			n += len("&lt;") - 1
		}
	}
	return n
}

// inSpace are the lines of a program in as much HTML as it may take. A program that would take more has no
// colours, and from some line on its text is one line of the list. The text itself stays as it is.
func inSpace(lines []views.SourceLine) []views.SourceLine {
	if sizeOf(lines) <= colouredSize {
		return lines
	}
	var shown []views.SourceLine
	left := linesSize
	for i, line := range lines {
		line.Parts = []views.Part{{Text: textOf(line)}}
		if left -= lineSize; left < 0 {
			last := &shown[len(shown)-1]
			text := []string{last.Parts[0].Text}
			for _, line := range lines[i:] {
				text = append(text, textOf(line))
				last.Clients = append(last.Clients, line.Clients...)
			}
			last.Parts[0].Text = strings.Join(text, "\n")
			return shown
		}
		shown = append(shown, line)
	}
	return shown
}

func textOf(line views.SourceLine) string {
	text := ""
	for _, part := range line.Parts {
		text += part.Text
	}
	return text
}

// leaveOut takes from a page the texts of own programs that have no room there, except that of the one
// which is shown. The socket brings them.
func leaveOut(page *views.Page, builtin int) {
	left := ownSize
	for i := builtin; i < len(page.Programs); i++ {
		p := &page.Programs[i]
		if p.Name == page.Chosen {
			continue
		}
		if n := sizeOf(p.Lines); n <= left {
			left -= n
		} else {
			p.Lines = nil
		}
	}
}

package present

import (
	"slices"
	"strings"

	"lockstep/engine"
	"lockstep/engine/lang"
	"lockstep/engine/program"
	"lockstep/views"
	runview "lockstep/views/run"
)

// These bound the texts of programs on a page, in bytes of HTML. A program of 8 KB can have
// thousands of empty lines, or thousands of numbers, each with its own colour.
const (
	colouredSize = 48 << 10 // of one program in colours
	linesSize    = 24 << 10 // of the lines of a program that is too long for colours
	ownSize      = 64 << 10 // of all own programs of a run except the shown one
	lineSize     = 64       // of a line, without its text
	partSize     = 24       // of a coloured part, without its text
)

// Listings returns the programs of a run's clients, in order of first use, for a page that shows by itself where each client
// is. Programs whose texts would make all of them too large are missing.
func Listings(run *engine.Run, l lang.Language) []views.Program {
	in := presenter{world: run.World(), language: l}
	var used []*program.Program
	for _, c := range in.world.Clients() {
		if c.Program != nil && !slices.ContainsFunc(used, func(p *program.Program) bool { return p.Name == c.Program.Name }) {
			used = append(used, c.Program)
		}
	}
	shown, left := []views.Program{}, ownSize
	for _, of := range used {
		p := in.program(of)
		if left -= sizeOf(p.Lines); left < 0 {
			break
		}
		for i := range p.Lines {
			p.Lines[i].Clients = nil
		}
		shown = append(shown, p)
	}
	return shown
}

// sizeOf returns the approximate size of lines in bytes of HTML.
func sizeOf(lines []views.SourceLine) int {
	n := lineSize * len(lines)
	for _, line := range lines {
		for _, part := range line.Parts {
			n += escaped(part.Text)
			if part.Class != "" {
				n += partSize
			}
		}
		n += escaped(line.Text)
	}
	return n
}

// escaped returns the size of a text within HTML, in bytes.
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

// inSpace returns the lines of a program, cut to the HTML that they may take. A program that would take more has no
// colours, and the end of its text is one line of the list. The text itself does not change.
func inSpace(lines []views.SourceLine) []views.SourceLine {
	if sizeOf(lines) <= colouredSize {
		return lines
	}
	var shown []views.SourceLine
	left := linesSize
	for i, line := range lines {
		line.Parts, line.Text = []views.Part{{Text: textOf(line)}}, ""
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

// textOf returns a line as its program has it.
func textOf(line views.SourceLine) string {
	if line.Text != "" {
		return line.Text
	}
	text := ""
	for _, part := range line.Parts {
		text += part.Text
	}
	return text
}

// leaveOut removes from a page the texts of own programs that do not fit, except the text of the shown program. The
// socket brings them.
func leaveOut(page *runview.Page) {
	left := ownSize
	for i := range page.Programs {
		p := &page.Programs[i]
		if _, builtin := program.Builtin(p.Name); builtin || p.Name == page.Chosen {
			continue
		}
		if n := sizeOf(p.Lines); n <= left {
			left -= n
		} else {
			p.Lines = nil
		}
	}
}

package program

import (
	_ "embed"
	"strings"
	"sync"
)

// Comments are the Chinese of comments, by their English. A program's text stays as it is; a page shows the Chinese in
// its place.
//
// A paragraph of comment lines is translated as a whole, since the two languages do not break at the same word. The
// Chinese has at most as many lines, so each line of code keeps its number.
type Comments map[string][]string

//go:embed programs/comments.zh.txt
var builtinComments string

// BuiltinComments returns the comments of the built-in programs.
var BuiltinComments = sync.OnceValue(func() Comments { return ReadComments(builtinComments) })

// ReadComments reads entries with an empty line between them. The lines with a # are the English, as in the program
// and without its indentation; the lines after them are the Chinese.
func ReadComments(text string) Comments {
	all := Comments{}
	for entry := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		var english, chinese []string
		for line := range strings.SplitSeq(entry, "\n") {
			if strings.HasPrefix(line, "#") {
				english = append(english, line)
			} else {
				chinese = append(chinese, "# "+line)
			}
		}
		all[strings.Join(english, "\n")] = chinese
	}
	return all
}

// In returns the Chinese for the comments of a program's text, by line, counted from 0. A line in the middle of a
// translated paragraph has an empty text if the Chinese needs no line there. An unknown comment has none.
func (all Comments) In(source string) map[int]string {
	translated := map[int]string{}
	for _, p := range Paragraphs(source) {
		chinese, known := all[p.Text]
		if !known {
			continue
		}
		for i := range strings.Count(p.Text, "\n") + 1 {
			translated[p.Line+i] = ""
			if i < len(chinese) {
				translated[p.Line+i] = chinese[i]
			}
		}
	}
	return translated
}

// Put returns a program's text with the Chinese in the place of its known comments: a text to edit. A line that the
// Chinese does not need is left out.
func (all Comments) Put(source string) string {
	chinese := all.In(source)
	var lines []string
	for i, line := range strings.Split(source, "\n") {
		switch comment, known := chinese[i]; {
		case known && comment != "":
			lines = append(lines, line[:commentIn(line)]+comment)
		case !known:
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// A Paragraph is a comment: consecutive lines of their own, up to an empty one, or the end of a line of code.
type Paragraph struct {
	Line int    // the first, counted from 0
	Text string // each line from its #
}

// Paragraphs returns the comments of a program's text.
func Paragraphs(source string) []Paragraph {
	var all []Paragraph
	goesOn := false // the line before is a comment of its own
	for i, line := range strings.Split(source, "\n") {
		at := commentIn(line)
		if at < 0 {
			goesOn = false
			continue
		}
		comment, alone := line[at:], strings.TrimSpace(line[:at]) == ""
		switch {
		case alone && comment == "#":
			goesOn = false
		case alone && goesOn:
			all[len(all)-1].Text += "\n" + comment
		default:
			all = append(all, Paragraph{Line: i, Text: comment})
			goesOn = alone
		}
	}
	return all
}

// commentIn returns where the comment of a line begins, or -1. A # within quotes begins none.
func commentIn(line string) int {
	var quote byte
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case quote != 0 && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '#':
			return i
		}
	}
	return -1
}

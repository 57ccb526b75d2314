// Package highlight splits the text of a program where its colour changes. It
// knows three kinds of words and no colour: a style sheet has those. Lock programs
// are Starlark; readings print other languages, too.
package highlight

import (
	"strings"
	"sync"

	"github.com/alecthomas/chroma/v2"
	"github.com/alecthomas/chroma/v2/lexers"
)

// A Part is a piece of a line.
type Part struct {
	Kind string // one of the kinds; empty: a plain name or sign
	Text string
}

// The kinds.
const (
	Keyword = "keyword"
	Literal = "literal" // a string, a number, None
	Comment = "comment"
)

// kept is how many texts the cache holds. The built-in programs are far fewer; a
// reader who edits adds a text each time.
const kept = 256

// longest is the longest text that gets colours, in bytes: the bound of a program.
// The lexer's time can grow with the square of the length.
const longest = 8 << 10

var (
	mu    sync.Mutex
	known = map[text][][]Part{}
)

// A text is in a language.
type text struct{ language, source string }

// languages get colours. In takes these names.
var languages = []string{"go", "java", "javascript", "lua", "python", "sql", "starlark"}

// lexersOf returns the lexers by language.
var lexersOf = sync.OnceValue(func() map[string]chroma.Lexer {
	all := map[string]chroma.Lexer{}
	for _, language := range languages {
		all[language] = chroma.Coalesce(lexers.Get(language))
	}
	return all
})

// Lines returns the lines of a lock program, without their line breaks. The parts of a
// line add up to the line as it was written.
func Lines(source string) [][]Part { return In("starlark", source) }

// In returns the lines of a text in a language. A language without colours has plain lines.
func In(language, source string) [][]Part {
	key := text{language, source}
	mu.Lock()
	lines, ok := known[key]
	mu.Unlock()
	if ok {
		return lines
	}
	lines = split(language, source)
	mu.Lock()
	defer mu.Unlock()
	if len(known) >= kept {
		clear(known)
	}
	known[key] = lines
	return lines
}

func split(language, source string) [][]Part {
	source = strings.TrimSuffix(source, "\n")
	lexer := lexersOf()[language]
	if len(source) > longest || lexer == nil {
		return plain(source)
	}
	// Some lexers see a comment only when its line ends.
	read, err := lexer.Tokenise(&chroma.TokeniseOptions{State: "root"}, source+"\n")
	if err != nil {
		return plain(source)
	}
	lines := [][]Part{nil}
	var all strings.Builder
	for _, token := range read.Tokens() {
		all.WriteString(token.Value)
		for i, text := range strings.Split(token.Value, "\n") {
			if i > 0 {
				lines = append(lines, nil)
			}
			add(&lines[len(lines)-1], Part{kindOf(token.Type), text})
		}
	}
	if all.String() != source+"\n" { // a colour is not worth a wrong letter
		return plain(source)
	}
	return lines[:len(lines)-1]
}

// add appends a part to a line, and merges it with a last part of the same kind.
func add(line *[]Part, p Part) {
	if p.Text == "" {
		return
	}
	if n := len(*line); n > 0 && ((*line)[n-1].Kind == p.Kind || strings.TrimSpace(p.Text) == "") {
		(*line)[n-1].Text += p.Text
		return
	}
	*line = append(*line, p)
}

func kindOf(t chroma.TokenType) string {
	switch {
	case t.InCategory(chroma.Comment):
		return Comment
	case t == chroma.KeywordConstant, t.InCategory(chroma.Literal):
		return Literal
	case t.InCategory(chroma.Keyword), t == chroma.OperatorWord:
		return Keyword
	}
	return ""
}

// plain returns the lines without colours.
func plain(source string) [][]Part {
	var lines [][]Part
	for line := range strings.SplitSeq(source, "\n") {
		var parts []Part
		add(&parts, Part{Text: line})
		lines = append(lines, parts)
	}
	return lines
}

package views

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/a-h/templ"

	"lockstep/engine/lang"
)

// A Program is one that a client can run.
type Program struct {
	Name    string
	Path    string        // of its page within the site; empty: it has none
	Family  string        // its title
	Brief   string        // the idea of its family in a word or two, where it is the one to look at first
	Promise string        // in one line; empty: none is known
	Lang    lang.Language // of the promise; empty: that of the page
	Lines   []SourceLine
}

// A family is a stretch of programs.
type family struct {
	Title    string
	Programs []Program
}

// FamiliesOf returns programs by family, in their order.
func FamiliesOf(programs []Program) []family {
	var all []family
	for _, p := range programs {
		if n := len(all); n == 0 || all[n-1].Title != p.Family {
			all = append(all, family{Title: p.Family})
		}
		last := &all[len(all)-1]
		last.Programs = append(last.Programs, p)
	}
	return all
}

// A SourceLine is one line of a program's text, with the clients on it.
type SourceLine struct {
	Number  int
	Parts   []Part
	Text    string // the line in the program, where a translated comment is shown; empty: as shown
	Clients []string
	Comment bool          // it has no code, or precedes the code
	About   bool          // of the opening comment
	Lang    lang.Language // of its comment; empty: that of the page
}

// A Part is a piece of a line that has one colour.
type Part struct {
	Class string // keyword, literal or comment; empty: none
	Text  string
}

// An Event is a row of the list, which tells the picture in words.
type Event struct {
	Seq       int
	Time      string // true time, s
	Lane      string
	Sentence  string
	Cut       bool // the sentence goes on
	Violation bool
	Future    bool // it comes after the shown position
}

// deepest is the last indent, in columns, that has a class of its own: in-4, in-8, in-12, in-16.
const deepest = 16

// indent returns the columns before a line's first letter.
func indent(line SourceLine) int {
	columns := 0
	for _, part := range line.Parts {
		for _, letter := range part.Text {
			switch letter {
			case ' ':
				columns++
			case '\t':
				columns += 4
			default:
				return columns
			}
		}
	}
	return columns
}

// CodeLine writes the text of a line in its colours. Go writes it instead of a template
// because the page reads the program back, and a template could add a space.
// Where a translated comment is shown, the page reads the line's own text.
func CodeLine(line SourceLine) templ.Component {
	return templ.ComponentFunc(func(_ context.Context, w io.Writer) error {
		var b strings.Builder
		b.WriteString("<code")
		if columns := indent(line); columns >= 4 {
			fmt.Fprintf(&b, ` class="in-%d"`, min(columns/4*4, deepest))
		}
		if line.Text != "" {
			b.WriteString(` data-text="` + templ.EscapeString(line.Text) + `"`)
		}
		foreign := ""
		if line.Lang != "" {
			foreign = ` lang="` + LangTag(line.Lang) + `"`
		}
		if line.Comment {
			b.WriteString(foreign)
		}
		b.WriteString(">")
		for _, part := range line.Parts {
			if part.Class == "" || line.Comment { // a line of comment has the class of one
				b.WriteString(templ.EscapeString(part.Text))
				continue
			}
			b.WriteString(`<i class="` + templ.EscapeString(part.Class) + `"`)
			if part.Class == "comment" {
				b.WriteString(foreign)
			}
			b.WriteString(">" + templ.EscapeString(part.Text) + "</i>")
		}
		b.WriteString("</code>")
		_, err := io.WriteString(w, b.String())
		return err
	})
}

package views

import "github.com/a-h/templ"

// ProgramsPath is where the pages of the built-in programs are, by name.
const ProgramsPath = "/programs/"

// WordsPath is the path of the words that the editor completes.
const WordsPath = ProgramsPath + "words"

// Edits returns the attributes of a field that becomes an editor of a kind of text, program or scenario: static/js/lib/field.js
// reads them.
func (s Site) Edits(kind string) templ.Attributes {
	return templ.Attributes{"data-editor": kind, "data-words": s.Base + WordsPath, "data-keys": Say(s.Lang, "editor.keys")}
}

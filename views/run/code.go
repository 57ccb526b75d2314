package run

import (
	"slices"

	"lockstep/engine/lang"
	"lockstep/views"
)

// Tongues are the languages in which some programs are shown, too.
type Tongues struct {
	Programs []string // that have a text in each
	All      []TongueLink
}

// has reports whether a program is shown in other languages.
func (t Tongues) has(program string) bool { return slices.Contains(t.Programs, program) }

// A TongueLink names a language.
type TongueLink struct {
	Name  string // in addresses
	Title string
}

// A Tongue is a program as a reader's language writes it.
type Tongue struct {
	views.Site
	TongueLink
	Program string
	Promise string        // in one line
	Speaks  lang.Language // of the promise; empty: that of the page
	Library string        // whose client it calls
	Lines   []TongueLine
	Others  []TongueLink // all languages
}

// A TongueLine is a line of the text, and the line of the program that it does the work of.
type TongueLine struct {
	views.SourceLine
	Of int // 0: none
}

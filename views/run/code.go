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

// elsewhere returns the path of the first program whose text another page has; empty: there is none.
func (p Page) elsewhere() string {
	for _, program := range p.Programs {
		if program.Lines == nil && program.Path != "" {
			return program.Path
		}
	}
	return ""
}

// A Tongue is a program as a reader's language writes it, or as it is.
type Tongue struct {
	views.Site
	TongueLink
	Program string
	Promise string        // in one line
	Speaks  lang.Language // of the promise; empty: that of the page
	Library string        // whose client it calls
	Lines   []TongueLine
	Own     views.Program   // the program as it is, where Name is empty
	Others  []TongueLink    // all languages
	All     []views.Program // all programs, where the text is the program's own
}

// heading names the text.
func (t Tongue) heading() string {
	if t.Name == "" {
		return t.Program
	}
	return views.Say(t.Lang, "tongue.in", t.Program, t.Title)
}

// path returns the path of the program in a language within the site.
func (t Tongue) path(in TongueLink) string {
	if in.Name == "" {
		return views.ProgramsPath + t.Program
	}
	return views.ProgramsPath + t.Program + "/" + in.Name
}

// A TongueLine is a line of the text, and the line of the program that it does the work of.
type TongueLine struct {
	views.SourceLine
	Of int // 0: none
}

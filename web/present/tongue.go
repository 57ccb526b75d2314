package present

import (
	"slices"
	"sync"

	"lockstep/engine/program"
	"lockstep/views"
	"lockstep/web/highlight"
)

// tongues returns the languages of equivalents, and the programs that have them.
var tongues = sync.OnceValue(func() views.Tongues {
	t := views.Tongues{Programs: slices.DeleteFunc(program.Names(), func(name string) bool { return !program.HasEquivalents(name) })}
	for _, tongue := range program.Tongues {
		t.All = append(t.All, views.TongueLink{Name: tongue.Name, Title: tongue.Title})
	}
	return t
})

// Tongue makes the view model of a program in a reader's language.
func Tongue(of *program.Program, e program.Equivalent, site views.Site) views.Tongue {
	_, promise := presenter{language: site.Lang}.promise(of)
	t := views.Tongue{
		Site: site, TongueLink: views.TongueLink{Name: e.Name, Title: e.Title}, Others: tongues().All,
		Program: of.Name, Promise: promise, Library: e.Library,
	}
	for i, parts := range highlight.In(e.Language, e.Source) {
		line := views.TongueLine{SourceLine: views.SourceLine{Number: i + 1}, Of: e.Of[i]}
		for _, part := range parts {
			line.Parts = append(line.Parts, views.Part{Class: part.Kind, Text: part.Text})
		}
		t.Lines = append(t.Lines, line)
	}
	return t
}

package present

import (
	"slices"
	"sync"

	"lockstep/engine/program"
	"lockstep/views"
	runview "lockstep/views/run"
	"lockstep/web/highlight"
)

// tongues returns the languages of equivalents, and the programs that have them.
var tongues = sync.OnceValue(func() runview.Tongues {
	t := runview.Tongues{Programs: slices.DeleteFunc(program.Names(), func(name string) bool { return !program.HasEquivalents(name) })}
	for _, tongue := range program.Tongues {
		t.All = append(t.All, runview.TongueLink{Name: tongue.Name, Title: tongue.Title})
	}
	return t
})

// Text makes the view model of a built-in program as it is.
func Text(of *program.Program, site views.Site) runview.Tongue {
	own := presenter{language: site.Lang}.program(of)
	t := runview.Tongue{
		Site: site, TongueLink: itself, Program: of.Name, Promise: own.Promise, Speaks: own.Lang, Own: own, All: families(site.Lang),
	}
	if program.HasEquivalents(of.Name) {
		t.Others = append([]runview.TongueLink{itself}, tongues().All...)
	}
	return t
}

// itself leads to a program as it is.
var itself = runview.TongueLink{Title: "Lockstep"}

// Tongue makes the view model of a program in a reader's language.
func Tongue(of *program.Program, e program.Equivalent, site views.Site) runview.Tongue {
	listing := presenter{language: site.Lang}.listing(of)
	t := runview.Tongue{
		Site: site, TongueLink: runview.TongueLink{Name: e.Name, Title: e.Title}, Others: append([]runview.TongueLink{itself}, tongues().All...),
		Program: of.Name, Promise: listing.Promise, Speaks: listing.Lang, Library: e.Library,
	}
	for i, parts := range highlight.In(e.Language, e.Source) {
		line := runview.TongueLine{SourceLine: views.SourceLine{Number: i + 1}, Of: e.Of[i]}
		for _, part := range parts {
			line.Parts = append(line.Parts, views.Part{Class: part.Kind, Text: part.Text})
		}
		t.Lines = append(t.Lines, line)
	}
	return t
}

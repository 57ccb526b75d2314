package course

import (
	"html"
	"slices"
	"strings"

	"github.com/yuin/goldmark/ast"
	extended "github.com/yuin/goldmark/extension/ast"

	"lockstep/engine/lang"
)

// A Reading is a page of words: nothing runs on it, and its links lead to what runs.
type Reading struct {
	Name     string // its files' name; addresses contain it
	Title    lang.Text
	Goal     lang.Text // a sentence
	Lead     lang.Text // HTML
	Sections []*Section
}

// A Section is a part of a reading.
type Section struct {
	Name    string     // links lead to it
	Heading lang.Text  // HTML of a line
	Text    lang.Text  // HTML
	Folded  []*Section // each opens when the reader asks for it; paper shows them
}

// Reading returns the reading with that name, or nil.
func (c *Course) Reading(name string) *Reading {
	return named(c.Readings, func(r *Reading) string { return r.Name }, name)
}

// reading reads a reading in every language. It returns nil where a file has a mistake.
func (l *loader) reading(named facts) *Reading {
	r := &Reading{Name: named.text()}
	before := len(l.course.Mistakes)
	for _, language := range l.course.Languages {
		p := l.page(r.Name, language, named, true)
		if p == nil {
			continue
		}
		if f := readFacts(p.file, p.facts, 1, l.wrong); f != nil {
			var words struct{ Title, Goal string }
			f.decode(&words)
			r.Title.Set(language, words.Title)
			r.Goal.Set(language, words.Goal)
			if words.Title == "" || words.Goal == "" {
				p.lacks(f.line(), "a reading has a title and a goal", "阅读页要有 title 和 goal")
			}
		}
		r.Lead.Set(language, p.lead.text+p.lead.more)
		p.fill(&r.Sections, p.sections)
	}
	if len(l.course.Mistakes) > before {
		return nil
	}
	return r
}

// fill gives the sections of a reading their words. A translation has the first language's sections, in its order.
func (p *page) fill(into *[]*Section, all []*section) {
	first := p.first()
	if !first && !slices.EqualFunc(*into, all, func(known *Section, s *section) bool { return known.Name == s.name }) {
		var names []string
		for _, known := range *into {
			names = append(names, known.Name)
		}
		p.wrong(1, "the sections are not those of the first language: %s", "小节与第一种语言的不一致：%s", strings.Join(names, ", "))
		return
	}
	for i, s := range all {
		if first {
			*into = append(*into, &Section{Name: s.name})
		}
		section := (*into)[i]
		section.Heading.Set(p.in, s.heading)
		section.Text.Set(p.in, s.text+s.more)
		p.fill(&section.Folded, s.below)
	}
}

// withinSite reports whether a link leads to a page of this site.
func withinSite(to string) bool { return strings.HasPrefix(to, "/") && !strings.HasPrefix(to, "//") }

// listing writes a file of the course as a listing.
func (p *page) listing(n ast.Node, language, file string) string {
	source, err := p.loader.read(file)
	if err != nil {
		p.wrong(p.line(n), "%s", "%s", err)
		return ""
	}
	if p.listed += len(source); p.listed > MaxFile {
		p.wrong(p.line(n), "the listings of a page have at most %d bytes", "一页里的代码清单至多 %d 字节", MaxFile)
		return ""
	}
	return `<pre><code class="language-` + html.EscapeString(language) + `">` + html.EscapeString(source) + "</code></pre>\n"
}

// label gives each cell of a table its column's heading: where a table has no room, its rows become cards.
func (p *page) label(document ast.Node) {
	// The walker only fails where its function does.
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		table, ok := n.(*extended.Table)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		var headings [][]byte
		for row := table.FirstChild(); row != nil; row = row.NextSibling() {
			column := 0
			for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
				if _, ok := row.(*extended.TableHeader); ok {
					headings = append(headings, p.words(cell))
				} else if column > 0 && column < len(headings) {
					if !p.repeat(cell, len(headings[column])) {
						return ast.WalkStop, nil
					}
					cell.SetAttributeString("data-label", headings[column])
				}
				column++
			}
		}
		return ast.WalkSkipChildren, nil
	})
}

// words returns the text of a node, without its markup.
func (p *page) words(n ast.Node) (text []byte) {
	// The walker only fails where its function does.
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if said, ok := n.(*ast.Text); ok && entering {
			text = append(text, said.Value(p.source)...)
		}
		return ast.WalkContinue, nil
	})
	return text
}

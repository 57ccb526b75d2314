package course

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
)

// A page is a lesson's file: its front matter, and its sections by name.
type page struct {
	file     string
	facts    string // the front matter, which begins in line 2
	lead     string // HTML: what stands before the first section
	sections []*section
}

// A section is a heading with what stands below it, up to the next one.
type section struct {
	name    string
	heading string // HTML of a line
	text    string // HTML
	below   []*section
	line    int
}

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table), goldmark.WithParserOptions(parser.WithHeadingAttribute()))

// readPage takes a file apart, and tells what is wrong with it.
func readPage(file, content string, wrong wrong) *page {
	p := &page{file: file}
	content = strings.ReplaceAll(content, "\r\n", "\n")
	rest, ok := strings.CutPrefix(content, "---\n")
	facts, body, closed := strings.Cut(rest, "\n---\n")
	if !ok || !closed {
		wrong(file, 1, "a lesson begins with its front matter, between two lines of ---", "课文以两行 --- 之间的前置信息开头")
		return nil
	}
	p.facts = facts + "\n"
	begins := strings.Count(p.facts, "\n") + 2 // lines before the body
	source := []byte(body)
	at := func(n ast.Node) int {
		for ; n != nil; n = n.Parent() {
			if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
				return begins + 1 + bytes.Count(source[:n.Lines().At(0).Start], []byte("\n"))
			}
		}
		return begins + 1
	}
	document := markdown.Parser().Parse(text.NewReader(source))
	p.lint(document, at, wrong)
	var below, answer *section
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		heading, ok := n.(*ast.Heading)
		if !ok {
			switch {
			case answer != nil:
				answer.text += render(source, n)
			case below != nil:
				below.text += render(source, n)
			default:
				p.lead += render(source, n)
			}
			continue
		}
		s := &section{heading: strings.TrimSuffix(strings.TrimPrefix(inner(source, heading), "<p>"), "</p>\n"), line: at(heading)}
		if id, ok := heading.AttributeString("id"); ok {
			s.name = string(id.([]byte))
		}
		switch {
		case s.name == "":
			wrong(file, s.line, "this heading has no name, such as {#late}", "这个标题没有名字，例如 {#late}")
		case heading.Level == 2:
			p.sections = append(p.sections, s)
			below, answer = s, nil
		case heading.Level == 3 && below != nil:
			below.below = append(below.below, s)
			answer = s
		default:
			wrong(file, s.line, "a section begins with ##, an answer below it with ###", "小节以 ## 开头，其下的答案以 ### 开头")
		}
	}
	return p
}

// lint refuses what the site would not show.
func (p *page) lint(document ast.Node, at func(ast.Node) int, wrong wrong) {
	// The walker only fails where its function does.
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.RawHTML, *ast.HTMLBlock:
			wrong(p.file, at(n), "HTML is not shown; Markdown is", "不支持 HTML，请使用 Markdown")
		case *ast.Image:
			wrong(p.file, at(n), "pictures are not shown: the timeline is the picture", "不支持图片：时间线就是图")
		case *ast.Link:
			if to := string(n.Destination); !strings.HasPrefix(to, "https://") && !strings.HasPrefix(to, "http://") {
				wrong(p.file, at(n), "a link leads to https://…, not to %s", "链接应指向 https://…，而不是 %s", to)
			}
		}
		return ast.WalkContinue, nil
	})
}

// render writes a block as HTML. Raw HTML is left out of it.
func render(source []byte, n ast.Node) string {
	var b strings.Builder
	if err := markdown.Renderer().Render(&b, source, n); err != nil {
		panic("course: rendering to memory: " + err.Error())
	}
	return b.String()
}

// inner writes what a heading says, without the heading.
func inner(source []byte, heading *ast.Heading) string {
	paragraph := ast.NewParagraph()
	for child := heading.FirstChild(); child != nil; {
		next := child.NextSibling()
		paragraph.AppendChild(paragraph, child)
		child = next
	}
	return render(source, paragraph)
}

// section is the one of that name, or nil.
func (p *page) section(name string) *section { return find(p.sections, name) }

func find(all []*section, name string) *section {
	for _, s := range all {
		if s.name == name {
			return s
		}
	}
	return nil
}

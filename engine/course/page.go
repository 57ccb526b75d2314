package course

import (
	"bytes"
	"sort"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"lockstep/engine/lang"
)

// A page is a lesson's file: its front matter, and its sections by name.
type page struct {
	file     string
	in       lang.Language
	facts    string // the front matter, which begins in line 2
	lead     card   // the text before the first section
	sections []*section

	source []byte // Markdown
	starts []int  // where its lines begin, after the first
	before int    // lines in the file before it

	loader   *loader
	reading  bool // it is a page to read, whose listings may name files and whose links may lead into the site
	listed   int  // bytes of the listings so far
	repeated int  // bytes that stand in the page's HTML once more than in its file
}

// A section is a heading and the text below it, up to the next one.
type section struct {
	name    string
	heading string // HTML on one line
	class   string // {#name .class}: the misconception that an answer comes from; empty: none
	card
	below []*section
	line  int
}

// first reports whether the page is in the first language of its course.
func (p *page) first() bool { return p.in == p.loader.course.Languages[0] }

// wrong notes a mistake at a line of the page, and warn a fault in teaching.
func (p *page) wrong(line int, english, chinese string, arguments ...any) {
	p.loader.wrong(p.file, line, english, chinese, arguments...)
}

func (p *page) warn(line int, english, chinese string, arguments ...any) {
	p.loader.warn(p.file, line, english, chinese, arguments...)
}

// lacks notes words that the page should have.
func (p *page) lacks(line int, english, chinese string, arguments ...any) {
	p.loader.lacks(p.in, p.file, line, english, chinese, arguments...)
}

// read fills the page with its file. It returns nil where the file is not to be read.
func (p *page) read(content string) *page {
	content = strings.ReplaceAll(content, "\r\n", "\n")
	rest, ok := strings.CutPrefix(content, "---\n")
	facts, body, closed := strings.Cut(rest, "\n---\n")
	if !ok || !closed {
		p.wrong(1, "a lesson begins with its front matter, between two lines of ---", "课文以两行 --- 之间的前置信息开头")
		return nil
	}
	p.facts, p.source, p.before = facts+"\n", []byte(body), strings.Count(facts, "\n")+3
	for i, c := range p.source {
		if c == '\n' {
			p.starts = append(p.starts, i+1)
		}
	}
	if !p.bounded(body) {
		return nil
	}
	document, full := parse(p.source)
	if full >= 0 {
		p.wrong(p.lineAt(full), "the tables of a page have at most %d columns and %d cells together", "一页里的表格至多 %d 列，合计至多 %d 个单元格", maxColumns, maxCells)
		return nil
	}
	p.lint(document)
	if p.reading {
		p.label(document)
	}
	if p.repeated > MaxFile {
		return nil
	}
	into := &p.lead
	var last *section // among those with ##
	for n := document.FirstChild(); n != nil; n = n.NextSibling() {
		heading, ok := n.(*ast.Heading)
		if !ok {
			into.add(p, n)
			continue
		}
		s := p.section(heading)
		switch {
		case s == nil:
		case heading.Level == 2:
			p.sections, last = append(p.sections, s), s
			into = &s.card
		case heading.Level == 3 && last != nil:
			last.below = append(last.below, s)
			into = &s.card
		default:
			p.wrong(s.line, "a section begins with ##, an answer below it with ###", "小节以 ## 开头，其下的答案以 ### 开头")
		}
	}
	p.lead.close()
	for _, s := range p.sections {
		s.close()
		for _, below := range s.below {
			below.close()
		}
	}
	return p
}

// Bounds on Markdown. Parsing takes the square of a paragraph's length, and of the depth of nested quotations and lists; each
// line, also a blank one, takes a look at every list that is open.
const (
	maxParagraph = 8 << 10 // bytes
	maxNested    = 16      // marks at the beginning of a line, and its indent
	maxListed    = 20_000  // lines in lists and quotations, one that is nested counted as often as it is
)

// bounded notes text that is too large to parse.
func (p *page) bounded(body string) bool {
	paragraph, open, listed, blank := 0, 0, 0, true
	work := int64(len(body))
	for i, line := range strings.Split(body, "\n") {
		depth, wasBlank := nested(line), blank
		work -= square(paragraph)
		if paragraph += len(line) + 1; strings.TrimSpace(line) == "" {
			work += square(paragraph)
			paragraph = 0
		}
		work += square(paragraph)
		blank = paragraph == 0
		switch {
		case depth > 0:
			open = max(open, depth)
		case wasBlank && !blank && line[0] != ' ' && line[0] != '\t':
			open = 0
		}
		listed += open
		switch {
		case paragraph > maxParagraph:
			p.wrong(p.before+1+i, "a paragraph has at most %d bytes: leave a line blank in between", "一个段落至多 %d 字节：请在中间空一行", maxParagraph)
			return false
		case depth > maxNested:
			p.wrong(p.before+1+i, "lists and quotations are nested at most %d deep", "列表和引用至多嵌套 %d 层", maxNested)
			return false
		case listed > maxListed:
			p.wrong(p.before+1+i, "lists and quotations have at most %d lines in a page, nested ones counted as often as they are nested", "一页里的列表和引用合计至多 %d 行，嵌套几层就算几次", maxListed)
			return false
		}
	}
	if !p.loader.spend(work) {
		p.wrong(1, "the pages of the course take too long to read: no further one is read", "课程的页面读得太久：后面的不再读取")
		return false
	}
	return true
}

// square returns the work of reading a paragraph, in units of the engine: brackets and braces without an end are the slowest.
func square(paragraph int) int64 { return int64(paragraph) * int64(paragraph) / 20 }

// repeat counts bytes that a page's file has once, and its HTML perhaps again and again: the address of a link, and the
// heading of a column. It reports whether there may be that many, and notes the first mistake.
func (p *page) repeat(n ast.Node, size int) bool {
	before := p.repeated
	if p.repeated += size; p.repeated > MaxFile && before <= MaxFile {
		p.wrong(p.line(n), "links and headings of columns repeat more than %d bytes in this page", "这一页里的链接和表头重复展开后超过 %d 字节", MaxFile)
	}
	return p.repeated <= MaxFile
}

// nested returns how many quotations and list items begin with a line, and how many the blanks before the last of them make
// likely: four for an item around it, or a tab.
func nested(line string) (n int) {
	blanks := 0
	for marks := 1; ; marks++ {
		text := strings.TrimLeft(line, " \t")
		indent := len(line) - len(text) + 3*strings.Count(line[:len(line)-len(text)], "\t")
		blanks += max(0, indent-min(1, marks-1)) // one blank after a mark is usual
		line = text
		rest := strings.TrimLeft(line, "0123456789")
		switch {
		case strings.HasPrefix(line, ">"):
			line, n = line[1:], marks+blanks/4
			continue
		case rest == "" || rest == line && !strings.ContainsRune("-+*", rune(rest[0])) || rest != line && rest[0] != '.' && rest[0] != ')':
			return n
		}
		if line = rest[1:]; line != "" && line[0] != ' ' && line[0] != '\t' {
			return n
		}
		n = marks + blanks/4
	}
}

// section returns the section that a heading begins. It returns nil where the heading names none, and notes the
// mistake.
func (p *page) section(heading *ast.Heading) *section {
	s := &section{heading: p.inner(heading), line: p.line(heading)}
	id, _ := heading.AttributeString("id")
	name, _ := id.([]byte)
	s.name = string(name)
	if class, ok := heading.AttributeString("class"); ok {
		of, _ := class.([]byte)
		s.class = string(of)
	}
	switch {
	case s.name == "":
		p.wrong(s.line, "this heading has no name, such as {#late}", "这个标题没有名字，例如 {#late}")
		return nil
	case s.class != "" && (heading.Level != 3 || s.name == "solved"):
		p.wrong(s.line, "only an answer comes from a misconception, not %s", "只有答案才出自误解，%s 不是答案", s.name)
	case strings.TrimSpace(s.heading) == "":
		p.wrong(s.line, "the heading of %s says nothing", "%s 的标题没有内容", s.name)
	}
	return s
}

// line returns the line of a piece of Markdown in the file.
func (p *page) line(n ast.Node) int {
	for ; n != nil; n = n.Parent() {
		at := -1
		switch n := n.(type) {
		case *ast.RawHTML:
			at = n.Segments.At(0).Start
		case *ast.FencedCodeBlock:
			if n.Info != nil {
				at = n.Info.Segment.Start
			}
		case *ast.Link, *ast.Image:
			if t, ok := n.FirstChild().(*ast.Text); ok {
				at = t.Segment.Start
			}
		default:
			if n.Type() == ast.TypeBlock && n.Lines() != nil && n.Lines().Len() > 0 {
				at = n.Lines().At(0).Start
			}
		}
		if at >= 0 {
			return p.lineAt(at)
		}
	}
	return p.before + 1
}

// lineAt returns the line of a byte of the Markdown in the file.
func (p *page) lineAt(at int) int {
	return p.before + 1 + sort.SearchInts(p.starts, at+1)
}

// lint refuses markup that the site would not show.
func (p *page) lint(document ast.Node) {
	// The walker only fails where its function does.
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		to := "https://"
		if p.repeated > MaxFile {
			return ast.WalkStop, nil
		}
		switch n := n.(type) {
		case *ast.RawHTML, *ast.HTMLBlock:
			p.wrong(p.line(n), "HTML is not shown; Markdown is", "不支持 HTML，请使用 Markdown")
		case *ast.Image:
			p.wrong(p.line(n), "pictures are not shown: the timeline is the picture", "不支持图片：时间线就是图")
		case *ast.Heading:
			if n.Parent() != document {
				p.wrong(p.line(n), "a heading stands by itself, not within a list or a quotation", "标题要单独书写，不能放在列表或引用里")
			}
		case *ast.Link:
			if !p.repeat(n, len(n.Destination)+len(n.Title)) {
				return ast.WalkStop, nil
			}
			to = string(n.Destination)
		case *ast.AutoLink:
			to = string(n.URL(p.source))
		}
		if !isLink(to) && (!p.reading || !withinSite(to)) {
			p.wrong(p.line(n), "a link leads to https://…, not to %q", "链接应指向 https://…，而不是 %q", to)
		}
		return ast.WalkContinue, nil
	})
}

// render writes a block as HTML, without raw HTML.
func (p *page) render(n ast.Node) string {
	var b strings.Builder
	if listing, ok := n.(*ast.FencedCodeBlock); ok && p.reading && listing.Info != nil {
		language, file, _ := strings.Cut(string(listing.Info.Value(p.source)), " ")
		if file != "" {
			return p.listing(n, language, file)
		}
	}
	if err := markdown.Renderer().Render(&b, p.source, n); err != nil {
		panic("course: rendering to memory: " + err.Error())
	}
	return b.String()
}

// inner writes a heading's content, without the heading.
func (p *page) inner(heading *ast.Heading) string {
	var b strings.Builder
	for child := heading.FirstChild(); child != nil; child = child.NextSibling() {
		b.WriteString(p.render(child))
	}
	return b.String()
}

func find(all []*section, name string) *section {
	for _, s := range all {
		if s.name == name {
			return s
		}
	}
	return nil
}

// The site's policy allows no style in the markup. An attribute therefore
// aligns the columns of tables.
var markdown = goldmark.New(
	goldmark.WithParserOptions(
		parser.WithHeadingAttribute(),
		parser.WithParagraphTransformers(util.Prioritized(tables{extension.NewTableParagraphTransformer()}, 200)),
		parser.WithASTTransformers(util.Prioritized(extension.NewTableASTTransformer(), 0))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(
		util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500))))

// Bounds on the tables of a page. A row of one byte has as many cells as the table has columns.
const (
	maxColumns = 32
	maxCells   = 2000
)

// parse reads Markdown. It returns where the table begins with which a page has too many cells; -1: none does.
func parse(source []byte) (document ast.Node, full int) {
	context := parser.NewContext()
	count := &cells{full: -1}
	context.Set(cellsKey, count)
	return markdown.Parser().Parse(text.NewReader(source), parser.WithContext(context)), count.full
}

var cellsKey = parser.NewContextKey()

// cells counts the cells of a page.
type cells struct {
	all  int
	full int
}

// tables makes tables of paragraphs, as long as a page may have their cells.
type tables struct{ parser.ParagraphTransformer }

func (t tables) Transform(node *ast.Paragraph, reader text.Reader, context parser.Context) {
	count := context.Get(cellsKey).(*cells)
	columns, bars := 0, 0
	for i := range node.Lines().Len() {
		at := node.Lines().At(i)
		line := at.Value(reader.Source())
		bars += bytes.Count(line, []byte("|"))
		if i > 0 && isDelimiter(line) {
			columns = max(columns, columnsOf(line))
		}
	}
	if columns == 0 {
		return
	}
	count.all += max(bars, columns*(node.Lines().Len()-1))
	if columns > maxColumns || count.all > maxCells {
		if count.full < 0 {
			count.full = node.Lines().At(0).Start
		}
		return
	}
	t.ParagraphTransformer.Transform(node, reader, context)
}

// isDelimiter reports whether a line may stand between a table's heading and its rows.
func isDelimiter(line []byte) bool {
	return bytes.ContainsAny(line, "-") && len(bytes.Trim(line, "-:| \t\r\n\v\f")) == 0
}

// columnsOf returns how many columns a delimiter makes.
func columnsOf(line []byte) int {
	line = bytes.TrimSuffix(bytes.TrimPrefix(bytes.TrimSpace(line), []byte("|")), []byte("|"))
	return bytes.Count(line, []byte("|")) + 1
}

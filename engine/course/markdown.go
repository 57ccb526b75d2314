package course

import (
	"bytes"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

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

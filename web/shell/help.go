package shell

import (
	"io"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"golang.org/x/text/width"

	"lockstep/engine/lang"
)

// The words of a help page.
var (
	wordUsage     = lang.Both("Usage: ", "用法：")
	wordArguments = lang.Both("Arguments:", "参数：")
	wordFlags     = lang.Both("Flags:", "选项：")
	wordCommands  = lang.Both("Commands:", "命令：")
	wordMore      = lang.Both("lockstep help COMMAND tells more about a command, and lockstep man is the whole manual.", "lockstep help 命令 给出某个命令的详细说明；lockstep man 是完整手册。")
)

// help is what kong calls for the flag --help.
func (s *Shell) help(_ kong.HelpOptions, ctx *kong.Context) error {
	node := ctx.Selected()
	if node == nil {
		node = s.Model.Node
	}
	_, err := io.WriteString(ctx.Stdout, s.page(node))
	return err
}

// columns returns how wide a page is: as COLUMNS says, or as is good to read.
func columns() int {
	const usual, least = 80, 40
	n, err := strconv.Atoi(os.Getenv("COLUMNS"))
	if err != nil {
		return usual
	}
	return max(n, least)
}

// page returns the help of a command, or of all of them.
func (s *Shell) page(node *kong.Node) string {
	p := &page{columns: columns()}
	usage := s.Model.Name + " " + node.Summary()
	if node == s.Model.Node {
		usage = s.Model.Name + " [<command>] [flags]"
	}
	p.line(wordUsage.In(s.in) + usage)
	p.paragraphs(node.Help)
	p.paragraphs(node.Detail)
	var rows [][2]string
	for _, a := range node.Positional {
		rows = append(rows, [2]string{a.Summary(), a.Help})
	}
	p.table(wordArguments.In(s.in), rows)
	if rows = nil; node == s.Model.Node {
		for _, c := range node.Children {
			if !c.Hidden {
				rows = append(rows, [2]string{c.Name, c.Help})
			}
		}
		p.table(wordCommands.In(s.in), rows)
		rows = nil
	}
	for _, group := range slices.Backward(node.AllFlags(true)) { // the command's own flags first
		for _, f := range group {
			rows = append(rows, [2]string{flagged(f), withVariable(f)})
		}
	}
	p.table(wordFlags.In(s.in), rows)
	if node == s.Model.Node {
		p.paragraphs(wordMore.In(s.in))
	}
	return p.String()
}

// flagged returns a flag as one types it.
func flagged(f *kong.Flag) string {
	if f.Short == 0 {
		return "    " + f.String()
	}
	return f.String()
}

// withVariable returns the help of a flag with the variable of the environment in which it may stand, too.
func withVariable(f *kong.Flag) string {
	if len(f.Envs) == 0 {
		return f.Help
	}
	for _, stop := range []string{".", "。"} {
		if text, ok := strings.CutSuffix(f.Help, stop); ok {
			return text + " ($" + f.Envs[0] + ")" + stop
		}
	}
	return f.Help + " ($" + f.Envs[0] + ")"
}

// A page is text for a terminal.
type page struct {
	strings.Builder
	columns int
}

func (p *page) line(text string) { p.WriteString(strings.TrimRight(text, " ") + "\n") }

// paragraphs adds text. A paragraph that is indented stays as it is.
func (p *page) paragraphs(text string) {
	if text = strings.Trim(text, "\n"); text == "" {
		return
	}
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		p.line("")
		if strings.HasPrefix(paragraph, " ") {
			p.line(paragraph)
			continue
		}
		for _, line := range wrapped(paragraph, p.columns) {
			p.line(line)
		}
	}
}

// table adds rows of two columns.
func (p *page) table(title string, rows [][2]string) {
	if len(rows) == 0 {
		return
	}
	const least, gap = 30, 4
	most, left := max(least, p.columns*3/8), 0
	for _, row := range rows {
		if n := cells(row[0]); n > left && n < most {
			left = n
		}
	}
	p.line("")
	p.line(title)
	for _, row := range rows {
		before := "  " + row[0] + strings.Repeat(" ", max(0, left+gap-cells(row[0])))
		if cells(row[0]) > left {
			p.line(before)
			before = strings.Repeat(" ", 2+left+gap)
		}
		for _, line := range wrapped(row[1], p.columns-2-left-gap) {
			p.line(before + line)
			before = strings.Repeat(" ", 2+left+gap)
		}
	}
}

// wrapped breaks text into lines of that many cells: at a space, and beside a character that is two cells wide, as Chinese has no
// spaces.
func wrapped(text string, columns int) (lines []string) {
	var line, word strings.Builder
	spaces := 0 // before the word
	add := func() {
		if line.Len() > 0 && cells(line.String())+spaces+cells(word.String()) > columns {
			lines = append(lines, line.String())
			line.Reset()
		}
		if line.Len() > 0 {
			line.WriteString(strings.Repeat(" ", spaces))
		}
		line.WriteString(word.String())
		word.Reset()
		spaces = 0
	}
	var before rune
	for _, r := range text {
		switch {
		case r == ' ' || r == '\n':
			add()
			spaces = 1
		case word.Len() > 0 && mayBreak(before, r):
			add()
			word.WriteRune(r)
		default:
			word.WriteRune(r)
		}
		before = r
	}
	add()
	return append(lines, line.String())
}

// mayBreak reports whether a line may end between two characters: no line begins with a mark that closes, or ends with one that opens.
func mayBreak(before, after rune) bool {
	if strings.ContainsRune("（“《", before) || strings.ContainsRune("，。；：、！？）”》", after) {
		return false
	}
	return isWide(before) || isWide(after)
}

func isWide(r rune) bool {
	kind := width.LookupRune(r).Kind()
	return kind == width.EastAsianWide || kind == width.EastAsianFullwidth
}

func cells(text string) (n int) {
	for _, r := range text {
		n++
		if isWide(r) {
			n++
		}
	}
	return n
}

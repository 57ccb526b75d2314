package course

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"

	"lockstep/engine/lang"
)

// What a card holds at most.
const (
	maxSentences  = 3 // besides a question
	maxWords      = 60
	maxCharacters = 110 // in Chinese
)

// A card is what a lesson says at once, and what opens below it. The first rule,
// a line of ***, separates them.
type card struct {
	text string // HTML
	more string // HTML

	writing [2]strings.Builder // text and more, as far as they are read

	ruled     bool   // the blocks from here on belong below
	sentences int    // of the text
	asks      string // the last question among them; empty: none
}

// add appends a block of the page to the card.
func (c *card) add(p *page, n ast.Node) {
	if _, ok := n.(*ast.ThematicBreak); ok && !c.ruled {
		c.ruled = true
		return
	}
	if c.ruled {
		c.writing[1].WriteString(p.render(n))
		return
	}
	c.writing[0].WriteString(p.render(n))
	text, sentences := p.sentences(n)
	for _, s := range sentences {
		if c.sentences++; s.asks {
			c.asks = strings.TrimSpace(text[s.from:s.to])
		}
	}
}

// close ends a card: all of its blocks are read.
func (c *card) close() { c.text, c.more = c.writing[0].String(), c.writing[1].String() }

// set puts a card into the texts of a lesson.
func (c *card) set(language lang.Language, text, more *lang.Text) {
	text.Set(language, c.text)
	if c.more != "" {
		more.Set(language, c.more)
	}
}

// long warns of a card that says too much at once, at its line.
func (c *card) long(p *page, line int) {
	said := c.sentences
	if c.asks != "" {
		said-- // one question is free
	}
	if said > maxSentences {
		p.warn(line, "this card has %d sentences; it holds %d and a question: move the rest below a line ***", "这张卡片有 %d 句话，至多 %d 句加一个问句：请把其余内容移到单独一行 *** 之下", c.sentences, maxSentences)
	}
	switch n := length(c.text, p.in); {
	case p.in == lang.Chinese && n > maxCharacters:
		p.warn(line, "this card has %d characters; it holds %d: move the rest below a line ***", "这张卡片有 %d 字，至多 %d 字：请把其余内容移到单独一行 *** 之下", n, maxCharacters)
	case p.in == lang.English && n > maxWords:
		p.warn(line, "this card has %d words; it holds %d: move the rest below a line ***", "这张卡片有 %d 个词，至多 %d 个词：请把其余内容移到单独一行 *** 之下", n, maxWords)
	}
}

// A sentence is a part of a text.
type sentence struct {
	from, to int // bytes
	asks     bool
}

// sentences returns the text of a paragraph and its sentences. Any other block
// (a list, a table, a quotation, a listing) is one sentence without a text.
func (p *page) sentences(n ast.Node) (string, []sentence) {
	if _, ok := n.(*ast.Paragraph); !ok {
		return "", []sentence{{}}
	}
	// In the mask a word takes the place of code: its marks end no sentence.
	var text, mask strings.Builder
	write := func(s string, code bool) {
		text.WriteString(s)
		if code {
			s = strings.Repeat("x", len(s))
		}
		mask.WriteString(s)
	}
	// The walker only fails where its function does.
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.AutoLink:
			write(string(n.Label(p.source)), true)
		case *ast.Text:
			_, code := n.Parent().(*ast.CodeSpan)
			write(string(n.Value(p.source)), code)
			if n.SoftLineBreak() || n.HardLineBreak() {
				write(" ", code)
			}
		}
		return ast.WalkContinue, nil
	})
	return text.String(), sentencesOf(mask.String())
}

// sentencesOf takes a text apart. A sentence ends with 。！？, or with . ! ? before a blank or the end; quotation marks and
// brackets may close in between. Words after the last end are a sentence, too.
func sentencesOf(text string) (all []sentence) {
	const ends, closers = ".!?。！？", `"'”’)）」』]`
	from, words := 0, false // since the last end
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		at += size
		if !strings.ContainsRune(ends, r) {
			words = words || unicode.IsLetter(r) || unicode.IsDigit(r)
			continue
		}
		after := strings.TrimLeft(text[at:], closers)
		next, _ := utf8.DecodeRuneInString(after)
		if !words || r < unicode.MaxASCII && after != "" && !unicode.IsSpace(next) {
			continue
		}
		at = len(text) - len(after)
		all = append(all, sentence{from, at, r == '?' || r == '？'})
		from, words = at, false
	}
	if words {
		all = append(all, sentence{from, len(text), false})
	}
	return all
}

var (
	endOfBlock = regexp.MustCompile(`</(p|li|td|th|tr|h\d|pre|blockquote)>`)
	tag        = regexp.MustCompile(`<[^>]*>`)
)

// shown returns the text of HTML as a reader sees it, a line for each block.
func shown(text string) string {
	return html.UnescapeString(tag.ReplaceAllString(endOfBlock.ReplaceAllString(text, "\n"), ""))
}

// saidIn returns the sentences of HTML.
func saidIn(text string) (all []string) {
	for block := range strings.Lines(shown(text)) {
		for _, s := range sentencesOf(block) {
			all = append(all, strings.TrimSpace(block[s.from:s.to]))
		}
	}
	return all
}

// length returns how much there is to read in HTML: words or, in Chinese, characters.
func length(text string, in lang.Language) (n int) {
	for _, word := range strings.Fields(shown(text)) {
		switch {
		case in == lang.Chinese:
			n += len([]rune(word))
		case strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
			n++
		}
	}
	return n
}

// wordsOf returns the words of a text in small letters. Chinese has no blanks: each two characters side by side are one.
func wordsOf(text string, in lang.Language) (all []string) {
	part := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '-' || r == '\'' || r == '’'
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !part(r) }) {
		var han []rune
		other := ""
		flush := func() {
			other = strings.Trim(other, ".-'’")
			if other, _, _ = strings.Cut(strings.ReplaceAll(other, "’", "'"), "'s"); other != "" { // C1's: C1
				all = append(all, other)
			}
			for i := range len(han) - 1 {
				all = append(all, string(han[i:i+2]))
			}
			if len(han) == 1 {
				all = append(all, string(han))
			}
			other, han = "", nil
		}
		for _, r := range word {
			isHan := unicode.Is(unicode.Han, r)
			if isHan && other != "" || !isHan && len(han) > 0 {
				flush()
			}
			if isHan {
				han = append(han, r)
			} else {
				other += string(r)
			}
		}
		flush()
	}
	return all
}

// common are words that say little about an answer.
var common = strings.Fields("a an the it its is are was be been has have had do does did to of in on at by for from and or that this then there with as both each will would can could may also too so still they them he she who which what when where 的 了 它 会 是 在 也 还 就 都 和")

// contentOf returns the words that carry a text's meaning.
func contentOf(text string, in lang.Language) []string {
	return slices.DeleteFunc(wordsOf(text, in), func(word string) bool { return slices.Contains(common, word) })
}

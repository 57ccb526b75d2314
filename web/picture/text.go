package picture

import (
	"embed"
	"image/color"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// The fonts hold the letters of Latin, Greek and Cyrillic, and the Chinese of the site and of its course.
//
//go:embed fonts
var fontFiles embed.FS

// A face is a font for code or for reading, in one of two weights.
type face struct{ mono, bold bool }

// fonts returns the fonts of a face: each letter is of the first one that has it.
func (f face) fonts() []*sfnt.Font { return faces()[f] }

var faces = sync.OnceValue(func() map[face][]*sfnt.Font {
	load := func(name string) *sfnt.Font {
		content, err := fontFiles.ReadFile("fonts/" + name)
		if err != nil {
			panic(err) // it is in the binary
		}
		f, err := sfnt.Parse(content)
		if err != nil {
			panic(err) // a test reads it
		}
		return f
	}
	all := map[face][]*sfnt.Font{}
	for weight, bold := range map[string]bool{"Regular": false, "Bold": true} {
		ui, mono, chinese := load("Inter-"+weight+".otf"), load("JetBrainsMono-"+weight+".ttf"), load("NotoSansSC-"+weight+".otf")
		all[face{false, bold}] = []*sfnt.Font{ui, chinese, mono}
		all[face{true, bold}] = []*sfnt.Font{mono, chinese, ui}
	}
	return all
})

// A letter is a glyph in its font. Its methods are for one goroutine, whose buffer it has.
type letter struct {
	font   *sfnt.Font
	glyph  sfnt.GlyphIndex
	buffer *sfnt.Buffer
}

// letters returns the letters of a text. A stretch that no font has becomes an ellipsis, so a box never shows.
func (f face) letters(text string) (all []letter) {
	b, lost := &sfnt.Buffer{}, false
	for _, r := range text {
		l, ok := f.letter(r, b)
		if !ok && (lost || unicode.Is(unicode.M, r)) {
			continue
		}
		if lost = !ok; lost {
			l, _ = f.letter('…', b)
		}
		all = append(all, l)
	}
	return all
}

func (f face) letter(r rune, b *sfnt.Buffer) (letter, bool) {
	for _, one := range f.fonts() {
		if i, err := one.GlyphIndex(b, r); err == nil && i != 0 {
			return letter{one, i, b}, true
		}
	}
	return letter{}, false
}

// writes reports whether the fonts have every letter of a text.
func (f face) writes(text string) bool {
	b := &sfnt.Buffer{}
	for _, r := range text {
		if _, ok := f.letter(r, b); !ok {
			return false
		}
	}
	return true
}

func (l letter) advance(size float64) float64 {
	a, err := l.font.GlyphAdvance(l.buffer, l.glyph, fixed.Int26_6(size*64), font.HintingNone)
	if err != nil {
		return 0 // a damaged glyph takes no place
	}
	return float64(a) / 64
}

// width returns the width of a text in a size, px.
func (f face) width(text string, size float64) (width float64) {
	for _, l := range f.letters(text) {
		width += l.advance(size)
	}
	return width
}

// mostLetters is more than a card has room for. Breaking a text into lines takes the square of its length.
const mostLetters = 300

// brief returns as many letters of a text as anybody may see on a card.
func brief(text string) string {
	n := 0
	for i := range text {
		if n++; n > mostLetters {
			return text[:i]
		}
	}
	return text
}

// fit returns as much of a text as has room on one line.
func (f face) fit(text string, size, room float64) string {
	text = brief(text)
	if f.width(text, size) <= room {
		return text
	}
	for text != "" {
		_, last := utf8.DecodeLastRuneInString(text)
		text = strings.TrimRight(text[:len(text)-last], " ,.:;，。：；、")
		if f.width(text+"…", size) <= room {
			break
		}
	}
	return text + "…"
}

// lines breaks a text into at most some lines; the last ends in an ellipsis where more would follow.
func (f face) lines(text string, size, room float64, most int) (lines []string) {
	line := ""
	for rest := pieces(brief(text)); len(rest) > 0; rest = rest[1:] {
		if line != "" && f.width(line+strings.TrimRight(rest[0], " "), size) > room {
			if len(lines) == most-1 {
				line += strings.Join(rest, "")
				break
			}
			lines, line = append(lines, strings.TrimSpace(line)), ""
		}
		line += rest[0]
	}
	return append(lines, f.fit(strings.TrimSpace(line), size, room))
}

// pieces splits a text where a line may end: after a space, and beside a Chinese character, if no punctuation follows.
func pieces(text string) (all []string) {
	begun, before := 0, rune(0)
	for i, r := range text {
		wide := unicode.Is(unicode.Han, before) || unicode.Is(unicode.Han, r) || strings.ContainsRune("，。：；、）》”！？", before)
		if i > 0 && r != ' ' && (before == ' ' || wide && !strings.ContainsRune("，。：；、）》”！？", r) && !strings.ContainsRune("（《“", before)) {
			all, begun = append(all, text[begun:i]), i
		}
		before = r
	}
	return append(all, text[begun:])
}

// text writes a laid-out text.
func (p *pen) text(s shape, l look) {
	f := face{l.mono, l.bold}
	x := s.X
	switch s.Anchor {
	case "middle":
		x -= f.width(s.Text, l.size) / 2
	case "end":
		x -= f.width(s.Text, l.size)
	}
	if l.haloed && l.stroke != nil {
		halo := l
		halo.fill, halo.round = nil, true
		p.glyphs(s.Text, f, x, s.Y, l.size)
		p.paint(halo)
	}
	l.stroke = nil
	p.glyphs(s.Text, f, x, s.Y, l.size)
	p.paint(l)
}

// write writes a line of the card itself.
func (p *pen) write(f face, text string, x, y, size float64, ink color.Color) {
	p.glyphs(text, f, x, y, size)
	p.paint(look{fill: ink, opacity: 1})
}

// glyphs adds the outlines of a text to the path.
func (p *pen) glyphs(text string, f face, x, y, size float64) {
	for _, l := range f.letters(text) {
		segments, err := l.font.LoadGlyph(l.buffer, l.glyph, fixed.Int26_6(size*p.factor*64), nil)
		if err != nil {
			continue // a damaged glyph is not seen
		}
		at := func(point fixed.Point26_6) (float64, float64) {
			return p.left + x*p.factor + float64(point.X)/64, p.top + y*p.factor + float64(point.Y)/64
		}
		for _, s := range segments {
			toX, toY := at(s.Args[0])
			switch s.Op {
			case sfnt.SegmentOpMoveTo:
				p.ClosePath()
				p.MoveTo(toX, toY)
			case sfnt.SegmentOpLineTo:
				p.LineTo(toX, toY)
			case sfnt.SegmentOpQuadTo:
				endX, endY := at(s.Args[1])
				p.QuadraticTo(toX, toY, endX, endY)
			case sfnt.SegmentOpCubeTo:
				x2, y2 := at(s.Args[1])
				endX, endY := at(s.Args[2])
				p.CubicTo(toX, toY, x2, y2, endX, endY)
			}
		}
		p.ClosePath()
		x += l.advance(size)
	}
}

package picture

import (
	"encoding/json"
	"image/png"
	"math"
	"slices"
	"strings"
)

// Width and Height are those of a card, px.
const (
	Width  = 1200
	Height = 630
)

// A Card is the picture of a link.
type Card struct {
	Dark     bool
	Kind     string   // of the page: a lesson, a run
	Titles   []string // the first one that the fonts can write; the last one they can
	Sentence string
	Stamp    string // the verdict in a word or two; empty: none
	Holds    bool   // the verdict is good
	Address  string

	Depths []int64 // the states of a search by depth, which a card without a timeline shows; none: it shows the mark

	Events []json.RawMessage // of the run, at most MostEvents; none: the card has no timeline
	Words  map[string]any    // of the timeline
}

const (
	edge   = 56.0
	stage  = 196.0 // where the timeline begins
	tall   = 360.0 // and how high it is
	bottom = 602.0 // the baseline of the foot
)

var (
	plain = face{}
	bold  = face{bold: true}
	code  = face{mono: true}
)

// PNG draws the card. A run that cannot be laid out leaves the card alone.
func (c Card) PNG() []byte {
	in := themeOf(c.Dark)
	p := newPen(Width, Height, in["surface"])
	if run, err := c.layOut(); err == nil {
		c.timeline(p, in, run)
		c.says(p, in, besideTimeline)
	} else {
		if len(c.Depths) > 0 {
			c.shape(p, in)
		} else {
			p.at(Width-edge-208, 176, 208.0/markSide).mark(in)
		}
		c.says(p, in, alone)
	}
	c.foot(p, in)
	return p.png(png.BestSpeed)
}

// A place is where the words of a card stand, and how large they are.
type place struct {
	top, right, stamp, title, sentence float64
	lines                              [2]int // of the title and of the sentence, at most
}

var (
	besideTimeline = place{top: 50, right: Width - edge, stamp: 50, title: 46, sentence: 25, lines: [2]int{1, 2}}
	alone          = place{top: 150, stamp: 72, right: Width - 2*edge - 260, title: 72, sentence: 32, lines: [2]int{3, 4}}
)

// says writes what the link leads to, and the verdict.
func (c Card) says(p *pen, in theme, at place) {
	room, y := at.right-edge, at.top
	beside := room // of the stamp, which stands above the sentence
	if c.Stamp != "" {
		beside = min(room, c.stamp(p, in, at.stamp)-edge/2-edge)
	}
	p.write(plain, plain.fit(c.Kind, 24, beside), edge, y, 24, in["ink-quiet"])
	size := at.title
	lines := bold.lines(c.title(), size, beside, at.lines[0])
	for strings.HasSuffix(lines[len(lines)-1], "…") && size > 0.7*at.title {
		size -= 2
		lines = bold.lines(c.title(), size, beside, at.lines[0])
	}
	y += 6
	for _, line := range lines {
		y += size * 1.16
		p.write(bold, line, edge-size*0.05, y, size, in["ink"])
	}
	y += 0.16 * at.title
	for _, line := range plain.lines(c.Sentence, at.sentence, room, at.lines[1]) {
		y += at.sentence * 1.36
		p.write(plain, line, edge, y, at.sentence, in["ink"])
	}
}

// title returns the first title that the fonts can write.
func (c Card) title() string {
	for _, t := range c.Titles {
		if bold.writes(t) {
			return t
		}
	}
	return "Lockstep"
}

// stamp draws the verdict at the right edge, and returns where it begins.
func (c Card) stamp(p *pen, in theme, y float64) float64 {
	const size, pad = 40, 22
	words := strings.ToUpper(c.Stamp)
	ink := in["violation-ink"]
	if c.Holds {
		ink = in["accent"]
	}
	width := bold.width(words, size) + 2*pad
	left := Width - edge - width
	p.Push()
	p.RotateAbout(-0.035, left+width/2, y+22)
	p.box(left, y-16, width, 72, 14)
	p.paint(look{stroke: ink, width: 6, opacity: 1})
	p.write(bold, words, left+pad, y+35, size, ink)
	p.Pop()
	return left
}

// timeline draws the run over the whole width.
func (c Card) timeline(p *pen, in theme, run laid) {
	on := p.at(edge/2, stage+max(0, tall-run.Height)/2, run.Factor)
	c.draw(on.at(on.left-run.From*run.Factor, on.top, run.Factor), run.Groups, in)
	p.SetColor(in["surface"])
	p.DrawRectangle(0, stage, edge/2, tall) // what is older than the window
	p.Fill()
	c.draw(on, run.Heads, in)
}

func (c Card) draw(on *pen, groups []group, in theme) {
	rules := timeline()
	for _, g := range groups {
		for i, l := range rules.dressed(g, in) {
			on.draw(g.Shapes[i], l)
		}
	}
}

// shape draws a search as wide, at each depth, as the root of its states there.
func (c Card) shape(p *pen, in theme) {
	const wide, top, high, rows = 260.0, 164.0, 370.0, 48
	per := (len(c.Depths) + rows - 1) / rows // depths to a row
	var sums []float64
	most := 0.0
	for row := range slices.Chunk(c.Depths, per) {
		sum := 0.0
		for _, n := range row {
			sum += float64(n)
		}
		sums, most = append(sums, sum), max(most, sum)
	}
	step := min(high/float64(len(sums)), 16)
	y := top + (high-step*float64(len(sums)))/2
	for _, n := range sums {
		width := 4 + math.Sqrt(n/most)*(wide-4)
		p.box(Width-edge-wide/2-width/2, y, width, step*0.7, step*0.35)
		p.paint(look{fill: in["hold"], opacity: 0.3 + 0.7*n/most})
		y += step
	}
}

// foot has the mark, the name and the address.
func (c Card) foot(p *pen, in theme) {
	p.SetColor(in["surface"])
	p.DrawRectangle(0, stage+tall, Width, Height-stage-tall)
	p.Fill()
	p.at(edge, bottom-29, 36.0/markSide).mark(in)
	p.write(bold, "Lockstep", edge+48, bottom, 28, in["ink"])
	room := Width - 2*edge - 260
	address := code.fit(c.Address, 22, room)
	p.write(code, address, Width-edge-code.width(address, 22), bottom, 22, in["ink-quiet"])
}

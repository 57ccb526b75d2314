package picture

import (
	"image"
	"image/color"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"git.sr.ht/~sbinet/gg"
)

// A pen draws on a canvas whose px are those of a plan, moved and enlarged.
type pen struct {
	*gg.Context
	left, top, factor float64
}

func newPen(width, height int, ground color.Color) *pen {
	p := &pen{Context: gg.NewContextForRGBA(image.NewRGBA(image.Rect(0, 0, width, height))), factor: 1}
	p.SetColor(ground)
	p.Clear()
	return p
}

// at returns a pen whose px begin somewhere on this one's canvas.
func (p *pen) at(left, top, factor float64) *pen { return &pen{p.Context, left, top, factor} }

func (p *pen) move(x, y float64) { p.MoveTo(p.left+x*p.factor, p.top+y*p.factor) }
func (p *pen) line(x, y float64) { p.LineTo(p.left+x*p.factor, p.top+y*p.factor) }
func (p *pen) curve(x1, y1, x2, y2, x, y float64) {
	p.CubicTo(p.left+x1*p.factor, p.top+y1*p.factor, p.left+x2*p.factor, p.top+y2*p.factor, p.left+x*p.factor, p.top+y*p.factor)
}
func (p *pen) box(x, y, width, height, r float64) {
	p.DrawRoundedRectangle(p.left+x*p.factor, p.top+y*p.factor, width*p.factor, height*p.factor, min(r, width/2, height/2)*p.factor)
}

// paint fills and strokes the path.
func (p *pen) paint(l look) {
	if l.fill != nil {
		p.SetColor(faded(l.fill, l.opacity))
		p.FillPreserve()
	}
	if l.stroke != nil && l.width > 0 {
		p.SetColor(faded(l.stroke, l.opacity))
		p.SetLineWidth(l.width * p.factor)
		dash := make([]float64, len(l.dash))
		for i, n := range l.dash {
			dash[i] = n * p.factor
		}
		p.SetDash(dash...)
		p.SetLineCap(gg.LineCapButt)
		p.SetLineJoin(gg.LineJoinBevel)
		if l.round {
			p.SetLineCap(gg.LineCapRound)
			p.SetLineJoin(gg.LineJoinRound)
		}
		p.StrokePreserve()
	}
	p.ClearPath()
}

// faded returns a colour with an opacity.
func faded(c color.Color, opacity float64) color.Color {
	n := color.NRGBAModel.Convert(c).(color.NRGBA)
	n.A = uint8(math.Round(float64(n.A) * opacity))
	return n
}

// draw draws a laid-out shape.
func (p *pen) draw(s shape, l look) {
	if l.hidden {
		return
	}
	if s.Opacity != nil {
		l.opacity *= *s.Opacity
	}
	switch s.Kind {
	case "rect":
		p.box(s.X, s.Y, s.Width, s.Height, s.RX)
	case "line":
		p.move(s.X1, s.Y1)
		p.line(s.X2, s.Y2)
		l.fill = nil
	case "circle":
		p.DrawCircle(p.left+s.CX*p.factor, p.top+s.CY*p.factor, s.R*p.factor)
	case "path":
		p.path(s.D)
	case "text":
		p.text(s, l)
		return
	}
	p.paint(l)
}

var (
	command  = regexp.MustCompile(`([a-zA-Z])([^a-zA-Z]*)`)
	operands = regexp.MustCompile(`-?[0-9]*\.?[0-9]+(?:e-?[0-9]+)?`)
)

// operandsOf are how many numbers each command of a path takes.
var operandsOf = map[string]int{"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "A": 7, "Z": 0}

// path adds the path of an SVG. Its arcs are half circles.
func (p *pen) path(d string) {
	var x, y, fromX, fromY float64
	for _, c := range command.FindAllStringSubmatch(d, -1) {
		name, n := strings.ToUpper(c[1]), numbers(c[2])
		of := operandsOf[name]
		if name == "Z" {
			p.ClosePath()
			x, y = fromX, fromY
		}
		for ; of > 0 && len(n) >= of; n = n[of:] {
			var baseX, baseY float64
			if unicode.IsLower(rune(c[1][0])) {
				baseX, baseY = x, y
			}
			toX, toY := baseX+n[max(0, of-2)], baseY+n[of-1]
			switch name {
			case "H":
				toY = y
			case "V":
				toX = x
			}
			switch name {
			case "M":
				p.move(toX, toY)
				fromX, fromY = toX, toY
				name = "L" // more numbers are lines
			case "C":
				p.curve(baseX+n[0], baseY+n[1], baseX+n[2], baseY+n[3], toX, toY)
			case "A":
				bulge := 4.0 / 3 * math.Copysign(n[0], x-toX)
				p.curve(x, y+bulge, toX, toY+bulge, toX, toY)
			default:
				p.line(toX, toY)
			}
			x, y = toX, toY
		}
	}
}

func numbers(text string) (all []float64) {
	for _, word := range operands.FindAllString(text, -1) {
		if n, err := strconv.ParseFloat(word, 64); err == nil {
			all = append(all, n)
		}
	}
	return all
}

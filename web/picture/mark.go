package picture

import (
	"bytes"
	"encoding/binary"
	"encoding/xml"
	"fmt"
	"image/color"
	"image/png"
	"strings"
	"sync"

	"lockstep/views"
)

// markSide is the side of the mark's square, in its own px.
const markSide = 32

// markShapes are the shackle and the body of the site's one drawing of its mark.
var markShapes = sync.OnceValue(func() (shapes [2]shape) {
	var svg struct {
		Path struct {
			D string `xml:"d,attr"`
		} `xml:"path"`
		Rect struct {
			X      float64 `xml:"x,attr"`
			Y      float64 `xml:"y,attr"`
			Width  float64 `xml:"width,attr"`
			Height float64 `xml:"height,attr"`
			RX     float64 `xml:"rx,attr"`
		} `xml:"rect"`
	}
	if err := xml.Unmarshal([]byte(views.SiteMark), &svg); err != nil {
		panic(err) // it is in the binary
	}
	r := svg.Rect
	return [2]shape{{Kind: "path", D: svg.Path.D}, {Kind: "rect", X: r.X, Y: r.Y, Width: r.Width, Height: r.Height, RX: r.RX}}
})

// mark draws the mark.
func (p *pen) mark(in theme) {
	p.draw(markShapes()[0], look{stroke: in["hold"], width: 3, round: true, opacity: 1})
	p.draw(markShapes()[1], look{fill: in["ink"], opacity: 1})
}

// Favicon returns the mark as an SVG with a style by which it follows the theme of the browser that shows it.
func Favicon() (svg []byte, style string) {
	in := themeOf(true)
	style = fmt.Sprintf("@media (prefers-color-scheme: dark) { .mark-shackle { stroke: %s; } .mark-body { fill: %s; } }", css(in["hold"]), css(in["ink"]))
	return []byte(strings.Replace(views.SiteMark, "<path", "<style>"+style+"</style><path", 1)), style
}

func css(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }

// TouchIcon returns the mark as a square PNG for the screen of a phone, which rounds it.
func TouchIcon() []byte { return tile(180, 0) }

// Icon returns the mark as an ICO for browsers that know no other. It is a tile, because it cannot follow a theme.
func Icon() []byte {
	sizes := []int{16, 32, 48}
	var head, images bytes.Buffer
	put := func(values ...any) {
		for _, v := range values {
			if err := binary.Write(&head, binary.LittleEndian, v); err != nil {
				panic(err) // it is written to memory
			}
		}
	}
	put(uint16(0), uint16(1), uint16(len(sizes)))
	for _, size := range sizes {
		image := tile(size, float64(size)/5)
		put(uint8(size), uint8(size), uint16(0), uint16(1), uint16(32), uint32(len(image)), uint32(6+16*len(sizes)+images.Len()))
		images.Write(image)
	}
	return append(head.Bytes(), images.Bytes()...)
}

// tile draws the mark on a dark square.
func tile(side int, r float64) []byte {
	in := themeOf(true)
	p := newPen(side, side, color.Transparent)
	size := float64(side)
	p.box(0, 0, size, size, r)
	p.paint(look{fill: in["surface"], opacity: 1})
	p.at(size*0.14, size*0.14, size*0.72/markSide).mark(in)
	return p.png(png.BestCompression)
}

// png returns what the pen has drawn.
func (p *pen) png(level png.CompressionLevel) []byte {
	var b bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: level}).Encode(&b, p.Image()); err != nil {
		panic(err) // it is written to memory
	}
	return b.Bytes()
}

package e2e

import (
	"bytes"
	"cmp"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/png"
	"maps"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/chromedp/chromedp"
)

var rewrite = flag.Bool("rewrite", false, "film the picture of the README again")

// The picture of the README, and the most bytes that it may have.
const (
	readmePicture = "../../.github/lockstep.gif"
	mostPicture   = 400_000
)

// frameTime is how long a frame of the film lasts, in hundredths of a second.
const frameTime = 10

// handClock replaces the clock of a page: advance(ms) shows the next frame, so a film has the same frames on every machine.
const handClock = `(() => {
	let now = 0, asked = 0;
	const frames = new Map();
	performance.now = () => now;
	window.requestAnimationFrame = (f) => frames.set(++asked, f) && asked;
	window.cancelAnimationFrame = (n) => frames.delete(n);
	window.advance = (ms) => {
		now += ms;
		const due = [...frames.values()];
		frames.clear();
		for (const f of due) f(now);
	};
})()`

// A reader of the README sees a lock break: the home page, in which two clients find an expired lock and both delete it.
//
//	go test ./web/e2e -run TheReadme -rewrite
func TestTheReadmeHasAPictureThatMoves(t *testing.T) {
	if *rewrite {
		must(t, os.WriteFile(readmePicture, filmed(t), 0o644))
	}
	data := try(os.ReadFile(readmePicture)).orFail(t)
	film := try(gif.DecodeAll(bytes.NewReader(data))).orFail(t)
	if len(data) > mostPicture {
		t.Errorf("the picture has %d bytes, more than %d", len(data), mostPicture)
	}
	if len(film.Image) < 20 || film.LoopCount != 0 {
		t.Errorf("the picture has %d frames and loops %d times, want at least 20 and forever", len(film.Image), film.LoopCount)
	}
	readme := try(os.ReadFile("../../README.md")).orFail(t)
	if !bytes.Contains(readme, []byte("(.github/lockstep.gif)")) {
		t.Error("the README does not show its picture")
	}
}

// filmed returns the film: C3 crashes with the lock, four presses break it, and the arrow runs back to the guilty command.
func filmed(t *testing.T) []byte {
	b := open(t)
	b.sized(1280, 640)
	b.begins(handClock)
	b.visit("/?lang=en&theme=light")
	var f film
	still := func(hundredths int) { f.add(b.frame(), hundredths) }
	moves := func() {
		for range 250 {
			value[any](b, "advance("+strconv.Itoa(10*frameTime)+")")
			f.add(b.frame(), frameTime)
			if !value[bool](b, `document.querySelector("#home").classList.contains("arriving")`) {
				return
			}
		}
		t.Fatal("the motion does not end")
	}
	moves()
	f = film{}
	still(200)
	for _, client := range []string{"C3", "C3", "time", "C1", "C1", "C2", "C2"} {
		value[any](b, `document.querySelector("#press-`+client+`").click()`)
		moves()
		still(90)
	}
	still(200)
	value[any](b, `document.querySelector("[data-goes=why]").click()`)
	moves()
	still(400)
	return f.encode(t)
}

// frame returns what the window shows above the lessons.
func (b *browser) frame() image.Image {
	b.Helper()
	data := try(chromedp.Run(b.ctx, chromedp.CaptureScreenshot())).orFail(b)
	picture := try(png.Decode(bytes.NewReader(data))).orFail(b)
	bounds := picture.Bounds()
	bounds.Max.Y = value[int](b, `Math.floor(document.querySelector("#home").getBoundingClientRect().bottom)`)
	return picture.(interface {
		SubImage(image.Rectangle) image.Image
	}).SubImage(bounds)
}

// A film is frames, each with how long it lasts, in hundredths of a second.
type film struct {
	frames []*image.RGBA
	delays []int
}

// add appends a frame, or lets the last one last longer when nothing has changed.
func (f *film) add(picture image.Image, hundredths int) {
	frame := image.NewRGBA(picture.Bounds())
	draw.Draw(frame, frame.Bounds(), picture, image.Point{}, draw.Src)
	if n := len(f.frames); n > 0 && bytes.Equal(f.frames[n-1].Pix, frame.Pix) {
		f.delays[n-1] += hundredths
		return
	}
	f.frames, f.delays = append(f.frames, frame), append(f.delays, hundredths)
}

// encode writes each frame as the part of the window that differs from the frame before; what is alike inside is transparent.
func (f *film) encode(t *testing.T) []byte {
	palette := f.palette()
	size := f.frames[0].Rect
	encoded := gif.GIF{Config: image.Config{Width: size.Dx(), Height: size.Dy(), ColorModel: palette}, Delay: f.delays}
	before := image.NewPaletted(size, palette) // transparent
	nearest := map[color.RGBA]uint8{}
	for _, frame := range f.frames {
		now, news := image.NewPaletted(size, palette), image.NewPaletted(size, palette)
		var part image.Rectangle
		for y := range size.Dy() {
			for x := range size.Dx() {
				c := frame.RGBAAt(x, y)
				index, known := nearest[c]
				if !known {
					index = uint8(1 + palette[1:].Index(c))
					nearest[c] = index
				}
				now.SetColorIndex(x, y, index)
				if index != before.ColorIndexAt(x, y) {
					news.SetColorIndex(x, y, index)
					part = part.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		encoded.Image = append(encoded.Image, news.SubImage(part).(*image.Paletted))
		before = now
	}
	encoded.Disposal = slices.Repeat([]byte{gif.DisposalNone}, len(f.frames))
	var out bytes.Buffer
	must(t, gif.EncodeAll(&out, &encoded))
	return out.Bytes()
}

// palette returns transparency and the most frequent colours that differ: few colours compress well.
func (f *film) palette() color.Palette {
	const most, apart = 22, 24
	count := map[color.RGBA]int{}
	for _, frame := range f.frames {
		for i := 0; i < len(frame.Pix); i += 4 {
			count[color.RGBA{frame.Pix[i], frame.Pix[i+1], frame.Pix[i+2], 255}]++
		}
	}
	number := func(c color.RGBA) int { return int(c.R)<<16 | int(c.G)<<8 | int(c.B) }
	frequent := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int { return cmp.Or(count[b]-count[a], number(a)-number(b)) })
	palette := color.Palette{color.RGBA{}}
	for _, c := range frequent {
		near := slices.ContainsFunc(palette[1:], func(other color.Color) bool {
			o := other.(color.RGBA)
			return distance(c.R, o.R)+distance(c.G, o.G)+distance(c.B, o.B) < apart
		})
		if !near && len(palette) < most {
			palette = append(palette, c)
		}
	}
	return palette
}

func distance(a, b uint8) int { return int(max(a, b) - min(a, b)) }

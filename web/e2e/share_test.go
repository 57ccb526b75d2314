package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/xml"
	"fmt"
	"image"
	"image/color"
	_ "image/png"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"lockstep/engine/testtools"
)

// keepSaved keeps each file that the page saves where a test finds it, with its name.
const keepSaved = `(() => {
	window.saved = [];
	const made = window.madeURL ??= URL.createObjectURL;
	URL.createObjectURL = (blob) => (window.saved.push({ blob }), made.call(URL, blob));
	HTMLAnchorElement.prototype.click = function () { window.saved.at(-1).name = this.download; };
})() ?? 0`

// drop lets go of a file over the page, as a hand would.
const drop = `((file) => {
	const data = new DataTransfer();
	data.items.add(file);
	for (const type of ["dragenter", "dragover", "drop"]) {
		document.querySelector("main").dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
	}
	return 0;
})`

// scenarioOf is an expression for the text of the run that the page shows.
func (b *browser) scenario() string {
	b.Helper()
	text := value[string](b, `fetch(location.pathname + ".txt").then((answer) => answer.text())`)
	return text
}

// arrive waits until the page of another run is there.
func (b *browser) arrive(from string) {
	b.Helper()
	b.until(fmt.Sprintf(`location.pathname !== %q && location.pathname.includes("/t/") && document.querySelector("#timeline.timeline")`, from))
}

// opened makes a run of a text, and returns its path.
func (b *browser) opened(text string) string {
	b.Helper()
	path, _, _ := strings.Cut(b.leads("/runs", url.Values{"scenario": {text}}), "?") // at its end
	return path
}

// saved returns the picture that the page saves, and its name.
func (b *browser) saved(kind string) (content []byte, name string) {
	b.Helper()
	value[int](b, keepSaved)
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#share").open = true`))
	b.press("#share-" + kind)
	b.until("window.saved[0]?.name")
	text := value[string](b, `new Promise((done) => {
		const reader = new FileReader();
		reader.onload = () => done(reader.result.split(",")[1]);
		reader.readAsDataURL(window.saved[0].blob);
	})`)
	content = try(base64.StdEncoding.DecodeString(text)).orFail(b)
	if dir := os.Getenv("E2E_SHOTS"); dir != "" {
		file := strings.ReplaceAll(b.Name(), "/", "-") + "." + kind
		must(b, os.WriteFile(filepath.Join(dir, file), content, 0o644))
	}
	return content, value[string](b, "window.saved[0].name")
}

// A saved picture becomes the run again when it is dropped on a page.
func fileIsTheRun(b *browser) {
	b.Helper()
	b.sized(1440, 900)
	b.visit(emptyRun())
	b.chooses("del-setnx")
	for _, id := range race {
		b.click(id)
	}
	text := b.scenario()
	for _, kind := range []string{"svg", "png"} {
		content, name := b.saved(kind)
		if !strings.HasPrefix(name, "lockstep-") || !strings.HasSuffix(name, "."+kind) {
			b.Errorf("the picture is saved as %q", name)
		}
		for _, page := range []string{"", "/", "/p"} {
			if page != "" {
				b.goTo(page)
				b.until(`document.querySelector("#share-drop") && document.readyState === "complete"`)
			}
			from := value[string](b, "location.pathname")
			b.drop(content, "renamed.bin")
			b.arrive(from)
			same(b, b.scenario(), text, kind, page)
			b.has(`document.querySelector("#position").value`, strings.Count(text, "\n")) // where it was saved
			b.mustContain("#timeline", "2 holders: C2 + C3")
		}
	}
}

// A picture shows the whole run, not only the part in view, and stands on its own: it has
// no class and no script, loads nothing, and keeps the colours and hatches of the page.
func TestPictureStandsOnItsOwn(t *testing.T) {
	race := try(os.ReadFile("../../engine/testdata/del-setnx-race.lock")).orFail(t)
	for _, look := range []struct {
		name, lang, scheme string
		width, height      int64
		upright            bool
		ground, hold       color.RGBA
	}{
		{"light", "en", "light", 1440, 900, false, color.RGBA{251, 250, 247, 255}, color.RGBA{0, 114, 178, 255}},
		{"dark", "zh", "dark", 1440, 900, false, color.RGBA{16, 20, 24, 255}, color.RGBA{86, 180, 233, 255}},
		{"phone", "zh", "light", 390, 844, true, color.RGBA{251, 250, 247, 255}, color.RGBA{0, 114, 178, 255}},
	} {
		t.Run(look.name, func(t *testing.T) {
			b := open(t)
			b.sized(look.width, look.height)
			b.prefers("prefers-color-scheme: " + look.scheme)
			b.visit(b.opened(string(race)) + "?lang=" + look.lang)
			svg, _ := b.saved("svg")
			for _, forbidden := range []string{"class=", "style=", "href", "url(", "var(", "light-dark", "<script"} {
				if strings.Contains(string(svg), forbidden) {
					t.Errorf("the picture contains %q", forbidden)
				}
			}
			for _, wanted := range []string{
				`xmlns="http://www.w3.org/2000/svg"`, "<metadata><scenario ", "SETNX", ">#1<", ">#9<", "lock.foo",
				map[string]string{"en": "2 holders: C1 + C2", "zh": "2 个持有者：C1 + C2"}[look.lang],
				">Lockstep</text>", ">" + strings.TrimSuffix(value[string](b, "document.title"), " – Lockstep") + "</text>", ">" + value[string](b, "location.origin + location.pathname") + "</text>",
				fmt.Sprintf(`fill="rgb(%d, %d, %d)"`, look.hold.R, look.hold.G, look.hold.B),
			} {
				if !strings.Contains(string(svg), wanted) {
					t.Errorf("the picture lacks %q", wanted)
				}
			}
			var size struct {
				Width  int `xml:"width,attr"`
				Height int `xml:"height,attr"`
			}
			if err := xml.Unmarshal(svg, &size); err != nil {
				t.Fatalf("the picture is no XML: %v", err)
			}
			if upright := size.Height > size.Width; upright != look.upright {
				t.Errorf("the picture is %d × %d", size.Width, size.Height)
			}

			png, _ := b.saved("png")
			picture, _, err := image.Decode(bytes.NewReader(png))
			if err != nil {
				t.Fatal(err)
			}
			same(t, picture.Bounds().Size(), (image.Point{2 * size.Width, 2 * size.Height}), "the PNG is")

			// The SVG alone, from a disk, is the very same picture.
			file := filepath.Join(t.TempDir(), "picture.svg")
			must(t, os.WriteFile(file, svg, 0o644))
			b.do(chromedp.EmulateViewport(int64(size.Width), int64(size.Height)), chromedp.Navigate("file://"+file))
			alone := b.pixels()
			if ground := alone.At(1, 1); ground != look.ground {
				t.Errorf("the ground is %v, want %v", ground, look.ground)
			}
			for name, picture := range map[string]image.Image{"SVG": alone, "PNG": picture} {
				if share := shareOf(picture, look.hold); share < 0.003 || share > 0.2 {
					t.Errorf("%.4f of the %s has the colour of a critical section", share, name)
				}
			}
			b.atMost(`performance.getEntriesByType("resource").length`, 0)
		})
	}
}

// A run of 2,000 events becomes a picture too, as sharp as a canvas can be. The page says
// when a run is too long for one.
func TestLongRunBecomesAPicture(t *testing.T) {
	testtools.Exhaustive(t, "it draws a picture of 2,000 events")
	b := open(t)
	b.sized(1440, 900)
	run := crowded(t)
	text := run.Scenario().String()
	b.visit(b.opened(text))
	svg, _ := b.saved("svg")
	executed := 0
	for _, e := range run.World().Events() {
		if e.Execution != nil && e.Kind == "deliver" {
			executed++
		}
	}
	for _, order := range []int{1, executed / 2, executed} {
		if !strings.Contains(string(svg), fmt.Sprintf(">#%d<", order)) {
			t.Errorf("the picture lacks #%d of %d", order, executed)
		}
	}
	png, _ := b.saved("png")
	picture, _, err := image.Decode(bytes.NewReader(png))
	if err != nil {
		t.Fatal(err)
	}
	size := picture.Bounds().Size()
	t.Logf("SVG: %d KB; PNG: %d KB, %d × %d", len(svg)>>10, len(png)>>10, size.X, size.Y)
	for part := range 4 {
		quarter := picture.(interface {
			SubImage(image.Rectangle) image.Image
		}).SubImage(image.Rect(size.X*part/4, 0, size.X*(part+1)/4, size.Y))
		if share := shareOf(quarter, color.RGBA{0, 114, 178, 255}); share < 0.001 {
			t.Errorf("%.4f of quarter %d has the colour of a critical section", share, part+1)
		}
	}
	for _, content := range [][]byte{svg, png} {
		from := value[string](b, "location.pathname")
		b.drop(content, "run")
		b.arrive(from)
		same(t, b.scenario(), text, "the picture gives back another run")
	}

	b.visit(b.opened("spawn C1 naive\n"+strings.Repeat("tick 1s\nnote \"1\"\n", 400)) + "?lang=zh")
	b.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#share").open = true`))
	b.press("#share-png")
	b.until(`document.querySelector("#share-note").textContent`)
	b.mustContain("#share-note", "请改存 SVG")
}

// drop lets go of a file over the page.
func (b *browser) drop(content []byte, name string) {
	b.Helper()
	value[int](b, fmt.Sprintf(`%s(new File([Uint8Array.from(atob(%q), (c) => c.charCodeAt(0))], %q))`, drop, base64.StdEncoding.EncodeToString(content), name))
}

// pixels returns what the browser shows.
func (b *browser) pixels() image.Image {
	b.Helper()
	png := try(chromedp.Run(b.ctx, chromedp.FullScreenshot(100))).orFail(b)
	picture, _, err := image.Decode(bytes.NewReader(png))
	if err != nil {
		b.Fatal(err)
	}
	return picture
}

// shareOf returns how much of a picture has a colour, from 0 to 1.
func shareOf(picture image.Image, c color.RGBA) float64 {
	found, area := 0, picture.Bounds()
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			if r, g, b, _ := picture.At(x, y).RGBA(); uint8(r>>8) == c.R && uint8(g>>8) == c.G && uint8(b>>8) == c.B {
				found++
			}
		}
	}
	return float64(found) / float64(area.Dx()*area.Dy())
}

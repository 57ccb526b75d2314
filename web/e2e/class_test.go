package e2e

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"

	"lockstep/engine/testtools"
)

// nearly is the race of the sources, one step of C2 before two clients hold the lock.
const nearly = `program del-setnx timeout=10s
spawn C3
step C3
crash C3
tick 12s
spawn C1 C2
step C1 2
step C2 2
step C1 2
step C2
`

// A presenter, a projector and a phone take a class, each in its own language. The
// phone comes by the code on the wall, becomes C2, breaks the lock, sleeps and comes
// back. The presenter reloads.
func TestClassOfThreeBrowsers(t *testing.T) {
	presenter := open(t)
	wall, phone := presenter.another(), presenter.another()
	wall.sized(1280, 720)
	phone.sized(390, 844, chromedp.EmulateMobile)

	// The presenter has a run, and opens a room with it.
	presenter.goTo(presenter.leads("/runs", url.Values{"scenario": {nearly}}))
	presenter.press("#last")
	presenter.press("#share > summary")
	presenter.press(".share-room button")
	presenter.until(`document.querySelector("#room-box.presenting")`)
	code := value[string](presenter, `document.querySelector("#room-box").dataset.path`)
	presenter.until(`document.querySelector("#position-text").textContent.includes("action 10 of 10")`)

	// The projector shows it, in Chinese. The phone reads the code from the wall.
	wall.visit(code + "/screen?lang=zh")
	wall.press("#join")
	wall.until(`document.querySelector("#screen-join svg.qr")?.getBoundingClientRect().width > 200`)
	link := wall.scans()
	if !strings.HasSuffix(link, code) {
		t.Fatalf("the code on the wall leads to %s, want %s", link, code)
	}
	wall.press("#join")
	phone.goTo(code)
	phone.until(`document.querySelector("#me")?.textContent`)
	name := phone.text("#me")

	// Phones become clients, and this one becomes C2.
	presenter.press("#room-class > summary")
	presenter.press("#room-lanes > summary")
	presenter.press(`#room-lanes button[name="size"][value="1"]`)
	phone.until(`document.querySelector("#lane").dataset.lane === "C3"`)
	presenter.press("#room-people > summary")
	presenter.press(`#room-people label.person`)
	value[string](presenter, `document.querySelector("#people-lane").value = "C2"`)
	presenter.press(`#room-people button[value="place"]`)
	phone.until(`document.querySelector("#lane").dataset.lane === "C2"`)

	// Its step breaks the lock, and everybody sees it in their language.
	phone.press("#step-C2")
	phone.until(`document.querySelector("#alerts").textContent.includes("C1 and C2 are both in the critical section")`)
	wall.until(`document.querySelector("#alerts").textContent.includes("C1 和 C2 同时在临界区")`)
	presenter.until(`document.querySelector("#alerts").textContent.includes("C1 and C2 are both in the critical section")`)

	// The phone sleeps while the class continues, and is C2 again when it wakes.
	phone.lives("frozen")
	phone.network.cut()
	presenter.press(`.toolbar button[value="tick 1s"]`)
	presenter.until(`document.querySelector("#position-text").textContent.includes("action 12 of 12")`)
	phone.network.mend()
	phone.lives("active")
	phone.until(`document.querySelector("#caption").textContent.includes("passes") || document.querySelector("#caption").textContent.includes("1\u00a0s")`)
	same(t, phone.text("#me"), name, "the phone was")
	phone.press("#pause-C2")
	wall.until(`document.querySelector("#caption").textContent.includes("C2")`)

	// The presenter reloads, and still presents.
	presenter.do(chromedp.Reload())
	presenter.until(`document.querySelector("#room-box.presenting") && document.querySelector("#position-text").textContent.includes("action 13 of 13")`)
	presenter.press("#step")
	presenter.until(`document.querySelector("#position-text").textContent.includes("action 14 of 14")`)
	for _, b := range []*browser{presenter, wall, phone} {
		b.expects("WebSocket")
		b.expects("ERR_")
	}
}

// scans returns what the largest QR code on the page says to a camera that is held before it.
func (b *browser) scans() string {
	b.Helper()
	var text string
	var why error
	if !testtools.Eventually(func() bool {
		at := value[[4]float64](b, `[...document.querySelectorAll("svg.qr")]
			.filter((code) => code.checkVisibility({ visibilityProperty: true }))
			.map((code) => code.getBoundingClientRect())
			.sort((one, other) => other.width - one.width)
			.map(({ left, top, right, bottom }) => [left, top, right, bottom])[0] ?? [0, 0, 0, 0]`)
		text, why = decoded(b.picture(), image.Rect(int(at[0]), int(at[1]), int(at[2]), int(at[3])))
		return why == nil
	}) {
		b.Fatalf("the code on the screen cannot be read: %v", why)
	}
	return text
}

// picture returns a screenshot, as PNG.
func (b *browser) picture() []byte {
	b.Helper()
	return try(chromedp.Run(b.ctx, chromedp.CaptureScreenshot())).orFail(b)
}

// decoded returns the text of the QR code that fills a part of a PNG. Each of the two ways to read one misses one code in some hundreds:
// one takes each module for as wide as the first seven, the other guesses where the corners are.
func decoded(picture []byte, part image.Rectangle) (string, error) {
	seen, err := png.Decode(bytes.NewReader(picture))
	if err != nil {
		return "", err
	}
	code, ok := seen.(interface {
		SubImage(image.Rectangle) image.Image
	})
	if !ok {
		return "", fmt.Errorf("no part of a %T can be cut out", seen)
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(code.SubImage(part))
	if err != nil {
		return "", err
	}
	for _, way := range []gozxing.DecodeHintType{gozxing.DecodeHintType_PURE_BARCODE, gozxing.DecodeHintType_TRY_HARDER} {
		var read *gozxing.Result
		if read, err = qrcode.NewQRCodeReader().Decode(bitmap, map[gozxing.DecodeHintType]any{way: true}); err == nil {
			return read.GetText(), nil
		}
	}
	return "", err
}

// lives lets the page be frozen, as a phone does in a pocket, or be active again.
func (b *browser) lives(state string) {
	b.Helper()
	call(b, page.SetWebLifecycleState, page.SetWebLifecycleStateParams{State: page.SetWebLifecycleStateState(state)})
}

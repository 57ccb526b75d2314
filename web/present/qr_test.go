package present

import (
	"encoding/xml"
	"fmt"
	"image"
	paint "image/draw"
	"strings"
	"testing"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"

	roomview "lockstep/views/room"
)

// A reader of QR codes reads the picture on the page. It does not use the library that
// made the picture.
func TestQRIsReadByACamera(t *testing.T) {
	for _, address := range []string{
		"http://192.168.1.20:8080/r/482913",
		"http://[fe80::1ff:fe23:4567:890a]:8080/r/000000",
		"https://" + strings.Repeat("department-of-distributed-systems.", 4) + "example.edu/tools/teaching/2026/autumn/lockstep/r/999999",
	} {
		drawn := Markup(roomview.QR(QR(address), `Join “Quiet Otter”`))
		picture, name := seen(t, drawn)
		if name != `Join “Quiet Otter”` {
			t.Errorf("the code's name is %q", name)
		}
		bitmap, err := gozxing.NewBinaryBitmapFromImage(picture)
		if err != nil {
			t.Fatal(err)
		}
		read, err := qrcode.NewQRCodeReader().Decode(bitmap, nil)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		if read.GetText() != address {
			t.Errorf("the camera reads %q, want %q", read.GetText(), address)
		}
		for i := range 4 * module {
			for j := range picture.Bounds().Dx() {
				if picture.GrayAt(i, j).Y == 0 || picture.GrayAt(j, i).Y == 0 {
					t.Fatalf("%s: the quiet zone is not quiet", address)
				}
			}
		}
	}
}

// If a host's name is too long for a code, the page leaves an empty space beside it.
func TestNoQRForALongName(t *testing.T) {
	if code := QR("http://" + strings.Repeat("x", 3000) + "/r/482913"); code != (roomview.QRCode{}) {
		t.Errorf("a code of %d modules", code.Size)
	}
	if drawn := Markup(roomview.QR(roomview.QRCode{}, "Join")); drawn != "" {
		t.Errorf("an empty code is drawn as %s", drawn)
	}
}

// module is the side of a module in pixels.
const module = 3

// seen paints the component's drawing: a white square, and the rectangles of its path.
func seen(t *testing.T, drawn string) (picture *image.Gray, name string) {
	t.Helper()
	var svg struct {
		Role    string `xml:"role,attr"`
		Label   string `xml:"aria-label,attr"`
		ViewBox string `xml:"viewBox,attr"`
		Rect    struct {
			Fill string `xml:"fill,attr"`
		} `xml:"rect"`
		Path []struct {
			Fill string `xml:"fill,attr"`
			D    string `xml:"d,attr"`
		} `xml:"path"`
	}
	if err := xml.Unmarshal([]byte(drawn), &svg); err != nil {
		t.Fatalf("%v: %s", err, drawn)
	}
	if svg.Role != "img" || svg.Rect.Fill != "#fff" || len(svg.Path) != 1 || svg.Path[0].Fill != "#000" {
		t.Fatalf("the drawing has another form: %s", drawn)
	}
	size := 0
	if _, err := fmt.Sscanf(svg.ViewBox, "0 0 %d", &size); err != nil {
		t.Fatal(err)
	}
	picture = image.NewGray(image.Rect(0, 0, size*module, size*module))
	paint.Draw(picture, picture.Bounds(), image.White, image.Point{}, paint.Src)
	for _, run := range strings.SplitAfter(svg.Path[0].D, "z") {
		var x, y, width, back int
		if run == "" {
			continue
		}
		if _, err := fmt.Sscanf(run, "M%d %dh%dv1h-%dz", &x, &y, &width, &back); err != nil || width != back {
			t.Fatalf("%q is not a row of modules: %v", run, err)
		}
		paint.Draw(picture, image.Rect(x*module, y*module, (x+width)*module, (y+1)*module), image.Black, image.Point{}, paint.Src)
	}
	return picture, svg.Label
}

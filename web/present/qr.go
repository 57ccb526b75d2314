package present

import (
	"fmt"
	"strings"

	qrcode "rsc.io/qr"

	roomview "lockstep/views/room"
)

// quietZone is the number of white modules around a QR code. Without them a camera does
// not find the code.
const quietZone = 4

// QR returns a text as a QR code, or the zero code for a text that is too long.
func QR(text string) roomview.QRCode {
	// M survives a smear or a reflection on the projector's screen. Higher levels make
	// the modules smaller, and the last row could no longer read them.
	code, err := qrcode.Encode(text, qrcode.M)
	if err != nil {
		return roomview.QRCode{}
	}
	var path strings.Builder
	for y := range code.Size {
		for x := 0; x < code.Size; x++ {
			from := x
			for x < code.Size && code.Black(x, y) {
				x++
			}
			if x > from {
				fmt.Fprintf(&path, "M%d %dh%dv1h-%dz", from+quietZone, y+quietZone, x-from, x-from)
			}
		}
	}
	return roomview.QRCode{Path: path.String(), Size: code.Size + 2*quietZone}
}

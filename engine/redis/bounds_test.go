package redis

import (
	"fmt"
	"strings"
	"testing"

	"lockstep/engine/testtools"
)

// hostile replies say more than they hold, as a recording may that a stranger sends. n is how many bytes they have, about.
var hostile = map[string]func(n int) string{
	"a thousand million values": func(int) string { return "*1000000000\r\n:1\r\n" },
	"2^62 values":               func(int) string { return "*4611686018427387904\r\n:1\r\n" },
	"a string of 2^63-1":        func(int) string { return "$9223372036854775807\r\na\r\n" },
	"a string of -2^63":         func(int) string { return "$-9223372036854775808\r\na\r\n" },
	"an array of one, deep":     func(n int) string { return strings.Repeat("*1\r\n", n/4) + ":1\r\n" },
	"an array of 2^62, deep":    func(n int) string { return strings.Repeat("*4611686018427387904\r\n", n/22) },
	"many deep arrays": func(n int) string {
		return "*1000000\r\n" + strings.Repeat(strings.Repeat("*1\r\n", 100)+":1\r\n", n/404)
	},
	"strings that do not end":     func(n int) string { return "*1000000\r\n" + strings.Repeat("$1000000\r\n", n/10) },
	"one line":                    func(n int) string { return "*1\r\n" + strings.Repeat("*", n) },
	"empty arrays":                func(n int) string { return "*1000000\r\n" + strings.Repeat("*0\r\n", n/4) },
	"a string with a line's end":  func(n int) string { return "*1\r\n$" + fmt.Sprint(n) + "\r\n" + strings.Repeat("\r\n", n/2) },
	"values of no type":           func(n int) string { return "*1000000\r\n" + strings.Repeat("?\r\n", n/3) },
	"an array that is not closed": func(n int) string { return strings.Repeat("*2\r\n:1\r\n", n/8) },
}

// Nobody believes a length. Each way to read a reply takes bytes in proportion to the reply's own: a length or a depth that
// the text only claims costs nothing, and twice the text takes about twice as much.
func TestLengthsAreNotBelieved(t *testing.T) {
	ways := map[string]func(Reply){
		"String": func(r Reply) { _ = r.String() },
		"Plain":  func(r Reply) { _ = r.Plain() },
		"Items":  func(r Reply) { _ = r.Items() },
		"Lines":  func(r Reply) { _ = r.Lines() },
		"JSON":   func(r Reply) { _, _ = r.MarshalJSON() },
		"lock":   func(r Reply) { Acquires([]string{"MULTI", "SET k v NX", "EXEC"}, r) },
	}
	const each = 64 // bytes for a byte of the reply: the text, its copies while it grows, and a header for each value
	for name, make := range hostile {
		for _, n := range []int{4 << 10, 64 << 10} {
			r := Reply(make(n))
			for way, read := range ways {
				if took, most := testtools.Allocated(func() { read(r) }), uint64(each*len(r)+4096); took > most {
					t.Errorf("%s of %d bytes: %s takes %d bytes, more than %d", name, len(r), way, took, most)
				}
			}
			if shown := r.String(); len(shown) > 4*len(r)+16 {
				t.Errorf("%s of %d bytes is shown in %d", name, len(r), len(shown))
			}
			if items := r.Items(); len(items) > len(r)/3 {
				t.Errorf("%s of %d bytes has %d items", name, len(r), len(items))
			}
		}
	}
}

package room_test

import (
	"testing"

	"lockstep/web/room"
)

func TestParseCode(t *testing.T) {
	for text, want := range map[string]string{
		"482913":             "482913",
		"482 913":            "482913",
		" 482-913\n":         "482913",
		"４８２ ９１３":            "482913",
		"４８２　９１３":            "482913",
		"482\u00a0913":       "482913",
		"482·913":            "482913",
		"482・913":            "482913",
		"4 8 2 – 9 1 3":      "482913",
		"\u200e482\u200b913": "482913",
		"000000":             "000000",
		"48291":              "",
		"4829134":            "",
		"482 91x":            "",
		"٤٨٢٩١٣":             "", // no keyboard of ours writes these
		"":                   "",
		"482,913":            "",
	} {
		code, ok := room.ParseCode(text)
		if ok != (want != "") || ok && code != want {
			t.Errorf("%q: %q, %t", text, code, ok)
		}
	}
	if got := room.FormatCode("482913"); got != "482 913" {
		t.Errorf("%q", got)
	}
	if got := room.FormatCode("no code"); got != "no code" {
		t.Errorf("%q", got)
	}
}

func FuzzParseCode(f *testing.F) {
	f.Add("４８２ ９１３")
	f.Fuzz(func(t *testing.T, text string) {
		code, ok := room.ParseCode(text)
		if !ok {
			return
		}
		if again, ok := room.ParseCode(room.FormatCode(code)); !ok || again != code {
			t.Errorf("%q is read as %q, and that as %q", text, code, again)
		}
	})
}

// Keys that differ in their last letter are two keys, and their hashes tell nothing of them.
func TestAKeyIsHashedWhole(t *testing.T) {
	a, b := room.HashKey("abcdefghijklmnopqrstuvwxy1"), room.HashKey("abcdefghijklmnopqrstuvwxy2")
	if a == b || len(a) != 64 || a[:4] == "abcd" {
		t.Errorf("two keys have the hashes %s and %s", a, b)
	}
}

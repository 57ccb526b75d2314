package store

import (
	"bytes"
	"errors"
	"hash/crc32"
	"strings"
	"testing"
)

func TestARecordIsReadOnlyWhereAndAsItWasWritten(t *testing.T) {
	c := NewCommon(Options{}, 0)
	for _, entry := range []string{"", "x", `{"lines":["step C1"]}`, strings.Repeat("long ", 1000)} {
		record := Seal("t/a", 7, []byte(entry))
		if got, err := c.Unseal("t/a", 7, [][]byte{record}); err != nil || string(got[0]) != entry {
			t.Errorf("%.20q is read as %.20q, %v", entry, got, err)
		}
		try := func(what, log string, n int, record []byte) {
			if got, err := c.Unseal(log, n, [][]byte{record}); !errors.Is(err, ErrDamaged) || got != nil {
				t.Errorf("a record %s: %v", what, err)
			}
		}
		try("of another log", "t/b", 7, record)
		try("at another number", "t/a", 8, record)
		try("that is longer", "t/a", 7, append(bytes.Clone(record), 0))
		try("that is shorter", "t/a", 7, record[:len(record)-1])
		try("of no bytes", "t/a", 7, nil)
		for bit := range 8 * len(record) {
			flipped := bytes.Clone(record)
			flipped[bit/8] ^= 1 << (bit % 8)
			try("with a flipped bit", "t/a", 7, flipped)
		}
	}
	_, err := c.Unseal("t/a", 7, [][]byte{[]byte("\x02none")})
	if want := "store: damaged: entry 8 of t/a: the checksum does not match"; err == nil || err.Error() != want {
		t.Errorf("%v, not %s", err, want)
	}
}

// Other programs compute the same checksum.
func TestTheChecksumIsCRC32C(t *testing.T) {
	whole := append([]byte("t/a"), 7, 1, 0, 0, 0, 0, 0, 0)
	whole = append(whole, "123456789"...)
	if got, want := Checksum("t/a", 256+7, []byte("123456789")), crc32.Checksum(whole, crc32.MakeTable(crc32.Castagnoli)); got != want {
		t.Errorf("%08x, want %08x", got, want)
	}
}

package detect

import (
	"encoding/binary"
	"math/bits"
)

// sum returns a hash of some bytes, which stands for them: 64 bits make two equal hashes of a log unlikely.
func sum(b []byte) uint64 {
	const k1, k2 = 0x9e3779b97f4a7c15, 0xe7037ed1a0b428db
	h := uint64(len(b))*k1 ^ k2
	for len(b) >= 8 {
		h = mix(h^binary.LittleEndian.Uint64(b), k1)
		b = b[8:]
	}
	if len(b) > 0 {
		var rest [8]byte
		copy(rest[:], b)
		h = mix(h^binary.LittleEndian.Uint64(rest[:]), k2)
	}
	if h = mix(h, k1); h == 0 {
		return 1 // 0 stands for nothing
	}
	return h
}

func mix(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low ^ a>>29
}

package testtools

import (
	"hash/fnv"
	"iter"
	"strings"
	"testing"
)

// languages are those of every page, as an address names them.
var languages = []string{"en", "zh"}

// Matrix yields each look of a page in each language in the third circle. Elsewhere it yields one look for each language:
// the test's name chooses them, so that a test always has the same ones and the tests together have all.
func Matrix[Look any](t testing.TB, looks []Look) iter.Seq2[Look, string] {
	first, step := 0, 1
	if !whole() {
		name, _, _ := strings.Cut(t.Name(), "/") // the parts of a test have the same looks
		hash := fnv.New32a()
		hash.Write([]byte(name))
		first, step = int(hash.Sum32()%uint32(len(looks))), len(looks)
	}
	return func(yield func(Look, string) bool) {
		for i, language := range languages {
			for n := 0; n < len(looks); n += step {
				if !yield(looks[(first+n+i*len(looks)/2)%len(looks)], language) {
					return
				}
			}
		}
	}
}

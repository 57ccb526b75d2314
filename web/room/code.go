package room

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// codeDigits is how many digits a code has.
const codeDigits = 6

// ParseCode reads a code as people write it: in two groups with anything between them, and in full-width digits.
func ParseCode(text string) (code string, ok bool) {
	if len(text) > 100 {
		return "", false
	}
	code = strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r), unicode.Is(unicode.Pd, r), unicode.Is(unicode.Cf, r):
			return -1
		case r == '·', r == '・', r == '•', r == '‧', r == '∙', r == '⋅', r == '−':
			return -1
		}
		return r
	}, norm.NFKC.String(text))
	return code, isCode(code)
}

func isCode(code string) bool {
	return len(code) == codeDigits && strings.Trim(code, "0123456789") == ""
}

// FormatCode writes a code in two groups, so that it can be read out.
func FormatCode(code string) string {
	if len(code) != codeDigits {
		return code
	}
	return code[:codeDigits/2] + " " + code[codeDigits/2:]
}

// HashKey returns the hash of a key that a log keeps. A key is long and random, so a fast hash is enough.
func HashKey(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:])
}

func isHash(text string) bool {
	return len(text) == 2*sha256.Size && strings.Trim(text, "0123456789abcdef") == ""
}

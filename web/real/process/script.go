package process

import (
	"crypto/sha1"
	"encoding/hex"
	"strings"
)

// scripts are the scripts that a program has loaded or run, by their SHA-1.
type scripts struct {
	text  map[string]string
	bytes int
}

// add keeps a script. ok is false if that is one too many.
func (s *scripts) add(text string) (sha string, ok bool) {
	sum := sha1.Sum([]byte(text))
	sha = hex.EncodeToString(sum[:])
	if _, known := s.text[sha]; known {
		return sha, true
	}
	if s.bytes += len(text); len(s.text) >= maxScripts || s.bytes > maxScriptBytes {
		return sha, false
	}
	if s.text == nil {
		s.text = map[string]string{}
	}
	s.text[sha] = text
	return sha, true
}

func (s *scripts) find(sha string) (text string, ok bool) {
	text, ok = s.text[strings.ToLower(sha)]
	return text, ok
}

func (s *scripts) flush() { *s = scripts{} }

//go:build ignore

// Command shorten makes the code that templ has written cheaper to compile and smaller; go generate runs it after templ.
//
// A component is a short function that returns a long closure. The compiler inlines the function, and then compiles the
// closure once more for each caller. And each expression of a template has a value of its own for an error that a string
// cannot have.
package main

import (
	"bytes"
	"go/format"
	"log"
	"os"
	"path/filepath"
	"regexp"
)

var (
	component = regexp.MustCompile(`(?m)^func .*\) templ\.Component \{$`)
	position  = regexp.MustCompile("return templ\\.Error\\{Err: (\\w+), FileName: `[^`]*`, Line: \\d+, Col: \\d+\\}")
)

func main() {
	log.SetFlags(0)
	var names []string
	for _, pattern := range []string{"*_templ.go", "*/*_templ.go"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			log.Fatalf("looking for templ's files: %v, %v", found, err)
		}
		names = append(names, found...)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			log.Fatal(err)
		}
		if bytes.Contains(text, []byte("//go:noinline")) {
			continue // it is short already
		}
		text = component.ReplaceAll(text, []byte("//go:noinline\n$0"))
		text = position.ReplaceAll(text, []byte("return $1"))
		if text, err = format.Source(text); err != nil {
			log.Fatal(err)
		}
		if err := os.WriteFile(name, text, 0o644); err != nil {
			log.Fatal(err)
		}
	}
}

// Command lockstep teaches the Redis lock by letting people break it.
package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"

	"lockstep/engine"
	"lockstep/engine/check"
)

func main() {
	if err := run(os.Args[2], len(os.Args) > 3, os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func run(file string, json bool, in io.Reader, out io.Writer) error {
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	s, err := engine.Parse(file, string(data), func(p string) (string, error) { b, err := os.ReadFile(filepath.Join(filepath.Dir(file), p)); return string(b), err })
	if err != nil {
		return err
	}
	t, err := s.Play(file, check.All()...)
	if err != nil {
		return err
	}
	if json {
		t.WriteNDJSON(out)
	} else {
		t.WriteText(out, engine.English)
	}
	for _, p := range t.Unmet {
		fmt.Println(p)
	}
	return nil
}

package store

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// traces returns the files of a directory in which a text stands.
func traces(t *testing.T, dir, text string) (files []string) {
	t.Helper()
	all, err := os.ReadDir(dir)
	if err != nil || len(all) == 0 {
		t.Fatalf("%s has no files: %v", dir, err)
	}
	for _, file := range all {
		content, err := os.ReadFile(filepath.Join(dir, file.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(content, []byte(text)) {
			files = append(files, file.Name())
		}
	}
	return files
}

// Nothing of a forgotten log is left in any file, at once: neither its entries nor its name. Entries fill pages of the file in part, fill it
// with others, and take pages of their own.
func TestNoByteOfAForgottenLogIsLeft(t *testing.T) {
	dir := t.TempDir()
	s := openSQLite(t, dir, Options{})
	defer s.Close()
	var names []string
	for i := range 60 {
		name := fmt.Sprintf("r/%06d", i)
		for n := range 12 {
			add(t, s, name, n, fmt.Sprintf("Zhang Wei votes %d %s", i, strings.Repeat("x", 10+n*n*60)))
		}
		add(t, s, fmt.Sprintf("t/kept%d", i), 0, "somebody else's")
		if i%2 == 0 {
			names = append(names, name)
		}
	}
	if len(traces(t, dir, "Zhang Wei votes 2 ")) == 0 || len(traces(t, dir, "r/000002")) == 0 {
		t.Fatal("the files have no entries: the test looks in the wrong place")
	}
	if err := s.Forget(ctx, names); err != nil {
		t.Fatal(err)
	}
	for i := range 60 {
		vote, name := fmt.Sprintf("Zhang Wei votes %d ", i), fmt.Sprintf("r/%06d", i)
		if left := append(traces(t, dir, vote), traces(t, dir, name)...); i%2 == 0 && len(left) > 0 {
			t.Errorf("%s was forgotten, and is in %v", name, left)
		} else if i%2 == 1 && len(left) == 0 {
			t.Errorf("%s was not forgotten, and is gone", name)
		}
	}
	for n := range 12 {
		read(t, s, "r/000001", n, entriesFrom(1, n)...)
	}
}

func entriesFrom(i, n int) (entries []string) {
	for ; n < 12; n++ {
		entries = append(entries, fmt.Sprintf("Zhang Wei votes %d %s", i, strings.Repeat("x", 10+n*n*60)))
	}
	return entries
}

// The store remembers no more than so many forgotten logs, and lets go of the first.
func TestGravesAreBounded(t *testing.T) {
	c := newCatalog(Options{}.withDefaults(10, 1<<20), memoryIdle)
	for i := range maxBuried + 5 {
		c.bury(fmt.Sprint("t/", i))
	}
	if len(c.buried) != maxBuried || len(c.graves) != maxBuried || c.isBuried("t/4") || !c.isBuried("t/5") {
		t.Errorf("%d graves", len(c.buried))
	}
}

//go:build bundler

package main

import (
	"os"
	"strings"
	"testing"
)

func TestBundleErrors(t *testing.T) {
	for _, c := range []struct{ entry, why string }{
		{"js/nothing.js", "no such file"},
		{"js/trace/log.test.js", "is for tests only"},
		{"../go.mod", "invalid argument"}, // no name in a directory
	} {
		if _, err := bundle(os.DirFS(".."), c.entry, ""); err == nil || !strings.Contains(err.Error(), c.why) {
			t.Errorf("bundling %s: %v, want it to say %q", c.entry, err, c.why)
		}
	}
}

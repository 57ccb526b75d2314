// Package sources says of what the bundles in built/ are made. The bundler notes it beside them, and a test compares.
package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Name is the name of the file in built/ that has the hash.
const Name = "SOURCES"

var esbuild = regexp.MustCompile(`(?m)^\s*github\.com/evanw/esbuild \S+`)

// Hash returns a hash of all that the bundles are made of: the list of them, scripts and style sheets, the bundler, and
// the version of esbuild in go.mod. It reads the directory static and the one above it.
func Hash(static, root fs.FS) (string, error) {
	mod, err := fs.ReadFile(root, "go.mod")
	if err != nil {
		return "", err
	}
	names := []string{"bundles.txt", "bundler/main.go"}
	for _, dir := range []string{"css", "js", "vendor"} {
		err := fs.WalkDir(static, dir, func(name string, entry fs.DirEntry, err error) error {
			if ext := path.Ext(name); err == nil && !entry.IsDir() && !IsTest(name) && (ext == ".js" || ext == ".css") {
				names = append(names, name)
			}
			return err
		})
		if err != nil {
			return "", err
		}
	}
	slices.Sort(names)
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n", strings.TrimSpace(string(esbuild.Find(mod))))
	for _, name := range names {
		content, err := fs.ReadFile(static, name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(sum, "%s %d\n%s", name, len(content), content)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// IsTest reports whether only the tests read a script.
func IsTest(name string) bool {
	return strings.HasSuffix(name, ".test.js") || strings.HasSuffix(name, ".testdata.js")
}

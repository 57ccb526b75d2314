// Package static holds what a browser loads besides pages: style sheets,
// scripts, fonts and the libraries among them. All of it is in the binary.
//
// In the repository every question has a file of its own. Over the wire that would be
// thirty requests, each waiting for the import before it. The server therefore bundles
// the file that a page names with all its imports, at the first request: there is no
// build step, and nothing generated to commit. The path carries a hash of all contents:
// a browser keeps the file for good, and a new server has new paths.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"
)

//go:embed css js vendor fonts
var files embed.FS

// recipe is the source of the bundler, which is part of the hash.
//
//go:embed bundle.go
var recipe []byte

// Path returns the path of a file below the site: static/{hash}/js/run/page.js.
func Path(name string) string { return "static/" + hash() + "/" + name }

// hash returns a name for the contents of all files together.
var hash = sync.OnceValue(func() string {
	sum := sha256.New()
	sum.Write(recipe)
	for _, name := range names() {
		content, err := files.ReadFile(name)
		if err != nil {
			panic(err) // an embedded file can be read
		}
		fmt.Fprintf(sum, "%s %d\n%s", name, len(content), content)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
})

// names returns the files that may be served, in order.
var names = sync.OnceValue(func() []string {
	var names []string
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() && !isTest(name) && mediaType(name) != "" {
			names = append(names, name)
		}
		return err
	})
	if err != nil {
		panic(err) // an embedded file can be read
	}
	return names
})

// isTest reports whether only the tests read a file.
func isTest(name string) bool {
	return strings.HasSuffix(name, ".test.js") || strings.HasSuffix(name, ".testdata.js")
}

// mediaType returns the media type of a file; empty: a browser does not load it. The
// tables of the serving machine do not count.
func mediaType(name string) string {
	switch path.Ext(name) {
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".woff2":
		return "font/woff2"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	if path.Base(name) == "LICENSE" {
		return "text/plain; charset=utf-8"
	}
	return ""
}

// Text returns a file as it is in the repository, such as css/tokens.css.
func Text(name string) string {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the caller names a file of this package
	}
	return string(content)
}

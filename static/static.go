// Package static holds what a browser loads besides pages: style sheets,
// scripts, fonts and the libraries among them. All of it is in the binary.
//
// In the repository every question has a file of its own; over the wire that
// would be thirty requests, each waiting for the import before it. So what a
// page names is one file with all that it imports, bundled in this process when
// it is first asked for: there is no build step, and nothing generated to
// commit. Its path carries a hash of all contents, so a browser keeps it for
// good and never asks again, and a new server is a new path.
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

// recipe is how bundles are made: another recipe is another content.
//
//go:embed bundle.go
var recipe []byte

// Path is where a file is served, below the site: static/{hash}/js/run/page.js.
func Path(name string) string { return "static/" + hash() + "/" + name }

// hash is a name for the contents of all files together.
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

// names are the files that may be served, in order.
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

// isTest reports a file that only the tests read.
func isTest(name string) bool {
	return strings.HasSuffix(name, ".test.js") || strings.HasSuffix(name, ".testdata.js")
}

// mediaType is what a file is; empty: nothing that a browser loads. The
// tables of the machine that serves have no say in it.
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

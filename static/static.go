// Package static holds what a browser loads besides pages: style sheets,
// scripts, fonts and the libraries among them. All of it is in the binary.
//
// In the repository every question has a file of its own. Over the wire that would be
// thirty requests, each waiting for the import before it. go generate ./static
// therefore bundles each file that a page names, with all its imports, into built/, and
// the bundles are committed: nobody who builds or runs the server needs a bundler. After a
// change of a script or a style sheet, a test says that built/ is older.
//
// The path carries a hash of all contents: a browser keeps the file for good, and a new
// server has new paths.
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

//go:generate go run -tags bundler ./bundler

//go:embed built/css built/js fonts vendor/idiomorph/LICENSE vendor/codemirror/LICENSE css/tokens.css css/timeline.css
var files embed.FS

// Path returns the path of a file below the site: static/{hash}/js/run/page.js.
func Path(name string) string { return "static/" + hash() + "/" + name }

// hash returns a name for the contents of all files together.
var hash = sync.OnceValue(func() string {
	sum := sha256.New()
	for _, name := range names() {
		content, err := files.ReadFile(place(name))
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
	for _, dir := range []string{"built", "fonts", "vendor"} {
		err := fs.WalkDir(files, dir, func(name string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && mediaType(name) != "" {
				names = append(names, strings.TrimPrefix(name, "built/"))
			}
			return err
		})
		if err != nil {
			panic(err) // an embedded file can be read
		}
	}
	return names
})

// place returns where a file that is served lies.
func place(name string) string {
	if ext := path.Ext(name); ext == ".js" || ext == ".css" {
		return "built/" + name
	}
	return name
}

// Bundle returns a script or a style sheet of bundles.txt with all that it imports, as one
// minified file: js/run/page.js, css/site.css.
func Bundle(entry string) ([]byte, error) { return files.ReadFile(place(entry)) }

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

// Text returns a style sheet as it is in the repository: css/tokens.css or css/timeline.css.
func Text(name string) string {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(err) // the caller names a file of this package
	}
	return string(content)
}

// Package static holds what a browser is sent as it is: style sheets, scripts
// and the libraries among them. All of it is in the binary.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strings"
	"sync"
)

//go:embed css js vendor
var files embed.FS

// Handler serves the files by their path. A browser keeps them and asks each
// time whether they are still the same, which costs no content: the scripts
// import one another by plain paths, so a path cannot name a version.
func Handler() http.Handler {
	server := http.FileServerFS(files)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		tag, ok := tags()[name]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("ETag", tag)
		w.Header().Set("Cache-Control", "no-cache")
		server.ServeHTTP(w, r)
	})
}

// tags are the entity tags by path; what has none is not served.
var tags = sync.OnceValue(func() map[string]string {
	tags := map[string]string{}
	err := fs.WalkDir(files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || isTest(name) {
			return err
		}
		content, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		tags[name] = `"` + hex.EncodeToString(sum[:12]) + `"`
		return nil
	})
	if err != nil {
		panic(err) // an embedded file can be read
	}
	return tags
})

// isTest reports a file that only the tests read.
func isTest(name string) bool {
	return strings.HasSuffix(name, ".test.js") || strings.HasSuffix(name, ".testdata.js")
}

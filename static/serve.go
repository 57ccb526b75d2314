package static

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"
)

// Handler serves {hash}/{name}. Another hash belongs to an older server, whose page
// is still open, or to a newer one beside this. It redirects to this server's file of
// that name: the page goes on, and the protocol of its socket tells it whether it is
// too old. For an unknown name it calls missing.
func Handler(missing http.HandlerFunc) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked := strings.TrimPrefix(path.Clean("/"+r.URL.Path), "/")
		given, name, _ := strings.Cut(asked, "/")
		if served()[name] == nil {
			name = asked // no hash at all
		}
		file := served()[name]
		if file == nil {
			missing(w, r)
			return
		}
		h := w.Header()
		if given != hash() {
			// A relative path works below any base path.
			h.Set("Location", strings.Repeat("../", strings.Count(asked, "/"))+hash()+"/"+name)
			h.Set("Cache-Control", "no-store")
			w.WriteHeader(http.StatusFound)
			return
		}
		file.serve(w, r)
	})
}

// A file is the content for a name, made at the first request.
type file struct {
	name    string
	content func() (plain, gzipped []byte, err error)
}

// served returns the files by name.
var served = sync.OnceValue(func() map[string]*file {
	served := map[string]*file{}
	for _, name := range names() {
		served[name] = &file{name, onceContent(name)}
	}
	return served
})

func (f *file) serve(w http.ResponseWriter, r *http.Request) {
	plain, gzipped, err := f.content()
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", mediaType(f.name))
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	body := plain
	if gzipped != nil {
		h.Set("Vary", "Accept-Encoding")
		if AcceptsGzip(r.Header) {
			h.Set("Content-Encoding", "gzip")
			body = gzipped
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // a browser that has gone away misses nothing
}

func onceContent(name string) func() (plain, gzipped []byte, err error) {
	type content struct{ plain, gzipped []byte }
	once := sync.OnceValues(func() (content, error) {
		plain, err := files.ReadFile(place(name))
		if err != nil || path.Ext(name) == ".woff2" { // which is compressed already
			return content{plain: plain}, err
		}
		return content{plain, compress(plain)}, nil
	})
	return func() (plain, gzipped []byte, err error) {
		c, err := once()
		return c.plain, c.gzipped, err
	}
}

func compress(content []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(err) // it is written to memory
	}
	return b.Bytes()
}

// AcceptsGzip reports whether a request takes gzip (RFC 9110, 12.5.3).
func AcceptsGzip(h http.Header) bool {
	for part := range strings.SplitSeq(strings.Join(h.Values("Accept-Encoding"), ","), ",") {
		coding, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if !strings.EqualFold(strings.TrimSpace(coding), "gzip") {
			continue
		}
		q, weighted := strings.CutPrefix(strings.TrimSpace(weight), "q=")
		refused, err := strconv.ParseFloat(q, 64)
		return !weighted || err != nil || refused > 0
	}
	return false
}

package static

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func get(name string, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("GET", "/"+name, nil)
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	Handler(http.NotFound).ServeHTTP(w, r)
	return w
}

func TestServed(t *testing.T) {
	for name, kind := range map[string]string{
		"js/run/page.js": "text/javascript; charset=utf-8",
		"css/site.css":   "text/css; charset=utf-8",
		"fonts/jetbrains-mono-latin-400-normal.woff2": "font/woff2",
		"fonts/OFL.txt":            "text/plain; charset=utf-8",
		"vendor/idiomorph/LICENSE": "text/plain; charset=utf-8",
	} {
		w := get(hash() + "/" + name)
		if w.Code != 200 || w.Header().Get("Content-Type") != kind || w.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s: %d, %v", name, w.Code, w.Header())
		}
		if keep := w.Header().Get("Cache-Control"); keep != "public, max-age=31536000, immutable" {
			t.Errorf("%s is kept %q", name, keep)
		}
	}
}

func TestGzip(t *testing.T) {
	name := hash() + "/js/run/page.js"
	plain := get(name).Body.String()
	for accept, packed := range map[string]bool{
		"gzip": true, "br, GZIP": true, "br;q=1, gzip;q=0.1": true,
		"gzip;q=0": false, "gzip; q=0.0": false, "br": false, "": false, "x-gzip-not": false,
	} {
		w := get(name, "Accept-Encoding", accept)
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != packed {
			t.Errorf("Accept-Encoding %q: compressed is %t, want %t", accept, got, packed)
		}
		if w.Header().Get("Vary") != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: Vary is %q", accept, w.Header().Get("Vary"))
		}
		var body io.Reader = w.Body
		if packed {
			reader, err := gzip.NewReader(w.Body)
			if err != nil {
				t.Fatal(err)
			}
			body = reader
		}
		if text, err := io.ReadAll(body); err != nil || string(text) != plain {
			t.Errorf("Accept-Encoding %q: other content, %v", accept, err)
		}
	}
	if w := get(hash()+"/fonts/jetbrains-mono-latin-400-normal.woff2", "Accept-Encoding", "gzip"); w.Header().Get("Content-Encoding") != "" {
		t.Error("the font is compressed twice")
	}
}

// A page of another server's finds this server's file, wherever the site lies.
func TestAnotherHash(t *testing.T) {
	for asked, to := range map[string]string{
		"0123456789abcdef/js/run/page.js": "../../../" + hash() + "/js/run/page.js",
		"js/run/page.js":                  "../../" + hash() + "/js/run/page.js",
	} {
		w := get(asked)
		if w.Code != 302 || w.Header().Get("Location") != to || w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s: %d, %v, want it to lead to %s", asked, w.Code, w.Header(), to)
		}
	}
}

func TestNotServed(t *testing.T) {
	for _, name := range []string{
		"js/trace/log.test.js", "js/trace/traces.testdata.js", "js/", "js", "", "vendor/idiomorph/idiomorph.d.ts",
		"bundle.go", "../go.mod", "js/../../go.mod",
	} {
		for _, asked := range []string{hash() + "/" + name, name} {
			if w := get(asked); w.Code != 404 {
				t.Errorf("%s: %d %v, want 404", asked, w.Code, w.Header())
			}
		}
	}
}

func TestPath(t *testing.T) {
	if w := get(strings.TrimPrefix(Path("js/run/page.js"), "static/")); w.Code != 200 {
		t.Errorf("%s: %d", Path("js/run/page.js"), w.Code)
	}
}

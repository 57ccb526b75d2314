package web

import (
	"net/http"
	"strconv"
	"sync"

	"lockstep/web/door"
	"lockstep/web/picture"
)

// icons are the addresses of the mark. Old browsers and phones ask for the last two by themselves.
var icons = map[string]http.HandlerFunc{
	"/favicon.svg": handleIcon("image/svg+xml", func() (content []byte, style string) {
		svg, style := picture.Favicon()
		return svg, door.HashSource([]byte(style))
	}),
	"/favicon.ico":          handleIcon("image/x-icon", func() ([]byte, string) { return picture.Icon(), "" }),
	"/apple-touch-icon.png": handleIcon("image/png", func() ([]byte, string) { return picture.TouchIcon(), "" }),
}

// handleIcon serves the mark in a form that browsers show beside a page's title. An icon with a style of its own names
// it for its policy.
func handleIcon(kind string, draw func() (content []byte, style string)) http.HandlerFunc {
	type icon struct {
		content []byte
		style   string
	}
	drawn := sync.OnceValue(func() (i icon) {
		i.content, i.style = draw()
		return i
	})
	return func(w http.ResponseWriter, r *http.Request) {
		i, h := drawn(), w.Header()
		if i.style != "" {
			h.Set("Content-Security-Policy", "default-src 'none'; style-src "+i.style)
		}
		h.Set("Content-Type", kind)
		h.Set("Cache-Control", "public, max-age=86400")
		h.Set("Content-Length", strconv.Itoa(len(i.content)))
		_, _ = w.Write(i.content) // a browser that has gone away misses nothing
	}
}

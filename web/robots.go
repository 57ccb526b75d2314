package web

import (
	"io"
	"net/http"
)

// robots keeps crawlers from addresses whose every answer is work, from pages for frames, and from rooms. Pages are theirs: a page that a link
// leads to is what they show.
const robots = `User-agent: *
Disallow: /embed/
Disallow: /explore/answer
Disallow: /explore/live
Disallow: /join
Disallow: /new
Disallow: /oembed
Disallow: /r/
Disallow: /t/*/ahead
Disallow: /t/*/events
Disallow: /t/*/live
`

// handleRobots tells crawlers what to leave out. They read it at the root of a host only.
func handleRobots(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "public, max-age=86400")
	_, _ = io.WriteString(w, robots)
}

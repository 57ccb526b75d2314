package present

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/a-h/templ"
)

// Markup returns a component as HTML.
func Markup(c templ.Component) string {
	var b bytes.Buffer
	Write(&b, c)
	return b.String()
}

// Write writes a component as HTML in which no line ends between a number and its unit, nor within a short command.
func Write(b *bytes.Buffer, c templ.Component) {
	from := b.Len()
	if err := c.Render(context.Background(), b); err != nil {
		panic(fmt.Errorf("rendering: %w", err)) // the page is in memory
	}
	if page := unbroken(b.Bytes()[from:]); len(page) > b.Len()-from {
		b.Truncate(from)
		b.Write(page)
	}
}

// unit matches a space and the unit after it.
var unit = regexp.MustCompile(`^ (?:(?:m?s|[KM]B)\b|毫?秒)`)

// exact has the elements whose text somebody copies or a script reads.
var exact = []string{"code", "pre", "script", "textarea"}

// command matches a command with its operands, up to the end of its element. It is short if it has at most this many bytes.
var command = regexp.MustCompile(`^[A-Z]{2,}( [^ <]+)+</code>`)

const short = len("SETNX lock.foo 1023 C1 C2</code>")

// unbroken returns HTML with a no-break space between each number and its unit, and a class on each short command: somebody
// copies its text, which therefore keeps its spaces. It changes the sentences that a page shows, and no attribute of theirs.
// (static/js/lib/unbroken.js does the same for units in sentences that a script shows.)
func unbroken(html []byte) []byte {
	var out []byte
	done, within := 0, "" // within: the exact element around
	for at := 0; at < len(html); {
		text := until(html, at, '<')
		for ; within == "" && at < text; at++ {
			if at = until(html[:text], at, ' '); at > 0 && '0' <= html[at-1] && html[at-1] <= '9' && unit.Match(html[at:text]) {
				out = append(append(out, html[done:at]...), "\u00a0"...)
				done = at + 1
			}
		}
		end := until(html, text, '>')
		at = end + 1
		tag := html[bytes.LastIndexByte(html[:end], '<')+1 : end]
		if within == "" {
			if i := slices.IndexFunc(exact, func(name string) bool { return bytes.HasPrefix(tag, []byte(name)) }); i >= 0 {
				within = exact[i]
			}
			if found := command.Find(html[min(at, len(html)):min(at+short, len(html))]); found != nil && (string(tag) == "code" || string(tag) == `code translate="no"`) {
				out = append(append(out, html[done:end]...), ` class="whole"`...)
				done = end
			}
		} else if string(tag) == "/"+within {
			within = ""
		}
	}
	if done == 0 {
		return html
	}
	return append(out, html[done:]...)
}

// until returns where a byte comes next in HTML; its length: nowhere.
func until(html []byte, from int, next byte) int {
	if i := bytes.IndexByte(html[from:], next); i >= 0 {
		return from + i
	}
	return len(html)
}

// ownLink matches a link within the site.
var ownLink = regexp.MustCompile(`(?s)<a [^>]*href="/[^"]*"[^>]*>(.*?)</a>`)

// WithoutOwnLinks returns a page as a file for which there is no site: the words of its links within the site stay, and lead nowhere. It leaves
// scripts as they are.
func WithoutOwnLinks(page string) string {
	body, scripts := page, ""
	if i := strings.Index(page, "<script"); i >= 0 {
		body, scripts = page[:i], page[i:]
	}
	return ownLink.ReplaceAllString(body, "$1") + scripts
}

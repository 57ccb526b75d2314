package views

import (
	_ "embed"
	"encoding/base64"
	"strings"

	"github.com/a-h/templ"
)

// SiteMark is the site's mark as an SVG file, a padlock whose shackle is a stair. It is the one drawing of it: of the
// headers, the icons and the pictures of links. Its colours are those of the light theme.
//
//go:embed mark.svg
var SiteMark string

// markInline is the mark for a page, whose style sheet gives its two classes the theme's colours.
var markInline = strings.Replace(strings.TrimSpace(SiteMark), "<svg ", `<svg class="mark" width="26" height="26" aria-hidden="true" `, 1)

// MarkAddress is the mark as an address, for a page that has no server.
var MarkAddress = templ.SafeURL("data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(SiteMark)))

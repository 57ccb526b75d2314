package views

import (
	"strings"

	"github.com/a-h/templ"
)

// EmbedPath is where the pages for frames are: before the path of the page for a window.
const EmbedPath = "/embed"

// A Frame tells a page about the frame of another site that it stands in.
type Frame struct {
	Origins []string // of the sites that may frame the page
	Visitor string   // names the visitor in the addresses that the page asks for; empty: a cookie does, or nothing
	Path    string   // of the page for a window, or of its task
	Inside  []string // the paths that open in the frame: a lesson's and its challenges'. All others open in a window.
}

// EmbedData is what the script of a framed page needs: see static/js/site/embed.js.
type EmbedData struct {
	Base    string   `json:"base"`
	Origins []string `json:"origins"`
	Path    string   `json:"path"`
	Title   string   `json:"title"`
	Inside  []string `json:"inside"`
}

// embedData returns the data of the script of a framed page.
func (s Site) embedData() EmbedData {
	d := EmbedData{Base: s.Base, Origins: s.Frame.Origins, Path: s.Frame.Path, Title: s.headline(), Inside: s.Frame.Inside}
	if d.Path == "" {
		d.Path, _, _ = strings.Cut(s.Here, "?")
	}
	if d.Inside == nil {
		d.Inside = []string{}
	}
	return d
}

// inFrame returns the attributes of a framed page, from which its scripts make addresses.
func (s Site) inFrame() templ.Attributes {
	if s.Frame == nil {
		return nil
	}
	all := templ.Attributes{"data-frame": EmbedPath, "data-tongue": string(s.Lang)}
	if s.Frame.Visitor != "" {
		all["data-visitor"] = s.Frame.Visitor
	}
	return all
}

// taken are names below a course or a lesson that are no lessons and no challenges.
var taken = map[string]bool{"sources": true, "test": true, "handout": true, "again": true, "card.png": true}

// Embeddable reports whether another site may frame the page of a path: a lesson, a challenge, a run or the explorer.
func Embeddable(path string) bool {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	for _, part := range parts {
		if part == "" || taken[part] {
			return false
		}
	}
	switch parts[0] {
	case "courses":
		return len(parts) == 3 || len(parts) == 4
	case "t":
		return len(parts) == 2 && len(parts[1]) == 10 && strings.Trim(parts[1], "abcdefghijklmnopqrstuvwxyz0123456789") == ""
	case "explore":
		return len(parts) == 1
	}
	return false
}

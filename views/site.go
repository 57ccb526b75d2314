package views

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"lockstep/engine/lang"
)

// A Site tells every page its address and its reader's language and settings.
type Site struct {
	Lang    lang.Language
	Base    string     // of every path, such as /tools/lockstep; empty: the root
	Assets  string     // the path of the static files, without the base, such as /static/5d41402a
	Course  string     // the path of the first course
	Window  string     // the page's title, without the name of the site; empty: the site's
	About   string     // what the page shows, for search engines and where its link is pasted; empty: what the site does
	Origin  string     // scheme, host and base path by which others reach the site; empty: nobody needs them
	Picture string     // the path of the picture of the page's link; empty: the site's
	Alone   bool       // the site is for one person on this machine, and has no rooms
	Here    string     // this page within the site, such as /t/k3v9m2xq7a?step=9; empty: no page to return to
	Private bool       // only a room may see the page
	Class   *ClassLink // the room that the reader is in; nil: none

	Frame *Frame // of another site, in which the page stands; nil: it has a window

	Settings Settings
	Author   *Author // what the page tells somebody who writes its course; nil: nobody does
}

// A ClassLink leads back to the room that the reader presents, or has a seat in.
type ClassLink struct {
	Code      string // six digits, as they stand in addresses
	Says      string // the code as people read it: 434 063
	Path      string // of the room within the site
	Presenter bool
}

// back returns the path that leads the reader back: the presenter to the run, and everybody else to their own part.
func (c *ClassLink) back() string {
	if c.Presenter {
		return c.Path + "/present"
	}
	return c.Path
}

// class returns the link to the reader's room; nil: none. A page in a frame of another site has no part in the room.
func (s Site) class() *ClassLink {
	if s.Frame != nil {
		return nil
	}
	return s.Class
}

// presents reports whether the reader presents a room, and can show it something.
func (s Site) presents() bool { return s.class() != nil && s.Class.Presenter }

// URL returns the address of a path of the site, such as /new.
func (s Site) URL(path string) templ.SafeURL { return templ.SafeURL(s.Base + path) }

// Static returns the address of a static file, such as js/run/page.js.
func (s Site) Static(name string) string { return s.Base + s.Assets + "/" + name }

// title returns the title of the window.
func (s Site) title() string {
	if s.Window == "" {
		return Say(s.Lang, "title")
	}
	return s.Window + " – Lockstep"
}

// called returns the site with a page's title, made of what tells most first.
func (s Site) called(parts ...string) Site {
	s.Window = strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
	return s
}

// tag returns the tag of a language in markup. Browsers choose fonts by it: simplified
// and traditional Chinese write the same characters differently.
func tag(l lang.Language) string {
	if l == lang.Chinese {
		return "zh-Hans"
	}
	return string(l)
}

// backTo returns the key of the label for the link back from an error page.
func backTo(path string) string {
	if path == "/" {
		return "back.home"
	}
	return "back"
}

// withLanguage adds a language to a path.
func withLanguage(path string, l lang.Language) string { return withQuery(path, "lang="+string(l)) }

// withQuery adds a query to a path, which may have one.
func withQuery(path, query string) string {
	if strings.Contains(path, "?") {
		return path + "&" + query
	}
	return path + "?" + query
}

func contains(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

// waiting returns what a page's script says of a press without an answer, on the element that tells of the connection.
func waiting(l lang.Language) templ.Attributes {
	return templ.Attributes{"data-sending": Say(l, "sending"), "data-reconnecting": Say(l, "reconnecting")}
}

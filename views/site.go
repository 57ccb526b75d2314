package views

import (
	"net/url"
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

// Called returns the site with a page's title, made of what tells most first.
func (s Site) Called(parts ...string) Site {
	s.Window = strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), " · ")
	return s
}

// LangTag returns the tag of a language in markup. Browsers choose fonts by it: simplified
// and traditional Chinese write the same characters differently.
func LangTag(l lang.Language) string {
	if l == lang.Chinese {
		return "zh-Hans"
	}
	return string(l)
}

// Foreign returns the attribute of a text that stands in another language than its page; empty: in the page's own.
func Foreign(l lang.Language) templ.Attributes {
	if l == "" {
		return nil
	}
	return templ.Attributes{"lang": LangTag(l)}
}

// WithLanguage adds a language to a path.
func WithLanguage(path string, l lang.Language) string { return WithQuery(path, "lang="+string(l)) }

// WithQuery adds a query to a path, which may have one.
func WithQuery(path, query string) string {
	if strings.Contains(path, "?") {
		return path + "&" + query
	}
	return path + "?" + query
}

// Waiting returns what a page's script says of a press without an answer, on the element that tells of the connection.
func Waiting(l lang.Language) templ.Attributes {
	return templ.Attributes{"data-sending": Say(l, "sending"), "data-reconnecting": Say(l, "reconnecting")}
}

// Port returns the port of a URL.
func Port(text string) string {
	u, err := url.Parse(text)
	switch {
	case err != nil:
		return ""
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}

// Spoken returns how politely a screen reader speaks the caption, as the reader chose.
func (s Site) Spoken() string {
	if s.Settings.Speak == "off" {
		return "off"
	}
	return "polite"
}

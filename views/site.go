package views

import (
	"slices"
	"strings"

	"github.com/a-h/templ"

	"lockstep/engine/lang"
)

// A Site is what every page knows of the place that it is served from and of
// whoever reads it.
type Site struct {
	Lang   lang.Language
	Base   string // of every path, such as /tools/lockstep; empty: the root
	Assets string // the path of the static files, without the base, such as /static/5d41402a
	Course string // the path of the first course
	Window string // its title; empty: that of the site
	Here   string // this page within the site, such as /t/k3v9m2xq7a?step=9; empty: none to come back to

	Settings Settings
}

// URL is the address of a path of the site, such as /new.
func (s Site) URL(path string) templ.SafeURL { return templ.SafeURL(s.Base + path) }

// Static is the address of a static file, such as js/run/page.js.
func (s Site) Static(name string) string { return s.Base + s.Assets + "/" + name }

// title is what the window is called.
func (s Site) title() string {
	if s.Window == "" {
		return Say(s.Lang, "title")
	}
	return s.Window
}

// tag returns the tag by which markup names a language. A browser chooses the letters
// by it, which simplified and traditional Chinese write differently.
func tag(l lang.Language) string {
	if l == lang.Chinese {
		return "zh-Hans"
	}
	return string(l)
}

// backTo returns the key of what a page of an error calls the page that it leads back to.
func backTo(path string) string {
	if path == "/" {
		return "back.home"
	}
	return "back"
}

// withLanguage adds to a path the language in which it is to be read.
func withLanguage(path string, l lang.Language) string {
	if strings.Contains(path, "?") {
		return path + "&lang=" + string(l)
	}
	return path + "?lang=" + string(l)
}

func contains(list, word string) bool { return slices.Contains(strings.Fields(list), word) }

package views

import (
	"net/url"
	"strings"

	"lockstep/engine/lang"
)

// SitePicture is the path of the picture of the site's own link, and of a page that has none.
const SitePicture = "/card.png"

// about returns a sentence about the page.
func (s Site) about() string {
	if s.About == "" {
		return Say(s.Lang, "face.about")
	}
	return s.About
}

// headline returns the title of the page's link, which stands beside the name of the site.
func (s Site) headline() string {
	if s.Window == "" {
		return Say(s.Lang, "home.claim")
	}
	return s.Window
}

// PictureOf returns the path of the picture of a page, in a language.
func PictureOf(path, query string, l lang.Language) string {
	if path += SitePicture; query != "" {
		path += "?" + query
	}
	return WithLanguage(path, l)
}

// oembed returns the address that tells what to show in place of a link to the page; empty: nothing but its face.
func (s Site) oembed() string {
	path, _, _ := strings.Cut(s.Here, "?")
	if s.Private || s.Alone || s.Frame != nil || !Embeddable(path) {
		return ""
	}
	return s.Origin + "/oembed?format=json&url=" + url.QueryEscape(s.Origin+WithLanguage(s.Here, s.Lang))
}

// picture returns the address of the picture of the page's link.
func (s Site) picture() string {
	path := s.Picture
	if path == "" {
		path = SitePicture
	}
	return s.Origin + WithLanguage(path, s.Lang)
}

package views

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

// picture returns the address of the picture of the page's link.
func (s Site) picture() string {
	path := s.Picture
	if path == "" {
		path = SitePicture
	}
	return s.Origin + withLanguage(path, s.Lang)
}

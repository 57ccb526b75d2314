package door

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"lockstep/views"
)

const SettingsCookie = "settings"

// FromLink lists the settings that a link may carry, such as a link for a projector.
// They hold for that page only: somebody who opens a friend's link wants to keep
// their own settings.
var FromLink = []string{"theme", "mode", "scale"}

// SiteFor returns the site for the visitor who has sent a request. Handler has taken
// the base path off the request's path.
func (rs *Responder) SiteFor(r *http.Request) views.Site {
	site := rs.Site(Language(r))
	site.Settings, site.Origin = Kept(r), rs.PublicURL(r)
	site.Class, site.Author = rs.ClassOf(r), rs.author(r)
	query := r.URL.Query()
	for _, name := range FromLink {
		site.Settings = site.Settings.With(name, query.Get(name))
		query.Del(name) // it would undo a choice made on the page
	}
	query.Del("lang") // remember has kept it
	query.Del(VisitorField)
	here := url.URL{Path: r.URL.Path, RawQuery: query.Encode()}
	if site.Frame = FrameOf(r); site.Frame != nil {
		here.Path = strings.TrimPrefix(here.Path, views.EmbedPath)
		site.Here, site.Author = here.String(), nil
		return site
	}
	if r.Method == http.MethodPost { // forms go to addresses below the page's
		here = url.URL{Path: path.Dir(here.Path)}
	}
	site.Here = here.String()
	return site
}

// Kept returns the settings that a visitor has chosen before.
func Kept(r *http.Request) views.Settings {
	settings := views.Usual
	text, _ := Choice(r, SettingsCookie)
	values, err := url.ParseQuery(text)
	if err != nil {
		return settings
	}
	return Changed(settings, values)
}

// Changed returns settings with the given values in place. A setting without a value
// stays. The last of two values counts, because browsers send no unticked box.
func Changed(settings views.Settings, values url.Values) views.Settings {
	for name, all := range values {
		settings = settings.With(name, all[len(all)-1])
	}
	return settings
}

// Within returns an address of this site, or the site's root in place of any other
// address: //evil.example leads away, and in a browser /\evil.example does too.
func Within(back string) string {
	u, err := url.Parse(back)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") || strings.Contains(back, `\`) {
		return "/"
	}
	return u.String()
}

package web

import (
	"net/http"
	"net/url"
	"path"
	"strings"

	"lockstep/views"
)

const settingsCookie = "settings"

// fromLink are the settings that a link may carry, as one for a projector does.
// They hold for the page that it leads to and are not kept: whoever is sent a
// link does not want their own screen changed by it for good.
var fromLink = []string{"theme", "mode", "scale"}

// siteFor is the site for whoever has sent a request. Its path comes here without
// the base path, which Handler has taken off.
func (rs *responder) siteFor(r *http.Request) views.Site {
	site := rs.site(language(r))
	site.Settings = kept(r)
	query := r.URL.Query()
	for _, name := range fromLink {
		site.Settings = site.Settings.With(name, query.Get(name))
		query.Del(name) // a choice made on the page would be undone by it
	}
	query.Del("lang") // which has been kept
	here := url.URL{Path: r.URL.Path, RawQuery: query.Encode()}
	if r.Method == http.MethodPost { // to an address below that of the page
		here = url.URL{Path: path.Dir(here.Path)}
	}
	site.Here = here.String()
	return site
}

// kept are the settings that a reader has chosen before.
func kept(r *http.Request) views.Settings {
	settings := views.Usual
	text, _ := choice(r, settingsCookie)
	values, err := url.ParseQuery(text)
	if err != nil {
		return settings
	}
	return changed(settings, values)
}

// changed are settings with those in the values. One that is not there stays;
// of two the last counts, as a box that is not ticked is not sent.
func changed(settings views.Settings, values url.Values) views.Settings {
	for name, all := range values {
		settings = settings.With(name, all[len(all)-1])
	}
	return settings
}

// handleSettings keeps what the menu of settings was set to.
func (s *Server) handleSettings(w http.ResponseWriter, r *http.Request) {
	if !s.parseForm(w, r, maxForm) {
		return
	}
	settings := changed(kept(r), r.PostForm)
	s.setCookie(w, r, http.Cookie{
		Name: settingsCookie,
		Value: url.Values{
			"theme": {settings.Theme}, "mode": {settings.Mode}, "scale": {settings.Scale},
			"speak": {settings.Speak}, "letters": {settings.LettersWord()},
		}.Encode(),
		MaxAge: 365 * 24 * 60 * 60,
	})
	http.Redirect(w, r, s.base+within(r.PostForm.Get("back")), http.StatusSeeOther)
}

// within is an address of this site, or its beginning if another one is named:
// //evil.example leads away, and so does /\evil.example in a browser.
func within(back string) string {
	u, err := url.Parse(back)
	if err != nil || u.IsAbs() || u.Host != "" || !strings.HasPrefix(back, "/") || strings.HasPrefix(back, "//") || strings.Contains(back, `\`) {
		return "/"
	}
	return u.String()
}

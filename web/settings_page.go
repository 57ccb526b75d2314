package web

import (
	"net/http"
	"net/url"
)

// handleSettings keeps the choices in the menu of settings.
func (s *Server) handleSettings(w http.ResponseWriter, r *http.Request) {
	if !s.parseForm(w, r, maxForm) {
		return
	}
	settings := changed(kept(r), r.PostForm)
	s.setCookie(w, r, http.Cookie{
		Name: settingsCookie,
		Value: url.Values{
			"theme": {settings.Theme}, "mode": {settings.Mode}, "scale": {settings.Scale},
			"speed": {settings.Speed}, "sound": {settings.SoundWord()},
			"speak": {settings.Speak}, "letters": {settings.LettersWord()},
		}.Encode(),
		MaxAge: 365 * 24 * 60 * 60,
	})
	http.Redirect(w, r, s.base+within(r.PostForm.Get("back")), http.StatusSeeOther)
}

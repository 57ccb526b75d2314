package web

import (
	"net/http"
	"net/url"

	"lockstep/web/door"
)

// handleSettings keeps the choices in the menu of settings.
func (s *Server) handleSettings(w http.ResponseWriter, r *http.Request) {
	if !s.ParseForm(w, r, door.MaxForm) {
		return
	}
	settings := door.Changed(door.Kept(r), r.PostForm)
	s.SetCookie(w, r, http.Cookie{
		Name: door.SettingsCookie,
		Value: url.Values{
			"theme": {settings.Theme}, "mode": {settings.Mode}, "scale": {settings.Scale},
			"speed": {settings.Speed}, "sound": {settings.SoundWord()},
			"speak": {settings.Speak}, "letters": {settings.LettersWord()},
		}.Encode(),
		MaxAge: 365 * 24 * 60 * 60,
	})
	http.Redirect(w, r, s.Base+door.Within(r.PostForm.Get("back")), http.StatusSeeOther)
}

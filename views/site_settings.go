package views

import "slices"

// Settings are how a reader wants the site to look and to speak. They stand as
// data-… attributes on the root element, where style sheets and scripts read them.
type Settings struct {
	Theme   string // one of Themes
	Mode    string // one of Modes
	Scale   string // one of Scales: how large letters are
	Speak   string // one of Speeches: what a screen reader is told unasked
	Letters bool   // a key of a letter, a digit or a sign is a shortcut
}

// What can be chosen; the first is what a reader has who has chosen nothing.
var (
	Themes   = []string{"auto", "light", "dark"}
	Modes    = []string{"desk", "projector"}
	Scales   = []string{"1", "1.25", "1.5", "1.75", "2"}
	Speeches = []string{"events", "changes", "off"}
)

// Usual are the settings of a reader who has chosen nothing.
var Usual = Settings{Theme: Themes[0], Mode: Modes[0], Scale: Scales[0], Speak: Speeches[0], Letters: true}

// With are the settings with one changed; a name or a value that there is not
// changes nothing, as both come from addresses and cookies.
func (s Settings) With(name, value string) Settings {
	set := func(field *string, known []string) {
		if slices.Contains(known, value) {
			*field = value
		}
	}
	switch name {
	case "theme":
		set(&s.Theme, Themes)
	case "mode":
		set(&s.Mode, Modes)
	case "scale":
		set(&s.Scale, Scales)
	case "speak":
		set(&s.Speak, Speeches)
	case "letters":
		letters := s.LettersWord()
		set(&letters, []string{"on", "off"})
		s.Letters = letters == "on"
	}
	return s
}

// LettersWord is Letters as the attribute, the form and the cookie write it.
func (s Settings) LettersWord() string {
	if s.Letters {
		return "on"
	}
	return "off"
}

// otherMode is what the projector button leads to.
func (s Settings) otherMode() string {
	if s.Mode == "projector" {
		return "desk"
	}
	return "projector"
}

package views

import "slices"

// Settings holds a reader's choices for looks, motion, sound and speech. They become data-… attributes of
// the root element, where style sheets and scripts read them.
type Settings struct {
	Theme   string // one of Themes
	Mode    string // one of Modes
	Scale   string // one of Scales: the size of letters
	Speed   string // one of Speeds: how fast pictures move
	Speak   string // one of Speeches: the announcements for a screen reader
	Sound   bool   // what happens is heard
	Letters bool   // a key of a letter, a digit or a sign is a shortcut
}

// The choices; Usual has the default of each.
var (
	Themes   = []string{"auto", "light", "dark"}
	Modes    = []string{"desk", "projector"}
	Scales   = []string{"1", "1.25", "1.5", "1.75", "2"}
	Speeds   = []string{"0.5", "1", "2", "4"}
	Speeches = []string{"events", "changes", "off"}
)

// Usual holds the default settings.
var Usual = Settings{Theme: Themes[0], Mode: Modes[0], Scale: Scales[0], Speed: "1", Speak: Speeches[0], Letters: true}

// With returns the settings with one changed. An unknown name or value changes nothing,
// because both come from addresses and cookies.
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
	case "speed":
		set(&s.Speed, Speeds)
	case "sound":
		turn(&s.Sound, value)
	case "letters":
		turn(&s.Letters, value)
	}
	return s
}

// turn sets a switch to what the attribute, the form and the cookie write of it.
func turn(on *bool, word string) {
	switch word {
	case "on":
		*on = true
	case "off":
		*on = false
	}
}

// LettersWord returns Letters as the attribute, the form and the cookie write it.
func (s Settings) LettersWord() string { return onOrOff(s.Letters) }

// SoundWord returns Sound in the same way.
func (s Settings) SoundWord() string { return onOrOff(s.Sound) }

func onOrOff(on bool) string {
	if on {
		return "on"
	}
	return "off"
}

// otherMode returns the mode that the projector button chooses.
func (s Settings) otherMode() string {
	if s.Mode == "projector" {
		return "desk"
	}
	return "projector"
}

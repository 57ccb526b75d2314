package views

import (
	"strings"

	"lockstep/engine/lang"
)

// Say gives the text of a key, with its arguments filled in.
func Say(l lang.Language, key string, arguments ...any) string {
	w, ok := words[key]
	if !ok {
		return key // a test rules this out
	}
	if len(arguments) == 0 {
		return lang.Text(w).In(l)
	}
	return lang.Text(w).Fill(l, arguments...)
}

// TimelineWords returns the texts that the timeline draws, by the keys that it names at
// the top of static/js/timeline/timeline.js, with a flag for each property.
func TimelineWords(l lang.Language, flags map[string]string) map[string]any {
	said := map[string]any{"property": flags}
	for name, text := range saidBy(l, "timeline.") {
		said[name] = text
	}
	return said
}

// PageWords returns the texts of the page's scripts, by the end of their keys.
func PageWords(l lang.Language) map[string]string { return saidBy(l, "script.") }

// BesideWords returns the texts of the script that compares two runs, by the end of their keys.
func BesideWords(l lang.Language) map[string]string { return saidBy(l, "beside.") }

func saidBy(l lang.Language, prefix string) map[string]string {
	said := map[string]string{}
	for key := range words {
		if name, ok := strings.CutPrefix(key, prefix); ok {
			said[name] = Say(l, key)
		}
	}
	return said
}

// Words are texts in both languages, by their keys. An argument stands where the sentence needs it; %[2]s takes it out of
// turn. Commands, keys and names are not translated.
type Words map[string]struct{ English, Chinese string }

// words is the catalogue of the whole site. Each package of pages adds its own texts before anything runs.
var words = Words{}

func init() { AddWords(siteWords, stageWords) }

// AddWords adds texts to the catalogue. Only the init function of a package of pages calls it.
func AddWords(parts ...Words) {
	for _, part := range parts {
		for key, w := range part {
			if _, taken := words[key]; taken {
				panic("views: the word " + key + " is in the catalogue twice")
			}
			words[key] = w
		}
	}
}

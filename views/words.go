package views

import (
	"fmt"
	"strings"
)

// A Language is one that every page is written in, by its BCP 47 tag.
type Language string

// The languages.
const (
	English Language = "en"
	Chinese Language = "zh"
)

// Say gives the text of a key, with its arguments filled in.
func (l Language) Say(key string, arguments ...any) string {
	w, ok := words[key]
	if !ok {
		return key // a test keeps this from happening
	}
	pattern := w.english
	if l == Chinese {
		pattern = w.chinese
	}
	if len(arguments) == 0 {
		return pattern
	}
	return fmt.Sprintf(pattern, arguments...)
}

// TimelineWords are the texts that the timeline draws, by the keys that it
// names at the top of static/js/timeline/timeline.js, with a flag for each property.
func (l Language) TimelineWords(flags map[string]string) map[string]any {
	said := map[string]any{"property": flags}
	for name, text := range l.saidBy("timeline.") {
		said[name] = text
	}
	return said
}

// PageWords are what the scripts of the page say, by the end of their keys.
func (l Language) PageWords() map[string]string { return l.saidBy("script.") }

// BesideWords are what the script says that compares two runs, by the end of their keys.
func (l Language) BesideWords() map[string]string { return l.saidBy("beside.") }

func (l Language) saidBy(prefix string) map[string]string {
	said := map[string]string{}
	for key := range words {
		if name, ok := strings.CutPrefix(key, prefix); ok {
			said[name] = l.Say(key)
		}
	}
	return said
}

type word struct{ english, chinese string }

// words is the catalogue: what each part of the site says, a file for each part.
// An argument stands where the sentence wants it; %[2]s takes it out of turn.
// Commands, keys and names are not translated.
var words = merge(
	pageWords, homeWords, timelineWords, timelineControlWords, consoleWords, shareWords, settingsWords, helpWords, compareWords, exploreWords, aheadWords, courseWords, taskWords,
	limitWords,
	roomSays, roomWords,
	phoneWords,
	screenWords, wallWords,
)

func merge(parts ...map[string]word) map[string]word {
	all := map[string]word{}
	for _, part := range parts {
		for key, w := range part {
			if _, taken := all[key]; taken {
				panic("views: the word " + key + " is in the catalogue twice")
			}
			all[key] = w
		}
	}
	return all
}

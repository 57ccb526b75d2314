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

// A word has the sentence of a key, or its pattern.
type word lang.Text

// words is the catalogue: the texts of each part of the site, one file for each part.
// An argument stands where the sentence needs it; %[2]s takes it out of turn.
// Commands, keys and names are not translated.
var words = merge(
	pageWords, authorWords, homeWords, timelineWords, timelineControlWords, consoleWords, shareWords, settingsWords, helpWords, compareWords, exploreWords, aheadWords, courseWords, taskWords, recallWords, testWords, answerWords,
	limitWords,
	faceWords, classWords, realWords, embedWords,
	roomSays, roomWords, timerWords, planWords,
	phoneWords,
	screenWords, wallWords, resultsWords,
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

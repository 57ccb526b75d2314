package course

// CheckReporting does what Check does, and passes on each answer of the
// explorer.
var CheckReporting = (*Course).check

var Shuffle = shuffle[string]

// Sentences counts the sentences of a text, as the loader does.
func Sentences(text string) int {
	return len(sentencesOf(text))
}

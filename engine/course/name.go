package course

import "regexp"

// maxName is how long a name may be, which stands in addresses, in file names and on every page of the course.
const maxName = 64

var nameOf = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// isName reports whether a course, or a part of one, may have a name.
func isName(name string) bool { return len(name) <= maxName && nameOf.MatchString(name) }

// clipped returns as much of a text as a refusal quotes.
func clipped(text string) string {
	if shown := []rune(text); len(shown) > maxName {
		return string(shown[:maxName]) + "…"
	}
	return text
}

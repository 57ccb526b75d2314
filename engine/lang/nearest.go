package lang

import (
	"slices"
	"strings"
)

// DidYouMean asks whether one of the known names was meant: "; did you mean expiry?" It says nothing where none is near.
func DidYouMean(name string, known []string) Text {
	near := Nearest(name, known)
	if len(near) == 0 {
		return Text{}
	}
	return Format("; did you mean %s?", "；是不是想写 %s？", AnyOf(near))
}

// DidYouMeanOf does the same, and lists all known names where none is near.
func DidYouMeanOf(name string, known []string) Text {
	if text := DidYouMean(name, known); text != (Text{}) || len(known) == 0 {
		return text
	}
	return Format("; there are %s", "；可用的有 %s", strings.Join(known, ", "))
}

// AnyOf lists names to choose from.
func AnyOf(names []string) Text {
	return Both(strings.Join(names, " or "), strings.Join(names, " 或 "))
}

// Nearest lists the known names that the author may have meant: at most three, the
// nearest first, equally near ones in alphabetical order.
func Nearest(name string, known []string) []string {
	const farthest = 2
	type candidate struct {
		name     string
		distance int
	}
	var candidates []candidate
	for _, k := range known {
		d := distance(strings.ToLower(name), strings.ToLower(k))
		if d <= farthest && d < len(k) {
			candidates = append(candidates, candidate{k, d})
		}
	}
	slices.SortFunc(candidates, func(a, b candidate) int {
		if a.distance != b.distance {
			return a.distance - b.distance
		}
		return strings.Compare(a.name, b.name)
	})
	var names []string
	for _, c := range candidates[:min(3, len(candidates))] {
		names = append(names, c.name)
	}
	return slices.Compact(names)
}

// distance counts the letters to insert, delete or replace. Names are short;
// a longer one is far from everything.
func distance(a, b string) int {
	const long = 32
	if len(a) > long || len(b) > long {
		return long
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

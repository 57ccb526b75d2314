package live

import (
	"encoding/json"
	"slices"
	"strings"

	"lockstep/web/present"
)

// A change tells how to make the HTML of a panel from the HTML that a viewer has. Both are sequences of pieces, each of
// which begins with a tag. A text in a change stands for itself, and two numbers for pieces of the old HTML: the first
// piece, and how many.
type change []any

// Changed returns what a viewer who has the old HTML of a panel is told about the new one: a change, or the new HTML where
// that is shorter. The work grows with the lengths of both.
func Changed(before, now string) any {
	if told := present.Encode(compare(pieces(before), pieces(now))); len(told) < len(now) {
		return json.RawMessage(told)
	}
	return now
}

// compare returns the change from old pieces to new ones. Where they part it goes on with the nearest two pieces that
// continue both: one piece alone, such as the end of a button, occurs everywhere.
func compare(old, now []string) (c change) {
	places := map[[2]string][]int{}
	for i := range len(old) - 1 {
		pair := [2]string(old[i : i+2])
		places[pair] = append(places[pair], i)
	}
	var text strings.Builder
	write := func() {
		if text.Len() > 0 {
			c = append(c, text.String())
			text.Reset()
		}
	}
	at := 0 // in the old pieces
	for len(now) > 0 {
		if len(now) > 1 && (at >= len(old) || old[at] != now[0]) {
			at = nearest(places[[2]string(now[:2])], at)
		}
		n := 0
		for at+n < len(old) && n < len(now) && old[at+n] == now[n] {
			n++
		}
		if n == 0 {
			text.WriteString(now[0])
			now = now[1:]
			at++
			continue
		}
		write()
		c = append(c, at, n)
		now, at = now[n:], at+n
	}
	write()
	return c
}

// nearest returns the place nearest to another one, or that one where there is none. The places are in order.
func nearest(places []int, to int) int {
	i, _ := slices.BinarySearch(places, to)
	switch {
	case len(places) == 0:
		return to
	case i == len(places) || i > 0 && to-places[i-1] < places[i]-to:
		return places[i-1]
	}
	return places[i]
}

// pieces cuts HTML before each tag.
func pieces(html string) (all []string) {
	for html != "" {
		next := strings.IndexByte(html[1:], '<') + 1
		if next == 0 {
			next = len(html)
		}
		all, html = append(all, html[:next]), html[next:]
	}
	return all
}

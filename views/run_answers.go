package views

import (
	"strconv"

	"github.com/a-h/templ"
)

// letter names an answer by its place: A, B, C …
func letter(place int) string {
	if place < 26 {
		return string(rune('A' + place))
	}
	return strconv.Itoa(place + 1)
}

// digit returns the key of an answer by its place. After the ninth there is none.
func digit(place int) templ.Attributes {
	if place > 8 {
		return nil
	}
	return templ.Attributes{"aria-keyshortcuts": strconv.Itoa(place+1) + " " + letter(place)}
}

func rightOrWrong(right bool) string {
	if right {
		return "right"
	}
	return "wrong"
}

// rightPlace returns the place of the right answer.
func rightPlace(all []Answer) int {
	for i, a := range all {
		if a.Right {
			return i
		}
	}
	return -1
}

package course

import (
	"strconv"

	"github.com/a-h/templ"
)

// An Answer is one choice of a prediction.
type Answer struct {
	Name  string
	Text  Text // HTML of a line
	After Text // HTML for a reader who gave it
	More  Text // HTML, what opens below that; may be missing
	Right bool

	Misconception Text   // the wrong idea that it comes from; may be missing
	Refuted       string // a run as text that shows why it is wrong, as a reason; empty: there is none
}

// Numbered returns the title of a lesson with its number; incidents have none.
func (l LessonLink) Numbered() string {
	if l.Incident {
		return l.Title.Say
	}
	return strconv.Itoa(l.Number) + ". " + l.Title.Say
}

// Letter names an answer by its place: A, B, C …
func Letter(place int) string {
	if place < 26 {
		return string(rune('A' + place))
	}
	return strconv.Itoa(place + 1)
}

// Digit returns the key of an answer by its place. After the ninth there is none.
func Digit(place int) templ.Attributes {
	if place > 8 {
		return nil
	}
	return templ.Attributes{"aria-keyshortcuts": strconv.Itoa(place+1) + " " + Letter(place)}
}

func RightOrWrong(right bool) string {
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

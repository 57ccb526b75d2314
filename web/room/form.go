package room

import (
	"strconv"
	"strings"
)

// A Form returns the text of a field that a page sends; empty: the page sends no such field.
type Form func(field string) string

// noNumber is no seat, no choice and no position.
const noNumber = -2

// Read returns the entry that a form asks for. It reports whether the form holds all of the entry: some entries tell about
// the world outside the room.
func Read(verb Verb, who Who, form Form) (e Entry, ok bool) {
	v := verb.declared()
	if v == nil || v.read == nil {
		return Entry{}, false
	}
	e = v.read(who, form)
	e.Verb = verb
	return e, true
}

// Number returns the number in a field. Any other text gives a number that no seat, choice or position has.
func (f Form) Number(field string) int {
	n, err := strconv.Atoi(f(field))
	if err != nil {
		return noNumber
	}
	return n
}

// on reports whether a field has a text.
func (f Form) on(field string) bool { return f(field) != "" }

// seats reads the numbers in a field, with spaces between them. A word that is no number names no seat.
func (f Form) seats(field string) (seats []int) {
	for word := range strings.FieldsSeq(f(field)) {
		number, err := strconv.Atoi(word)
		if err != nil {
			number = noNumber
		}
		seats = append(seats, number)
	}
	return seats
}

// readNothing reads an entry without fields.
func readNothing(Who, Form) Entry { return Entry{} }

// readOn reads a switch that is on or off.
func readOn(_ Who, f Form) Entry { return Entry{On: f.on("on")} }

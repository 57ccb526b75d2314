package room_test

import (
	"reflect"
	"testing"

	"lockstep/web/room"
)

// A verb reads its entry from the fields of a form. A verb without forms in samples gives no entry.
func TestRead(t *testing.T) {
	for _, verb := range append(room.Verbs(), "shout", "") {
		for _, row := range samples[verb].forms {
			row.want.Verb = verb
			if got, _ := room.Read(verb, row.who, func(field string) string { return row.form[field] }); !reflect.DeepEqual(got, row.want) {
				t.Errorf("%s %v: got %+v, want %+v", verb, row.form, got, row.want)
			}
		}
		if _, ok := room.Read(verb, presenter, func(string) string { return "" }); ok != (len(samples[verb].forms) > 0) {
			t.Errorf("%s reads a form: %t, and samples has forms of it: %t", verb, ok, !ok)
		}
	}
}

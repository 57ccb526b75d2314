package room_test

import (
	"reflect"
	"testing"

	"lockstep/web/room"
)

// A row of the rules reads an entry from the fields of a form. A verb without such a row gives no entry.
func TestRead(t *testing.T) {
	rows := []struct {
		verb room.Verb
		who  room.Who
		form map[string]string
		want room.Entry
	}{
		{room.VerbRemove, presenter, map[string]string{"seat": "2 3 x"}, room.Entry{Seats: []int{2, 3, -2}}},
		{room.VerbLock, presenter, map[string]string{"on": "on"}, room.Entry{On: true}},
		{room.VerbLock, presenter, nil, room.Entry{}},
		{room.VerbName, seat(2), map[string]string{"text": "Lin", "roster": "Lin Wei", "seat": "3"}, room.Entry{Seat: 2, Text: "Lin", Roster: "Lin Wei"}},
		{room.VerbName, presenter, map[string]string{"seat": "3"}, room.Entry{Seat: 3}},
		{room.VerbSwitch, presenter, map[string]string{"roster": "on"}, room.Entry{Rosters: true}},
		{room.VerbSwitch, presenter, map[string]string{"free": "on"}, room.Entry{Free: true}},
		{room.VerbDrive, presenter, map[string]string{"seat": "1"}, room.Entry{Seat: 1}},
		{room.VerbDrive, presenter, nil, room.Entry{Seat: -2}},
		{room.VerbCursor, presenter, map[string]string{"at": "-1"}, room.Entry{At: room.End}},
		{room.VerbGather, presenter, map[string]string{"seat": "1"}, room.Entry{}},
		{room.VerbBlack, presenter, map[string]string{"on": "on"}, room.Entry{On: true}},
		{room.VerbPlace, presenter, map[string]string{"seat": "3", "lane": "C2"}, room.Entry{Seat: 3, Lane: "C2"}},
		{room.VerbVote, seat(2), map[string]string{"seat": "3", "choice": "1"}, room.Entry{Seat: 2, Choice: 1}},
		{room.VerbVote, seat(2), map[string]string{"choice": "1", "ballot": "3"}, room.Entry{Seat: 2, Choice: 1, Ballot: 3}},
		{room.VerbRound, presenter, nil, room.Entry{}},
		{room.VerbDrop, presenter, nil, room.Entry{}},
		{room.VerbHome, presenter, nil, room.Entry{}},
	}
	read := map[room.Verb]bool{}
	for _, row := range rows {
		read[row.verb] = true
		row.want.Verb = row.verb
		got, ok := room.Read(row.verb, row.who, func(field string) string { return row.form[field] })
		if !ok || !reflect.DeepEqual(got, row.want) {
			t.Errorf("%s %v: got %+v, %t, want %+v", row.verb, row.form, got, ok, row.want)
		}
	}
	for _, verb := range append(room.Verbs(), "shout", "") {
		if _, ok := room.Read(verb, presenter, func(string) string { return "" }); ok != read[verb] {
			t.Errorf("%s: read: %t, want %t", verb, ok, read[verb])
		}
	}
}

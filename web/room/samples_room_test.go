package room_test

import (
	"fmt"
	"slices"
	"strings"

	"lockstep/engine/lang"
	"lockstep/web/room"
)

// roomSamples are of the verbs of the door, the people, the run that is shown and the lanes.
var roomSamples = map[room.Verb]sample{
	room.VerbOpen: {
		read: func(e *room.Entry, l *line) { e.Code, e.Task, e.Key = l.word(1), l.options["task"], key("presenter") },
		fuzz: func(e *room.Entry, a, _ int) { e.Code, e.Run, e.Key = "482913", "run1", key(fmt.Sprint(a)) },
		may: []mayRow{
			{nil, room.Entry{Code: "123456", Run: "r", Key: key("x")}, [5]error{room.ErrOpened, room.ErrOpened, room.ErrOpened, room.ErrOpened, room.ErrOpened}},
		},
	},
	room.VerbPair: {
		read: func(e *room.Entry, l *line) { e.Key, e.Revoked = key(l.word(1)), l.number(l.options["revoked"]) },
		fuzz: func(e *room.Entry, a, b int) { e.Key, e.Revoked = key(fmt.Sprint(a)), b%3 },
		may: []mayRow{
			{nil, room.Entry{Key: key("phone")}, onlyPresenter},
			{nil, room.Entry{Key: key("phone"), Revoked: 1}, [5]error{room.ErrRevoked, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		},
	},
	room.VerbRevoke: {
		read: func(e *room.Entry, l *line) { e.Key = key(cmpText(l.word(1), "presenter")) },
		fuzz: func(e *room.Entry, a, b int) { e.Key = []string{key("presenter"), key(fmt.Sprint(a))}[b%2] },
		may: []mayRow{
			{nil, room.Entry{Key: key("presenter")}, onlyPresenter},
			{nil, room.Entry{Key: key("1")}, [5]error{room.ErrMalformed, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		},
	},
	room.VerbJoin: {
		read: func(e *room.Entry, l *line) { e.Key = key(fmt.Sprint(l.next)) },
		fuzz: func(e *room.Entry, a, _ int) { e.Key = key(fmt.Sprint(a)) },
		may: []mayRow{
			{nil, room.Entry{Key: key("new")}, [5]error{room.ErrJoined, room.ErrJoined, room.ErrJoined, room.ErrJoined, nil}},
			{[]room.Entry{{Verb: room.VerbLock, On: true}}, room.Entry{Key: key("new")}, [5]error{room.ErrJoined, room.ErrJoined, room.ErrJoined, room.ErrJoined, room.ErrLocked}},
		},
	},
	room.VerbRemove: {
		read: func(e *room.Entry, l *line) {
			for _, text := range l.words[1:] {
				e.Seats = append(e.Seats, l.number(text))
			}
		},
		fuzz: func(e *room.Entry, a, b int) { e.Seats = []int{a % 8, b % 8}[:a%3] },
		may: []mayRow{
			{nil, room.Entry{Seats: []int{2}}, onlyPresenter},
			{nil, room.Entry{Seats: []int{1, 2, 3}}, onlyPresenter},
			{nil, room.Entry{Seats: []int{2, 4}}, [5]error{room.ErrNoSeat, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
			{nil, room.Entry{}, [5]error{room.ErrSame, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		},
		forms: []formRow{
			{presenter, map[string]string{"seat": "2 3 x"}, room.Entry{Seats: []int{2, 3, -2}}},
		},
	},
	room.VerbLock: {
		read: func(e *room.Entry, l *line) { e.On = l.word(1) == "on" },
		fuzz: func(e *room.Entry, a, _ int) { e.On = a%4 == 0 },
		may: []mayRow{
			{nil, room.Entry{On: true}, onlyPresenter},
			{nil, room.Entry{}, [5]error{room.ErrSame, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		},
		forms: []formRow{
			{presenter, map[string]string{"on": "on"}, room.Entry{On: true}},
			{presenter, nil, room.Entry{}},
		},
	},
	room.VerbName: {
		read: func(e *room.Entry, l *line) { e.Seat, e.Text = l.seat(), l.word(1) },
		fuzz: func(e *room.Entry, a, b int) {
			e.Text = []string{"", "Lin", "lin", "quiet otter", "小林", "\u202e"}[a%6]
			e.Roster = []string{"", "roster one", "roster two"}[b%3]
		},
		may: []mayRow{
			{nil, room.Entry{Seat: 2, Text: "Lin"}, onlySeat2},
			{named(2), room.Entry{Seat: 2}, [5]error{nil, notYours, nil, notYours, seatOnly}},
			{nil, room.Entry{Seat: 2, Roster: "Lin"}, onlySeat2},
		},
		forms: []formRow{
			{seat(2), map[string]string{"text": "Lin", "roster": "Lin Wei", "seat": "3"}, room.Entry{Seat: 2, Text: "Lin", Roster: "Lin Wei"}},
			{presenter, map[string]string{"seat": "3"}, room.Entry{Seat: 3}},
		},
	},
	room.VerbSwitch: {
		read: func(e *room.Entry, l *line) {
			e.Free, e.Rosters = slices.Contains(l.words, "free"), slices.Contains(l.words, "rosters")
		},
		fuzz: func(e *room.Entry, a, b int) { e.Free, e.Rosters = a%3 > 0, b%3 > 0 },
		may: []mayRow{
			{nil, room.Entry{}, onlyPresenter},
		},
		forms: []formRow{
			{presenter, map[string]string{"roster": "on"}, room.Entry{Rosters: true}},
			{presenter, map[string]string{"free": "on"}, room.Entry{Free: true}},
		},
	},
	room.VerbEnd: {
		read: func(e *room.Entry, l *line) { e.Run = l.word(1) },
		fuzz: func(e *room.Entry, a, _ int) {
			if a > 4 { // rare
				e.Verb = room.VerbGather
			}
		},
		may: []mayRow{
			{nil, room.Entry{Run: "replay0001"}, onlyPresenter},
		},
	},

	room.VerbShow: {
		read: func(e *room.Entry, l *line) { e.Run, e.Task = l.word(1), l.options["task"] },
		fuzz: func(e *room.Entry, a, _ int) { e.Run = []string{"run0", "run1", "own1", "own2"}[a%4] },
		may: []mayRow{
			{nil, room.Entry{Run: "branch0001"}, [5]error{nil, nil, driverOnly, driverOnly, driverOnly}},
			{nil, room.Entry{Run: "attempt001", Verdict: &room.Verdict{Stamp: lang.Both("Holds", "成立"), Says: lang.Both("It holds.", "成立。")}}, [5]error{nil, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
			{nil, room.Entry{Run: "attempt001", Verdict: &room.Verdict{}}, [5]error{room.ErrMalformed, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
			{nil, room.Entry{Run: "sandbox002"}, [5]error{nil, presenterOnly, driverOnly, driverOnly, driverOnly}},
		},
	},
	room.VerbDrive: {
		read: func(e *room.Entry, l *line) { e.Seat = l.number(l.word(1)) },
		fuzz: func(e *room.Entry, a, _ int) { e.Seat = a % 6 },
		may: []mayRow{
			{nil, room.Entry{Seat: 0}, [5]error{nil, nil, presenterOnly, presenterOnly, presenterOnly}},
			{nil, room.Entry{Seat: 2}, onlyPresenter},
			{nil, room.Entry{Seat: 3}, onlyPresenter},
		},
		forms: []formRow{
			{presenter, map[string]string{"seat": "1"}, room.Entry{Seat: 1}},
			{presenter, nil, room.Entry{Seat: -2}},
		},
	},
	room.VerbCursor: {
		read: func(e *room.Entry, l *line) { e.At = l.number(l.word(1)) },
		fuzz: func(e *room.Entry, a, _ int) { e.At = a%20 - 2 },
		may: []mayRow{
			{nil, room.Entry{At: 4}, [5]error{driverOnly, nil, driverOnly, driverOnly, driverOnly}},
		},
		forms: []formRow{
			{presenter, map[string]string{"at": "-1"}, room.Entry{At: room.End}},
		},
	},
	room.VerbGather: {
		may: []mayRow{
			{nil, room.Entry{}, onlyPresenter},
		},
		forms: []formRow{
			{presenter, map[string]string{"seat": "1"}, room.Entry{}},
		},
	},
	room.VerbBlack: {
		read: func(e *room.Entry, l *line) { e.On = l.word(1) == "on" },
		fuzz: func(e *room.Entry, a, _ int) { e.On = a%2 == 0 },
		may: []mayRow{
			{nil, room.Entry{On: true}, onlyPresenter},
		},
		forms: []formRow{
			{presenter, map[string]string{"on": "on"}, room.Entry{On: true}},
		},
	},

	room.VerbLanes: {
		read: func(e *room.Entry, l *line) { e.Lanes = l.words[1:] },
		fuzz: func(e *room.Entry, a, b int) { e.Lanes, e.Size = []string{"C1", "C2", "C3", "C1"}[:a%5], b%4 },
		may: []mayRow{
			{nil, room.Entry{Lanes: []string{"C1"}, Size: 3}, onlyPresenter},
			{nil, room.Entry{}, onlyPresenter},
		},
	},
	room.VerbPlace: {
		read: func(e *room.Entry, l *line) {
			e.Seat, e.Lane = l.number(l.word(1)), strings.TrimPrefix(l.word(2), "network")
		},
		fuzz: func(e *room.Entry, a, b int) { e.Seat, e.Lane = a%8, []string{"", "C1", "C2", "C3"}[b%4] },
		may: []mayRow{
			{nil, room.Entry{Seat: 3, Lane: "C2"}, onlyPresenter},
		},
		forms: []formRow{
			{presenter, map[string]string{"seat": "3", "lane": "C2"}, room.Entry{Seat: 3, Lane: "C2"}},
		},
	},
}

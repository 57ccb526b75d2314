package room_test

import (
	"fmt"
	"slices"
	"strings"

	"lockstep/web/room"
)

// taskSamples are of the verbs of what the class is asked and given.
var taskSamples = map[room.Verb]sample{
	room.VerbAsk: {
		read: func(e *room.Entry, l *line) {
			q := &room.Question{Kind: room.Kind(l.word(1)), At: e.At, Text: bothWords(l.word(2))}
			for _, text := range l.words[3:] {
				w := bothWords(text)
				q.Choices = append(q.Choices, room.Choice{ID: strings.ReplaceAll(w.English, " ", "-"), Text: w})
			}
			e.Poll, e.At = q, 0
		},
		fuzz: func(e *room.Entry, a, b int) {
			e.Poll = question([]room.Kind{room.Predict, room.Network, "guess"}[a%3], b%10)
			if a > 250 {
				e.Poll = nil
			}
		},
		may: []mayRow{
			{nil, room.Entry{Poll: question(room.Predict, 3)}, onlyPresenter},
			{nil, room.Entry{Poll: question(room.Network, 3)}, [5]error{nil, nil, driverOnly, driverOnly, driverOnly}},
		},
	},
	room.VerbVote: {
		read: func(e *room.Entry, l *line) { e.Seat, e.Choice = l.seat(), l.number(l.word(1)) },
		fuzz: func(e *room.Entry, _, b int) { e.Choice = b%10 - 1 },
		may: []mayRow{
			{asking(room.Predict), room.Entry{Seat: 1}, [5]error{seatOnly, nil, notYours, notYours, seatOnly}},
			{asking(room.Predict), room.Entry{Seat: 2}, onlySeat2},
			{asking(room.Network), room.Entry{Seat: 2}, [5]error{seatOnly, notYours, networkOnly, notYours, seatOnly}},
			{asking(room.Network), room.Entry{Seat: 3}, [5]error{seatOnly, notYours, notYours, nil, seatOnly}},
		},
		forms: []formRow{
			{seat(2), map[string]string{"seat": "3", "choice": "1"}, room.Entry{Seat: 2, Choice: 1}},
			{seat(2), map[string]string{"choice": "1", "ballot": "3"}, room.Entry{Seat: 2, Choice: 1, Ballot: 3}},
		},
	},
	room.VerbRound: {
		may: []mayRow{
			{asking(room.Predict), room.Entry{}, onlyPresenter},
			{asking(room.Network), room.Entry{}, [5]error{nil, nil, driverOnly, driverOnly, driverOnly}},
		},
		forms: []formRow{
			{presenter, nil, room.Entry{}},
		},
	},
	room.VerbReveal: {
		read: func(e *room.Entry, l *line) { e.Choice = l.number(l.word(1)) },
		fuzz: func(e *room.Entry, _, b int) { e.Choice = b%10 - 1 },
		may: []mayRow{
			{asking(room.Predict), room.Entry{Choice: 1}, onlyPresenter},
			{asking(room.Network), room.Entry{Choice: 1}, [5]error{nil, nil, driverOnly, driverOnly, driverOnly}},
		},
	},
	room.VerbDrop: {
		may: []mayRow{
			{asking(room.Predict), room.Entry{}, onlyPresenter},
			{asking(room.Network), room.Entry{}, [5]error{nil, nil, driverOnly, driverOnly, driverOnly}},
		},
		forms: []formRow{
			{presenter, nil, room.Entry{}},
		},
	},

	room.VerbFork: {
		read: func(e *room.Entry, l *line) { e.Run = l.word(1) },
		fuzz: func(e *room.Entry, a, _ int) { e.Run, e.At = "run0", a%9-1 },
		may: []mayRow{
			{nil, room.Entry{Run: "k3v9m2xq7a", At: 4}, onlyPresenter},
		},
	},
	room.VerbChallenge: {
		read: func(e *room.Entry, l *line) { e.Task = l.word(1) },
		fuzz: func(e *room.Entry, _, _ int) { e.Task = "redis-lock/race/break" },
		may: []mayRow{
			{nil, room.Entry{Task: "redis-lock/race/break"}, onlyPresenter},
		},
	},
	room.VerbOwn: {
		read: func(e *room.Entry, l *line) { e.Seat, e.Run = l.who.Seat, l.word(1) },
		fuzz: func(e *room.Entry, a, b int) {
			e.Run, e.From = fmt.Sprint("own", a%8), []string{"", fmt.Sprint("own", b%8)}[a%2]
		},
		may: []mayRow{
			{nil, room.Entry{Seat: 2, Run: "sandbox102", From: "sandbox002"}, onlySeat2},
		},
	},
	room.VerbMark: {
		read: func(e *room.Entry, l *line) {
			e.Seat, e.State, e.Actions, e.Solved = l.who.Seat, room.State(l.word(1)), l.number(l.word(2)), slices.Contains(l.words, "solved")
		},
		fuzz: func(e *room.Entry, a, b int) {
			e.State, e.Actions, e.Solved = []room.State{room.Safe, room.Broken, room.Stuck}[a%3], b, a%2 == 0
		},
		may: []mayRow{
			{nil, room.Entry{Seat: 2, State: room.Broken, Actions: 3, Solved: true}, onlySeat2},
		},
	},
	room.VerbClaim: {
		read: func(e *room.Entry, l *line) { e.Seat = l.who.Seat },
		may: []mayRow{
			{nil, room.Entry{Seat: 2}, onlySeat2},
			{[]room.Entry{{Verb: room.VerbFork, Run: "k3v9m2xq7a", At: 4}}, room.Entry{Seat: 2}, [5]error{seatOnly, notYours, room.ErrNoExercise, notYours, seatOnly}},
		},
	},
	room.VerbHome: {
		may: []mayRow{
			{nil, room.Entry{}, onlyPresenter},
		},
		forms: []formRow{
			{presenter, nil, room.Entry{}},
		},
	},

	room.VerbTimer: { // timer 12:30 is pressed at half past twelve minutes; timer off
		read: func(e *room.Entry, l *line) {
			if e.On = l.word(1) != "off"; e.On {
				minutes, seconds, _ := strings.Cut(l.word(1), ":")
				e.Now = int64(60*l.number(minutes)+l.number(seconds)) * 1000
			}
		},
		fuzz: func(e *room.Entry, a, b int) { e.On, e.Now = a%4 > 0, int64(b)*20_000 },
		may: []mayRow{
			{nil, room.Entry{On: true, Now: 1000}, onlyPresenter},
			{asking(room.Predict), room.Entry{On: true, Now: 1000}, onlyPresenter},
			{nil, room.Entry{}, [5]error{room.ErrSame, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
			{nil, room.Entry{On: true}, [5]error{room.ErrMalformed, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
			{[]room.Entry{{Verb: room.VerbHome}}, room.Entry{On: true, Now: 1000}, [5]error{room.ErrNoTimer, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		},
	},

	room.VerbTest: {
		read: func(e *room.Entry, l *line) { e.Task, e.Form = l.word(1), l.word(2) },
		fuzz: func(e *room.Entry, a, b int) {
			e.Task, e.Form = []string{"redis-lock", "mine"}[a%5/4], []string{"before", "after", ""}[b%3]
		},
		may: []mayRow{
			{nil, room.Entry{Task: "redis-lock", Form: "before"}, onlyPresenter},
			{nil, room.Entry{}, [5]error{room.ErrNoTest, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
			{examining, room.Entry{}, onlyPresenter},
			{examining, room.Entry{Task: "redis-lock", Form: "before"}, [5]error{room.ErrSame, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
			{nil, room.Entry{Task: "redis-lock", Form: "between"}, [5]error{room.ErrMalformed, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		},
	},
	room.VerbHand: {
		read: func(e *room.Entry, l *line) {
			e.Seat, e.Form, e.Given = l.who.Seat, l.word(1), l.words[min(2, len(l.words)):]
		},
		fuzz: func(e *room.Entry, a, b int) {
			e.Form, e.Given = []string{"before", "after"}[b%2], []string{"waits", "not-sure"}[:a%3]
		},
		may: []mayRow{
			{examining, room.Entry{Seat: 2, Form: "before", Given: []string{"waits"}}, onlySeat2},
			{examining, room.Entry{Seat: 2, Form: "after", Given: []string{"waits"}}, [5]error{seatOnly, notYours, room.ErrNoTest, notYours, seatOnly}},
			{nil, room.Entry{Seat: 2, Form: "before", Given: []string{"waits"}}, [5]error{seatOnly, notYours, room.ErrNoTest, notYours, seatOnly}},
			{append(examining, room.Entry{Verb: room.VerbHand, Seat: 2, Form: "before", Given: []string{"not-sure"}}), room.Entry{Seat: 2, Form: "before", Given: []string{"waits"}}, [5]error{seatOnly, notYours, room.ErrHanded, notYours, seatOnly}},
			{examining, room.Entry{Seat: 2, Form: "before"}, [5]error{seatOnly, notYours, room.ErrMalformed, notYours, seatOnly}},
		},
	},

	room.VerbPlan: { // plan lesson:redis-lock/race poll:reply run:k3v9m2xq7a|Ours|我们的
		read: func(e *room.Entry, l *line) {
			for _, word := range l.words[1:] {
				kind, rest, _ := strings.Cut(word, ":")
				target, title, _ := strings.Cut(rest, "|")
				item := room.PlanItem{Kind: room.PlanKind(kind), Target: target}
				if title != "" {
					item.Title = bothWords(title)
				}
				e.Plan = append(e.Plan, item)
			}
		},
		fuzz: func(e *room.Entry, a, b int) {
			e.Plan = []room.PlanItem{{Kind: room.PlanPoll}, {Kind: room.PlanLesson, Target: "redis-lock/race"}, {Kind: room.PlanPoll}, {Kind: "shout"}}[a%3 : 3+b%8/7]
		},
		may: []mayRow{
			{nil, room.Entry{Plan: []room.PlanItem{{Kind: room.PlanLesson, Target: "redis-lock/race"}}}, onlyPresenter},
			{nil, room.Entry{}, [5]error{room.ErrSame, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
			{nil, room.Entry{Plan: []room.PlanItem{{Kind: "song", Target: "redis-lock/race"}}}, [5]error{room.ErrMalformed, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
			{nil, room.Entry{Plan: []room.PlanItem{{Kind: room.PlanPoll, Target: "song"}}}, [5]error{room.ErrMalformed, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
			{nil, room.Entry{Plan: slices.Repeat([]room.PlanItem{{Kind: room.PlanPoll}}, room.MaxPlan+1)}, [5]error{room.ErrPlan, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		},
	},
	room.VerbNext: {
		read: func(e *room.Entry, l *line) { e.Item = l.number(l.word(1)) },
		fuzz: func(e *room.Entry, a, _ int) { e.Item = a%5 - 1 },
		may: []mayRow{
			{planning, room.Entry{Item: 1}, onlyPresenter},
			{planning, room.Entry{Item: 2}, [5]error{room.ErrNoItem, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
			{append(planning, asking(room.Predict)...), room.Entry{Item: 1}, [5]error{room.ErrPollOpen, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		},
	},
}

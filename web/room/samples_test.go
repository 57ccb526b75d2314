package room_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/web/room"
)

// A sample is what the tests of all verbs need to know about one. The constants of package room name the fields that a verb has.
type sample struct {
	read func(e *room.Entry, l *line)  // reads its line of a transcript; nil: it has nothing but options
	fuzz func(e *room.Entry, a, b int) // makes an entry of two bytes. Few values make many entries possible; nil: there is nothing to fill in
}

// samples has one for each verb.
var samples = map[room.Verb]sample{
	room.VerbOpen: {
		read: func(e *room.Entry, l *line) { e.Code, e.Task, e.Key = l.word(1), l.options["task"], key("presenter") },
		fuzz: func(e *room.Entry, a, _ int) { e.Code, e.Run, e.Key = "482913", "run1", key(fmt.Sprint(a)) },
	},
	room.VerbPair: {
		read: func(e *room.Entry, l *line) { e.Key, e.Revoked = key(l.word(1)), l.number(l.options["revoked"]) },
		fuzz: func(e *room.Entry, a, b int) { e.Key, e.Revoked = key(fmt.Sprint(a)), b%3 },
	},
	room.VerbRevoke: {
		read: func(e *room.Entry, l *line) { e.Key = key(cmpText(l.word(1), "presenter")) },
		fuzz: func(e *room.Entry, a, b int) { e.Key = []string{key("presenter"), key(fmt.Sprint(a))}[b%2] },
	},
	room.VerbJoin: {
		read: func(e *room.Entry, l *line) { e.Key = key(fmt.Sprint(l.next)) },
		fuzz: func(e *room.Entry, a, _ int) { e.Key = key(fmt.Sprint(a)) },
	},
	room.VerbRemove: {
		read: func(e *room.Entry, l *line) {
			for _, text := range l.words[1:] {
				e.Seats = append(e.Seats, l.number(text))
			}
		},
		fuzz: func(e *room.Entry, a, b int) { e.Seats = []int{a % 8, b % 8}[:a%3] },
	},
	room.VerbLock: {
		read: func(e *room.Entry, l *line) { e.On = l.word(1) == "on" },
		fuzz: func(e *room.Entry, a, _ int) { e.On = a%4 == 0 },
	},
	room.VerbName: {
		read: func(e *room.Entry, l *line) { e.Seat, e.Text = l.seat(), l.word(1) },
		fuzz: func(e *room.Entry, a, b int) {
			e.Text = []string{"", "Lin", "lin", "quiet otter", "小林", "\u202e"}[a%6]
			e.Roster = []string{"", "roster one", "roster two"}[b%3]
		},
	},
	room.VerbSwitch: {
		read: func(e *room.Entry, l *line) {
			e.Free, e.Rosters = slices.Contains(l.words, "free"), slices.Contains(l.words, "rosters")
		},
		fuzz: func(e *room.Entry, a, b int) { e.Free, e.Rosters = a%3 > 0, b%3 > 0 },
	},
	room.VerbEnd: {
		read: func(e *room.Entry, l *line) { e.Run = l.word(1) },
		fuzz: func(e *room.Entry, a, _ int) {
			if a > 4 { // rare
				e.Verb = room.VerbGather
			}
		},
	},

	room.VerbShow: {
		read: func(e *room.Entry, l *line) { e.Run, e.Task = l.word(1), l.options["task"] },
		fuzz: func(e *room.Entry, a, _ int) { e.Run = []string{"run0", "run1", "own1", "own2"}[a%4] },
	},
	room.VerbDrive: {
		read: func(e *room.Entry, l *line) { e.Seat = l.number(l.word(1)) },
		fuzz: func(e *room.Entry, a, _ int) { e.Seat = a % 6 },
	},
	room.VerbCursor: {
		read: func(e *room.Entry, l *line) { e.At = l.number(l.word(1)) },
		fuzz: func(e *room.Entry, a, _ int) { e.At = a%20 - 2 },
	},
	room.VerbGather: {},
	room.VerbBlack: {
		read: func(e *room.Entry, l *line) { e.On = l.word(1) == "on" },
		fuzz: func(e *room.Entry, a, _ int) { e.On = a%2 == 0 },
	},

	room.VerbLanes: {
		read: func(e *room.Entry, l *line) { e.Lanes = l.words[1:] },
		fuzz: func(e *room.Entry, a, b int) { e.Lanes, e.Size = []string{"C1", "C2", "C3", "C1"}[:a%5], b%4 },
	},
	room.VerbPlace: {
		read: func(e *room.Entry, l *line) {
			e.Seat, e.Lane = l.number(l.word(1)), strings.TrimPrefix(l.word(2), "network")
		},
		fuzz: func(e *room.Entry, a, b int) { e.Seat, e.Lane = a%8, []string{"", "C1", "C2", "C3"}[b%4] },
	},

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
	},
	room.VerbVote: {
		read: func(e *room.Entry, l *line) { e.Seat, e.Choice = l.seat(), l.number(l.word(1)) },
		fuzz: func(e *room.Entry, _, b int) { e.Choice = b%10 - 1 },
	},
	room.VerbRound: {},
	room.VerbReveal: {
		read: func(e *room.Entry, l *line) { e.Choice = l.number(l.word(1)) },
		fuzz: func(e *room.Entry, _, b int) { e.Choice = b%10 - 1 },
	},
	room.VerbDrop: {},

	room.VerbFork: {
		read: func(e *room.Entry, l *line) { e.Run = l.word(1) },
		fuzz: func(e *room.Entry, a, _ int) { e.Run, e.At = "run0", a%9-1 },
	},
	room.VerbChallenge: {
		read: func(e *room.Entry, l *line) { e.Task = l.word(1) },
		fuzz: func(e *room.Entry, _, _ int) { e.Task = "redis-lock/race/break" },
	},
	room.VerbOwn: {
		read: func(e *room.Entry, l *line) { e.Seat, e.Run = l.who.Seat, l.word(1) },
		fuzz: func(e *room.Entry, a, b int) {
			e.Run, e.From = fmt.Sprint("own", a%8), []string{"", fmt.Sprint("own", b%8)}[a%2]
		},
	},
	room.VerbMark: {
		read: func(e *room.Entry, l *line) {
			e.Seat, e.State, e.Actions, e.Solved = l.who.Seat, room.State(l.word(1)), l.number(l.word(2)), slices.Contains(l.words, "solved")
		},
		fuzz: func(e *room.Entry, a, b int) {
			e.State, e.Actions, e.Solved = []room.State{room.Safe, room.Broken, room.Stuck}[a%3], b, a%2 == 0
		},
	},
	room.VerbClaim: {read: func(e *room.Entry, l *line) { e.Seat = l.who.Seat }},
	room.VerbHome:  {},

	room.VerbTimer: { // timer 12:30 is pressed at half past twelve minutes; timer off
		read: func(e *room.Entry, l *line) {
			if e.On = l.word(1) != "off"; e.On {
				minutes, seconds, _ := strings.Cut(l.word(1), ":")
				e.Now = int64(60*l.number(minutes)+l.number(seconds)) * 1000
			}
		},
		fuzz: func(e *room.Entry, a, b int) { e.On, e.Now = a%4 > 0, int64(b)*20_000 },
	},

	room.VerbTest: {
		read: func(e *room.Entry, l *line) { e.Task, e.Form = l.word(1), l.word(2) },
		fuzz: func(e *room.Entry, a, b int) {
			e.Task, e.Form = []string{"redis-lock", "mine"}[a%5/4], []string{"before", "after", ""}[b%3]
		},
	},
	room.VerbHand: {
		read: func(e *room.Entry, l *line) {
			e.Seat, e.Form, e.Given = l.who.Seat, l.word(1), l.words[min(2, len(l.words)):]
		},
		fuzz: func(e *room.Entry, a, b int) {
			e.Form, e.Given = []string{"before", "after"}[b%2], []string{"waits", "not-sure"}[:a%3]
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
	},
	room.VerbNext: {
		read: func(e *room.Entry, l *line) { e.Item = l.number(l.word(1)) },
		fuzz: func(e *room.Entry, a, _ int) { e.Item = a%5 - 1 },
	},
}

// Each verb that is declared is listed, and has a sample.
func TestEachVerbHasASample(t *testing.T) {
	verbs := room.Verbs()
	for name, text := range constants(t, "*.go", "Verb") {
		if !slices.Contains(verbs, room.Verb(text)) {
			t.Errorf("%s is in no list of verbs", name)
		}
	}
	for i, verb := range verbs {
		if _, ok := samples[verb]; !ok {
			t.Errorf("samples has nothing about %q", verb)
		}
		if slices.Contains(verbs[:i], verb) {
			t.Errorf("%q is declared twice", verb)
		}
	}
}

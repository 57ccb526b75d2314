package room_test

import (
	"errors"
	"testing"

	"lockstep/web/room"
)

// The people of the tables below: seat 1 drives, seat 2 holds C2, seat 3 is the network.
var people = []struct {
	name string
	who  room.Who
}{
	{"presenter", presenter}, {"driver", seat(1)}, {"lane", seat(2)}, {"network", seat(3)}, {"spectator", spectator},
	{"nobody's seat", seat(99)}, // as from another room
}

// lesson returns a room in which nearly everything is possible: seat 2 holds C2 and has a sandbox in an exercise, and
// seat 1 drives.
func lesson(t *testing.T) *class {
	c := opened(t, 3)
	c.do(presenter, room.Entry{Verb: room.VerbSwitch, Free: true, Rosters: true})
	c.do(presenter, room.Entry{Verb: room.VerbLanes, Lanes: []string{"C1", "C2"}, Size: 1})
	c.do(presenter, room.Entry{Verb: room.VerbDrive, Seat: 1})
	c.do(presenter, room.Entry{Verb: room.VerbPlace, Seat: 1})
	c.do(presenter, room.Entry{Verb: room.VerbChallenge, Task: "redis-lock/race/break"})
	c.do(seat(2), room.Entry{Verb: room.VerbOwn, Seat: 2, Run: "sandbox002"})
	return c
}

// named returns the entry with which a seat names itself.
func named(number int) []room.Entry {
	return []room.Entry{{Verb: room.VerbName, Seat: number, Text: "Lin"}}
}

func asking(kind room.Kind) []room.Entry {
	return []room.Entry{{Verb: room.VerbAsk, Poll: question(kind, 3)}}
}

// Each row of samples is what the room says to each of the people.
func TestWhoMayDoWhat(t *testing.T) {
	for _, verb := range room.Verbs() {
		if len(samples[verb].may) == 0 {
			t.Errorf("samples does not say who may %s", verb)
		}
		for _, row := range samples[verb].may {
			row.entry.Verb = verb
			whoMay(t, row)
		}
	}
	whoMay(t, mayRow{entry: room.Entry{Verb: "shout"}, want: [5]error{room.ErrMalformed, room.ErrMalformed, room.ErrMalformed, room.ErrMalformed, room.ErrMalformed}})
}

func whoMay(t *testing.T, row mayRow) {
	t.Helper()
	verb := row.entry.Verb
	c := lesson(t)
	for _, e := range row.before {
		c.do(room.Who{Presenter: e.Seat == 0, Seat: e.Seat}, e)
	}
	for i, person := range people {
		want := row.want[min(i, 4)] // an unknown seat counts as a spectator
		if got := c.Can(person.who, row.entry); !errors.Is(got, want) {
			t.Errorf("%+v: %s: got %v, want %v", row.entry, person.name, got, want)
		}
	}
	// Nothing is possible in a room that has ended.
	c.do(presenter, room.Entry{Verb: room.VerbEnd})
	for _, person := range people {
		if got := c.Can(person.who, row.entry); got == nil {
			t.Errorf("%s: %s: allowed in a room that is over", verb, person.name)
		}
	}
	// Nothing is possible in a room that nobody has opened.
	if got := room.New().Can(presenter, row.entry); verb != room.VerbOpen && !errors.Is(got, room.ErrUnopened) {
		t.Errorf("%s: a room that nobody has opened: %v", verb, got)
	}
}

// The table tells for every kind of run who of the people may act there and look at it.
func TestWhoMayActWhere(t *testing.T) {
	const notShown = room.ErrNotShown
	everybody := [5]error{}
	rows := []struct {
		name, run    string
		owner        int
		verb, client string
		act, look    [5]error // presenter, driver, lane, network, spectator
	}{
		{"a step of C2", "k3v9m2xq7a", 0, "step", "C2", [5]error{driverOnly, nil, nil, notYours, driverOnly}, everybody},
		{"a step of C1", "k3v9m2xq7a", 0, "step", "C1", [5]error{driverOnly, nil, notYours, notYours, driverOnly}, everybody},
		{"a crash of C2", "k3v9m2xq7a", 0, "crash", "C2", [5]error{driverOnly, nil, nil, notYours, driverOnly}, everybody},
		{"a tick", "k3v9m2xq7a", 0, "tick", "", [5]error{driverOnly, nil, driverOnly, driverOnly, driverOnly}, everybody},
		{"a lost request of C2", "k3v9m2xq7a", 0, "drop", "C2", [5]error{driverOnly, nil, driverOnly, driverOnly, driverOnly}, everybody},
		{"a step of nobody", "k3v9m2xq7a", 0, "step", "", [5]error{driverOnly, nil, driverOnly, driverOnly, driverOnly}, everybody},
		{"a run that is not shown", "branch0001", 0, "step", "C2", [5]error{nil, notShown, notShown, notShown, notShown}, everybody},
		{"the sandbox of seat 2", "sandbox002", 2, "tick", "", [5]error{notYours, notYours, nil, notYours, notYours}, [5]error{nil, notYours, nil, notYours, notYours}},
		{"a branch of that sandbox", "sandbox102", 2, "step", "C2", [5]error{notYours, notYours, nil, notYours, notYours}, [5]error{nil, notYours, nil, notYours, notYours}},
	}
	c := lesson(t)
	for _, row := range rows {
		for i, person := range people {
			if got, want := c.MayAct(person.who, row.run, row.owner, row.verb, row.client), row.act[min(i, 4)]; !errors.Is(got, want) {
				t.Errorf("%s: %s acts: got %v, want %v", row.name, person.name, got, want)
			}
			if got, want := c.MayLook(person.who, row.run, row.owner), row.look[min(i, 4)]; !errors.Is(got, want) {
				t.Errorf("%s: %s looks: got %v, want %v", row.name, person.name, got, want)
			}
		}
	}
	frozen := [5]error{room.ErrFrozen, room.ErrFrozen, room.ErrFrozen, room.ErrFrozen, room.ErrFrozen}
	for _, phase := range []room.Entry{{Verb: room.VerbAsk, Poll: question(room.Predict, 3)}, {Verb: room.VerbRound}, {Verb: room.VerbRound}, {Verb: room.VerbReveal, Choice: 1}} {
		c.do(presenter, phase)
		for _, row := range rows {
			want := row.act
			if row.run == "k3v9m2xq7a" && phase.Verb != room.VerbReveal {
				want = frozen
			}
			for i, person := range people {
				if got := c.MayAct(person.who, row.run, row.owner, row.verb, row.client); !errors.Is(got, want[min(i, 4)]) {
					t.Errorf("a prediction after %s: %s: %s acts: got %v, want %v", phase.Verb, row.name, person.name, got, want[min(i, 4)])
				}
			}
		}
	}
	if err := room.New().MayLook(presenter, "", 0); !errors.Is(err, room.ErrUnopened) {
		t.Errorf("looking at a room that nobody has opened: %v", err)
	}
}

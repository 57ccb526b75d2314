package room_test

import (
	"errors"
	"slices"
	"testing"

	"lockstep/engine/lang"
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

// The table tells for every verb and each of the people whether the room allows it (nil) or why not.
func TestWhoMayDoWhat(t *testing.T) {
	const (
		presenterOnly = room.ErrPresenterOnly
		driverOnly    = room.ErrDriverOnly
		seatOnly      = room.ErrSeatOnly
		notYours      = room.ErrNotYours
		networkOnly   = room.ErrNetworkOnly
	)
	onlyPresenter := [5]error{nil, presenterOnly, presenterOnly, presenterOnly, presenterOnly}
	testing := []room.Entry{{Verb: room.VerbTest, Task: "redis-lock", Form: "before"}}
	planning := []room.Entry{{Verb: room.VerbPlan, Plan: []room.PlanItem{{Kind: room.PlanPoll}}}}
	onlySeat2 := [5]error{seatOnly, notYours, nil, notYours, seatOnly}
	rows := []struct {
		verb   room.Verb
		before []room.Entry // appended by the presenter, or by the seat that it names
		entry  room.Entry
		want   [5]error // presenter, driver, lane, network, spectator
	}{
		{room.VerbOpen, nil, room.Entry{Code: "123456", Run: "r", Key: key("x")}, [5]error{room.ErrOpened, room.ErrOpened, room.ErrOpened, room.ErrOpened, room.ErrOpened}},
		{room.VerbPair, nil, room.Entry{Key: key("phone")}, onlyPresenter},
		{room.VerbPair, nil, room.Entry{Key: key("phone"), Revoked: 1}, [5]error{room.ErrRevoked, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbRevoke, nil, room.Entry{Key: key("presenter")}, onlyPresenter},
		{room.VerbRevoke, nil, room.Entry{Key: key("1")}, [5]error{room.ErrMalformed, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbJoin, nil, room.Entry{Key: key("new")}, [5]error{room.ErrJoined, room.ErrJoined, room.ErrJoined, room.ErrJoined, nil}},
		{room.VerbJoin, []room.Entry{{Verb: room.VerbLock, On: true}}, room.Entry{Key: key("new")}, [5]error{room.ErrJoined, room.ErrJoined, room.ErrJoined, room.ErrJoined, room.ErrLocked}},
		{room.VerbRemove, nil, room.Entry{Seats: []int{2}}, onlyPresenter},
		{room.VerbRemove, nil, room.Entry{Seats: []int{1, 2, 3}}, onlyPresenter},
		{room.VerbRemove, nil, room.Entry{Seats: []int{2, 4}}, [5]error{room.ErrNoSeat, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbRemove, nil, room.Entry{}, [5]error{room.ErrSame, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbLock, nil, room.Entry{On: true}, onlyPresenter},
		{room.VerbLock, nil, room.Entry{}, [5]error{room.ErrSame, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbName, nil, room.Entry{Seat: 2, Text: "Lin"}, onlySeat2},
		{room.VerbName, named(2), room.Entry{Seat: 2}, [5]error{nil, notYours, nil, notYours, seatOnly}},
		{room.VerbName, nil, room.Entry{Seat: 2, Roster: "Lin"}, onlySeat2},
		{room.VerbSwitch, nil, room.Entry{}, onlyPresenter},
		{room.VerbEnd, nil, room.Entry{Run: "replay0001"}, onlyPresenter},

		{room.VerbShow, nil, room.Entry{Run: "branch0001"}, [5]error{nil, nil, driverOnly, driverOnly, driverOnly}},
		{room.VerbShow, nil, room.Entry{Run: "attempt001", Verdict: &room.Verdict{Stamp: lang.Both("Holds", "成立"), Says: lang.Both("It holds.", "成立。")}}, [5]error{nil, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbShow, nil, room.Entry{Run: "attempt001", Verdict: &room.Verdict{}}, [5]error{room.ErrMalformed, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbShow, nil, room.Entry{Run: "sandbox002"}, [5]error{nil, presenterOnly, driverOnly, driverOnly, driverOnly}},
		{room.VerbDrive, nil, room.Entry{Seat: 0}, [5]error{nil, nil, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbDrive, nil, room.Entry{Seat: 2}, onlyPresenter},
		{room.VerbDrive, nil, room.Entry{Seat: 3}, onlyPresenter},
		{room.VerbCursor, nil, room.Entry{At: 4}, [5]error{driverOnly, nil, driverOnly, driverOnly, driverOnly}},
		{room.VerbGather, nil, room.Entry{}, onlyPresenter},
		{room.VerbBlack, nil, room.Entry{On: true}, onlyPresenter},

		{room.VerbLanes, nil, room.Entry{Lanes: []string{"C1"}, Size: 3}, onlyPresenter},
		{room.VerbLanes, nil, room.Entry{}, onlyPresenter},
		{room.VerbPlace, nil, room.Entry{Seat: 3, Lane: "C2"}, onlyPresenter},

		{room.VerbAsk, nil, room.Entry{Poll: question(room.Predict, 3)}, onlyPresenter},
		{room.VerbAsk, nil, room.Entry{Poll: question(room.Network, 3)}, [5]error{nil, nil, driverOnly, driverOnly, driverOnly}},
		{room.VerbVote, asking(room.Predict), room.Entry{Seat: 1}, [5]error{seatOnly, nil, notYours, notYours, seatOnly}},
		{room.VerbVote, asking(room.Predict), room.Entry{Seat: 2}, onlySeat2},
		{room.VerbVote, asking(room.Network), room.Entry{Seat: 2}, [5]error{seatOnly, notYours, networkOnly, notYours, seatOnly}},
		{room.VerbVote, asking(room.Network), room.Entry{Seat: 3}, [5]error{seatOnly, notYours, notYours, nil, seatOnly}},
		{room.VerbRound, asking(room.Predict), room.Entry{}, onlyPresenter},
		{room.VerbReveal, asking(room.Predict), room.Entry{Choice: 1}, onlyPresenter},
		{room.VerbDrop, asking(room.Predict), room.Entry{}, onlyPresenter},
		{room.VerbRound, asking(room.Network), room.Entry{}, [5]error{nil, nil, driverOnly, driverOnly, driverOnly}},
		{room.VerbReveal, asking(room.Network), room.Entry{Choice: 1}, [5]error{nil, nil, driverOnly, driverOnly, driverOnly}},
		{room.VerbDrop, asking(room.Network), room.Entry{}, [5]error{nil, nil, driverOnly, driverOnly, driverOnly}},

		{room.VerbFork, nil, room.Entry{Run: "k3v9m2xq7a", At: 4}, onlyPresenter},
		{room.VerbChallenge, nil, room.Entry{Task: "redis-lock/race/break"}, onlyPresenter},
		{room.VerbOwn, nil, room.Entry{Seat: 2, Run: "sandbox102", From: "sandbox002"}, onlySeat2},
		{room.VerbMark, nil, room.Entry{Seat: 2, State: room.Broken, Actions: 3, Solved: true}, onlySeat2},
		{room.VerbClaim, nil, room.Entry{Seat: 2}, onlySeat2},
		{room.VerbClaim, []room.Entry{{Verb: room.VerbFork, Run: "k3v9m2xq7a", At: 4}}, room.Entry{Seat: 2}, [5]error{seatOnly, notYours, room.ErrNoExercise, notYours, seatOnly}},
		{room.VerbHome, nil, room.Entry{}, onlyPresenter},

		{room.VerbTimer, nil, room.Entry{On: true, Now: 1000}, onlyPresenter},
		{room.VerbTimer, asking(room.Predict), room.Entry{On: true, Now: 1000}, onlyPresenter},
		{room.VerbTimer, nil, room.Entry{}, [5]error{room.ErrSame, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbTimer, nil, room.Entry{On: true}, [5]error{room.ErrMalformed, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbTimer, []room.Entry{{Verb: room.VerbHome}}, room.Entry{On: true, Now: 1000}, [5]error{room.ErrNoTimer, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},

		{room.VerbTest, nil, room.Entry{Task: "redis-lock", Form: "before"}, onlyPresenter},
		{room.VerbTest, nil, room.Entry{}, [5]error{room.ErrNoTest, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbTest, testing, room.Entry{}, onlyPresenter},
		{room.VerbTest, testing, room.Entry{Task: "redis-lock", Form: "before"}, [5]error{room.ErrSame, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbTest, nil, room.Entry{Task: "redis-lock", Form: "between"}, [5]error{room.ErrMalformed, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbHand, testing, room.Entry{Seat: 2, Form: "before", Given: []string{"waits"}}, onlySeat2},
		{room.VerbHand, testing, room.Entry{Seat: 2, Form: "after", Given: []string{"waits"}}, [5]error{seatOnly, notYours, room.ErrNoTest, notYours, seatOnly}},
		{room.VerbHand, nil, room.Entry{Seat: 2, Form: "before", Given: []string{"waits"}}, [5]error{seatOnly, notYours, room.ErrNoTest, notYours, seatOnly}},
		{room.VerbHand, append(testing, room.Entry{Verb: room.VerbHand, Seat: 2, Form: "before", Given: []string{"not-sure"}}), room.Entry{Seat: 2, Form: "before", Given: []string{"waits"}},
			[5]error{seatOnly, notYours, room.ErrHanded, notYours, seatOnly}},
		{room.VerbHand, testing, room.Entry{Seat: 2, Form: "before"}, [5]error{seatOnly, notYours, room.ErrMalformed, notYours, seatOnly}},

		{room.VerbPlan, nil, room.Entry{Plan: []room.PlanItem{{Kind: room.PlanLesson, Target: "redis-lock/race"}}}, onlyPresenter},
		{room.VerbPlan, nil, room.Entry{}, [5]error{room.ErrSame, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbPlan, nil, room.Entry{Plan: []room.PlanItem{{Kind: "song", Target: "redis-lock/race"}}}, [5]error{room.ErrMalformed, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbPlan, nil, room.Entry{Plan: []room.PlanItem{{Kind: room.PlanPoll, Target: "song"}}}, [5]error{room.ErrMalformed, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbPlan, nil, room.Entry{Plan: slices.Repeat([]room.PlanItem{{Kind: room.PlanPoll}}, room.MaxPlan+1)}, [5]error{room.ErrPlan, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbNext, planning, room.Entry{Item: 1}, onlyPresenter},
		{room.VerbNext, planning, room.Entry{Item: 2}, [5]error{room.ErrNoItem, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},
		{room.VerbNext, append(planning, asking(room.Predict)...), room.Entry{Item: 1}, [5]error{room.ErrPollOpen, presenterOnly, presenterOnly, presenterOnly, presenterOnly}},

		{"shout", nil, room.Entry{}, [5]error{room.ErrMalformed, room.ErrMalformed, room.ErrMalformed, room.ErrMalformed, room.ErrMalformed}},
	}
	covered := map[room.Verb]bool{}
	for _, row := range rows {
		covered[row.verb] = true
		row.entry.Verb = row.verb
		c := lesson(t)
		for _, e := range row.before {
			c.do(room.Who{Presenter: e.Seat == 0, Seat: e.Seat}, e)
		}
		for i, person := range people {
			want := row.want[min(i, 4)] // an unknown seat counts as a spectator
			if got := c.Can(person.who, row.entry); !errors.Is(got, want) {
				t.Errorf("%s %+v: %s: got %v, want %v", row.verb, row.entry, person.name, got, want)
			}
		}
		// Nothing is possible in a room that has ended.
		c.do(presenter, room.Entry{Verb: room.VerbEnd})
		for _, person := range people {
			if got := c.Can(person.who, row.entry); got == nil {
				t.Errorf("%s: %s: allowed in a room that is over", row.verb, person.name)
			}
		}
		// Nothing is possible in a room that nobody has opened.
		if got := room.New().Can(presenter, row.entry); row.verb != room.VerbOpen && !errors.Is(got, room.ErrUnopened) {
			t.Errorf("%s: a room that nobody has opened: %v", row.verb, got)
		}
	}
	for _, verb := range room.Verbs() {
		if !covered[verb] {
			t.Errorf("the table says nothing about %s", verb)
		}
	}
}

// The table tells for every kind of run who of the people may act there and look at it.
func TestWhoMayActWhere(t *testing.T) {
	const (
		driverOnly = room.ErrDriverOnly
		notYours   = room.ErrNotYours
		notShown   = room.ErrNotShown
	)
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

package room_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/web/room"
)

// repeats appends entries of one kind until the room refuses one, and returns their number and the refusal.
func (c *class) repeats(who room.Who, entry func(i int) room.Entry) (int, error) {
	c.t.Helper()
	for i := 0; ; i++ {
		e := entry(i)
		if err := c.Can(who, e); err != nil {
			return i, err
		}
		c.Apply(e)
	}
}

// join takes a seat for the i-th newcomer.
func join(i int) room.Entry { return room.Entry{Verb: room.VerbJoin, Key: key(fmt.Sprint(i))} }

func vote(number, i int) room.Entry {
	return room.Entry{Verb: room.VerbVote, Seat: number, Choice: i % 2}
}

func rename(number, i int) room.Entry {
	return room.Entry{Verb: room.VerbName, Seat: number, Text: fmt.Sprint("Ann ", number, " ", i%2)}
}

func gather(int) room.Entry { return room.Entry{Verb: room.VerbGather} }

// longer appends the presenter's entries until the log has a given length.
func (c *class) longer(n int) {
	c.t.Helper()
	for c.Len() < n {
		c.do(presenter, gather(0))
	}
}

// The room bounds each kind of entry, and says why.
func TestEachBoundOfALog(t *testing.T) {
	for _, row := range []struct {
		name  string
		seats int
		begin func(c *class)
		who   room.Who
		entry func(i int) room.Entry
		most  int
		why   error
	}{
		{"seats at once", 0, nil, spectator, join, room.MaxSeats, room.ErrFull},
		{"votes of a seat in a round", 1, func(c *class) { c.do(presenter, asking(room.Predict)[0]) }, seat(1),
			func(i int) room.Entry { return vote(1, i) }, room.MaxVotes, room.ErrBusy},
		{"names of a seat", 1, func(c *class) { c.do(presenter, room.Entry{Verb: room.VerbSwitch, Free: true}) }, seat(1),
			func(i int) room.Entry { return rename(1, i) }, room.MaxNames, room.ErrBusy},
		{"names of a seat, given and taken away", 1, func(c *class) { c.do(presenter, room.Entry{Verb: room.VerbSwitch, Free: true}) }, seat(1),
			func(i int) room.Entry {
				return room.Entry{Verb: room.VerbName, Seat: 1, Text: []string{"Ann", ""}[i%2]}
			}, room.MaxNames, room.ErrBusy},
		{"entries of a seat in the roster", 1, func(c *class) { c.do(presenter, room.Entry{Verb: room.VerbSwitch, Rosters: true}) }, seat(1),
			func(i int) room.Entry { return room.Entry{Verb: room.VerbName, Seat: 1, Roster: fmt.Sprint(i)} }, room.MaxNames, room.ErrBusy},
		{"wrong claims of a seat", 1, func(c *class) {
			c.do(presenter, room.Entry{Verb: room.VerbChallenge, Task: "a/b/c"})
			c.do(seat(1), branch(0))
		}, seat(1), func(int) room.Entry { return room.Entry{Verb: room.VerbClaim, Seat: 1} }, room.MaxClaims, room.ErrBusy},
		{"sandboxes of a seat", 1, func(c *class) { c.do(presenter, room.Entry{Verb: room.VerbChallenge, Task: "a/b/c"}) }, seat(1), branch, room.MaxSeatEntries, room.ErrBusy},
		{"positions of a driver", 1, func(c *class) { c.do(presenter, room.Entry{Verb: room.VerbDrive, Seat: 1}) }, seat(1),
			func(i int) room.Entry { return room.Entry{Verb: room.VerbCursor, At: i} }, room.MaxTurn, room.ErrBusy},
		{"runs that a driver shows", 1, func(c *class) { c.do(presenter, room.Entry{Verb: room.VerbDrive, Seat: 1}) }, seat(1),
			func(i int) room.Entry { return room.Entry{Verb: room.VerbShow, Run: fmt.Sprint("run", i)} }, room.MaxTurn, room.ErrBusy},
		{"questions of a driver", 1, func(c *class) { c.do(presenter, room.Entry{Verb: room.VerbDrive, Seat: 1}) }, seat(1),
			func(i int) room.Entry {
				if i%2 == 0 {
					return asking(room.Network)[0]
				}
				return room.Entry{Verb: room.VerbReveal}
			}, room.MaxTurn, room.ErrBusy},
		{"positions of the presenter", 0, nil, presenter, func(i int) room.Entry { return room.Entry{Verb: room.VerbCursor, At: i} }, room.MaxEntries - 1, room.ErrLong},
		{"questions of the presenter", 0, nil, presenter, func(i int) room.Entry {
			if i%2 == 1 {
				return room.Entry{Verb: room.VerbReveal}
			}
			return room.Entry{Verb: room.VerbAsk, Poll: wordy()}
		}, 2 * (room.MaxAsked / wordyBytes), room.ErrLong},
		{"answers of a seat to a test", 1, func(c *class) { c.do(presenter, room.Entry{Verb: room.VerbTest, Task: "redis-lock", Form: "before"}) }, seat(1),
			func(i int) room.Entry { return handed(1, "before", room.MaxGiven) }, 1, room.ErrHanded},
		{"too many answers", 1, func(c *class) { c.do(presenter, room.Entry{Verb: room.VerbTest, Task: "redis-lock", Form: "before"}) }, seat(1),
			func(i int) room.Entry { return handed(1, "before", room.MaxGiven+1) }, 0, room.ErrMalformed},
		{"minutes of a timer", 0, func(c *class) { c.do(presenter, asking(room.Predict)[0]) }, presenter,
			func(int) room.Entry { return room.Entry{Verb: room.VerbTimer, On: true, Now: 1000} }, room.MaxTimer, room.ErrTimer},
		{"presses of a timer", 0, func(c *class) { c.do(presenter, asking(room.Predict)[0]) }, presenter,
			func(i int) room.Entry { return room.Entry{Verb: room.VerbTimer, On: i%2 == 0, Now: 1000} }, room.MaxEntries - 2, room.ErrLong},
		{"tests of the presenter", 0, nil, presenter, func(i int) room.Entry {
			return room.Entry{Verb: room.VerbTest, Task: "redis-lock", Form: []string{"before", "after"}[i%2]}
		}, room.MaxEntries - 1, room.ErrLong},
		{"playlists of the presenter", 0, nil, presenter, func(i int) room.Entry {
			return room.Entry{Verb: room.VerbPlan, Plan: slices.Repeat([]room.PlanItem{{Kind: room.PlanRun, Target: strings.Repeat("x", 125), At: i}}, 32)}
		}, room.MaxPlanned / (128 * 32), room.ErrLong},
		{"verdicts of the presenter", 0, nil, presenter, func(i int) room.Entry {
			long := strings.Repeat("x", 1000)
			return room.Entry{Verb: room.VerbShow, Run: fmt.Sprint("run", i), Verdict: &room.Verdict{Stamp: lang.Both("ok", "对"), Says: lang.Both(long, long)}}
		}, room.MaxAsked / 2005, room.ErrLong},
		{"items of a playlist", 0, nil, presenter, func(i int) room.Entry {
			return room.Entry{Verb: room.VerbPlan, Plan: slices.Repeat([]room.PlanItem{{Kind: room.PlanPoll}}, i+1)}
		}, room.MaxPlan, room.ErrPlan},
		{"remotes", 0, nil, presenter, func(i int) room.Entry { return room.Entry{Verb: room.VerbPair, Key: key(fmt.Sprint(i))} }, room.MaxKeys - 1, room.ErrKeys},
	} {
		t.Run(row.name, func(t *testing.T) {
			c := opened(t, row.seats)
			if row.begin != nil {
				row.begin(c)
			}
			if n, err := c.repeats(row.who, row.entry); n != row.most || err != row.why {
				t.Errorf("%d, and then %v; want %d, and then %v", n, err, row.most, row.why)
			}
		})
	}
}

// handed returns that many answers of a seat to a form of a test.
func handed(number int, form string, n int) room.Entry {
	return room.Entry{Verb: room.VerbHand, Seat: number, Form: form, Given: slices.Repeat([]string{strings.Repeat("x", 64)}, n)}
}

// branch replaces the sandbox of seat 1 with its i-th.
func branch(i int) room.Entry {
	e := room.Entry{Verb: room.VerbOwn, Seat: 1, Run: fmt.Sprint("sandbox", i)}
	if i > 0 {
		e.From = fmt.Sprint("sandbox", i-1)
	}
	return e
}

// wordy returns a question of wordyBytes.
func wordy() *room.Question {
	q := question(room.Predict, 8)
	for i := range q.Choices {
		q.Choices[i].English = strings.Repeat("x", room.MaxText)
		q.Choices[i].Chinese = q.Choices[i].English
		q.Choices[i].Why = q.Choices[i].Text
	}
	return q
}

var wordyBytes = func() int {
	q := wordy()
	n := len(q.Text.English) + len(q.Text.Chinese)
	for _, c := range q.Choices {
		n += len(c.ID) + 2*(len(c.English)+len(c.Chinese))
	}
	return n
}()

// Each turn as driver has a count of its own. The driver can always hand control back.
func TestEachTurnIsCounted(t *testing.T) {
	c := opened(t, 2)
	look := func(i int) room.Entry { return room.Entry{Verb: room.VerbCursor, At: i} }
	for turn := range 3 {
		c.do(presenter, room.Entry{Verb: room.VerbDrive, Seat: 1})
		if n, err := c.repeats(seat(1), look); n < room.MaxTurn-1 || err != room.ErrBusy {
			t.Errorf("turn %d: %d positions, and then %v", turn, n, err)
		}
		c.do(seat(1), room.Entry{Verb: room.VerbDrive})
	}
	c.do(presenter, room.Entry{Verb: room.VerbAsk, Poll: question(room.Predict, 2)})
	c.do(seat(1), vote(1, 0)) // a former driver votes like everybody
}

// The presenter can always take a name away, however often the seat chose one.
func TestNameOfABusySeatIsTakenAway(t *testing.T) {
	c := opened(t, 1)
	c.do(presenter, room.Entry{Verb: room.VerbSwitch, Free: true})
	c.repeats(seat(1), func(i int) room.Entry { return rename(1, i) })
	c.refused(room.ErrBusy, seat(1), room.Entry{Verb: room.VerbName, Seat: 1})
	c.do(presenter, room.Entry{Verb: room.VerbName, Seat: 1})
	c.refused(room.ErrBusy, seat(1), rename(1, 0))
}

// Each round has votes of its own.
func TestVotesAreCountedByRound(t *testing.T) {
	c := opened(t, 1)
	for poll := range 3 {
		c.do(presenter, asking(room.Predict)[0])
		for round := range 2 {
			if n, err := c.repeats(seat(1), func(i int) room.Entry { return vote(1, i) }); n != room.MaxVotes || err != room.ErrBusy {
				t.Errorf("poll %d, round %d: %d votes, and then %v", poll, round, n, err)
			}
			c.do(presenter, room.Entry{Verb: room.VerbRound})
			if round == 0 {
				c.do(presenter, room.Entry{Verb: room.VerbRound})
			}
		}
		c.do(presenter, room.Entry{Verb: room.VerbReveal})
	}
}

// A thousand hostile seats cannot touch the presenter's part of the log. They need more than one kind of mischief to
// use up their own.
func TestNoCrowdFillsALog(t *testing.T) {
	c := opened(t, room.MaxSeats)
	c.do(presenter, room.Entry{Verb: room.VerbSwitch, Free: true})
	everybody := func(entry func(number, i int) room.Entry) error {
		var err error
		for number := 1; number <= room.MaxJoined; number++ {
			if c.You(number) != nil {
				_, err = c.repeats(seat(number), func(i int) room.Entry { return entry(number, i) })
			}
		}
		return err
	}
	if err := everybody(rename); err != room.ErrBusy {
		t.Errorf("names: %v", err)
	}
	c.do(presenter, asking(room.Predict)[0])
	c.do(seat(7), vote(7, 0)) // one place is left
	everybody(vote)
	before := c.Len()
	if err := everybody(vote); err != room.ErrLong {
		t.Errorf("names and votes: %v", err)
	}
	c.refused(room.ErrLong, seat(1), rename(1, 9))
	if before < room.MaxSeated || before > room.MaxSeated+10 {
		t.Errorf("the log has %d entries", before)
	}

	// Their entries still count after their removal, and the presenter goes on.
	all := make([]int, room.MaxSeats)
	for i := range all {
		all[i] = i + 1
	}
	c.do(presenter, room.Entry{Verb: room.VerbRemove, Seats: all})
	if c.Seats() != 0 {
		t.Errorf("%d seats are left", c.Seats())
	}
	c.refused(room.ErrLong, spectator, join(2000))
	if n, err := c.repeats(presenter, gather); n < room.MaxEntries-room.MaxSeated-10 || err != room.ErrLong {
		t.Errorf("the presenter has %d entries left, and then %v", n, err)
	}
	c.do(presenter, room.Entry{Verb: room.VerbEnd})
}

// The numbers of seats run out: nobody can rejoin for ever, and no number is given twice.
func TestNumbersComeToAnEnd(t *testing.T) {
	c := opened(t, 0)
	for i := range room.MaxJoined {
		c.do(spectator, join(i))
		c.refused(room.ErrNoSeat, presenter, room.Entry{Verb: room.VerbRemove, Seats: []int{i + 2}})
		if you := c.You(i + 1); you == nil || you.Name == c.Name() {
			t.Fatalf("number %d is %+v", i+1, you)
		}
		c.do(presenter, room.Entry{Verb: room.VerbRemove, Seats: []int{i + 1}})
	}
	c.refused(room.ErrFull, spectator, join(room.MaxJoined))
}

// In a full room the presenter reveals, calms the room, takes names away, removes, locks, revokes and ends. Everybody else
// watches.
func TestFullRoomComesToItsEnd(t *testing.T) {
	full := func(t *testing.T, to int) *class {
		c := opened(t, 3)
		c.do(presenter, room.Entry{Verb: room.VerbSwitch, Free: true, Rosters: true})
		c.do(seat(2), room.Entry{Verb: room.VerbName, Seat: 2, Text: "Rude Word", Roster: "somebody"})
		c.do(presenter, room.Entry{Verb: room.VerbPair, Key: key("phone")})
		c.do(presenter, room.Entry{Verb: room.VerbChallenge, Task: "redis-lock/race/break"})
		c.do(seat(3), room.Entry{Verb: room.VerbOwn, Seat: 3, Run: "sandbox003"})
		c.do(presenter, room.Entry{Verb: room.VerbDrive, Seat: 1})
		c.do(presenter, asking(room.Network)[0])
		c.longer(room.MaxEntries)
		for on := true; c.Len() < to; on = !on {
			c.do(presenter, room.Entry{Verb: room.VerbBlack, On: on})
		}
		return c
	}
	possible := []room.Entry{
		{Verb: room.VerbRound}, {Verb: room.VerbReveal}, {Verb: room.VerbDrop}, {Verb: room.VerbShow, Run: "sandbox003"}, {Verb: room.VerbHome}, {Verb: room.VerbDrive},
		{Verb: room.VerbName, Seat: 2}, {Verb: room.VerbRemove, Seats: []int{2}}, {Verb: room.VerbLock, On: true}, {Verb: room.VerbRevoke, Key: key("presenter")},
	}
	c := full(t, room.MaxEntries)
	for _, e := range possible {
		if err := c.Can(presenter, e); err != nil {
			t.Errorf("a full room does not allow %s: %v", e.Verb, err)
		}
	}
	for _, e := range []room.Entry{
		{Verb: room.VerbGather}, {Verb: room.VerbSwitch}, {Verb: room.VerbPair, Key: key("tablet")}, {Verb: room.VerbLanes}, {Verb: room.VerbFork, Run: "r"}, {Verb: room.VerbChallenge, Task: "a/b/c"},
	} {
		c.refused(room.ErrLong, presenter, e)
	}
	for who, e := range map[room.Who]room.Entry{
		spectator: join(9), seat(1): {Verb: room.VerbShow, Run: "other"}, seat(2): {Verb: room.VerbName, Seat: 2}, seat(3): vote(3, 0),
	} {
		c.refused(room.ErrLong, who, e)
	}
	c.do(seat(1), room.Entry{Verb: room.VerbDrive}) // the driver hands control back
	for _, e := range possible[:5] {
		c.do(presenter, e)
	}
	for _, e := range possible[6:] {
		c.do(presenter, e)
	}
	if _, ok := c.Who(key("phone")); ok || c.Seats() != 2 || !c.Locked() || c.Run() != "sandbox003" {
		t.Error("what a full room allows is not done")
	}

	c = full(t, room.MaxLast-1)
	for _, e := range possible {
		c.refused(room.ErrLong, presenter, e)
	}
	c.do(presenter, room.Entry{Verb: room.VerbEnd, Run: "replay0001"})
	if c.Len() != room.MaxLast || !c.Over() {
		t.Errorf("%d entries, over: %t", c.Len(), c.Over())
	}
}

// In a full room a timer can still be taken away, and none begins.
func TestTimerOfAFullRoomIsTakenAway(t *testing.T) {
	c := opened(t, 0)
	more := room.Entry{Verb: room.VerbTimer, On: true, Now: 1000}
	c.do(presenter, asking(room.Predict)[0])
	c.do(presenter, more)
	c.longer(room.MaxEntries)
	c.refused(room.ErrLong, presenter, more)
	c.do(presenter, room.Entry{Verb: room.VerbTimer})
	if c.Until() != 0 {
		t.Errorf("the timer ends at %d", c.Until())
	}
}

// A log written under wider bounds folds as it was accepted.
func TestLogOfWiderBoundsIsFolded(t *testing.T) {
	c := opened(t, 1)
	c.do(presenter, asking(room.Predict)[0])
	for i := range 10 * room.MaxSeatEntries {
		c.Apply(vote(1, i))
	}
	if cast := c.You(1).Cast; len(cast) != 1 || cast[0] != 1 {
		t.Errorf("the last vote is lost: %v", cast)
	}
	c.refused(room.ErrBusy, seat(1), vote(1, 0))
	c.do(presenter, room.Entry{Verb: room.VerbReveal})
}

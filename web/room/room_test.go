package room_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/web/room"
)

var (
	presenter = room.Who{Presenter: true}
	spectator = room.Who{}
)

func seat(number int) room.Who { return room.Who{Seat: number} }

// key returns the hash of a key that a test names.
func key(name string) string { return room.HashKey("key of " + name) }

// A class is a room and its log.
type class struct {
	t *testing.T
	*room.Room
	log []room.Entry
}

// opened returns a room with a number of seats taken.
func opened(t *testing.T, seats int) *class {
	c := &class{t: t, Room: room.New()}
	c.do(spectator, room.Entry{Verb: room.VerbOpen, Code: "482913", Name: 7, Run: "k3v9m2xq7a", Key: key("presenter")})
	for range seats {
		c.do(spectator, room.Entry{Verb: room.VerbJoin, Key: key(fmt.Sprint(c.Seats() + 1))})
	}
	return c
}

// do appends an entry that the room must allow.
func (c *class) do(who room.Who, e room.Entry) {
	c.t.Helper()
	if err := c.Can(who, e); err != nil {
		c.t.Fatalf("%v: %s: %v", who, e.Verb, err)
	}
	c.Apply(e)
	c.log = append(c.log, e)
}

// refused checks that the room refuses an entry for a given reason.
func (c *class) refused(because error, who room.Who, e room.Entry) {
	c.t.Helper()
	if err := c.Can(who, e); !errors.Is(err, because) {
		c.t.Errorf("%v: %s: got %v, want %v", who, e.Verb, err, because)
	}
}

// A key identifies its owner and nobody else.
func TestWho(t *testing.T) {
	c := opened(t, 2)
	c.do(presenter, room.Entry{Verb: room.VerbPair, Key: key("phone")})
	for name, want := range map[string]room.Who{"presenter": presenter, "phone": presenter, "1": seat(1), "2": seat(2)} {
		if who, ok := c.Who(key(name)); !ok || who != want {
			t.Errorf("%s is %v, %t", name, who, ok)
		}
	}
	for _, hash := range []string{key("3"), "", "key of presenter"} {
		if who, ok := c.Who(hash); ok || who != spectator {
			t.Errorf("%q is %v", hash, who)
		}
	}
	c.refused(room.ErrKey, spectator, room.Entry{Verb: room.VerbJoin, Key: key("presenter")})
	c.refused(room.ErrMalformed, spectator, room.Entry{Verb: room.VerbJoin, Key: "the key itself"})
	c.refused(room.ErrKey, presenter, room.Entry{Verb: room.VerbPair, Key: key("1")})
	for i := range room.MaxKeys - 2 {
		c.do(presenter, room.Entry{Verb: room.VerbPair, Key: key(fmt.Sprint("remote", i))})
	}
	c.refused(room.ErrKeys, presenter, room.Entry{Verb: room.VerbPair, Key: key("one more")})

	// A key that lost its power stays powerless, says why, and cannot be used again.
	c.do(presenter, room.Entry{Verb: room.VerbRevoke, Key: key("phone")})
	c.do(presenter, room.Entry{Verb: room.VerbRemove, Seats: []int{2}})
	for name, want := range map[string]room.Verb{"presenter": "", "phone": "", "1": "", "stranger": "", "remote0": room.VerbRevoke, "2": room.VerbRemove} {
		who, ok := c.Who(key(name))
		if lost := c.Lost(key(name)); lost != want || lost != "" && (ok || who != spectator) {
			t.Errorf("%s is %v, and has lost %q", name, who, lost)
		}
	}
	c.refused(room.ErrKey, spectator, room.Entry{Verb: room.VerbJoin, Key: key("2")})
	c.refused(room.ErrKey, presenter, room.Entry{Verb: room.VerbPair, Key: key("remote0"), Revoked: 1})
}

// The room refuses field values that no page sends, and keeps nothing of them.
func TestMalformed(t *testing.T) {
	long := strings.Repeat("x", 5000)
	poll := func(change func(*room.Question)) *room.Question {
		q := question(room.Predict, 2)
		change(q)
		return q
	}
	c := lesson(t)
	c.do(presenter, room.Entry{Verb: room.VerbDrive})
	for _, e := range []room.Entry{
		{Verb: room.VerbGather, ID: long},
		{Verb: room.VerbGather, ID: "two words"},
		{Verb: room.VerbPair, Key: strings.ToUpper(key("phone"))},
		{Verb: room.VerbRevoke},
		{Verb: room.VerbRevoke, Key: key("2")},
		{Verb: room.VerbRemove, Seats: make([]int, room.MaxSeats+1)},
		{Verb: room.VerbShow},
		{Verb: room.VerbShow, Run: long},
		{Verb: room.VerbShow, Run: "\xff"},
		{Verb: room.VerbEnd, Run: "a\nb"},
		{Verb: room.VerbCursor, At: -2},
		{Verb: room.VerbCursor, At: 1 << 40},
		{Verb: room.VerbFork, At: 4},
		{Verb: room.VerbFork, Run: "r", At: -2},
		{Verb: room.VerbChallenge},
		{Verb: room.VerbChallenge, Task: long},
		{Verb: room.VerbAsk},
		{Verb: room.VerbAsk, Poll: question(room.Predict, 1)},
		{Verb: room.VerbAsk, Poll: question(room.Predict, 9)},
		{Verb: room.VerbAsk, Poll: question(room.Network, 0)},
		{Verb: room.VerbAsk, Poll: question(room.Network, 13)},
		{Verb: room.VerbAsk, Poll: question("guess", 2)},
		{Verb: room.VerbAsk, Poll: poll(func(q *room.Question) { q.At = -1 })},
		{Verb: room.VerbAsk, Poll: poll(func(q *room.Question) { q.Text.Chinese = "" })},
		{Verb: room.VerbAsk, Poll: poll(func(q *room.Question) { q.Text.English = long })},
		{Verb: room.VerbAsk, Poll: poll(func(q *room.Question) { q.Choices[1].ID = "" })},
		{Verb: room.VerbAsk, Poll: poll(func(q *room.Question) { q.Choices[1].English = "\xff" })},
		{Verb: room.VerbAsk, Poll: poll(func(q *room.Question) { q.Choices[1].Why.English = "because" })},
		{Verb: room.VerbAsk, Poll: poll(func(q *room.Question) { q.Choices[1].Why = lang.Both(long, long) })},
	} {
		c.refused(room.ErrMalformed, presenter, e)
	}
	for _, e := range []room.Entry{
		{Verb: room.VerbOpen, Code: "482 913", Run: "r", Key: key("p")},
		{Verb: room.VerbOpen, Code: "482913", Key: key("p")},
		{Verb: room.VerbOpen, Code: "482913", Run: "r", Key: "p"},
		{Verb: room.VerbOpen, Code: "482913", Run: "r", Key: key("p"), Name: -1},
		{Verb: room.VerbOpen, Code: "482913", Run: "r", Key: key("p"), Site: "http://" + strings.Repeat("x", 294)},
		{Verb: room.VerbOpen, Code: "482913", Run: "r", Key: key("p"), Site: "http://two words"},
	} {
		if err := room.New().Can(spectator, e); !errors.Is(err, room.ErrMalformed) {
			t.Errorf("%+v: %v", e, err)
		}
	}
}

// Nobody sees the reasons of a poll before its answer, the presenter included. Somebody who is not sure is never right.
func TestReasonsComeWithTheAnswer(t *testing.T) {
	c := opened(t, 2)
	asked := question(room.Predict, 3)
	asked.Choices[0].Why, asked.Choices[1].Why = lang.Both("the key is there", "键还在"), lang.Both("the key is gone", "键没了")
	asked.Choices[2].ID = room.Unsure
	c.do(presenter, room.Entry{Verb: room.VerbAsk, Poll: asked})
	c.do(seat(1), room.Entry{Verb: room.VerbVote, Seat: 1, Choice: 2})
	for _, phase := range []room.Phase{room.First, room.Discuss, room.Second, room.Closed} {
		if now := c.Poll().Phase(); now != phase {
			t.Fatalf("the poll is %s, want %s", now, phase)
		}
		for _, who := range []room.Who{presenter, seat(1), spectator} {
			if seen := marshalled(t, c.View(who)); strings.Contains(seen, "the key is") || strings.Contains(seen, "键") {
				t.Errorf("%+v sees a reason in the phase %s: %s", who, phase, seen)
			}
		}
		if phase != room.Closed {
			c.do(presenter, room.Entry{Verb: room.VerbRound})
		}
	}
	c.refused(room.ErrChoice, presenter, room.Entry{Verb: room.VerbReveal, Choice: 2})
	c.do(presenter, room.Entry{Verb: room.VerbReveal, Choice: 1})
	v := c.View(spectator).Poll
	if v.Choices[0].Why.English != "the key is there" || v.Choices[1].Why.Chinese != "键没了" || v.Choices[2].Why != (lang.Text{}) {
		t.Errorf("the revealed reasons are %+v", v.Choices)
	}
	if counts := marshalled(t, v.Answer.Counts); counts != "[[0,0,1],[0,0,0]]" {
		t.Errorf("the counts are %s", counts)
	}
}

// A view and a poll hand out copies.
func TestViewsAreCopies(t *testing.T) {
	c := lesson(t)
	asked := question(room.Predict, 2)
	c.do(presenter, room.Entry{Verb: room.VerbAsk, Poll: asked})
	before := marshalled(t, c.View(presenter))
	asked.Choices[0].English = "changed"
	v := c.View(presenter)
	v.Seats[0].Name.English, v.Poll.Choices[0].English, v.Exercise.Task, v.Desk.Seats[1].Mark.State = "changed", "changed", "changed", "changed"
	v.Lanes[1].Team[0], c.Exercise().Task, c.Poll().Question().Choices[0].English = 99, "changed", "changed"
	if after := marshalled(t, c.View(presenter)); after != before {
		t.Errorf("a view has changed the room\n%s\n%s", before, after)
	}
}

func marshalled(t testing.TB, v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func question(kind room.Kind, choices int) *room.Question {
	q := &room.Question{Kind: kind, At: 3, Text: lang.Both("What will Redis answer?", "Redis 会返回什么？")}
	for i := range choices {
		text := fmt.Sprint(i)
		q.Choices = append(q.Choices, room.Choice{ID: text, Text: lang.Both(text, text)})
	}
	return q
}

// A driver drops no prediction: neither a look at their own sandbox nor the way back takes it from the class.
func TestADriverDropsNoPrediction(t *testing.T) {
	c := opened(t, 1)
	c.do(presenter, room.Entry{Verb: room.VerbFork, Run: c.Run(), At: room.End})
	c.do(seat(1), room.Entry{Verb: room.VerbOwn, Seat: 1, Run: "own"})
	c.do(presenter, room.Entry{Verb: room.VerbDrive, Seat: 1})
	own, back := room.Entry{Verb: room.VerbShow, Run: "own"}, room.Entry{Verb: room.VerbShow, Run: c.Base()}
	for _, e := range []room.Entry{own, back} {
		c.do(presenter, room.Entry{Verb: room.VerbAsk, Poll: question(room.Predict, 2)})
		if err := c.Can(seat(1), e); err != room.ErrFrozen {
			t.Errorf("a driver who shows %s meets %v", e.Run, err)
		}
		c.do(presenter, room.Entry{Verb: room.VerbReveal, Choice: 0})
		c.do(seat(1), e)
	}
}

// A vote that has waited for a connection counts for the round in which it was cast, and for no other question.
func TestAVoteCountsForItsOwnRound(t *testing.T) {
	c := opened(t, 1)
	ballot := func() int { return c.View(seat(1)).Poll.Ballot }
	vote := func(ballot int) error {
		return c.Can(seat(1), room.Entry{Verb: room.VerbVote, Seat: 1, Choice: 1, Ballot: ballot})
	}
	c.do(presenter, room.Entry{Verb: room.VerbAsk, Poll: question(room.Predict, 2)})
	first := ballot()
	if err := vote(first); err != nil {
		t.Fatal(err)
	}
	c.do(presenter, room.Entry{Verb: room.VerbRound})
	c.do(presenter, room.Entry{Verb: room.VerbRound})
	second := ballot()
	if err := vote(second); err != nil || vote(first) != room.ErrPollClosed {
		t.Errorf("in the second round, its own vote meets %v, and one of the first meets %v", err, vote(first))
	}
	c.do(presenter, room.Entry{Verb: room.VerbDrop})
	c.do(presenter, room.Entry{Verb: room.VerbAsk, Poll: question(room.Predict, 2)})
	for _, old := range []int{first, second} {
		if err := vote(old); err != room.ErrPollClosed {
			t.Errorf("a vote of round %d meets %v at the next question", old, err)
		}
	}
	if err := vote(0); err != nil {
		t.Errorf("a vote for the open round meets %v", err)
	}
}

// A question of the presenter's own has bounded words, two to four answers, and a right answer only if the presenter names one. Everybody
// with a seat votes, also who plays a client, and the run goes on meanwhile.
func TestPresenterAsksAQuestionOfTheirOwn(t *testing.T) {
	long := strings.Repeat("字", room.MaxQuestion)
	answer := strings.Repeat("字", room.MaxAnswer)
	for _, q := range []struct {
		text    string
		answers []string
		right   bool
	}{
		{"Is it safe?", []string{"yes", "no"}, true},
		{"Is it safe?", []string{"yes", "", " no "}, true},
		{long, []string{answer, answer, "c", "d"}, true},
		{long + "字", []string{"yes", "no"}, false},
		{"Is it safe?", []string{"yes", answer + "字"}, false},
		{"Is it safe?", []string{"yes"}, false},
		{"Is it safe?", []string{"yes", " ", ""}, false},
		{"Is it safe?", []string{"a", "b", "c", "d", "e"}, false},
		{" ", []string{"yes", "no"}, false},
		{"Is it \u202esafe?", []string{"yes", "no"}, false},
		{"Is it safe?", []string{"yes", "n\x00o"}, false},
	} {
		if _, err := room.Ask(0, q.text, q.answers); (err == nil) != q.right {
			t.Errorf("asking %q %q gives %v", q.text, q.answers, err)
		}
	}

	c := opened(t, 3)
	c.do(presenter, room.Entry{Verb: room.VerbLanes, Lanes: []string{"C1"}, Size: 1})
	if q, err := room.Ask(0, "释放锁，　C1 会怎样？", []string{"ＯＫ", "不行"}); err != nil || q.Text.In(lang.Chinese) != "释放锁， C1 会怎样？" || q.Choices[0].Text.In(lang.Chinese) != "ＯＫ" {
		t.Errorf("a Chinese question became %v, %v", q, err)
	}
	asked, err := room.Ask(0, "Is it safe?", []string{"yes", "no"})
	if err != nil {
		t.Fatal(err)
	}
	c.refused(room.ErrPresenterOnly, seat(1), room.Entry{Verb: room.VerbAsk, Poll: asked})
	c.do(presenter, room.Entry{Verb: room.VerbAsk, Poll: asked})
	if v := c.View(spectator).Poll; v.Voters != 3 || v.Text.Chinese != "Is it safe?" {
		t.Errorf("the poll is %+v", v)
	}
	if err := c.MayAct(presenter, c.Run(), 0, "step", "C1"); err != nil {
		t.Errorf("the run stands still: %v", err)
	}
	c.do(seat(1), room.Entry{Verb: room.VerbVote, Seat: 1, Choice: 1})
	for _, phase := range []room.Phase{room.Discuss, room.Second} {
		c.do(presenter, room.Entry{Verb: room.VerbRound})
		if now := c.Poll().Phase(); now != phase {
			t.Fatalf("the poll is %s, want %s", now, phase)
		}
	}
	c.do(seat(1), room.Entry{Verb: room.VerbVote, Seat: 1, Choice: 0})
	c.do(presenter, room.Entry{Verb: room.VerbReveal, Choice: room.None})
	if v := c.View(spectator).Poll; v.Answer.Choice != room.None || marshalled(t, v.Answer.Counts) != "[[0,1],[1,0]]" {
		t.Errorf("the answer is %+v", v.Answer)
	}
	if past := c.Record().Polls; len(past) != 1 || past[0].Answer != room.None {
		t.Errorf("the record has %+v", past)
	}
}

// The vote of the network is decided once most of its seats that are here agree, or all of them have voted. Seats with a lane
// and people who are away decide nothing.
func TestTheNetworkDecides(t *testing.T) {
	c := opened(t, 7)
	c.do(presenter, room.Entry{Verb: room.VerbLanes, Lanes: []string{"C1"}, Size: 1}) // seat 1 is C1, the others are the network
	all := map[int]bool{1: true, 2: true, 3: true, 4: true, 5: true, 6: true, 7: false}
	decided := func(want bool, why string, here map[int]bool) {
		t.Helper()
		if got := c.Decided(here); got != want {
			t.Errorf("%s: decided %t, want %t", why, got, want)
		}
	}
	decided(false, "nothing is asked", all)
	c.do(presenter, room.Entry{Verb: room.VerbAsk, Poll: question(room.Network, 3)})
	decided(false, "nobody has voted", all)
	decided(false, "nobody is here", nil)
	c.do(seat(2), room.Entry{Verb: room.VerbVote, Seat: 2, Choice: 1})
	c.do(seat(3), room.Entry{Verb: room.VerbVote, Seat: 3, Choice: 1})
	c.do(seat(7), room.Entry{Verb: room.VerbVote, Seat: 7, Choice: 1})
	decided(false, "two of the five who are here agree", all)
	decided(true, "two of three agree", map[int]bool{2: true, 3: true, 4: true})
	decided(false, "two of four agree: half is not most", map[int]bool{2: true, 3: true, 4: true, 5: true})
	c.do(seat(4), room.Entry{Verb: room.VerbVote, Seat: 4, Choice: 0})
	c.do(seat(5), room.Entry{Verb: room.VerbVote, Seat: 5, Choice: 0})
	decided(false, "two and two of five", all)
	c.do(seat(6), room.Entry{Verb: room.VerbVote, Seat: 6, Choice: 2})
	decided(true, "everybody who is here has voted", all)
	c.do(presenter, room.Entry{Verb: room.VerbRound})
	decided(false, "the vote is closed", all)
	c.do(presenter, room.Entry{Verb: room.VerbReveal, Choice: 1})
	c.do(presenter, room.Entry{Verb: room.VerbAsk, Poll: question(room.Predict, 3)})
	for number := range 7 {
		c.do(seat(number+1), room.Entry{Verb: room.VerbVote, Seat: number + 1, Choice: 1})
	}
	decided(false, "a prediction is the presenter's to lead", all)
}

package room_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"lockstep/web/room"
)

// The record tells a question when it is over, and not before: nobody reads in it how an open vote stands.
func TestARecordTellsNoOpenQuestion(t *testing.T) {
	c := opened(t, 3)
	c.do(presenter, asking(room.Predict)[0])
	c.do(seat(1), vote(1, 0))
	c.do(presenter, room.Entry{Verb: room.VerbRound})
	if polls := c.Record().Polls; polls != nil {
		t.Errorf("a question is open, and the record has %+v", polls)
	}
	c.do(presenter, room.Entry{Verb: room.VerbRound})
	c.do(seat(2), vote(2, 1))
	c.do(presenter, room.Entry{Verb: room.VerbReveal, Choice: 1})
	polls := c.Record().Polls
	if len(polls) != 1 || !polls[0].Revealed || polls[0].Answer != 1 || !reflect.DeepEqual(polls[0].Counts, [][]int{{1, 0, 0}, {0, 1, 0}}) {
		t.Errorf("the record has %+v", polls)
	}
	c.do(presenter, room.Entry{Verb: room.VerbDrop})
	c.do(presenter, room.Entry{Verb: room.VerbEnd})
	if again := c.Record().Polls; len(again) != 1 {
		t.Errorf("putting a question away that is over records it again: %+v", again)
	}
}

// A question that ends without an answer keeps its votes: when it is dropped, when the room goes on to another run, and when it ends.
func TestARecordKeepsQuestionsWithoutAnAnswer(t *testing.T) {
	for name, ends := range map[string]room.Entry{
		"dropped": {Verb: room.VerbDrop}, "left": {Verb: room.VerbShow, Run: "another001"}, "the end": {Verb: room.VerbEnd},
	} {
		c := opened(t, 2)
		c.do(presenter, asking(room.Predict)[0])
		c.do(seat(2), vote(2, 1))
		c.do(presenter, ends)
		if polls := c.Record().Polls; len(polls) != 1 || polls[0].Revealed || !reflect.DeepEqual(polls[0].Counts, [][]int{{0, 1, 0}}) {
			t.Errorf("%s: the record has %+v", name, polls)
		}
	}
	c := opened(t, 2)
	for range 3 { // nobody votes, and the network's votes are no questions
		c.do(presenter, asking(room.Predict)[0])
		c.do(presenter, room.Entry{Verb: room.VerbDrop})
		c.do(presenter, asking(room.Network)[0])
		c.do(seat(1), vote(1, 0))
		c.do(presenter, room.Entry{Verb: room.VerbReveal})
	}
	if record := c.Record(); record.Polls != nil || record.Left != 0 {
		t.Errorf("the record has %+v", record)
	}
}

// An exercise is in the record from its beginning, and stays there when another one follows. It counts, and names nobody.
func TestARecordCountsAnExercise(t *testing.T) {
	c := opened(t, 5)
	c.do(presenter, room.Entry{Verb: room.VerbSwitch, Free: true, Rosters: true})
	c.do(seat(1), room.Entry{Verb: room.VerbName, Seat: 1, Text: "Lin", Roster: "Lin Wei, row 3"})
	c.do(presenter, room.Entry{Verb: room.VerbChallenge, Task: "redis-lock/race/break"})
	for number := 1; number < 5; number++ {
		c.do(seat(number), room.Entry{Verb: room.VerbOwn, Seat: number, Run: fmt.Sprint("sandbox", number)})
	}
	for number, actions := range map[int]int{1: 9, 2: 7, 3: 9} {
		c.do(seat(number), room.Entry{Verb: room.VerbMark, Seat: number, State: room.Broken, Actions: actions, Solved: true})
	}
	for range 2 {
		c.do(seat(4), room.Entry{Verb: room.VerbClaim, Seat: 4})
	}
	c.do(seat(2), room.Entry{Verb: room.VerbClaim, Seat: 2})
	want := room.PastExercise{
		Exercise: room.Exercise{Number: 1, Kind: room.Challenge, Task: "redis-lock/race/break"},
		Begun:    4, Solved: 3, Claims: 3, Claimants: 2, Solutions: []room.Solution{{Actions: 7, Seats: 1}, {Actions: 9, Seats: 2}},
	}
	if got := c.Record().Exercises; len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("while it goes on: %+v", got)
	}
	if claims := c.View(presenter).Claims; claims != 3 {
		t.Errorf("the view counts %d wrong claims", claims)
	}
	c.do(presenter, room.Entry{Verb: room.VerbFork, Run: "k3v9m2xq7a", At: 4}) // nobody begins
	c.do(presenter, room.Entry{Verb: room.VerbHome})
	c.do(presenter, room.Entry{Verb: room.VerbEnd})
	record := c.Record()
	if len(record.Exercises) != 1 || !reflect.DeepEqual(record.Exercises[0], want) {
		t.Errorf("when the room is over: %+v", record.Exercises)
	}
	if got := c.Copies(2); !slices.Equal(got, []room.Copy{{Exercise: 1, Task: "redis-lock/race/break", Run: "sandbox2"}}) {
		t.Errorf("seat 2 takes home %+v", got)
	}
	text, err := json.Marshal(record)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"Lin", c.View(presenter).Seats[2].Name.English, "sandbox"} {
		if strings.Contains(string(text), name) {
			t.Errorf("the record has %q in it: %s", name, text)
		}
	}
}

// A branch takes the place of its run. A look at a sandbox, and the way back, are no runs of the room's own.
func TestARecordListsTheRunsOfTheRoom(t *testing.T) {
	c := opened(t, 1)
	c.do(presenter, room.Entry{Verb: room.VerbShow, Run: "branch0001", From: "k3v9m2xq7a"})
	c.do(presenter, room.Entry{Verb: room.VerbShow, Run: "lesson0001", Task: "redis-lock/race"})
	c.do(presenter, room.Entry{Verb: room.VerbChallenge, Task: "redis-lock/race/break"})
	c.do(seat(1), room.Entry{Verb: room.VerbOwn, Seat: 1, Run: "sandbox001"})
	for _, run := range []string{"sandbox001", "lesson0001", "branch0001"} {
		c.do(presenter, room.Entry{Verb: room.VerbShow, Run: run})
	}
	if got, want := c.Record().Shown, []room.Shown{{Run: "branch0001"}, {Run: "lesson0001", Task: "redis-lock/race"}}; !slices.Equal(got, want) {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// The record is bounded, whatever the log holds: it lists the first, and counts the others.
func TestARecordIsBounded(t *testing.T) {
	const more = 3
	c := opened(t, 10)
	for i := range room.MaxPolls + more { // no seat uses up its own entries
		c.do(presenter, asking(room.Predict)[0])
		c.do(seat(1+i%10), vote(1+i%10, i))
		c.do(presenter, room.Entry{Verb: room.VerbReveal})
	}
	record := c.Record()
	if len(record.Polls) != room.MaxPolls || record.Left != more {
		t.Errorf("%d questions, and %d are left out", len(record.Polls), record.Left)
	}
	c = opened(t, 2)
	for i := range room.MaxExercises + more {
		c.do(presenter, room.Entry{Verb: room.VerbChallenge, Task: "redis-lock/race/break"})
		c.do(seat(1+i%2), room.Entry{Verb: room.VerbOwn, Seat: 1 + i%2, Run: fmt.Sprint("sandbox", i)})
	}
	c.do(presenter, room.Entry{Verb: room.VerbHome})
	for i := range room.MaxShown + more {
		c.do(presenter, room.Entry{Verb: room.VerbShow, Run: fmt.Sprint("run", i)})
	}
	record = c.Record()
	if len(record.Exercises) != room.MaxExercises || len(record.Shown) != room.MaxShown || record.Left != more+more+1 {
		t.Errorf("%d exercises, %d runs, and %d are left out", len(record.Exercises), len(record.Shown), record.Left)
	}
}

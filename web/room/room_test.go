package room_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"

	"lockstep/web/room"
)

var (
	presenter = room.Who{Presenter: true}
	spectator = room.Who{}
)

func seat(number int) room.Who { return room.Who{Seat: number} }

// key is the hash of a key that a test gives a name.
func key(name string) string { return room.HashKey("key of " + name) }

// A class is a room and its log.
type class struct {
	t *testing.T
	*room.Room
	log []room.Entry
}

// opened is a room with so many seats taken.
func opened(t *testing.T, seats int) *class {
	c := &class{t: t, Room: room.New()}
	c.do(spectator, room.Entry{Verb: room.VerbOpen, Code: "482913", Name: 7, Run: "k3v9m2xq7a", Key: key("presenter")})
	for range seats {
		c.do(spectator, room.Entry{Verb: room.VerbJoin, Key: key(fmt.Sprint(c.Seats() + 1))})
	}
	return c
}

// do appends an entry that has to be allowed.
func (c *class) do(who room.Who, e room.Entry) {
	c.t.Helper()
	if err := c.Can(who, e); err != nil {
		c.t.Fatalf("%v: %s: %v", who, e.Verb, err)
	}
	c.Apply(e)
	c.log = append(c.log, e)
}

// refused sees that an entry is refused for a reason.
func (c *class) refused(because error, who room.Who, e room.Entry) {
	c.t.Helper()
	if err := c.Can(who, e); !errors.Is(err, because) {
		c.t.Errorf("%v: %s: got %v, want %v", who, e.Verb, err, because)
	}
}

// The log, written down and read back, is the same room.
func TestFoldOfTheLog(t *testing.T) {
	c := opened(t, 5)
	c.do(presenter, room.Entry{Verb: room.VerbLanes, Lanes: []string{"C1", "C2"}, Size: 1})
	c.do(presenter, room.Entry{Verb: room.VerbAsk, Poll: question(room.Network, 3)})
	c.do(seat(4), room.Entry{Verb: room.VerbVote, Seat: 4, Choice: 2})
	c.do(presenter, room.Entry{Verb: room.VerbRound})
	c.do(presenter, room.Entry{Verb: room.VerbReveal, Choice: c.Poll().Leading()})
	again := room.New()
	for _, e := range c.log {
		line, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var read room.Entry
		if err := json.Unmarshal(line, &read); err != nil {
			t.Fatal(err)
		}
		again.Apply(read)
	}
	if !reflect.DeepEqual(c.Room, again) {
		t.Errorf("folded again, the room is another one\n%+v\n%+v", c.View(presenter), again.View(presenter))
	}
}

func question(kind room.Kind, choices int) *room.Question {
	q := &room.Question{Kind: kind, At: 3, Text: room.Words{English: "What will Redis answer?", Chinese: "Redis 会返回什么？"}}
	for i := range choices {
		text := fmt.Sprint(i)
		q.Choices = append(q.Choices, room.Choice{ID: text, Words: room.Words{English: text, Chinese: text}})
	}
	return q
}

package room_test

import (
	"fmt"
	"testing"

	"lockstep/web/room"
)

// full is the log of a room with every seat taken.
func full() []room.Entry {
	log := []room.Entry{{Verb: room.VerbOpen, Code: "482913", Run: "r", Key: key("presenter")}}
	for i := range room.MaxSeats {
		log = append(log, room.Entry{Verb: room.VerbJoin, Key: key(fmt.Sprint(i))})
	}
	return log
}

func BenchmarkJoinThousand(b *testing.B) {
	log := full()
	for b.Loop() {
		folded(log)
	}
}

func BenchmarkDealThousand(b *testing.B) {
	r := folded(full())
	lanes := []string{"C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "C9", "C10", "C11", "C12"}
	size := 0
	for b.Loop() {
		size = size%90 + 1
		r.Apply(room.Entry{Verb: room.VerbLanes, Lanes: lanes, Size: size})
	}
}

// A benchmark of one vote, with the view that everybody gets.
func BenchmarkViewOfThousand(b *testing.B) {
	r := folded(full())
	r.Apply(room.Entry{Verb: room.VerbAsk, Poll: question(room.Predict, 4)})
	for b.Loop() {
		r.View(spectator)
	}
}

func BenchmarkYou(b *testing.B) {
	r := folded(full())
	r.Apply(room.Entry{Verb: room.VerbAsk, Poll: question(room.Predict, 4)})
	for b.Loop() {
		r.You(500)
	}
}

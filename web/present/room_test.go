package present

import (
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/web/room"
)

// A page offers exactly the verbs that the room would carry out, and says why the others are not possible.
func TestSeatHasItsPermissions(t *testing.T) {
	presenter, ann, bob := strings.Repeat("a", 64), strings.Repeat("b", 64), strings.Repeat("c", 64)
	r := room.New()
	says := func(step, key, run string, owner int, state, may, why string) {
		t.Helper()
		s := SeatOf(r, key, run, owner, lang.English)
		if s.State != state || s.May != may || !strings.Contains(s.Why, why) || (why == "") != (s.Why == "") {
			t.Errorf("%s: %q may %q, and not act as %q; want %q, %q, %q", step, s.State, s.May, s.Why, state, may, why)
		}
	}
	apply := func(who room.Who, e room.Entry) {
		t.Helper()
		if err := r.Can(who, e); err != nil {
			t.Fatalf("%s: %v", e.Verb, err)
		}
		r.Apply(e)
	}
	desk := room.Who{Presenter: true}
	apply(desk, room.Entry{Verb: room.VerbOpen, Code: "482913", Key: presenter, Run: "aaaaaaaaaa"})
	apply(room.Who{}, room.Entry{Verb: room.VerbJoin, Key: ann})
	apply(room.Who{}, room.Entry{Verb: room.VerbJoin, Key: bob})
	const leads = "lock switch end drive cursor gather black lanes ask fork challenge test plan"
	says("the presenter drives", presenter, "aaaaaaaaaa", 0, "drives", "act "+leads, "")
	says("a seat follows", ann, "aaaaaaaaaa", 0, "follows", "", "driver")
	says("a spectator follows", "", "aaaaaaaaaa", 0, "follows", "", "driver")
	says("the presenter prepares a branch", presenter, "bbbbbbbbbb", 0, "elsewhere", "act "+leads, "")
	says("a seat looks at a branch", ann, "bbbbbbbbbb", 0, "elsewhere", "", "room")

	apply(desk, room.Entry{Verb: room.VerbDrive, Seat: 1})
	says("a seat drives", ann, "aaaaaaaaaa", 0, "drives", "act drive cursor ask", "")
	says("the presenter looks on", presenter, "aaaaaaaaaa", 0, "follows", "lock switch end drive gather black lanes ask fork challenge test plan", "driver")

	apply(desk, room.Entry{Verb: room.VerbFork, Run: "aaaaaaaaaa", At: room.End})
	says("an exercise has begun", bob, "aaaaaaaaaa", 0, "follows", "own", "driver")
	apply(room.Who{Seat: 2}, room.Entry{Verb: room.VerbOwn, Seat: 2, Run: "cccccccccc"})
	says("a sandbox is its owner's", bob, "cccccccccc", 2, "own", "act", "")
	apply(desk, room.Entry{Verb: room.VerbHome})
	says("the exercise has ended", bob, "cccccccccc", 2, "ended", "act", "")
	says("everybody is at the room's run", bob, "aaaaaaaaaa", 0, "follows", "", "driver")
	apply(desk, room.Entry{Verb: room.VerbFork, Run: "aaaaaaaaaa", At: room.End})
	says("another exercise has begun", bob, "cccccccccc", 2, "ended", "act own", "")
	apply(room.Who{Seat: 2}, room.Entry{Verb: room.VerbOwn, Seat: 2, Run: "cccccccccc"})
	says("a sandbox is nobody else's", ann, "cccccccccc", 2, "elsewhere", "drive cursor ask own", "somebody else")

	apply(desk, room.Entry{Verb: room.VerbEnd})
	says("the room is over", presenter, "aaaaaaaaaa", 0, "over", "", "over")
}

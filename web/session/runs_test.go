package session

import (
	"errors"
	"fmt"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/web/limit"
	"lockstep/web/refusal"
	"lockstep/web/room"
)

// Runs that nobody uses stay in memory up to a number, and up to a number of bytes. The longest unused give way.
func TestUnusedRunsAreBounded(t *testing.T) {
	const used = MostIdle + 10
	for _, c := range []struct {
		bytes int64 // of each run
		want  int
	}{{1 << 10, MostIdle}, {1 << 20, MostIdleBytes >> 20}, {MostIdleBytes + 1, 0}} {
		g, last := newManager(t).Runs, ""
		for range used {
			made, err := g.Add(nil, engine.NewRun(engine.Header{}, check.All()...), Beginning{})
			if err != nil {
				t.Fatal(err)
			}
			r, done, err := g.Use(nil, made.id)
			if err != nil {
				t.Fatal(err)
			}
			r.weight.Store(c.bytes)
			done()
			last = r.id
		}
		if n := int(g.Count()); n != c.want || g.spare != int64(n)*c.bytes || g.Has(last) != (n > 0) {
			t.Errorf("of %d runs of %d bytes, %d stay, with %d bytes in all", used, c.bytes, n, g.spare)
		}
	}
}

// A run grows as long as its network has a share left. The share refuses the next action, and the run stays as it was.
func TestARunGrowsWithinItsShare(t *testing.T) {
	const share = runBytes + 4<<10
	m := newManager(t)
	m.Limits.Runs = limit.NewPersonShares(limit.NewShares(share, 128<<20), limit.NewShares(share, 128<<20))
	r, done, err := m.Runs.Use(nil, "aaaaaaaaaa")
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	for r.Length() < 1000 && err == nil {
		err = r.press(nil, ReadPress("", r.Length(), fmt.Sprintf("note \"%d\"", r.Length())))
	}
	_, bytes := r.size()
	if held := m.Limits.Runs.Held(); !errors.Is(err, errMemory) || r.Length() == 0 || held > share || held != bytes {
		t.Errorf("after %d actions the run of %d bytes holds %d of %d: %v", r.Length(), bytes, held, share, err)
	}
}

// Ann takes a seat at another server, and this one has not heard of it. It refuses nobody by what it had in memory.
func TestARefusalIsReadAnew(t *testing.T) {
	m := newManager(t)
	h, ann := m.opens(t), room.HashKey("ann")
	sandbox := newRun("aaaaaaaaaa", m.Runs)
	sandbox.place.Store(&Place{Room: h.Code(), Seat: 1})
	if err := m.MayLook(nil, ann, sandbox); !errors.Is(err, room.ErrNotYours) {
		t.Fatalf("before she has the seat, she sees its run: %v", err)
	}
	there, done, err := New(m.Environment).Rooms.Use(nil, h.Code())
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	if err := there.As(nil, room.Who{}, room.Entry{Verb: room.VerbJoin, Key: ann}); err != nil {
		t.Fatal(err)
	}
	if Ask(h, func(in *room.Room) bool { return in.Knows(ann) }) {
		t.Fatal("this server has heard of it")
	}
	if err := m.MayLook(nil, ann, sandbox); err != nil {
		t.Errorf("the run of her own seat is refused: %s", refusal.Of(err))
	}
}

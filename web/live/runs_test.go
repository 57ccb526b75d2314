package live

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"lockstep/engine"
	"lockstep/engine/check"
	"lockstep/web/limit"
)

// Runs that nobody uses stay in memory up to a number, and up to a number of bytes. The longest unused give way.
func TestUnusedRunsAreBounded(t *testing.T) {
	const used = MostIdle + 10
	for _, c := range []struct {
		bytes int64 // of each run
		want  int
	}{{1 << 10, MostIdle}, {1 << 20, MostIdleBytes >> 20}, {MostIdleBytes + 1, 0}} {
		g, last := newRuns(t), ""
		for range used {
			made, err := g.Add(context.Background(), engine.NewRun(engine.Header{}, check.All()...), Beginning{})
			if err != nil {
				t.Fatal(err)
			}
			r, done, err := g.Use(context.Background(), made.id)
			if err != nil {
				t.Fatal(err)
			}
			r.weight.Store(c.bytes)
			done()
			last = r.id
		}
		if f := g.Figures(); f.All != c.want || f.IdleBytes != int64(f.All)*c.bytes || g.Has(last) != (f.All > 0) {
			t.Errorf("of %d runs of %d bytes, %d stay, with %d bytes in all", used, c.bytes, f.All, f.IdleBytes)
		}
	}
}

// A run grows as long as its network has a share left. The share refuses the next action, and the run stays as it was.
func TestARunGrowsWithinItsShare(t *testing.T) {
	const share = runBytes + 4<<10
	g := newRuns(t)
	g.Limits.Runs = limit.NewPersonShares(limit.NewShares(share, 128<<20), limit.NewShares(share, 128<<20))
	r, done, err := g.Use(context.Background(), "aaaaaaaaaa")
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	for r.Length() < 1000 && err == nil {
		err = r.Press(context.Background(), ReadPress("", r.Length(), fmt.Sprintf("note \"%d\"", r.Length())))
	}
	_, bytes := r.Size()
	if held := g.Limits.Runs.Held(); !errors.Is(err, errMemory) || r.Length() == 0 || held > share || held != bytes {
		t.Errorf("after %d actions the run of %d bytes holds %d of %d: %v", r.Length(), bytes, held, share, err)
	}
}

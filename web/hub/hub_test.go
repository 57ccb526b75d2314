package hub

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// A thing is the fold of a log of a few bytes.
type thing struct {
	bytes   int64
	filling func()
	loads   int
	stopped int
}

func (x *thing) Fill(context.Context) error      { x.filling(); return nil }
func (x *thing) Load(context.Context) error      { x.loads++; return nil }
func (x *thing) Size() (begun bool, bytes int64) { return x.bytes > 0, x.bytes }
func (x *thing) Ledgers() []Ledger               { return nil }
func (x *thing) Stop()                           { x.stopped++ }

var errFull = errors.New("full")

// things returns a Hub of things with a size in bytes.
func things(o Options, bytes int64) *Hub[*thing] {
	o.ErrFull, o.Survives = errFull, func(do, after func()) func() { return func() { defer after(); do() } }
	return New(o, func(string) *thing { return &thing{bytes: bytes, filling: func() {}} })
}

func used(t *testing.T, g *Hub[*thing], id string) (x *thing, done func()) {
	t.Helper()
	x, done, err := g.Use(context.Background(), id, false)
	if err != nil {
		t.Fatal(err)
	}
	return x, done
}

// A thing that nobody uses stays for IdleTime, so its next user finds it as it was. Then it stops, and the next user gets another one.
func TestWhatNobodyUsesStaysForAWhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := things(Options{Most: 9, IdleMost: 9, IdleBytes: 99, IdleTime: 5 * time.Second}, 10)
		first, done := used(t, g, "a")
		done()
		time.Sleep(4 * time.Second)
		again, done := used(t, g, "a")
		done()
		if again != first || first.loads != 1 {
			t.Errorf("after 4 s it is %v, which has read its log %d times more", again, again.loads)
		}
		time.Sleep(4 * time.Second)
		if !g.Has("a") {
			t.Error("it is gone 4 s after its last use")
		}
		time.Sleep(7 * time.Second)
		if f := g.Figures(); f != (Figures{}) || first.stopped != 1 {
			t.Errorf("11 s after its last use %+v is left, and it has stopped %d times", f, first.stopped)
		}
	})
}

// While every place is taken nothing else begins. An unused thing gives up its place.
func TestPlacesAreBounded(t *testing.T) {
	g := things(Options{Most: 1, IdleMost: 9, IdleBytes: 99}, 10)
	first, done := used(t, g, "a")
	if _, _, err := g.Use(context.Background(), "b", false); err != errFull {
		t.Errorf("a second one begins beside the first: %v", err)
	}
	done()
	_, done = used(t, g, "b")
	done()
	if g.Has("a") || first.stopped != 1 {
		t.Error("the unused one keeps its place")
	}
}

// Another server appends to a log while this one reads it. The news is not lost: the log is read once more.
func TestNewsThatComesWhileALogIsReadIsNotLost(t *testing.T) {
	g := things(Options{Most: 9, IdleMost: 9, IdleBytes: 99}, 10)
	g.make = func(string) *thing {
		return &thing{bytes: 10, filling: func() {
			if len(g.Ready(true)) > 0 {
				t.Error("a thing is ready before its log is read")
			}
		}}
	}
	x, done := used(t, g, "a")
	defer done()
	if x.loads != 1 {
		t.Errorf("the log is read %d times more", x.loads)
	}
}

package store_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"lockstep/web/store"
	. "lockstep/web/store/storetest"
)

func TestMemory(t *testing.T) {
	Run(t, Driver{Place: func(testing.TB) func(store.Options) store.Store { return store.Memory }})
}

// A Log knows by its id a request that a client sends again because the answer was lost.
func TestALogHasItsRequests(t *testing.T) {
	s := store.Memory(store.Options{})
	l, other := store.NewLog[Step](s, "t/log"), store.NewLog[Step](s, "t/log")
	Appends(t, l, "first")
	if !l.Has("first") || l.Has("second") || l.Has("") {
		t.Error("the Log does not know a request that it carried out")
	}
	if err := other.Append(Step("refused")); !errors.Is(err, store.ErrBehind) || other.Has("refused") {
		t.Error("the Log knows a request that failed")
	}
	folding := errors.New("folding")
	if err := other.Read(func() {}, func(Step) error { return folding }); !errors.Is(err, folding) || !errors.Is(err, store.ErrDamaged) || other.Has("first") || other.Len() != 0 {
		t.Errorf("the Log knows a request that cannot be folded: %v", err)
	}
	for i := range 1000 {
		Appends(t, l, fmt.Sprint(i))
	}
	Folded(t, other)
	for _, l := range []*store.Log[Step]{l, other} {
		if l.Has("first") || !l.Has("0") || !l.Has("999") {
			t.Error("the Log does not remember exactly the last thousand requests")
		}
	}
}

// A Log hands its owner to the store.
func TestALogHasAnOwner(t *testing.T) {
	s := store.Memory(store.Options{MaxBytes: 8000})
	for i, owner := range []string{"a network", "a network", ""} {
		l := store.NewLog[Step](s, fmt.Sprintf("t/%d", i))
		l.Owner = owner
		if err, want := l.Append(Step(strings.Repeat("x", 1000))), []error{nil, store.ErrShare, nil}[i]; !errors.Is(err, want) {
			t.Errorf("log %d: %v, not %v", i, err, want)
		}
	}
}

// The warning comes at 80 %, and again only after the store has been below 70 %. A broken disk does not flood the
// log.
func TestTheOperatorReadsEachThingOnce(t *testing.T) {
	var said strings.Builder
	c := store.NewCommon(store.Options{Logger: Logger(&said)}, 1000)
	for _, at := range []struct{ taken, lines int }{{0, 0}, {799, 0}, {800, 1}, {1000, 1}, {701, 1}, {800, 1}, {699, 1}, {799, 1}, {900, 2}} {
		c.Takes(int64(at.taken), 1000)
		if n := strings.Count(said.String(), `level=WARN msg="the store is nearly full"`); n != at.lines {
			t.Errorf("at %d of 1,000 there are %d warnings, want %d", at.taken, n, at.lines)
		}
	}
	c.Takes(5, 0)
	for range 2 {
		for i := range 1010 {
			if err := c.Damage("t/a", i, errors.New("a flipped bit")); !errors.Is(err, store.ErrDamaged) {
				t.Fatal(err)
			}
		}
	}
	if lines := strings.Count(said.String(), "\n"); lines != 2+1000 || c.Stats().Damaged != 1000 {
		t.Errorf("%d lines and %d records", lines, c.Stats().Damaged)
	}
}

func TestGravesAreBounded(t *testing.T) {
	g := store.Graves{}
	for i := range 100_010 {
		g.Bury(fmt.Sprint("t/", i))
	}
	if len(g) != 100_000 || !g.Has("t/100009") {
		t.Errorf("%d graves", len(g))
	}
}

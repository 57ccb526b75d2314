package search

import (
	"context"
	"testing"
)

// Each visitor has one search: a new search replaces the old, and stands behind the earlier searches of others.
func TestEachVisitorHasOneSearch(t *testing.T) {
	e := New(3, 2, 0) // one network has two of the three
	join := func(person string) *Turn {
		turn, err := e.Join(t.Context(), "n", person)
		if err != nil {
			t.Fatalf("%s: %v", person, err)
		}
		return turn
	}
	a, b, c, d := join("a"), join("b"), join("c"), join("d")
	for _, turn := range []*Turn{a, b} {
		if err := turn.Wait(nil); err != nil {
			t.Fatalf("of four the first two run: %v", err)
		}
	}
	if _, err := e.Join(t.Context(), "n", "e"); err != ErrFull {
		t.Fatalf("a fifth is answered with %v", err)
	}
	c2 := join("c") // gives up its old place and stands behind d
	if context.Cause(c) != ErrReplaced {
		t.Errorf("the old one ends with %v", context.Cause(c))
	}
	c.End(nil)
	a.End(nil)
	if err := d.Wait(nil); err != nil {
		t.Errorf("d was before the new c: %v", err)
	}
	a2 := join("a")
	b.End(nil)
	if err := c2.Wait(nil); err != nil {
		t.Errorf("the new c was before the new a: %v", err)
	}
	e.Close()
	if err := a2.Wait(nil); err != ErrClosing || d.Ended() != ErrClosing || c2.Ended() != ErrClosing {
		t.Errorf("a closed queue has searches: %v", err)
	}
	if _, err := e.Join(t.Context(), "n", "f"); err != ErrClosing {
		t.Errorf("a closed queue answers %v", err)
	}
}

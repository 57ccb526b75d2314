package web

import (
	"context"
	"net/url"
	"strings"
	"testing"
	"unicode"

	"lockstep/engine/lang"
	"lockstep/engine/testtools"
	"lockstep/web/door"
	"lockstep/web/live"
	"lockstep/web/present"
	"lockstep/web/refusal"
	"lockstep/web/room"
	"lockstep/web/search"
)

// The site and its rooms refuse in a sentence of the reader's language. Every declared refusal is in this test.
func TestEveryRefusalIsASentence(t *testing.T) {
	if len(refusal.Declared()) < 30 {
		t.Fatalf("only %d refusals are declared", len(refusal.Declared()))
	}
	_, outOfBounds := present.ReadQuestion(url.Values{"clients": {"9"}})
	s := New(Options{})
	r, done, err := s.Rooms.Runs.Use(context.Background(), "aaaaaaaaaa")
	if err != nil {
		t.Fatal(err)
	}
	defer done()
	stale := s.Rooms.Press(context.Background(), "", r, live.ReadPress("", 1, "tick 1s"))
	if !refusal.Is(stale, refusal.Stale) {
		t.Fatal(stale)
	}
	all := []error{stale, live.UnknownType("x"), door.TooFast(60), &search.BusyError{Place: 3}, outOfBounds}
	all = append(all, lang.Faults()...)
	for _, e := range refusal.Declared() {
		all = append(all, e)
	}
	for _, r := range room.Refusals {
		all = append(all, r)
	}
	han := func(text string) bool {
		return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
	}
	for _, err := range all {
		english, chinese := refusal.Of(err).In(lang.English), refusal.Of(err).In(lang.Chinese)
		if !strings.Contains(english, " ") || !strings.HasSuffix(strings.TrimSpace(english), ".") || han(english) || strings.Contains(english, "%!") {
			t.Errorf("%v is told as %q", err, english)
		}
		switch {
		case chinese == english:
			testtools.Untranslated(t, "%v has no Chinese", err)
		case !han(chinese) || !strings.HasSuffix(chinese, "。") || strings.Contains(chinese, "%!"):
			t.Errorf("%v is told in Chinese as %q", err, chinese)
		}
	}
}

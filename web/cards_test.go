package web

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"strings"
	"testing"

	"lockstep/engine/lang"
	"lockstep/web/door"
	"lockstep/web/limit"
	"lockstep/web/live"
	"lockstep/web/picture"
	"lockstep/web/present"
)

// A picture is asked for again and again: the server draws it once, and says when it is the same.
func TestACardIsDrawnOnce(t *testing.T) {
	s := newSite(t, Options{})
	run := s.runOf(present.HomeScenario)
	first := s.get(run + "/card.png")
	first.wants(t, http.StatusOK)
	if s.server.Cards.Order.Len() != 1 {
		t.Fatalf("the server keeps %d cards", s.server.Cards.Order.Len())
	}
	tag := first.Header.Get("ETag")
	if again := s.get(run+"/card.png", "If-None-Match", tag); again.StatusCode != http.StatusNotModified || again.body != "" {
		t.Errorf("the same card is answered with %s and %d bytes", again.Status, len(again.body))
	}
	if head := s.send("HEAD", run+"/card.png", nil); head.StatusCode != http.StatusOK || head.ContentLength != int64(len(first.body)) {
		t.Errorf("HEAD says %s, %d bytes", head.Status, head.ContentLength)
	}
	if s.get(run+"/card.png").body != first.body || s.server.Cards.Order.Len() != 1 {
		t.Error("the same card is drawn again")
	}
	for what, path := range map[string]string{"language": "?lang=zh", "theme": "?theme=dark", "position": "?step=3"} {
		if a := s.get(run + "/card.png" + path); a.Header.Get("ETag") == tag || a.body == first.body {
			t.Errorf("another %s has the same card", what)
		}
	}
	s.act(run, "tick 1s")
	if s.get(run+"/card.png").Header.Get("ETag") == tag {
		t.Error("the card of a run that went on is called the same")
	}
	s.get(run+"/card.png?step=99999").wants(t, http.StatusOK)
	s.get("/explore/card.png?clients=99").wants(t, http.StatusUnprocessableEntity)
	s.get("/courses/none/card.png").wants(t, http.StatusNotFound)
	s.get("/courses/redis-lock/race/none/card.png").wants(t, http.StatusNotFound)
}

// What only a room may see, no picture shows: not to a stranger, and not on a page that somebody of the room hands on.
func TestARoomsRunHasTheCardOfTheSite(t *testing.T) {
	s := newSite(t, Options{})
	presenter := s.person()
	_, run := presenter.opens("spawn C1 C2 naive", "step C1")
	if page := presenter.send("GET", run, nil); !strings.Contains(page.body, `content="`+s.url+`/card.png?lang=en"`) {
		t.Error("the page of a room's run names another picture than the site's")
	}
	for _, reader := range []*person{presenter, s.person()} {
		own, site := reader.send("GET", run+"/card.png", nil), reader.send("GET", "/card.png", nil)
		if own.StatusCode == http.StatusOK && !alike(t, own.body, site.body) {
			t.Error("the card of a room's run shows more than the site's")
		}
	}
}

// alike reports whether two cards show the same above their addresses.
func alike(t *testing.T, a, b string) bool {
	t.Helper()
	var shown [2]image.Image
	for i, text := range []string{a, b} {
		var err error
		if shown[i], err = png.Decode(strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
	}
	for y := range 556 {
		for x := range picture.Width {
			if shown[0].At(x, y) != shown[1].At(x, y) {
				return false
			}
		}
	}
	return true
}

// However many cards are asked for, the server keeps that many bytes of them.
func TestCardsAreKeptWithinTheirBytes(t *testing.T) {
	c := door.NewCards()
	for i := range 1000 {
		c.Keep(fmt.Sprint(i), make([]byte, 100<<10))
		c.Of("0")
	}
	if c.Bytes > door.CardMemory || c.Bytes < door.CardMemory/2 || len(c.Kept) != c.Order.Len() {
		t.Errorf("%d bytes of %d cards are kept, and %d are known", c.Bytes, c.Order.Len(), len(c.Kept))
	}
	if c.Of("0") == nil || c.Of("999") == nil || c.Of("1") != nil {
		t.Error("the cards that were asked for last are not those that are kept")
	}
}

// The card of a run with all the events that a run can have costs no more than that of a short one: its timeline is
// there if the story ends early, and otherwise the card is alone.
func TestTheCardOfAFullRunIsBounded(t *testing.T) {
	s := newSite(t, Options{})
	typed := strings.Repeat("do A1 SET k "+strings.Repeat("v", 100)+"\n", 1200)
	for text, drawn := range map[string]bool{present.HomeScenario + typed: true, "spawn C1 naive\n" + typed: false} {
		path := s.runOf(text)
		run, done, err := s.server.Rooms.Runs.Look(context.Background(), strings.TrimPrefix(path, "/t/"))
		if err != nil {
			t.Fatal(err)
		}
		defer done()
		events := live.See(run, func(r present.Run) int { return len(r.Engine.World().Events()) })
		work := limit.NewWork(2)
		a := work.Asker(t.Context(), "n", "p")
		card, err := run.Card(a.Context(), run.Length(), lang.English)
		a.Done()
		if err != nil {
			t.Fatal(err)
		}
		if events < 4800 || (len(card.Events) > 0) != drawn || len(card.Events) > picture.MostEvents {
			t.Errorf("of a run of %d events the card has %d", events, len(card.Events))
		}
		before := a.Spent()
		if before > 20_000_000 {
			t.Errorf("describing the card takes %d units", before)
		}
		s.get(path+"/card.png").wants(t, http.StatusOK)
	}
}

package room_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"lockstep/engine/lang"
	"lockstep/web/room"
)

// thousand returns a room with a given name and a thousand seats.
func thousand(t *testing.T, name int) room.View {
	r := room.New()
	r.Apply(room.Entry{Verb: room.VerbOpen, Code: "482913", Name: name, Run: "r", Key: key("presenter")})
	for i := range room.MaxSeats {
		r.Apply(room.Entry{Verb: room.VerbJoin, Key: key(fmt.Sprint(i))})
	}
	if r.Seats() != room.MaxSeats {
		t.Fatalf("%d seats", r.Seats())
	}
	return r.View(spectator)
}

// A thousand people have a thousand names in each language, and nobody has the name of the room.
func TestThousandNames(t *testing.T) {
	for _, name := range []int{0, 7, 1599, 1600, 1 << 62} {
		v := thousand(t, name)
		seen := map[string]int{v.Name.English: 0, v.Name.Chinese: 0}
		for _, s := range v.Seats {
			for _, text := range []string{s.Name.English, s.Name.Chinese} {
				if other, ok := seen[text]; ok {
					t.Errorf("room %d: seats %d and %d are %s", name, other, s.Seat, text)
				}
				seen[text] = s.Seat
			}
		}
	}
}

// Neighbours have neither word in common, so that they are told apart at a glance.
func TestNeighboursDiffer(t *testing.T) {
	v := thousand(t, 3)
	for i, s := range v.Seats[1:] {
		a, b := strings.Fields(v.Seats[i].Name.English), strings.Fields(s.Name.English)
		if a[0] == b[0] || a[1] == b[1] {
			t.Errorf("seats %d and %d: %v, %v", i+1, i+2, a, b)
		}
	}
}

// There are 1,600 names. Each fits on a phone and uses the script of its language.
func TestGeneratedNames(t *testing.T) {
	seen := map[lang.Text]bool{}
	for i := range room.Names {
		w := func() lang.Text {
			r := room.New()
			r.Apply(room.Entry{Verb: room.VerbOpen, Code: "482913", Name: i, Run: "r", Key: key("presenter")})
			return r.Name()
		}()
		seen[w] = true
		if len(strings.Fields(w.English)) != 2 || len(w.English) > room.MaxName {
			t.Errorf("%q", w.English)
		}
		for _, r := range w.Chinese {
			if !unicode.Is(unicode.Han, r) {
				t.Errorf("%q", w.Chinese)
			}
		}
		if n := len([]rune(w.Chinese)); n < 4 || n > 7 {
			t.Errorf("%q has %d characters", w.Chinese, n)
		}
	}
	if len(seen) != 1600 {
		t.Errorf("%d names", len(seen))
	}
}

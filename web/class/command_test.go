package class

import (
	"os"
	"strings"
	"testing"

	"lockstep/web/room"
)

// A verb for which a form may ask is read by the room or finds out about the world outside, and the description of the wire has its row.
// The others are appended by the server alone.
func TestTheWireDescribesEachVerb(t *testing.T) {
	page, err := os.ReadFile("../PROTOCOL.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, verb := range room.Verbs() {
		_, reads := room.Read(verb, room.Who{}, func(string) string { return "" })
		asks := outside[verb] != nil
		if reads && asks {
			t.Errorf("%s is read twice", verb)
		}
		if described := strings.Contains(string(page), "\n| `"+string(verb)+"` |"); described != (reads || asks) {
			t.Errorf("a form may ask for %q: %t, and web/PROTOCOL.md has a row for it: %t", verb, reads || asks, described)
		}
	}
}

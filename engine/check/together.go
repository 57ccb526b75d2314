package check

import (
	"fmt"

	"lockstep/engine"
	"lockstep/engine/lang"
)

// together finds the pairs of clients in the critical section that both count, and describes each violation.
func together(w *engine.World, before []engine.Violation, counts func(*engine.Client) bool, english, chinese string) []engine.Violation {
	var found []engine.Violation
	var inside []*engine.Client
	for _, c := range w.Clients() {
		if c.Status == engine.Inside && counts(c) {
			inside = append(inside, c)
		}
	}
	for i, a := range inside {
		for _, b := range inside[i+1:] {
			if otherLocks(a, b) {
				continue
			}
			if known := find(before, a.Name, b.Name); known != nil {
				found = append(found, *known)
				continue
			}
			found = append(found, engine.Violation{
				Clients: []string{a.Name, b.Name},
				Text:    lang.Both(fmt.Sprintf(english, a.Name, b.Name), fmt.Sprintf(chinese, a.Name, b.Name, "")),
				Cleared: fmt.Sprintf(chinese, a.Name, b.Name, "不再"),
			})
		}
	}
	return found
}

// otherLocks reports whether two clients of real programs are inside by different keys, where being inside is a guess from
// these keys: then each holds a lock of its own.
func otherLocks(a, b *engine.Client) bool {
	guessed := func(c *engine.Client) bool { return c.Program != nil && c.Program.Guessed() && c.Grant != nil }
	return guessed(a) && guessed(b) && a.Grant.Key != b.Grant.Key
}

func explainTogether(w *engine.World, v *engine.Violation) {
	if v.Cause = believed(w, v.Clients[0], v.Clients[1]); v.Cause == 0 {
		v.Cause = entered(w, v.Clients[0], v.Clients[1])
	}
}

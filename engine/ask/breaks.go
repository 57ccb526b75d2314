package ask

import "lockstep/engine"

// Breaks returns the positions in a run with these events, counted in actions, at which a property begins to be violated, the earliest first.
func Breaks(events []engine.Event) []int {
	var positions []int
	for i := range events {
		if e := &events[i]; e.Kind == engine.Violated && (len(positions) == 0 || positions[len(positions)-1] < e.Action) {
			positions = append(positions, e.Action)
		}
	}
	return positions
}

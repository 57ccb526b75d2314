package ask

import (
	"slices"

	"lockstep/engine"
)

// Breaks returns the positions in a run with these events, counted in actions, at which one of the properties begins to be violated,
// the earliest first. Without names it is any property.
func Breaks(events []engine.Event, properties ...string) []int {
	var positions []int
	for i := range events {
		e := &events[i]
		if e.Kind != engine.Violated || len(properties) > 0 && !slices.Contains(properties, e.Violation.Property) {
			continue
		}
		if len(positions) == 0 || positions[len(positions)-1] < e.Action {
			positions = append(positions, e.Action)
		}
	}
	return positions
}

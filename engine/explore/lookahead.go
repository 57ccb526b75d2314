package explore

import (
	"slices"

	"lockstep/engine"
)

// These bound the ticks of a lookahead. Its states are at most a product: those of a search with one instant, times the
// instants that this many ticks of this many lengths lead to, which are 21.
const (
	lookaheadTicks = 2
	lookaheadUsed  = 2   // lengths of the run's own ticks, the latest ones
	leastUnit      = 500 // ms, which divide all lengths
)

// Lookahead returns the question whether a run can still violate a property from its present state. Its ticks are few. Each has
// one of these lengths: one that outlasts every lease, those that the run has used lately, and those that its page offers. No
// further client crashes. Where fewer than three clients have come, more may.
func Lookahead(run *engine.Run, property string, offered ...engine.Time) Question {
	q := Question{From: run, Property: property, Clients: 3, Ticks: lookaheadTicks, Delays: Any}
	q.Tick, q.Lengths = lengthsFor(run, offered)
	return q
}

// lengthsFor returns the lengths of a lookahead's ticks, and what divides them. It leaves out a length that has too little
// in common with those before it.
func lengthsFor(run *engine.Run, offered []engine.Time) (unit engine.Time, lengths []engine.Time) {
	lease := engine.Time(12_000)
	for _, c := range run.World().Clients() {
		if c.Program != nil {
			lease = max(lease, min((c.Options.Timeout+2999)/1000*1000, engine.MaxTick))
		}
	}
	unit, lengths = lease, []engine.Time{lease}
	for _, l := range append(latestTicks(run), offered...) {
		if slices.Contains(lengths, l) {
			continue
		}
		common, longest := divisor(unit, l), max(l, slices.Max(lengths))
		if common >= leastUnit && lookaheadTicks*(longest/common) <= mostInstants/2 {
			unit, lengths = common, append(lengths, l)
		}
	}
	slices.Sort(lengths)
	return unit, lengths
}

// latestTicks returns the lengths of the ticks that a run has used last.
func latestTicks(run *engine.Run) (lengths []engine.Time) {
	for _, a := range slices.Backward(run.Actions()) {
		if a.Verb == engine.VerbTick && !slices.Contains(lengths, a.Time) {
			if lengths = append(lengths, a.Time); len(lengths) == lookaheadUsed {
				break
			}
		}
	}
	return lengths
}

// divisor returns the greatest length that divides both.
func divisor(a, b engine.Time) engine.Time {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

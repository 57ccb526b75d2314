package explore

import "lockstep/engine"

// Lookahead returns the question whether a run can still violate a property from its present state. Its ticks are few,
// and each outlasts every lease, because only that time matters. No further client crashes. Where fewer than three
// clients have come, more may.
func Lookahead(run *engine.Run, property string) Question {
	q := Question{From: run, Property: property, Clients: 3, Ticks: 2, Tick: 12_000, Delays: Any}
	for _, c := range run.World().Clients() {
		if c.Program != nil {
			q.Tick = max(q.Tick, min(c.Options.Timeout+2000, engine.MaxTick))
		}
	}
	return q
}

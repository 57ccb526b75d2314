package explore

import "lockstep/engine"

// Lookahead asks whether a property can still be violated from where a run stands. Its ticks are few, and each outlasts every
// lease, because that is the time that matters. No further client crashes, and where fewer than three have come, more may.
func Lookahead(run *engine.Run, property string) Question {
	q := Question{From: run, Property: property, Clients: 3, Ticks: 2, Tick: 12_000, Delays: Any}
	for _, c := range run.World().Clients() {
		if c.Program != nil {
			q.Tick = max(q.Tick, min(c.Options.Timeout+2000, engine.MaxTick))
		}
	}
	return q
}

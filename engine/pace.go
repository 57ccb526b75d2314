package engine

// A Pace limits a replay. It learns, between two actions, how much work the last one was, in units, and ends the replay
// by returning an error: nobody waits for it any more, or it costs too much. The replay returns that error. A nil Pace
// never ends it. One action does a bounded amount of work, so a replay ends soon after its pace does.
type Pace func(work int64) error

// Do does an action of a replay. The second error comes from the pace.
func (p Pace) Do(r *Run, a Action) (refused, ended error) {
	before := r.world.meter.effort
	_, refused = r.Do(a)
	if p != nil {
		ended = p(r.world.meter.effort - before)
	}
	return refused, ended
}

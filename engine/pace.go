package engine

// A Pace is told, between two actions of a replay, how much work the last one was, in units, and ends the replay by
// returning an error: nobody waits for it any more, or it costs too much. The replay gives that error back. nil:
// nobody asks. One action does a bounded amount of work, so a replay ends soon after it has to.
type Pace func(work int64) error

// do does an action of a replay. The second error is that of the pace.
func (p Pace) do(r *Run, a Action) (refused, ended error) {
	before := r.world.effort
	_, refused = r.Do(a)
	if p != nil {
		ended = p(r.world.effort - before)
	}
	return refused, ended
}

package course

import "lockstep/engine"

// Opening returns how many actions a lesson has done when its reader comes: its first clients stand on their lanes, and
// nobody has acted. Time and Redis' faults before the first client belong to it, and the first moment ends it. A lesson
// that begins at a console opens behind its first command, and a question where it asks.
func (l *Lesson) Opening() int {
	if l.Question != nil {
		return l.Moments[0].At
	}
	actions, opening := l.Scenario.Actions(), 0
	if len(l.Moments) > 0 {
		actions = actions[:l.Moments[0].At]
	}
	if len(actions) > 1 && actions[0].Verb == engine.VerbDo {
		return 1
	}
	for i, a := range actions {
		if a.Verb == engine.VerbSpawn {
			opening = i + 1
		} else if opening > 0 || a.Client != "" {
			break
		}
	}
	return opening
}

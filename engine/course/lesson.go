package course

import (
	"lockstep/engine"
	"lockstep/engine/check"
)

// Run returns a run of the lesson's scenario up to a number of actions.
func (l *Lesson) Run(actions int) *engine.Run {
	return played(l.Scenario, actions, check.All()...)
}

// Here returns the moment that a run is at or has last passed, and reports
// whether the run follows the lesson. Before the first moment it returns nil.
func (l *Lesson) Here(actions []engine.Action) (moment *Moment, follows bool) {
	own, done := l.Scenario.Actions(), 0
	for done < min(len(own), len(actions)) && actions[done].String() == own[done].String() {
		done++
	}
	for _, m := range l.Moments {
		if m.At <= done {
			moment = m
		}
	}
	return moment, done == len(actions)
}

// Next returns the lesson's action after these actions, if they follow it.
func (l *Lesson) Next(actions []engine.Action) (engine.Action, bool) {
	all := l.Scenario.Actions()
	if _, follows := l.Here(actions); !follows || len(actions) >= len(all) {
		return engine.Action{}, false
	}
	return all[len(actions)], true
}

// Following returns how many actions the lesson has done at the moment after these actions.
func (l *Lesson) Following(actions []engine.Action) int {
	for _, m := range l.Moments {
		if m.At > len(actions) {
			return m.At
		}
	}
	return len(l.Scenario.Actions())
}

// Asked returns the moment whose prediction the run awaits, and how many
// actions the lesson has done when the answers are decided. It returns nil
// where there is no question: the run has left the lesson's path, is between
// two moments, or has gone on.
func (l *Lesson) Asked(actions []engine.Action) (m *Moment, until int) {
	if l.Scenario == nil {
		return nil, 0
	}
	m, follows := l.Here(actions)
	if !follows || m == nil || m.At != len(actions) || len(m.Answers) == 0 {
		return nil, 0
	}
	return m, l.Following(actions)
}

// Spoils reports whether a lookahead after these actions would give the answer of a prediction away: a question is open,
// what comes of it is under way, or the next card asks one that a violation decides. A run that has left the lesson's path
// is the reader's own.
func (l *Lesson) Spoils(actions []engine.Action) bool {
	if l.Scenario == nil {
		return false
	}
	m, follows := l.Here(actions)
	if !follows {
		return false
	}
	if m != nil && len(m.Answers) > 0 {
		return true // at the question, and until the next moment
	}
	for _, next := range l.Moments {
		if next.At > len(actions) {
			return len(next.Answers) > 0 && l.breaksAfter(next)
		}
	}
	return false
}

// breaksAfter reports whether the lesson violates a property between a moment and the next.
func (l *Lesson) breaksAfter(m *Moment) bool {
	all, run := l.Scenario.Actions(), l.Run(m.At)
	defer run.World().Close()
	for _, a := range all[m.At:l.Following(all[:m.At])] {
		done, err := run.Do(a)
		if err != nil {
			panic("course: an action was possible before: " + err.Error())
		}
		if violates(done.Events, check.Names()...) {
			return true
		}
	}
	return false
}

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

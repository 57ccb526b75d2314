package course

import (
	"lockstep/engine"
	"lockstep/engine/check"
)

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

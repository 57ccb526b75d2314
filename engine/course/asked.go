package course

import "lockstep/engine"

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

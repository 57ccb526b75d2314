package store

import "log/slog"

// An alarm tells the operator once when a store is nearly full.
type alarm struct{ told bool }

const (
	alarmPercent = 80 // of what new logs may fill, from which on the operator is told
	calmPercent  = 70 // below which the operator may be told again
)

// tell says how many bytes are taken of those that new logs may fill; most is 0: of any number.
func (a *alarm) tell(taken, most int64, logger *slog.Logger) {
	switch {
	case most > 0 && taken*100 >= most*alarmPercent && !a.told:
		a.told = true
		logger.Warn("the store is nearly full", "bytes", taken, "most", most)
	case taken*100 < most*calmPercent:
		a.told = false
	}
}

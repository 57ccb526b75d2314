package store

import "log/slog"

// An alarm warns once when a store is nearly full.
type alarm struct{ told bool }

const (
	alarmPercent = 80 // of MaxBytes: the alarm logs a warning
	calmPercent  = 70 // of MaxBytes: below it the alarm is armed again
)

// tell compares the bytes in use with MaxBytes; 0: no bound.
func (a *alarm) tell(taken, most int64, logger *slog.Logger) {
	switch {
	case most > 0 && taken*100 >= most*alarmPercent && !a.told:
		a.told = true
		logger.Warn("the store is nearly full", "bytes", taken, "most", most)
	case taken*100 < most*calmPercent:
		a.told = false
	}
}

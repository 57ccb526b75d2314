package store

import "time"

// A clock measures the age of a store's logs. The wall clock is not reliable enough: if
// somebody set it wrong once, every log would be old.
//
// The store's time follows the monotonic clock while the store is open. When the store
// is opened again, its time advances by the wall clock's difference, by at least 0 and
// at most maxClosed.
type clock struct {
	opened time.Time
	then   time.Duration // the store's time when it was opened
}

// maxClosed bounds how much the store's time advances each time it is closed.
const maxClosed = 24 * time.Hour

// reopenClock returns the clock of a reopened store. then is the store's time at its close, and
// closed is how long ago that was by the wall clock.
func reopenClock(then, closed time.Duration) clock {
	return clock{time.Now(), then + min(max(closed, 0), maxClosed)}
}

func (c clock) now() time.Duration { return c.then + time.Since(c.opened) }

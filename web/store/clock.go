package store

import "time"

// A clock tells the time of a store, which gives the age of its logs. The wall clock
// would not do: setting it wrong once would make every log old.
//
// The store's time follows the monotonic clock while the store is open. When the store
// is opened again, its time advances by the wall clock's difference, by at least 0 and
// at most mostClosed.
type clock struct {
	opened time.Time
	then   time.Duration // the store's time when it was opened
}

// mostClosed bounds how much the store's time advances each time it is closed.
const mostClosed = 24 * time.Hour

// goOn returns the clock of a store whose time was then when it was closed, a while ago
// by the wall clock.
func goOn(then, closed time.Duration) clock {
	return clock{time.Now(), then + min(max(closed, 0), mostClosed)}
}

func (c clock) now() time.Duration { return c.then + time.Since(c.opened) }

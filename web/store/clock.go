package store

import "time"

// A clock measures the time of a store, from which the age of its logs follows. The
// wall clock is not asked: whoever sets it would make every log old at once.
//
// While the store is open its time goes on by the machine's monotonic clock. For the
// time that it was closed it goes on by the wall clock's word, by at most
// mostClosed; a wall clock that was put back does not put it back.
type clock struct {
	opened time.Time
	then   time.Duration // what it said when it was opened
}

// mostClosed is by how much a store grows older while it is closed.
const mostClosed = 24 * time.Hour

// goOn returns a clock for a store that said then when it was closed. It has been
// closed for as long as the wall clock says.
func goOn(then, closed time.Duration) clock {
	return clock{time.Now(), then + min(max(closed, 0), mostClosed)}
}

func (c clock) now() time.Duration { return c.then + time.Since(c.opened) }

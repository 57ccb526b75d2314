package engine

import "time"

// A Wall is the wall time at which a run starts, in Unix milliseconds; 0: the run has none. A run that was imported from a
// log has the log's. It changes nothing but how times are told.
type Wall int64

// lastWall is the end of the year 9999, the last one that RFC 3339 writes.
const lastWall Wall = 253_402_300_799_999

// String returns the wall time as the header of a scenario has it: 2026-11-27T21:54:07.133Z.
func (w Wall) String() string {
	return time.UnixMilli(int64(w)).UTC().Format("2006-01-02T15:04:05.000Z")
}

// At returns a time of the run for a reader: the wall time in UTC, 21:54:07.985, with the date where it is another one than at
// the start. Without a wall time it returns the run's own seconds.
func (w Wall) At(t Time) string {
	if w == 0 {
		return t.String()
	}
	start, at := time.UnixMilli(int64(w)).UTC(), time.UnixMilli(int64(w)+int64(t-Start)).UTC()
	if at.YearDay() != start.YearDay() || at.Year() != start.Year() {
		return at.Format("01-02 15:04:05.000")
	}
	return at.Format("15:04:05.000")
}

// When returns a time for a reader, by the wall clock of the event's run where that has one.
func (e *Event) When(t Time) string { return e.wall.At(t) }

// When returns a time for a reader, by the wall clock of the run where that has one.
func (w *World) When(t Time) string { return w.header.Began.At(t) }

// Label returns who a client is in the system that the run comes from; empty: nobody said.
func (w *World) Label(client string) string { return w.header.Label(client) }

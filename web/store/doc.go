// Package store keeps logs. A log is a list of entries that only grows: an entry
// is some bytes, which the store does not read, and is never changed. Nothing
// else is kept: what a run or a room is now follows from its entries, so that
// whoever has the same entries is in the same state.
//
// Whoever adds an entry says how many there are. Two servers that add to the
// same log at once cannot both be right: one entry is kept, and the other server
// is told ErrBehind, reads what it has missed and decides again. So several
// servers need no leader and no lock, and all read the same order.
//
//	server A has 3 entries          server B has 3 entries
//	Append(log, 3, x): nil
//	                                Append(log, 3, y): ErrBehind
//	                                Read(log, 3): x
//	                                Append(log, 4, y): nil
//
// Whoever adds to a log that has fewer entries is told ErrLost: the log was
// forgotten, or the store has lost some. Nothing is written behind a gap.
//
// An append that fails in another way, as when the connection is lost, may have
// been kept or not. Whoever then appends at the same number, or reads, finds out;
// an entry that must not be there twice carries an id of its own.
//
// There are three kinds:
//
//   - Memory forgets everything when the process ends.
//   - SQLite keeps a file. What has been acknowledged survives the loss of power.
//     One process at a time uses it.
//   - Redis keeps a stream for each log, and any number of servers share them. What
//     has been acknowledged survives as much as that Redis is set up to survive;
//     with appendonly yes and appendfsync always, that is a crash of its own.
package store

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
//
// # Damage
//
// Every kind holds an entry as a record with a checksum (record.go). Read returns
// ErrDamaged for a record that is not what was written: its log is refused, the
// others stay, and the operator is told the log's name, once. The checksum stands in
// the record and not in a column of its own, so that the three kinds share one
// format and one test, and so that it goes along wherever the record is copied. It
// covers the name of the log and the number of the entry, too: a record in the wrong
// place is damaged. Records of the first edition have none, and are read.
//
// SQLite verifies all records, its own tables and its pages about once a minute, a
// dose at a time, though nobody reads them; a file of 2 GiB takes some minutes.
//
// # Bounds
//
// Memory and SQLite bound the number of logs and the bytes that they take, with what
// an entry and a log take beside their own bytes (catalog.go). SQLite also counts the
// pages of its file, which is at most twice as large as the entries in it, and bounds
// the write-ahead log beside it to 16 MiB.
//
//	              what counts               new logs up to     logs that are there up to
//	all logs      bytes                     MaxBytes           5/4 MaxBytes
//	an owner's    bytes, within a day       1/4 MaxBytes       5/16 MaxBytes
//	all logs      number                    MaxLogs
//	an owner's    number, within a day      1/4 MaxLogs
//	a log         bytes, entries            32 MiB, 100,000    the same
//
// Where one is reached the entry is refused, with ErrFull, ErrShare or ErrLong. For a
// log that needs room, those are forgotten that nobody has added to for a day (in
// Memory: an hour), oldest first. At four fifths of MaxBytes the operator is told.
//
// Redis has the memory that it has: MaxBytes is four fifths of its maxmemory, and the
// rest is the reserve. How much an owner has added is counted in days that begin with
// its first entry. Without a maxmemory there is no bound but that of a log's entries.
//
// # Time
//
// A log that nobody has added to for Keep is forgotten. Its age is measured by a clock
// of the store (clock.go): it goes on by the monotonic clock while the store is open,
// and by at most a day for each time that it is closed. A wall clock that jumps makes
// nothing old. When Redis forgets a log is Redis's own business (PEXPIRE): it believes
// the clock of its machine.
package store

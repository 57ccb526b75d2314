// Package store keeps logs. A log is a list of entries that only grows. An entry is
// some bytes, which the store does not read and never changes. A run and a room follow
// from their entries, so servers with the same entries are in the same state.
//
// A server that adds an entry says how many entries the log has. If two servers add to
// the same log at once, the store keeps one entry. The slower server gets ErrBehind,
// reads the entries it has missed and decides again. Several servers need no leader and
// no lock, and all read the same order.
//
//	server A has 3 entries          server B has 3 entries
//	Append(log, 3, x): nil
//	                                Append(log, 3, y): ErrBehind
//	                                Read(log, 3): x
//	                                Append(log, 4, y): nil
//
// If the log has fewer entries, Append returns ErrLost: the store has forgotten the log,
// or has lost entries. It never writes behind a gap.
//
// An append that fails in another way, such as a lost connection, may or may not have
// been kept. The next append at the same number, or a read, finds out. An entry that
// must not be there twice carries the id of its request.
//
// A Log (log.go) is a server's copy of one log, and the way to use a Store. It knows which
// requests the entries carry out. That is the only record of what has been done: a request
// that is sent again, to any server, is not done twice.
//
// There are three kinds:
//
//   - Memory forgets everything when the process ends.
//   - SQLite keeps a file, which one process at a time uses. An acknowledged entry
//     survives a power cut.
//   - Redis keeps a stream for each log, and any number of servers share it. An
//     acknowledged entry survives as much as the Redis is configured to survive; with
//     appendonly yes and appendfsync always it survives a crash of Redis.
//
// # Damage
//
// Every kind keeps an entry as a record with a checksum (record.go). If a record is not
// the one that was written, Read returns ErrDamaged. The log is refused, other logs are
// not affected, and Options.Logger gets the name of the log once.
//
// The checksum is part of the record rather than a column or a field beside it: the
// three kinds share one format and one test, and the checksum goes wherever the record
// is copied. It also covers the name of the log and the number of the entry, so a record
// in the wrong place counts as damaged. Records of the first edition have no checksum
// and can still be read; the first edition cannot read newer records.
//
// The file of SQLite says twice how many entries a log has: in its row, which has a checksum
// of its own, and in its records (sqlite_rows.go). Where the two differ when the file is
// opened, the log is refused with ErrDamaged, to read and to append, and nothing is written
// over it. That holds for records without a row, too: the checksum of a record tells whether
// it is of the name that somebody asks for. (Records of the first edition have none, and
// 1,000 of such logs are known at most: any other that has lost its row reads as empty.) To
// compare 100,000 logs takes about half a second.
//
// SQLite verifies all records, rows and the schema about once a minute, in doses, even
// if nobody reads them. A file of 2 GiB takes some minutes. While it knows of damage,
// Ping fails. A damaged log can be removed while the server is stopped:
//
//	DELETE FROM logs WHERE name = 't/…';
//	DELETE FROM records WHERE id >> 32 NOT IN (SELECT id FROM logs);
//
// SQLite itself takes a flipped bit in its write-ahead log for the end of it, and forgets
// what comes after. So the store copies what that log has into the file within a second, and
// when it opens it looks for the end of a transaction behind such a break
// (sqlite_wal.go). If there is one, acknowledged entries may be lost, of the last second
// before a crash. The store goes on with what is before the break, and keeps a copy of the
// log, lockstep.db-wal.damaged. Options.Logger names the copy, and Ping fails until somebody
// moves it away. Nothing tells that a write-ahead log was cut short or removed.
//
// A panic ends the job in which it occurs, and nothing else: whoever waits for the job gets
// an error, and its transaction is undone (survive.go).
//
// # Bounds
//
// Memory and SQLite count the logs and their bytes, overhead included (catalog.go).
// SQLite also counts the pages of its file, which grows to about twice the size of the
// entries at most, and bounds its write-ahead log to 16 MiB.
//
//	                               a new log fits in    an existing log may grow to
//	bytes of all logs              MaxBytes             5/4 MaxBytes
//	bytes of an owner's logs       1/4 MaxBytes         5/16 MaxBytes
//	number of logs                 MaxLogs              -
//	number of an owner's logs      1/4 MaxLogs          -
//	bytes of the log               32 MiB               32 MiB
//	entries of the log             -                    100,000
//
// An owner's logs count while they are less than a day idle. Beyond a bound, Append
// returns ErrFull, ErrShare or ErrLong. Before it returns ErrFull, it forgets logs that
// have been idle for a day (in Memory: an hour), oldest first. Options.Logger gets a
// warning at 80 % of MaxBytes.
//
// Redis has its maxmemory: new logs may fill four fifths of it, and the rest is the
// reserve. All servers count together the bytes that an owner adds within a day. If
// maxmemory is not set, the only bound is the number of entries of a log.
//
// A log whose name begins with Lasting is never forgotten to make room, may take the reserve
// from the start, and does not count as one of MaxLogs when it begins.
//
// # Time
//
// The store forgets a log that is idle for Options.Keep, unless its name begins with Lasting.
// SQLite measures that with a clock of its own (clock.go), which follows the monotonic
// clock while the store is open and advances by at most a day each time it is closed. A
// wall clock that jumps makes no log old. Redis expires keys by its own clock (PEXPIRE).
package store

// Package store keeps logs. A log is a list of entries that only grows. An entry is
// some bytes, which the store does not read and never changes. Runs and rooms
// follow from their entries, so servers with the same entries are in the same state.
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
// or has lost entries. It never writes after a gap.
//
// If an append fails in another way, such as a lost connection, the store may have kept
// the entry or not. The next append at the same number, or a read, finds out. An entry
// that must not be there twice carries the id of its request.
//
// A Log (log.go) is a server's copy of one log, and the way to use a Store. It knows which
// requests the entries carry out, and nothing else records that. If a client sends a request
// again, to any server, no server does it twice.
//
// Stores are of three kinds:
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
// Every kind keeps an entry as a record with a checksum (record.go). If a record has
// changed, Read returns ErrDamaged. The store refuses the log, serves all others, and
// gives the name of the log to Options.Logger once.
//
// The checksum is part of the record and not a column or a field beside it: the
// three kinds share one format and one test, and the checksum goes wherever the record
// is copied. It also covers the name of the log and the number of the entry, so a record
// in the wrong place counts as damaged. Records of the first edition have no checksum
// and can still be read; the first edition cannot read newer records.
//
// The file of SQLite says twice how many entries a log has: in its row, which has its own
// checksum, and in its records (sqlite_rows.go). The store compares the two when it opens the
// file, which takes about half a second for 100,000 logs. If they differ, Read and Append
// return ErrDamaged, and nothing overwrites the log. The same holds for records without a row:
// their checksum covers the name of their log. (Records of the first edition have no checksum,
// and the store keeps a record of 1,000 such logs at most. Any other log without a row reads
// as empty.)
//
// SQLite verifies all records, rows and the schema about once a minute, in doses, even
// if nobody reads them. A file of 2 GiB takes some minutes. While the store knows of damage,
// Ping fails. A damaged log can be removed while the server is stopped:
//
//	DELETE FROM logs WHERE name = 't/…';
//	DELETE FROM records WHERE id >> 32 NOT IN (SELECT id FROM logs);
//
// SQLite itself takes a flipped bit in its write-ahead log for the end of the log, and forgets
// the rest. The store therefore copies that log into the file within a second. When it opens
// the file, it looks for the end of a transaction after such a break (sqlite_wal.go). If it
// finds one, acknowledged entries from the last second before a crash may be lost. The store
// continues with the entries before the break, and keeps a copy of the log,
// lockstep.db-wal.damaged. Options.Logger names the copy, and Ping fails until the operator
// moves it away. The store cannot detect a write-ahead log that was cut short or removed.
//
// A panic ends only the job in which it occurs: the caller gets an error, and the transaction
// is rolled back (survive.go).
//
// # Bounds
//
// Memory and SQLite count the logs and their bytes, overhead included (catalog.go).
// SQLite also counts the pages of its file, which grows to at most about twice the size of
// its entries, and bounds its write-ahead log to 16 MiB.
//
//	                               a new log fits in    an existing log may grow to
//	bytes of all logs              MaxBytes             5/4 MaxBytes
//	bytes of an owner's logs       1/4 MaxBytes         5/16 MaxBytes
//	number of logs                 MaxLogs              -
//	number of an owner's logs      1/4 MaxLogs          -
//	bytes of the log               32 MiB               32 MiB
//	entries of the log             -                    100,000
//
// An owner's logs count until they have been idle for a day. Beyond a bound, Append
// returns ErrFull, ErrShare or ErrLong. Before it returns ErrFull, it forgets logs that
// have been idle for a day (in Memory: an hour), oldest first. Options.Logger gets a
// warning at 80 % of MaxBytes.
//
// Redis has its maxmemory: new logs may fill four fifths of it, and the rest is the
// reserve. The servers share one count of the bytes that an owner adds within a day. If
// maxmemory is not set, only the number of entries of a log is bounded.
//
// If the name of a log begins with Lasting, the log never makes room for others. It may take
// the reserve from the start, and a new one fits even when there are MaxLogs.
//
// # Time
//
// The store forgets a log that is idle for Options.Keep, unless its name begins with Lasting.
// SQLite measures idle time with its own clock (clock.go), which follows the monotonic
// clock while the store is open and advances by at most a day each time it is closed. If the
// wall clock jumps, no log becomes old. Redis expires keys by its own clock (PEXPIRE).
//
// # Files
//
// Half of the files are tests. Memory and Redis take a file each. SQLite takes nine: one for
// its jobs and one for each thing it defends against, such as a full disk or a damaged row. The type
// database has more than thirty methods for them, as all of them share one file and one connection.
package store

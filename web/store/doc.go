// Package store keeps logs. A log is a list of entries that only grows. An entry is some bytes, which the store does
// not read and never changes. Runs and rooms follow from their entries, so servers with the same entries are in the
// same state.
//
// A server that adds an entry says how many entries the log has. If two servers add to the same log at once, the
// store keeps one entry. The slower server gets ErrBehind, reads the entries it has missed and decides again. Several
// servers need no leader and no lock, and all read the same order.
//
//	server A has 3 entries          server B has 3 entries
//	Append(log, 3, x): nil
//	                                Append(log, 3, y): ErrBehind
//	                                Read(log, 3): x
//	                                Append(log, 4, y): nil
//
// If the log has fewer entries, Append returns ErrLost: the store has forgotten the log, or has lost entries. It
// never writes after a gap.
//
// If an append fails in another way, such as a lost connection, the store may have kept the entry or not. The next
// append at the same number, or a read, finds out. An entry that must not be there twice carries the id of its
// request.
//
// A Log (log.go) is a server's copy of one log, and the way to use a Store. It knows which requests the entries carry
// out, and nothing else records that. If a client sends a request again, to any server, no server does it twice.
//
// # Drivers
//
// This package needs no machine: no file, no socket, no database. Each driver that needs one is a package of its own,
// and the only importer of its library. The command that starts a server picks a driver.
//
//   - Memory (memory.go) forgets everything when the process ends.
//   - Package sqlite keeps a file, which one process at a time uses. An acknowledged entry
//     survives a power cut.
//   - Package redis keeps a stream for each log, and any number of servers share it. An
//     acknowledged entry survives as much as the Redis is configured to survive; with
//     appendonly yes and appendfsync always it survives a crash of Redis.
//
// Package storetest has what every driver promises, as tests.
//
// # Damage
//
// A driver keeps an entry as a record with a checksum (record.go), which covers the name of the log and the number of
// the entry, too. If a record has changed or stands in the wrong place, Read returns ErrDamaged. The store refuses
// the log, serves all others, and gives the name of the log to Options.Logger once.
//
// A panic ends only the request in which it occurs: the caller gets an error (Common.Try).
//
// # Bounds
//
//	                               a new log fits in    an existing log may grow to
//	bytes of all logs              MaxBytes             5/4 MaxBytes
//	bytes of an owner in a day     1/4 MaxBytes         5/16 MaxBytes
//	bytes of the log               32 MiB               32 MiB
//	entries of the log             -                    100,000
//
// Beyond a bound, Append returns ErrFull, ErrShare or ErrLong. Before it returns ErrFull, it forgets logs that have
// been idle for a day (in Memory: an hour), oldest first. Options.Logger gets a warning at 80 % of MaxBytes. Memory
// counts entries and an overhead, and SQLite the pages of its file. Of Redis' maxmemory new logs may fill four
// fifths, and nothing makes room. If maxmemory is not set, only the number of entries of a log is bounded.
//
// The store forgets a log that is idle for Options.Keep. If the name of a log begins with Lasting, the log stays, and
// it may take the reserve from the start.
package store

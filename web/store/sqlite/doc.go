// Package sqlite keeps logs in one file of a directory. It trusts SQLite: each transaction is on the disk before its
// entries are acknowledged (synchronous = FULL), and SQLite checks the structure of the file when it is opened
// (quick_check).
//
// SQLite does not notice a flipped bit in a value or in a key. Therefore a record has its checksum, and the two
// tables say twice how long a log is (tables.go). Read compares the two. If they differ, it returns ErrDamaged, and
// nobody takes the log for a shorter or an empty one.
//
// Once the store has met damage, Ping fails until the store is opened again. A damaged log is never forgotten by
// itself. It can be removed while the server is stopped:
//
//	DELETE FROM entries WHERE log = 't/…';
//	DELETE FROM logs WHERE name = 't/…';
//
// After a crash, SQLite takes a flipped bit in its write-ahead log for the end of that log, and forgets the rest.
// Nobody notices, so SQLite copies that log into the file every few entries.
//
// # Time
//
// The store's time (tables.go) follows the monotonic clock while the store is open and advances by at most a day each
// time it is closed. If the wall clock jumps, no log becomes old.
package sqlite

package store

import (
	"errors"

	sqlite3 "modernc.org/sqlite/lib"
)

// A file of the first edition (its tables have number 1) had
//
//	CREATE TABLE logs (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, entries INTEGER NOT NULL, added INTEGER NOT NULL);
//	CREATE TABLE entries (log INTEGER NOT NULL, n INTEGER NOT NULL, entry BLOB NOT NULL, PRIMARY KEY (log, n)) WITHOUT ROWID;
//
// Its tables are set aside under other names, and then one log after the other is
// taken over, each in a transaction of its own: a process that is killed meanwhile
// goes on when it is started again. When somebody has added to a log was told by the
// wall clock, which is believed in nothing but the order: all logs are as good as new.

const setAside = `ALTER TABLE logs RENAME TO logs1; ALTER TABLE entries RENAME TO entries1;`

// An oldLog is one of the first edition; rank is its place in the order.
type oldLog struct {
	id            int64
	name          string
	entries, rank int
}

// takeOver takes over what is left of the first edition. Where the file is damaged, a
// log gets the records before the damage, so that whoever reads it is told, and the
// old tables stay in the file under yet other names.
func (d *database) takeOver() error {
	var left int
	if err := d.value(&left, `SELECT count(*) FROM sqlite_schema WHERE name = 'logs1'`); err != nil || left == 0 {
		return err
	}
	// What is lost with the power is taken over once more.
	if err := d.exec(`PRAGMA synchronous = NORMAL`); err != nil {
		return err
	}
	var logs []oldLog
	err := d.each(`SELECT id, name, entries, row_number() OVER (ORDER BY added, id) FROM logs1 NOT INDEXED WHERE id NOT IN (SELECT id FROM logs)`, func(row scanner) error {
		var l oldLog
		err := row.Scan(&l.id, &l.name, &l.entries, &l.rank)
		logs = append(logs, l)
		return err
	})
	if err != nil {
		return err
	}
	for _, l := range logs {
		if err := d.takeOverLog(l); err != nil {
			return err
		}
	}
	if err := d.value(&left, `SELECT count(*) FROM logs1 NOT INDEXED`); err != nil {
		return err
	}
	err = errCorrupt
	if left == 0 {
		err = d.atOnce(func() error { return d.exec(`DROP TABLE entries1; DROP TABLE logs1`) })
	}
	if corrupt(err) {
		d.options.Logger.Error("the file of the store is damaged; what can be read was taken over, and the old tables stay in it", "file", d.path)
		err = d.atOnce(func() error {
			return d.exec(`ALTER TABLE logs1 RENAME TO damaged_logs; ALTER TABLE entries1 RENAME TO damaged_entries`)
		})
	}
	if err != nil {
		return err
	}
	return d.exec(`PRAGMA synchronous = FULL`)
}

// takeOverLog moves a log, or copies it if something of it is damaged.
func (d *database) takeOverLog(old oldLog) error {
	var records [][]byte
	err := d.each(`SELECT n, entry FROM entries1 WHERE log = ? ORDER BY n`, func(row scanner) error {
		var n int
		var record []byte
		if err := row.Scan(&n, &record); err != nil {
			return err
		}
		if n != len(records) {
			return errCorrupt
		}
		records = append(records, record)
		return nil
	}, old.id)
	if err == nil && len(records) != old.entries {
		err = errCorrupt
	}
	if err == nil {
		err = d.insertLog(old, records, func() error {
			if err := d.exec(`DELETE FROM entries1 WHERE log = ?`, old.id); err != nil {
				return err
			}
			return d.exec(`DELETE FROM logs1 WHERE id = ?`, old.id)
		})
	}
	if corrupt(err) {
		err = d.insertLog(old, records, func() error { return nil })
	}
	return err
}

// insertLog adds a log with its records, and does something more in the same transaction.
func (d *database) insertLog(old oldLog, records [][]byte, also func() error) error {
	return d.atOnce(func() error {
		l := entryLog{id: old.id, bytes: logBytes}
		for n, record := range records {
			l.bytes += int64(len(record)) + entryBytes
			if err := d.exec(`INSERT INTO records (id, record) VALUES (?, ?)`, l.recordID(n), record); err != nil {
				return err
			}
		}
		if err := d.exec(`INSERT INTO logs (id, name, owner, entries, bytes, added) VALUES (?, ?, '', ?, ?, ?)`, l.id, old.name, old.entries, l.bytes, old.rank); err != nil {
			return err
		}
		return also()
	})
}

// errCorrupt says that the tables do not agree with each other.
var errCorrupt = errors.New("the tables do not agree")

func corrupt(err error) bool {
	return errors.Is(err, errCorrupt) || code(err) == sqlite3.SQLITE_CORRUPT
}

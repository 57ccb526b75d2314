package store

import (
	"errors"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// A file of the first edition (schema 1) has these tables:
//
//	CREATE TABLE logs (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, entries INTEGER NOT NULL, added INTEGER NOT NULL);
//	CREATE TABLE entries (log INTEGER NOT NULL, n INTEGER NOT NULL, entry BLOB NOT NULL, PRIMARY KEY (log, n)) WITHOUT ROWID;
//
// The store renames them and then takes over the logs one by one, each in its own
// transaction. If the process is killed, the next one continues. The column added holds
// the wall clock, which may have been wrong. It gives the order of the logs but not
// their age, so every log counts as new.

const setAside = `ALTER TABLE logs RENAME TO logs1; ALTER TABLE entries RENAME TO entries1;`

// An oldLog is a log of the first edition. Its rank is its position in the order.
type oldLog struct {
	id            int64
	name          string
	entries, rank int
}

// takeOver takes over the remaining logs of the first edition. A damaged log keeps the
// records before the damage and its number of entries, and Read returns ErrDamaged. In
// that case the old tables stay in the file, under other names.
func (d *database) takeOver() error {
	var left int
	if err := d.value(&left, `SELECT count(*) FROM sqlite_schema WHERE name = 'logs1'`); err != nil || left == 0 {
		return err
	}
	// No log needs a sync: after a crash, the next process takes over some logs again.
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
		d.options.Logger.Error("the store's file is damaged; the readable records were taken over, and the old tables stay in the file", "file", d.path)
		err = d.atOnce(func() error {
			return d.exec(`ALTER TABLE logs1 RENAME TO damaged_logs; ALTER TABLE entries1 RENAME TO damaged_entries`)
		})
	}
	if err != nil {
		return err
	}
	return d.exec(`PRAGMA synchronous = FULL`)
}

// takeOverLog moves a log, or copies it if the log or the old tables are damaged.
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

// insertLog adds a log with its records, and calls also in the same transaction.
func (d *database) insertLog(old oldLog, records [][]byte, also func() error) error {
	return d.atOnce(func() error {
		l := entryLog{id: old.id, bytes: logBytes}
		for n, record := range records {
			l.bytes += int64(len(record)) + entryBytes
			if err := d.exec(`INSERT INTO records (id, record) VALUES (?, ?)`, l.recordID(n), record); err != nil {
				return err
			}
		}
		l.name, l.entries, l.added = old.name, old.entries, time.Duration(old.rank)
		if err := d.writeRow(&l); err != nil {
			return err
		}
		return also()
	})
}

// errCorrupt means that the tables contradict each other.
var errCorrupt = errors.New("the tables contradict each other")

func corrupt(err error) bool {
	return errors.Is(err, errCorrupt) || code(err) == sqlite3.SQLITE_CORRUPT
}

package store

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// schema is the number of the tables below. A file says by which number it was
// written; whoever changes the tables counts on, and translates the older ones.
const schema = 2

// The records of a log stand side by side, as their ids begin with the log's. In a
// table with ids, a page takes as many records as fit; in one WITHOUT ROWID, as the
// first edition had, a record of a little over 1 KB has a page for itself.
const tables = `
CREATE TABLE logs (
	id      INTEGER PRIMARY KEY,
	name    TEXT NOT NULL,    -- no two have the same
	owner   TEXT NOT NULL,    -- '': nobody
	entries INTEGER NOT NULL, -- how many there are
	bytes   INTEGER NOT NULL, -- that it takes, as the catalog counts
	added   INTEGER NOT NULL  -- when the last entry was, in nanoseconds of the store's clock
);
CREATE TABLE records (
	id     INTEGER PRIMARY KEY, -- the log's, and how many entries were there before
	record BLOB NOT NULL
);
CREATE TABLE clock (
	id     INTEGER PRIMARY KEY CHECK (id = 1),
	record BLOB NOT NULL -- of a moment
);
PRAGMA user_version = 2;
`

// The clock is written each minute; by more than mostAhead no log is ahead of it.
const (
	betweenClocks = time.Minute
	mostAhead     = 10 * time.Minute
)

const (
	pageBytes  = 4096 // that a page of the file has
	sparePages = 256  // of the file, beside those that MaxBytes and its reserve allow
	entryBits  = 32   // of a record's id: how many entries were there before
)

// recordID is that of the entry that follows the first n of a log.
func (l *entryLog) recordID(n int) int64 { return l.id<<entryBits | int64(n) }

// lastID is greater than that of any record of the log.
func (l *entryLog) lastID() int64 { return l.recordID(0) | (1<<entryBits - 1) }

// An acknowledged entry survives the loss of power: with synchronous = FULL every
// transaction is on the disk when it ends. What is forgotten is overwritten. SQLite
// empties the write-ahead log into the file when it has 1,000 pages.
var settings = fmt.Sprintf(`
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA secure_delete = ON;
PRAGMA journal_size_limit = %d;
`, mostWAL)

func (d *database) open() error {
	var version int
	err := d.exec(settings)
	if err == nil {
		err = d.value(&version, `PRAGMA user_version`)
	}
	if code(err) == sqlite3.SQLITE_BUSY {
		return fmt.Errorf("store: another process uses %s; each server needs a directory of its own", filepath.Dir(d.path))
	}
	if version > schema {
		return fmt.Errorf("store: %s was written by a newer version of this program (its tables have number %d, and this version knows those up to %d)", d.path, version, schema)
	}
	steps := []func() error{d.takeOver, d.bound, d.readSchema, d.load, d.keepTime, d.empty, d.disk.begin}
	switch version {
	case 0:
		steps = append([]func() error{func() error { return d.begin("") }}, steps...)
	case 1:
		steps = append([]func() error{func() error { return d.begin(setAside) }}, steps...)
	}
	for _, step := range steps {
		if err == nil {
			err = step()
		}
	}
	switch code(err) {
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("store: %s is damaged, or is something else than the logs of this program; move it away to begin with none: %w", d.path, err)
	}
	if err != nil {
		return fmt.Errorf("store: open %s: %w", d.path, err)
	}
	d.measure()
	d.bytes.Store(d.catalog.total())
	return nil
}

// begin makes the tables, after something else.
func (d *database) begin(first string) error {
	return d.atOnce(func() error {
		if err := d.exec(first + tables); err != nil {
			return err
		}
		return d.exec(`INSERT INTO clock VALUES (1, ?)`, moment{wall: time.Now().UnixNano()}.record())
	})
}

// bound bounds the pages of the file, whatever the catalog knows of them.
func (d *database) bound() error {
	most := d.options.MaxBytes + d.options.MaxBytes/reservePart
	return d.exec(fmt.Sprintf(`PRAGMA max_page_count = %d`, most/pageBytes+sparePages))
}

// load reads what time it is, and which logs there are.
func (d *database) load() error {
	var record []byte
	if err := d.value(&record, `SELECT record FROM clock`); err != nil {
		return err
	}
	last, err := readMoment(record)
	if err != nil {
		// Then no time has passed since somebody added to a log.
		d.damages.found(place{"clock", 0}, err)
		if err := d.value(&last.time, `SELECT coalesce(max(added), 0) FROM logs`); err != nil {
			return err
		}
		last.wall = time.Now().UnixNano()
	}
	d.beat = last.beat
	d.clock = goOn(last.time, time.Since(time.Unix(0, last.wall)))
	var newest time.Duration
	if err := d.value(&newest, `SELECT coalesce(max(added), 0) FROM logs`); err != nil {
		return err
	}
	if ahead := newest - d.clock.now(); 0 < ahead && ahead <= mostAhead {
		d.clock.then += ahead // the clock was not written any more, before a crash
	}
	d.catalog.advance(d.clock.now())
	return d.each(`SELECT id, name, owner, entries, bytes, added FROM logs ORDER BY added, id`, func(row scanner) error {
		l := &entryLog{}
		if err := row.Scan(&l.id, &l.name, &l.owner, &l.entries, &l.bytes, &l.added); err != nil {
			return err
		}
		// A number that is damaged does no harm here, and is found by the verification.
		l.added, l.entries, l.bytes = min(l.added, d.catalog.now), max(l.entries, 0), max(l.bytes, 0)
		if d.catalog.logs[l.name] != nil {
			d.damages.found(place{l.name, 0}, damaged(l.name, 0, errTwice))
			return nil
		}
		d.catalog.load(l)
		return nil
	})
}

// A moment is when the clock was written.
type moment struct {
	time time.Duration // of the store
	wall int64         // nanoseconds since 1970
	beat int64         // pings so far
}

// The record of a moment is sealed, as that of the first entry of a log which nobody
// else has: a bit of it that has changed would make every log old.
const clockLog = "clock"

func (m moment) record() []byte {
	return seal(clockLog, 0, fmt.Appendf(nil, "%d %d %d", m.time, m.wall, m.beat))
}

func readMoment(record []byte) (m moment, err error) {
	text, err := unseal(clockLog, 0, record)
	if err == nil {
		_, err = fmt.Sscan(string(text), (*int64)(&m.time), &m.wall, &m.beat)
	}
	return m, err
}

// moment is the present one.
func (d *database) moment() moment {
	return moment{d.clock.now(), time.Now().UnixNano(), d.beat}
}

// keepTime writes the clock.
func (d *database) keepTime() error {
	d.kept = time.Now()
	if d.dead {
		return nil
	}
	return d.exec(`UPDATE clock SET record = ?`, d.moment().record())
}

// atOnce does something in one transaction.
func (d *database) atOnce(do func() error) error {
	err := d.exec(`BEGIN`)
	if err == nil {
		err = do()
	}
	if err == nil {
		err = d.exec(`COMMIT`)
	}
	if err != nil {
		d.exec(`ROLLBACK`) // what SQLite has undone by itself needs none
	}
	return err
}

// readSchema notes how the tables were made.
func (d *database) readSchema() error {
	return d.value(&d.schema, `SELECT group_concat(sql, ';') FROM sqlite_schema`)
}

type scanner interface{ Scan(to ...any) error }

// each calls back with the rows of a query, one after the other.
func (d *database) each(query string, do func(scanner) error, args ...any) error {
	rows, err := d.conn.QueryContext(context.Background(), query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

package store

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	sqlite3 "modernc.org/sqlite/lib"
)

// schema is the version of the tables below. The file has it as its user_version. A change
// to the tables needs the next version and a translation of older files.
const schema = 3

// The id of a record begins with the id of its log, which keeps the records of a log side
// by side. A table with rowids fills its pages with records of up to 4 KB. In a table
// WITHOUT ROWID, which the first edition used, each record above 1 KB takes its own
// overflow page.
const tables = `
CREATE TABLE logs (
	id      INTEGER PRIMARY KEY,
	name    TEXT NOT NULL,    -- no two have the same
	owner   TEXT NOT NULL,    -- '': nobody
	entries INTEGER NOT NULL, -- number of records
	bytes   INTEGER NOT NULL, -- with overhead, as in the catalog
	added   INTEGER NOT NULL, -- when the last entry was added, in nanoseconds of the store's clock
	sum     INTEGER NOT NULL  -- the checksum of the row
);
CREATE TABLE records (
	id     INTEGER PRIMARY KEY, -- the log's id << 32 | the number of entries before
	record BLOB NOT NULL
);
CREATE TABLE clock (
	id     INTEGER PRIMARY KEY CHECK (id = 1),
	record BLOB NOT NULL -- of a moment
);
PRAGMA user_version = 3;
`

const (
	betweenClocks = time.Minute      // the store writes the clock at least this often
	maxAhead      = 10 * time.Minute // a log may be this far ahead of the clock after a crash
)

const (
	pageBytes  = 4096 // of the file
	sparePages = 256  // beyond MaxBytes and its reserve
	entryBits  = 32   // of a record's id, for the number of entries before
)

// recordID returns the id of a record with n entries before it.
func (l *entryLog) recordID(n int) int64 { return l.id<<entryBits | int64(n) }

// lastID returns the greatest possible id of the log's records.
func (l *entryLog) lastID() int64 { return l.recordID(0) | (1<<entryBits - 1) }

// An acknowledged entry survives a power cut: with synchronous = FULL every transaction
// is on the disk when it ends. secure_delete overwrites forgotten entries. SQLite
// copies the write-ahead log into the file at 1,000 pages, and the store every second.
var settings = fmt.Sprintf(`
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA secure_delete = ON;
PRAGMA journal_size_limit = %d;
`, maxWAL)

func (d *database) open() error {
	var version int
	err := d.exec(settings)
	if err == nil {
		err = d.value(&version, `PRAGMA user_version`)
	}
	if code(err) == sqlite3.SQLITE_BUSY {
		return fmt.Errorf("store: another process uses %s; %w", filepath.Dir(d.path), ErrInUse)
	}
	if version > schema {
		return fmt.Errorf("store: %s was written by a newer version of this program (its tables have number %d, and this version knows those up to %d)", d.path, version, schema)
	}
	if err == nil {
		err = d.saveWAL()
	}
	steps := []func() error{d.takeOver, d.bound, d.readSchema, d.load}
	switch version {
	case 0:
		steps = append([]func() error{func() error { return d.begin("") }}, steps...)
	case 1:
		steps = append([]func() error{func() error { return d.begin(setAside) }}, steps...)
	case 2:
		steps = append([]func() error{d.addSums}, steps...)
	}
	for _, step := range steps {
		if err == nil {
			err = step()
		}
	}
	switch code := code(err); {
	case code == sqlite3.SQLITE_NOTADB, code == sqlite3.SQLITE_ERROR, corrupt(err): // SQLITE_ERROR: the tables are others
		return fmt.Errorf("store: %s is damaged, or is something else than the logs of this program; move it away to begin with none: %w", d.path, err)
	}
	if err != nil {
		return fmt.Errorf("store: open %s: %w", d.path, err)
	}
	// A full disk does not stop the server: it reads all logs, and Ping reports the disk.
	d.note(d.keepTime())
	d.note(d.empty())
	d.disk.look(d.empty)
	d.measure()
	d.bytes.Store(d.catalog.total())
	return nil
}

// begin creates the tables, after some other SQL.
func (d *database) begin(first string) error {
	return d.atOnce(func() error {
		if err := d.exec(first + tables); err != nil {
			return err
		}
		return d.exec(`INSERT INTO clock VALUES (1, ?)`, moment{wall: time.Now().UnixNano()}.record())
	})
}

// bound limits the pages of the file, in case the catalog counts too few bytes.
func (d *database) bound() error {
	most := d.options.MaxBytes + d.options.MaxBytes/reservePart
	return d.exec(fmt.Sprintf(`PRAGMA max_page_count = %d`, most/pageBytes+sparePages))
}

// A moment is a reading of the clock.
type moment struct {
	time time.Duration // of the store
	wall int64         // nanoseconds since 1970
	beat int64         // pings so far
}

// A moment is sealed like the entry of a log. Without a checksum, one flipped bit could make
// every log old.
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

// moment reads the clock.
func (d *database) moment() moment {
	return moment{d.clock.now(), time.Now().UnixNano(), d.beat}
}

// keepTime writes the clock.
func (d *database) keepTime() error {
	d.kept = time.Now()
	if d.dead {
		return nil
	}
	d.wrote()
	return d.exec(`UPDATE clock SET record = ?`, d.moment().record())
}

// atOnce calls do in a transaction.
func (d *database) atOnce(do func() error) error {
	err := d.exec(`BEGIN`)
	if err == nil {
		err = do()
	}
	if err == nil {
		err = d.exec(`COMMIT`)
	}
	if err != nil {
		d.exec(`ROLLBACK`) // fails if SQLite has rolled back by itself
	}
	return err
}

// readSchema reads the SQL that made the tables.
func (d *database) readSchema() error {
	return d.value(&d.schema, `SELECT group_concat(sql, ';') FROM sqlite_schema`)
}

type scanner interface{ Scan(to ...any) error }

// each calls do with each row of a query, one after another.
func (d *database) each(query string, do func(scanner) error, args ...any) error {
	rows, err := d.conn.QueryContext(context.Background(), query, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows); err != nil {
			return mistyped(err)
		}
	}
	return rows.Err()
}

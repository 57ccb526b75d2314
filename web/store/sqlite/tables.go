package sqlite

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"lockstep/web/store"
)

// schema is the version of the tables, the user_version of a file. Versions 1 to 3 were never in a release.
const schema = 4

// The table of logs has a row for each log, and the row says how many entries the log has. A flipped bit cannot
// change both tables in the same way.
const tables = `
BEGIN;
CREATE TABLE logs (
	name    TEXT PRIMARY KEY,
	owner   TEXT NOT NULL,    -- '': nobody
	entries INTEGER NOT NULL,
	bytes   INTEGER NOT NULL, -- with overhead
	added   INTEGER NOT NULL, -- when the last entry was added, in ms of the store's time
	sum     INTEGER NOT NULL  -- the checksum of the row
) WITHOUT ROWID;
CREATE TABLE entries (
	log    TEXT NOT NULL,
	n      INTEGER NOT NULL, -- entries before
	record BLOB NOT NULL,
	UNIQUE (log, n)
);
CREATE TABLE clock (
	id   INTEGER PRIMARY KEY CHECK (id = 1),
	time INTEGER NOT NULL,
	sum  INTEGER NOT NULL
);
PRAGMA user_version = 4;
COMMIT;
`

// An acknowledged entry survives a power cut: with synchronous = FULL every transaction is on the disk when it ends.
// secure_delete overwrites forgotten entries. A flipped bit in the write-ahead log makes SQLite forget the rest of
// that log after a crash, so it never holds much: SQLite copies it into the file at 100 pages.
const settings = `
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA secure_delete = ON;
PRAGMA wal_autocheckpoint = 100;
PRAGMA journal_size_limit = 4194304;
`

const (
	pageBytes  = 4096 // of the file
	sparePages = 256  // beyond MaxBytes and its reserve
)

func (d *database) open() error {
	var version, has int
	err := d.exec(settings)
	if err == nil {
		err = d.get(`SELECT user_version, (SELECT count(*) FROM sqlite_schema) FROM pragma_user_version`, nil, &version, &has)
	}
	switch {
	case code(err) == sqlite3.SQLITE_BUSY:
		return fmt.Errorf("store: another process uses %s; %w", filepath.Dir(d.path), store.ErrInUse)
	case reasons[code(err)] == damaged:
		return fmt.Errorf("store: %s is damaged, or is something else than the logs of this program; move it away to begin with none: %w", d.path, err)
	case err != nil:
		return fmt.Errorf("store: open %s: %w", d.path, err)
	case version > schema:
		return fmt.Errorf("store: %s was written by a newer version of this program (its tables have number %d, and this version knows number %d)", d.path, version, schema)
	case version < schema && has > 0:
		return fmt.Errorf("store: %s was written by an older version of this program, or by another program (its tables have number %d, and this version knows number %d); move it away to begin with none", d.path, version, schema)
	case has == 0:
		d.opened, d.then = time.Now(), time.Now().UnixMilli()
		err = errors.Join(d.exec(tables), d.keepTime())
	}
	if err = errors.Join(err, d.exec(fmt.Sprintf(`PRAGMA max_page_count = %d`, store.Most(d.MaxBytes, "", 1)/pageBytes+sparePages))); err != nil {
		return fmt.Errorf("store: open %s: %w", d.path, err)
	}
	// A full disk, or a damaged page, does not stop the server: it reads all other logs, and Ping reports it.
	d.startClock()
	d.check()
	if err := d.loadShares(); err != nil {
		d.note(d.notice("(logs)", 0, err))
	}
	d.note(d.keepTime())
	d.measure()
	for _, path := range []string{d.path, d.path + "-wal"} {
		if info, err := os.Stat(path); err == nil {
			d.files[path] = info
		}
	}
	return nil
}

// check has SQLite check the structure of the file.
func (d *database) check() {
	said, err := d.texts(`PRAGMA quick_check(1)`)
	if err == nil && said[0] != "ok" {
		err = errors.New(said[0])
	}
	if err != nil {
		d.damage = d.Damage("("+File+")", 0, err)
	}
}

// loadShares counts what was begun within a day as if it were begun now.
func (d *database) loadShares() error {
	return d.each(`SELECT owner, bytes FROM logs WHERE added > ?`, []any{d.now() - store.ShareTime.Milliseconds()}, func(scan func(...any) error) error {
		var owner string
		var bytes int64
		err := scan(&owner, &bytes)
		d.shares.Add(owner, bytes)
		return err
	})
}

// maxClosed is how much the store's time advances at most each time the store is closed.
const maxClosed = 24 * time.Hour

func (d *database) startClock() {
	wall, then, sum := time.Now().UnixMilli(), int64(0), int64(0)
	err := d.get(`SELECT time, sum FROM clock`, nil, &then, &sum)
	if err == nil && sum != clockSum(then) {
		err = errSum
	}
	if err != nil {
		d.note(d.notice("(clock)", 0, err))
		then = wall
	}
	d.opened, d.then = time.Now(), min(max(wall, then), then+maxClosed.Milliseconds())
}

func (d *database) now() int64 { return d.then + time.Since(d.opened).Milliseconds() }

func (d *database) keepTime() error {
	now := d.now()
	return d.exec(`REPLACE INTO clock (id, time, sum) VALUES (1, ?, ?)`, now, clockSum(now))
}

// clockSum returns the checksum of a time. Without it, a flipped bit could make every log old.
func clockSum(time int64) int64 { return int64(store.Checksum("clock", int(time), nil)) }

// A row is what the table of logs says about a log.
type row struct {
	owner   string
	entries int   // 0: there is no such log
	bytes   int64 // as store.Cost counts
	added   int64
}

var (
	errMissing = errors.New("the tables contradict each other")
	errSum     = errors.New("the checksum of the row does not match")
)

// sum returns the checksum of the row of a log.
func (r row) sum(log string) int64 {
	return int64(store.Checksum(log, r.entries, fmt.Appendf(nil, "%s %d %d", r.owner, r.bytes, r.added)))
}

func (d *database) writeRow(log string, r row) error {
	return d.exec(`REPLACE INTO logs (name, owner, entries, bytes, added, sum) VALUES (?, ?, ?, ?, ?, ?)`, log, r.owner, r.entries, r.bytes, r.added, r.sum(log))
}

// row reads the row of a log.
func (d *database) row(log string) (r row, err error) {
	var sum int64
	err = d.get(`SELECT owner, entries, bytes, added, sum FROM logs WHERE name = ?`, []any{log}, &r.owner, &r.entries, &r.bytes, &r.added, &sum)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return row{}, nil
	case err == nil && sum != r.sum(log):
		err = errSum
	}
	if err != nil {
		return row{}, d.notice(log, max(0, r.entries-1), err)
	}
	return r, nil
}

// remove deletes what the file has of a log.
func (d *database) remove(log string) error {
	err := d.exec(`DELETE FROM entries WHERE log = ?`, log)
	if err == nil {
		err = d.exec(`DELETE FROM logs WHERE name = ?`, log)
	}
	if err != nil {
		return d.notice(log, 0, err)
	}
	return nil
}

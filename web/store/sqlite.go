package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// schema is the number of the tables below. A file says by which number it was
// written; whoever changes the tables counts on, and translates the older ones.
const schema = 1

const tables = `
BEGIN;
CREATE TABLE logs (
	id      INTEGER PRIMARY KEY,
	name    TEXT NOT NULL UNIQUE,
	entries INTEGER NOT NULL, -- how many there are
	added   INTEGER NOT NULL  -- when the last one was, in nanoseconds since 1970
);
CREATE INDEX logs_by_added ON logs (added);
CREATE TABLE entries (
	log   INTEGER NOT NULL REFERENCES logs ON DELETE CASCADE,
	n     INTEGER NOT NULL, -- how many were there before
	entry BLOB NOT NULL,
	PRIMARY KEY (log, n)
) WITHOUT ROWID;
PRAGMA user_version = 1;
COMMIT;
`

// An acknowledged entry survives the loss of power: with synchronous = FULL every
// transaction is on the disk when it ends. What is forgotten is overwritten.
const settings = `
PRAGMA locking_mode = EXCLUSIVE;
PRAGMA journal_mode = WAL;
PRAGMA synchronous = FULL;
PRAGMA foreign_keys = ON;
PRAGMA secure_delete = ON;
`

// A sweep forgets old logs, so many at a time that others do not wait long for it.
const (
	betweenSweeps = time.Hour
	sweptAtOnce   = 100
)

// mostAtOnce is how many jobs share a transaction.
const mostAtOnce = 512

// One goroutine has the file. What is asked of the store is a job for it, and the
// jobs that wait while the disk is busy share the next transaction: to wait for the
// disk is what takes long, and it takes as long for one as for hundreds.
type database struct {
	alone
	options Options
	path    string
	conn    *sql.Conn
	logs    int // how many there are
	jobs    chan job
	closing chan struct{}
	closed  chan error // what Close has to say
}

// A job may be done more than once, when the transaction fails.
type job struct {
	do       func() error
	answered chan error
}

var errClosed = errors.New("the store is closed")

// SQLite returns a store that keeps its logs in a file in a directory, which is
// made if it does not exist.
func SQLite(dir string, o Options) (Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	path, err := filepath.Abs(filepath.Join(dir, "lockstep.db"))
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	// SQLite would let everybody read it, if the directory does.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	file.Close()
	pool, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String())
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", path, err)
	}
	conn, err := pool.Conn(context.Background())
	if err != nil {
		pool.Close()
		return nil, fmt.Errorf("store: %s: %w", path, err)
	}
	d := &database{
		options: o.withDefaults(100_000), path: path, conn: conn,
		jobs: make(chan job), closing: make(chan struct{}), closed: make(chan error, 1),
	}
	if err := d.open(); err != nil {
		conn.Close()
		pool.Close()
		return nil, err
	}
	go func() {
		d.work()
		d.closed <- errors.Join(conn.Close(), pool.Close())
	}()
	return d, nil
}

func (d *database) open() error {
	var version int
	err := d.exec(settings)
	if err == nil {
		err = d.value(&version, `PRAGMA user_version`)
	}
	switch code(err) {
	case sqlite3.SQLITE_OK:
	case sqlite3.SQLITE_BUSY:
		return fmt.Errorf("store: another process uses %s; each server needs a directory of its own", filepath.Dir(d.path))
	case sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT:
		return fmt.Errorf("store: %s is damaged, or is something else than the logs of this program; move it away to begin with none: %w", d.path, err)
	default:
		return fmt.Errorf("store: open %s: %w", d.path, err)
	}
	switch {
	case version > schema:
		return fmt.Errorf("store: %s was written by a newer version of this program (its tables have number %d, and this version knows those up to %d)", d.path, version, schema)
	case version == 0:
		if err := d.exec(tables); err != nil {
			return fmt.Errorf("store: begin %s: %w", d.path, err)
		}
	}
	if err := d.value(&d.logs, `SELECT count(*) FROM logs`); err != nil {
		return fmt.Errorf("store: open %s: %w", d.path, err)
	}
	return nil
}

func (d *database) Append(ctx context.Context, name string, n int, entry []byte) error {
	entry = append([]byte{}, entry...) // an entry of no bytes is not NULL
	return d.ask(ctx, func() error {
		var log int64
		var err error
		if now := time.Now().UnixNano(); n == 0 {
			err = d.value(&log, `INSERT INTO logs (name, entries, added) VALUES (?, 1, ?) ON CONFLICT DO NOTHING RETURNING id`, name, now)
		} else {
			err = d.value(&log, `UPDATE logs SET entries = entries + 1, added = ? WHERE name = ? AND entries = ? RETURNING id`, now, name, n)
		}
		if errors.Is(err, sql.ErrNoRows) {
			var entries int
			if err := d.value(&entries, `SELECT coalesce(max(entries), 0) FROM logs WHERE name = ?`, name); err != nil {
				return err
			}
			return compare(entries, n)
		}
		if err != nil {
			return err
		}
		if n == 0 {
			d.logs++
		}
		return d.exec(`INSERT INTO entries (log, n, entry) VALUES (?, ?, ?)`, log, n, entry)
	})
}

func (d *database) Read(ctx context.Context, name string, n int) ([][]byte, error) {
	var entries [][]byte
	err := d.ask(ctx, func() error {
		entries = nil
		rows, err := d.conn.QueryContext(context.Background(),
			`SELECT entry FROM entries WHERE log = (SELECT id FROM logs WHERE name = ?) AND n >= ? ORDER BY n`, name, n)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var entry []byte
			if err := rows.Scan(&entry); err != nil {
				return err
			}
			entries = append(entries, entry)
		}
		return rows.Err()
	})
	if err != nil {
		return nil, err
	}
	return entries, nil
}

func (d *database) Delete(ctx context.Context, name string) error {
	return d.ask(ctx, func() error {
		_, err := d.forget(`name = ?`, name)
		return err
	})
}

func (d *database) Ping(ctx context.Context) error {
	return d.ask(ctx, func() error { return nil })
}

func (d *database) Close() error {
	close(d.closing)
	return <-d.closed
}

// ask has a job done. Whoever goes away while it waits for its turn is not served;
// when its turn has come, the answer is near.
func (d *database) ask(ctx context.Context, do func() error) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	j := job{do, make(chan error, 1)}
	select {
	case d.jobs <- j:
	case <-d.closing:
		return fmt.Errorf("store: %s: %w", d.path, errClosed)
	case <-ctx.Done():
		return fmt.Errorf("store: %w", ctx.Err())
	}
	err := <-j.answered
	if err != nil && !refusal(err) {
		return fmt.Errorf("store: %s: %w", d.path, err)
	}
	return err
}

func (d *database) work() {
	sweep := time.NewTimer(0)
	defer sweep.Stop()
	for {
		select {
		case first := <-d.jobs:
			d.serve(d.waiting(first))
		case <-sweep.C:
			next := betweenSweeps
			if d.sweep() {
				next = 0
			}
			sweep.Reset(next)
		case <-d.closing:
			return
		}
	}
}

// waiting is a job and those that wait as well.
func (d *database) waiting(first job) []job {
	jobs := []job{first}
	for len(jobs) < mostAtOnce {
		select {
		case j := <-d.jobs:
			jobs = append(jobs, j)
		default:
			return jobs
		}
	}
	return jobs
}

// serve does the jobs in one transaction, and answers when it is on the disk. If
// that fails they are done one by one, so that nobody suffers for another.
func (d *database) serve(jobs []job) {
	answers, err := d.transaction(jobs)
	switch {
	case err == nil:
		for i, j := range jobs {
			j.answered <- answers[i]
		}
	case len(jobs) == 1:
		jobs[0].answered <- err
	default:
		for i := range jobs {
			d.serve(jobs[i : i+1])
		}
	}
}

func (d *database) transaction(jobs []job) (answers []error, err error) {
	logs := d.logs
	defer func() {
		if err != nil {
			d.exec(`ROLLBACK`) // what SQLite has undone by itself needs none
			d.logs = logs
		}
	}()
	if err := d.exec(`BEGIN`); err != nil {
		return nil, err
	}
	for _, j := range jobs {
		answer := j.do()
		if answer != nil && !refusal(answer) {
			return nil, answer
		}
		answers = append(answers, answer)
	}
	if surplus := d.logs - d.options.MaxLogs; surplus > 0 {
		if _, err := d.forget(`id IN (SELECT id FROM logs ORDER BY added LIMIT ?)`, surplus); err != nil {
			return nil, err
		}
	}
	return answers, d.exec(`COMMIT`)
}

// refusal reports an answer that is no failure: the job has changed nothing.
func refusal(err error) bool { return errors.Is(err, ErrBehind) || errors.Is(err, ErrLost) }

// sweep forgets some of the logs that nobody has added to for too long, and
// reports whether there may be more. A failure is left to the next sweep.
func (d *database) sweep() (more bool) {
	forgotten := 0
	_, err := d.transaction([]job{{do: func() (err error) {
		forgotten, err = d.forget(`id IN (SELECT id FROM logs WHERE added < ? ORDER BY added LIMIT ?)`,
			time.Now().Add(-d.options.Keep).UnixNano(), sweptAtOnce)
		return err
	}}})
	return err == nil && forgotten == sweptAtOnce
}

// forget removes the logs of which a condition holds, and returns how many.
func (d *database) forget(condition string, args ...any) (int, error) {
	result, err := d.conn.ExecContext(context.Background(), `DELETE FROM logs WHERE `+condition, args...)
	if err != nil {
		return 0, err
	}
	forgotten, err := result.RowsAffected()
	d.logs -= int(forgotten)
	return int(forgotten), err
}

// No query is cancelled half-way: it may be part of another one's transaction.

func (d *database) exec(query string, args ...any) error {
	_, err := d.conn.ExecContext(context.Background(), query, args...)
	return err
}

func (d *database) value(to any, query string, args ...any) error {
	return d.conn.QueryRowContext(context.Background(), query, args...).Scan(to)
}

// code is SQLite's for an error.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff // the rest tells more about the same
	}
	if err != nil {
		return sqlite3.SQLITE_ERROR
	}
	return sqlite3.SQLITE_OK
}

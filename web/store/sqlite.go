package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// sqliteIdle is for how long nobody has added to a log that SQLite forgets to make room.
const sqliteIdle = 24 * time.Hour

// A sweep forgets old logs, so many at a time that others do not wait long for it.
const (
	betweenSweeps = time.Hour
	sweptAtOnce   = 100
)

// Jobs share a transaction: so many at most, with so many bytes to write. While they
// gather, so many others are done that need none.
const (
	mostAtOnce    = 512
	bytesAtOnce   = 4 << 20
	outsideAtOnce = 64
)

// pageEvery is after how many bytes the store looks how many pages of the file are in use.
const pageEvery = 64 << 10

// One goroutine has the file. What is asked of the store is a job for it, and the
// jobs that wait while the disk is busy share the next transaction: to wait for the
// disk is what takes long, and it takes as long for one as for hundreds.
//
// The goroutine has the catalog, too: which logs there are is read once, when the
// file is opened, and what a transaction changes is changed in both.
type database struct {
	alone
	options Options
	path    string
	conn    *sql.Conn
	disk    disk
	clock   clock
	damages damages
	jobs    chan job
	closing chan struct{}
	closed  chan struct{}
	end     sync.Once
	endErr  error         // what Close has to say
	pinging chan struct{} // has room for one ping
	bytes   atomic.Int64  // that the store takes

	// What follows belongs to the goroutine.
	catalog    *catalog
	unmeasured int64     // bytes that were added since the pages were counted
	beat       int64     // pings so far
	kept       time.Time // when the clock was written
	schema     string    // how the tables were made
	pass       pass
	failed     error // why a job has failed last; nil: an entry was added since
	failedAt   time.Time
	stuck      int  // logs that cannot be forgotten
	dead       bool // a test has killed it: it does not write the clock any more
}

// A job may be done more than once, when the transaction fails.
type job struct {
	do       func() error
	size     int  // bytes that it writes; 0: it adds no entry
	outside  bool // of any transaction: whatever it finds is no other job's concern
	answered chan error
}

func newJob(do func() error) job { return job{do: do, answered: make(chan error, 1)} }

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
	// SQLite would let everybody read it, if the directory does. This one stays open
	// for as long as SQLite's: to close any descriptor of the file gives up the
	// process's locks on it.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	pool, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String())
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("store: %s: %w", path, err)
	}
	conn, err := pool.Conn(context.Background())
	if err != nil {
		pool.Close()
		file.Close()
		return nil, fmt.Errorf("store: %s: %w", path, err)
	}
	o = o.withDefaults(100_000, 2<<30)
	d := &database{
		options: o, path: path, conn: conn, disk: disk{file: file, path: path}, damages: damages{logger: o.Logger}, catalog: newCatalog(o, sqliteIdle),
		jobs: make(chan job), closing: make(chan struct{}), closed: make(chan struct{}), pinging: make(chan struct{}, 1),
	}
	if err := d.open(); err != nil {
		conn.Close()
		pool.Close()
		file.Close()
		return nil, err
	}
	go func() {
		d.work()
		d.note(d.keepTime())
		d.endErr = errors.Join(conn.Close(), pool.Close(), file.Close())
		close(d.closed)
	}()
	return d, nil
}

func (d *database) Append(ctx context.Context, name string, n int, entry []byte) error {
	record, owner := seal(name, n, entry), ownerOf(ctx)
	j := newJob(func() error {
		if d.disk.unfit != nil {
			return d.disk.unfit
		}
		log, forgotten, err := d.catalog.grow(name, n, len(entry), owner)
		if err != nil {
			return err
		}
		for _, f := range forgotten {
			if err := d.remove(f); err != nil {
				return err
			}
		}
		if n == 0 {
			err = d.value(&log.id, `INSERT INTO logs (name, owner, entries, bytes, added) VALUES (?, ?, ?, ?, ?) RETURNING id`, name, owner, log.entries, log.bytes, log.added)
		} else {
			err = d.value(new(int), `UPDATE logs SET entries = ?, bytes = ?, added = ? WHERE id = ? RETURNING 1`, log.entries, log.bytes, log.added, log.id)
		}
		if err != nil {
			return err
		}
		return d.exec(`INSERT INTO records (id, record) VALUES (?, ?)`, log.recordID(n), record)
	})
	j.size = len(record)
	return d.ask(ctx, j)
}

func (d *database) Read(ctx context.Context, name string, n int) ([][]byte, error) {
	var entries [][]byte
	j := newJob(func() error {
		log := d.catalog.logs[name]
		if log == nil || n >= log.entries {
			return nil
		}
		return d.records(log, n, func(entry []byte) bool {
			entries = append(entries, entry)
			return true
		})
	})
	j.outside = true
	if err := d.ask(ctx, j); err != nil {
		return nil, err
	}
	return entries, nil
}

// records calls back with the entries after the first n of a log, until it is told
// to stop. A record that is damaged, or cannot be found, is an ErrDamaged.
func (d *database) records(log *entryLog, n int, each func(entry []byte) (more bool)) error {
	rows, err := d.conn.QueryContext(context.Background(),
		`SELECT id, record FROM records WHERE id BETWEEN ? AND ? ORDER BY id`, log.recordID(n), log.recordID(log.entries-1))
	if err == nil {
		defer rows.Close()
		for rows.Next() {
			var id int64
			var record []byte
			if err := rows.Scan(&id, &record); err != nil {
				return err
			}
			if id != log.recordID(n) {
				return d.broken(log, n, damaged(log.name, n, errNotThere))
			}
			entry, err := unseal(log.name, n, record)
			if err != nil {
				return d.broken(log, n, err)
			}
			n++
			if !each(entry) {
				return nil
			}
		}
		err = rows.Err()
	}
	switch {
	case code(err) == sqlite3.SQLITE_CORRUPT:
		return d.broken(log, n, damaged(log.name, n, err))
	case err == nil && n < log.entries:
		return d.broken(log, n, damaged(log.name, n, errNotThere))
	}
	return err
}

// broken notes that the entry after the first n of a log is damaged.
func (d *database) broken(log *entryLog, n int, err error) error {
	d.pass.found++
	d.damages.found(place{log.name, n}, err)
	return err
}

func (d *database) Delete(ctx context.Context, name string) error {
	return d.ask(ctx, newJob(func() error {
		log := d.catalog.logs[name]
		if log == nil {
			return nil
		}
		d.catalog.forget(log)
		return d.remove(log)
	}))
}

func (d *database) Stats() Stats {
	return Stats{Bytes: d.bytes.Load(), MaxBytes: d.options.MaxBytes, Damaged: d.damages.count()}
}

func (d *database) Close() error {
	d.end.Do(func() { close(d.closing) })
	<-d.closed
	return d.endErr
}

// ask has a job done. Whoever goes away while it waits for its turn is not served;
// when its turn has come, the answer is near.
func (d *database) ask(ctx context.Context, j job) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("store: %w", err)
	}
	select {
	case d.jobs <- j:
	case <-d.closing:
		return fmt.Errorf("store: %s: %w", d.path, errClosed)
	case <-ctx.Done():
		return fmt.Errorf("store: %w", ctx.Err())
	}
	err := <-j.answered
	switch {
	case err == nil, refusal(err), errors.Is(err, ErrDamaged):
		return err
	case code(err) == sqlite3.SQLITE_FULL:
		return fmt.Errorf("%w: %s: %w", ErrFull, d.path, err)
	}
	return fmt.Errorf("store: %s: %w", d.path, err)
}

func (d *database) work() {
	sweep, verify := time.NewTimer(0), time.NewTimer(0)
	defer sweep.Stop()
	defer verify.Stop()
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
		case <-verify.C:
			verify.Reset(d.verify())
		case <-d.closing:
			return
		}
	}
}

// waiting is a job and those that wait as well. Jobs that are done outside of a
// transaction are done meanwhile.
func (d *database) waiting(next job) (jobs []job) {
	for size, outside := 0, 0; ; {
		if next.outside {
			next.answered <- next.do()
			outside++
		} else {
			jobs = append(jobs, next)
			size += next.size
		}
		if len(jobs) == mostAtOnce || size >= bytesAtOnce || outside == outsideAtOnce {
			return jobs
		}
		select {
		case next = <-d.jobs:
		default:
			return jobs
		}
	}
}

// serve does the jobs in one transaction, and answers when it is on the disk. If
// that fails they are done one by one, so that nobody suffers for another.
func (d *database) serve(jobs []job) {
	if len(jobs) == 0 {
		return
	}
	stuck := d.stuck
	answers, err := d.transaction(jobs)
	for tries := 0; d.stuck > stuck && tries < sweptAtOnce; tries++ { // another log goes instead
		stuck = d.stuck
		answers, err = d.transaction(jobs)
	}
	switch {
	case err == nil:
		for i, j := range jobs {
			j.answered <- answers[i]
		}
	case len(jobs) == 1:
		d.note(err)
		jobs[0].answered <- err
	default:
		for i := range jobs {
			d.serve(jobs[i : i+1])
		}
	}
}

func (d *database) transaction(jobs []job) (answers []error, err error) {
	d.disk.look(d.empty)
	d.catalog.advance(d.clock.now())
	d.catalog.begin()
	defer func() {
		if err != nil {
			d.exec(`ROLLBACK`) // what SQLite has undone by itself needs none
			d.catalog.rollback()
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
		if answer == nil {
			d.unmeasured += int64(j.size)
		}
	}
	if err := d.exec(`COMMIT`); err != nil {
		return nil, err
	}
	d.catalog.commit()
	for i, j := range jobs {
		if j.size > 0 && answers[i] == nil {
			d.failed = nil
		}
	}
	if d.unmeasured >= pageEvery {
		d.measure()
	}
	d.bytes.Store(d.catalog.total())
	return answers, nil
}

// note keeps what has failed, for the next ping.
func (d *database) note(err error) {
	if err != nil {
		d.failed, d.failedAt = err, time.Now()
	}
	if code(err) == sqlite3.SQLITE_FULL {
		d.measure() // it may be the bound of the file, and not of the disk
	}
}

// refusal reports whether an error is an answer and no failure: the job has changed
// nothing. SQLite commits no transaction in which it has found the file corrupt.
func refusal(err error) bool {
	if code(err) != sqlite3.SQLITE_OK {
		return false
	}
	for _, answer := range []error{ErrBehind, ErrLost, ErrFull, ErrShare, ErrLong, ErrDamaged, errUnfit} {
		if errors.Is(err, answer) {
			return true
		}
	}
	return false
}

// sweep forgets some of the logs that nobody has added to for too long, and
// reports whether there may be more. A failure is left to the next sweep.
func (d *database) sweep() (more bool) {
	forgotten := 0
	_, err := d.transaction([]job{{do: func() error {
		some := d.catalog.expired(sweptAtOnce)
		forgotten = len(some)
		for _, log := range some {
			d.catalog.forget(log)
			if err := d.remove(log); err != nil {
				return err
			}
		}
		return nil
	}}})
	if forgotten > 0 {
		d.measure()
	}
	return err == nil && forgotten == sweptAtOnce || corrupt(err) // there are others than the one that cannot go
}

// remove takes a log that is forgotten out of the file. Where the file is damaged it
// cannot: then the transaction fails, and that log is not forgotten any more.
func (d *database) remove(log *entryLog) error {
	err := d.exec(`DELETE FROM records WHERE id BETWEEN ? AND ?`, log.recordID(0), log.lastID())
	if err == nil {
		err = d.exec(`DELETE FROM logs WHERE id = ?`, log.id)
	}
	if corrupt(err) && !log.stuck {
		log.stuck = true
		d.stuck++
	}
	return err
}

// measure finds out how much of the file is in use.
func (d *database) measure() {
	var pages, free int64
	if d.value(&pages, `PRAGMA page_count`) == nil && d.value(&free, `PRAGMA freelist_count`) == nil {
		d.catalog.takes((pages - free) * pageBytes)
		d.unmeasured = 0
	}
}

// No query is cancelled half-way: it may be part of another one's transaction.

func (d *database) exec(query string, args ...any) error {
	_, err := d.conn.ExecContext(context.Background(), query, args...)
	return err
}

func (d *database) value(to any, query string, args ...any) error {
	return d.conn.QueryRowContext(context.Background(), query, args...).Scan(to)
}

// code is SQLite's for an error; SQLITE_OK for those that are not SQLite's.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff // the rest tells more about the same
	}
	return sqlite3.SQLITE_OK
}

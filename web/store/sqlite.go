package store

import (
	"context"
	"database/sql"
	"database/sql/driver"
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

// sqliteIdle is how long a log must be idle before SQLite may forget it to make room.
const sqliteIdle = 24 * time.Hour

// A sweep forgets old logs, a few at a time so that others do not wait long.
const (
	betweenSweeps = time.Hour
	sweptAtOnce   = 100
)

// The bounds of a transaction that several jobs share.
const (
	mostAtOnce    = 512     // jobs
	bytesAtOnce   = 4 << 20 // to write
	outsideAtOnce = 64      // jobs outside any transaction that are done before it
)

// pageEvery is how many bytes the store adds before it counts the file's pages again.
const pageEvery = 64 << 10

// One goroutine owns the file. Every request is a job for it. Jobs that arrive while
// the disk is busy share the next transaction: syncing the disk takes most of the
// time, and it takes as long for one job as for hundreds.
//
// The goroutine also owns the catalog. It reads the catalog once, when it opens the
// file; from then on a transaction changes both.
type database struct {
	alone
	options  Options
	path     string
	conn     *sql.Conn
	disk     disk
	clock    clock
	damages  damages
	mistakes mistakes
	jobs     chan job
	closing  chan struct{}
	closed   chan struct{}
	end      sync.Once
	endErr   error         // what Close has to say
	pinging  chan struct{} // has room for one ping
	bytes    atomic.Int64  // that the store takes

	// The goroutine owns the rest.
	catalog    *catalog
	refused    map[string]error    // logs that are not in the catalog, because the file contradicts itself about them
	lost       map[int64]oneRecord // a record of each log that is not in the catalog, by the log's id
	lastID     int64               // of a log
	unmeasured int64               // bytes added since the pages were counted
	beat       int64               // pings so far
	settling   *time.Timer         // for settle; nil: the file is being opened
	settled    bool                // the write-ahead log is empty
	busy       bool                // it was written to since the last settle
	kept       time.Time           // when the clock was written
	schema     string              // the SQL that made the tables
	pass       pass
	failed     error // of the last job that failed; nil: an entry was added since
	failedAt   time.Time
	stuck      int  // logs that the damaged file does not let be removed
	dead       bool // a test killed the store: the clock is not written any more
}

// A job is done again if the transaction fails.
type job struct {
	do       func() error
	size     int  // bytes to write; 0: the job adds no entry
	outside  bool // any transaction, so that its failure does not touch other jobs
	answered chan error
}

func newJob(do func() error) job { return job{do: do, answered: make(chan error, 1)} }

var errClosed = errors.New("the store is closed")

// SQLite returns a store that keeps its logs in a file in a directory. It makes the
// directory if there is none.
func SQLite(dir string, o Options) (Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	path, err := filepath.Abs(filepath.Join(dir, "lockstep.db"))
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	// SQLite would make a file that everybody can read. This descriptor stays open as
	// long as SQLite's own: closing any descriptor of a file drops all locks that the
	// process has on it.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := bereft(file); err != nil {
		file.Close()
		return nil, err
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
		options: o, path: path, conn: conn, disk: disk{file: file, path: path}, damages: damages{logger: o.Logger}, mistakes: mistakes{logger: o.Logger}, catalog: newCatalog(o, sqliteIdle),
		jobs: make(chan job), closing: make(chan struct{}), closed: make(chan struct{}), pinging: make(chan struct{}, 1),
	}
	if err := d.open(); err != nil {
		conn.Close()
		pool.Close()
		file.Close()
		return nil, err
	}
	go d.mistakes.survives(func() {
		defer close(d.closed)
		d.work()
		d.note(d.mistakes.try(d.keepTime))
		d.endErr = errors.Join(d.mistakes.try(conn.Close), d.mistakes.try(pool.Close), file.Close())
	})()
	return d, nil
}

func (d *database) Append(ctx context.Context, name string, n int, entry []byte) error {
	record, owner := seal(name, n, entry), ownerOf(ctx)
	j := newJob(func() error {
		if d.disk.unfit != nil {
			return d.disk.unfit
		}
		if _, err := d.find(name); err != nil {
			return err
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
		if log.id == 0 {
			d.lastID++
			log.id = d.lastID
		}
		if err := d.writeRow(log); err != nil {
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
		log, err := d.find(name)
		if err != nil || log == nil || n >= log.entries {
			return err
		}
		err = d.records(log, n, func(entry []byte) bool {
			entries = append(entries, entry)
			return true
		})
		if !errors.Is(err, ErrDamaged) {
			d.note(err)
		}
		return err
	})
	j.outside = true
	if err := d.ask(ctx, j); err != nil {
		return nil, err
	}
	return entries, nil
}

// records calls each with the entries after the first n of a log, until each returns
// false. It returns ErrDamaged for a record that is damaged or missing.
func (d *database) records(log *entryLog, n int, each func(entry []byte) (more bool)) error {
	rows, err := d.conn.QueryContext(context.Background(),
		`SELECT id, record FROM records WHERE id BETWEEN ? AND ? ORDER BY id`, log.recordID(n), log.recordID(log.entries-1))
	if err == nil {
		defer rows.Close()
		for rows.Next() {
			var id int64
			var record []byte
			if err := rows.Scan(&id, &record); err != nil {
				return d.broken(log, n, damaged(log.name, n, err))
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

// broken takes in a damaged record of a log, with n entries before it.
func (d *database) broken(log *entryLog, n int, err error) error {
	d.pass.found++
	d.damages.found(place{log.name, n}, err)
	return err
}

func (d *database) Delete(ctx context.Context, name string) error {
	return d.ask(ctx, newJob(func() error {
		log, err := d.find(name)
		if err != nil || log == nil {
			return err
		}
		d.catalog.forget(log)
		return d.remove(log)
	}))
}

func (d *database) Stats() Stats {
	return Stats{Bytes: d.bytes.Load(), MaxBytes: d.options.MaxBytes, Damaged: d.damages.count(), Panics: d.mistakes.n.Load()}
}

func (d *database) Close() error {
	d.end.Do(func() { close(d.closing) })
	<-d.closed
	return d.endErr
}

// ask has a job done. If the context ends before its turn, the job is not done; after
// that ask waits for the answer.
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
	d.settling = time.NewTimer(betweenSettles)
	for _, t := range []*time.Timer{sweep, verify, d.settling} {
		defer t.Stop()
	}
	for {
		select {
		case first := <-d.jobs:
			d.serve(d.waiting(first))
		case <-sweep.C:
			next := betweenSweeps
			d.note(d.mistakes.try(func() error {
				if d.sweep() {
					next = 0
				}
				return nil
			}))
			sweep.Reset(next)
		case <-verify.C:
			next := betweenPasses
			d.note(d.mistakes.try(func() error {
				next = d.verify()
				return nil
			}))
			verify.Reset(next)
		case <-d.settling.C:
			d.note(d.mistakes.try(d.settle))
			if !d.settled {
				d.settling.Reset(betweenSettles)
			}
		case <-d.closing:
			return
		}
	}
}

// waiting returns a job and those that wait for the next transaction. It does the jobs
// outside any transaction at once.
func (d *database) waiting(next job) (jobs []job) {
	for size, outside := 0, 0; ; {
		if next.outside {
			next.answered <- d.mistakes.try(next.do)
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

// serve does the jobs and answers each.
func (d *database) serve(jobs []job) {
	if len(jobs) == 0 {
		return
	}
	err := d.mistakes.try(func() error {
		d.answer(jobs)
		return nil
	})
	if err == nil {
		return
	}
	d.note(err)
	for _, j := range jobs { // nobody waits for ever
		select {
		case j.answered <- err:
		default: // it was answered
		}
	}
}

// answer does the jobs in one transaction and answers when it is on the disk. If the
// transaction fails, it does the jobs one by one, so that only the culprit fails.
func (d *database) answer(jobs []job) {
	stuck := d.stuck
	answers, err := d.transaction(jobs)
	for tries := 0; d.stuck > stuck && tries < sweptAtOnce; tries++ { // forget another log instead
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
			d.answer(jobs[i : i+1])
		}
	}
}

func (d *database) transaction(jobs []job) (answers []error, err error) {
	d.disk.look(d.empty)
	d.catalog.advance(d.clock.now())
	d.catalog.begin()
	err = d.mistakes.try(func() error {
		if err := d.exec(`BEGIN`); err != nil {
			return err
		}
		for _, j := range jobs {
			answer := j.do()
			if answer != nil && !refusal(answer) {
				return answer
			}
			answers = append(answers, answer)
			if answer == nil {
				d.unmeasured += int64(j.size)
			}
		}
		return d.exec(`COMMIT`)
	})
	if err != nil {
		d.exec(`ROLLBACK`) // fails if SQLite has rolled back by itself
		d.catalog.rollback()
		return nil, err
	}
	d.catalog.commit()
	d.wrote()
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

// wrote has the file settled soon.
func (d *database) wrote() {
	d.busy = true
	if d.settled && d.settling != nil {
		d.settled = false
		d.settling.Reset(betweenSettles)
	}
}

// settle copies into the file what the write-ahead log has. It empties the log only when
// nobody has written for a while: a disk takes longer to make a file grow again than to
// write over it.
func (d *database) settle() error {
	if d.busy {
		d.busy = false
		return d.checkpoint("PASSIVE")
	}
	err := d.empty()
	d.settled = err == nil
	return err
}

// note keeps a failure for the next ping.
func (d *database) note(err error) {
	if err != nil {
		d.failed, d.failedAt = err, time.Now()
	}
	if code(err) == sqlite3.SQLITE_FULL {
		d.measure() // the file may have reached its own bound, not the disk's
	}
}

// refusal reports whether an error answers a job that has changed nothing; any other
// error fails the transaction. SQLite never commits a transaction after it found the
// file corrupt.
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

// sweep forgets some old logs and reports whether more may be left. The next sweep
// tries again what failed.
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
	return err == nil && forgotten == sweptAtOnce || corrupt(err) // the next sweep skips the log that cannot be removed
}

// remove deletes a forgotten log from the file. If damage prevents that, the
// transaction fails, and the catalog will not forget that log again.
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

// measure counts the pages of the file that are in use.
func (d *database) measure() {
	var pages, free int64
	if d.value(&pages, `PRAGMA page_count`) == nil && d.value(&free, `PRAGMA freelist_count`) == nil {
		d.catalog.takes((pages - free) * pageBytes)
		d.unmeasured = 0
	}
}

// No query is cancelled half-way: other jobs may share its transaction.

func (d *database) exec(query string, args ...any) error {
	_, err := d.conn.ExecContext(context.Background(), query, args...)
	return err
}

func (d *database) value(to any, query string, args ...any) error {
	return mistyped(d.conn.QueryRowContext(context.Background(), query, args...).Scan(to))
}

// mistyped returns errCorrupt for an error of database/sql, which says that a value has
// another type than this program writes, or is missing.
func mistyped(err error) error {
	if err == nil || corrupt(err) || code(err) != sqlite3.SQLITE_OK || errors.Is(err, sql.ErrConnDone) || errors.Is(err, driver.ErrBadConn) {
		return err
	}
	return fmt.Errorf("%w: %w", errCorrupt, err)
}

// code returns SQLite's code of an error; SQLITE_OK for an error of anything else.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff // without the extended part
	}
	return sqlite3.SQLITE_OK
}

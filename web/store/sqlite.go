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
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// sqliteIdle is the idle time after which SQLite may forget a log to make room.
const sqliteIdle = 24 * time.Hour

// A sweep forgets old logs, a few at a time: other jobs do not wait long.
const (
	betweenSweeps = time.Hour
	sweptAtOnce   = 100
)

// These bound a transaction that several jobs share.
const (
	maxAtOnce     = 512     // jobs
	bytesAtOnce   = 4 << 20 // to write
	outsideAtOnce = 64      // jobs outside any transaction that run before it
)

// pageEvery is the number of added bytes after which the store counts the file's pages again.
const pageEvery = 64 << 10

// One goroutine owns the file and does every request as a job. Jobs that arrive while the
// disk is busy share the next transaction. The sync takes most of the time, and as long
// for one job as for hundreds.
//
// The goroutine also owns the catalog. It reads the catalog once, when it opens the
// file. From then on a transaction changes both.
type database struct {
	alone
	options Options
	path    string
	conn    *sql.Conn
	disk    disk
	clock   clock
	damages damages
	panics  panics
	jobs    chan job
	closing chan struct{}
	closed  chan struct{}
	end     sync.Once
	endErr  error         // Close returns it
	pinging chan struct{} // has room for one ping
	bytes   atomic.Int64  // taken by the store

	// The goroutine owns the rest.
	catalog    *catalog
	refused    map[string]error       // logs that are not in the catalog because the file contradicts itself about them
	lost       map[int64]sampleRecord // one record of each log that is not in the catalog, by the log's id
	lastID     int64                  // of a log
	unmeasured int64                  // bytes added since the pages were counted
	beat       int64                  // pings so far
	settling   *time.Timer            // for settle; nil: the file is being opened
	settled    bool                   // the write-ahead log is empty
	busy       bool                   // the log was written to since the last settle
	kept       time.Time              // when the clock was last written
	schema     string                 // the SQL that made the tables
	pass       pass
	failed     error // of the last failed job; nil: an entry was added since
	failedAt   time.Time
	stuck      int  // logs that the damaged file does not let be removed
	dead       bool // a test killed the store, which no longer writes the clock
}

// A job runs again if its transaction fails.
type job struct {
	do       func() error
	size     int  // bytes to write; 0: the job adds no entry
	outside  bool // the job runs outside any transaction, so its failure does not touch other jobs
	answered chan error
}

func newJob(do func() error) job { return job{do: do, answered: make(chan error, 1)} }

var errClosed = errors.New("the store is closed")

// File is the name of the file in a directory of SQLite's.
const File = "lockstep.db"

// ErrInUse says that another process uses the directory.
var ErrInUse = errors.New("each server needs a directory of its own")

// Remove deletes the file of a closed store, with its write-ahead log and the copies of damaged ones.
func Remove(dir string) error {
	files, err := os.ReadDir(dir)
	for _, file := range files {
		if strings.HasPrefix(file.Name(), File) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, file.Name())))
		}
	}
	return err
}

// SQLite returns a store that keeps its logs in a file in a directory. It makes the
// directory if there is none.
func SQLite(dir string, o Options) (Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	path, err := filepath.Abs(filepath.Join(dir, File))
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	// SQLite would make a file that everybody can read. This descriptor stays open as
	// long as SQLite's: when a process closes any descriptor of a file, it drops all its
	// locks on the file.
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	if err := orphanedWAL(file); err != nil {
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
		options: o, path: path, conn: conn, disk: disk{file: file, path: path}, damages: damages{logger: o.Logger}, panics: panics{logger: o.Logger}, catalog: newCatalog(o, sqliteIdle),
		jobs: make(chan job), closing: make(chan struct{}), closed: make(chan struct{}), pinging: make(chan struct{}, 1),
	}
	if err := d.open(); err != nil {
		conn.Close()
		pool.Close()
		file.Close()
		return nil, err
	}
	go d.panics.survives(func() {
		defer close(d.closed)
		d.work()
		d.note(d.panics.try(d.keepTime))
		d.endErr = errors.Join(d.panics.try(conn.Close), d.panics.try(pool.Close), file.Close())
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
		if d.catalog.isBuried(name) {
			return ErrGone
		}
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

// records calls each with a log's entries after the first n, until each returns false. It
// returns ErrDamaged if a record is damaged or missing.
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

// broken counts a damaged record of a log, with n entries before it.
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

// forgottenAtOnce is how many logs one transaction forgets for good: others do not wait long.
const forgottenAtOnce = 200

// Forget overwrites the entries, as secure_delete is on, and empties the write-ahead log, which has their pages. It goes on after a log
// that it cannot delete.
func (d *database) Forget(ctx context.Context, names []string) error {
	var failed error
	for some := range slices.Chunk(names, forgottenAtOnce) {
		failed = errors.Join(failed, d.ask(ctx, newJob(func() error {
			var damaged error
			for _, name := range some {
				log, err := d.find(name)
				if err != nil {
					damaged = errors.Join(damaged, err)
					continue
				}
				d.catalog.bury(name) // it stays buried if the transaction fails, and the caller tries again
				if log == nil {
					continue
				}
				d.catalog.forget(log)
				if err := d.remove(log); err != nil {
					return err
				}
			}
			return damaged
		})))
	}
	emptied := newJob(d.empty)
	emptied.outside = true
	return errors.Join(failed, d.ask(ctx, emptied))
}

func (d *database) Names(ctx context.Context) (names []string, err error) {
	j := newJob(func() error {
		names = d.catalog.names()
		return nil
	})
	j.outside = true
	return names, d.ask(ctx, j)
}

func (d *database) Stats() Stats {
	return Stats{Bytes: d.bytes.Load(), MaxBytes: d.options.MaxBytes, Damaged: d.damages.count(), Panics: d.panics.n.Load()}
}

func (d *database) Close() error {
	d.end.Do(func() { close(d.closing) })
	<-d.closed
	return d.endErr
}

// ask hands in a job and waits for its answer. If the context ends before the job's turn,
// the job does not run.
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
			d.note(d.panics.try(func() error {
				if d.sweep() {
					next = 0
				}
				return nil
			}))
			sweep.Reset(next)
		case <-verify.C:
			next := betweenPasses
			d.note(d.panics.try(func() error {
				next = d.verify()
				return nil
			}))
			verify.Reset(next)
		case <-d.settling.C:
			d.note(d.panics.try(d.settle))
			if !d.settled {
				d.settling.Reset(betweenSettles)
			}
		case <-d.closing:
			return
		}
	}
}

// waiting returns a job and the others that wait for the next transaction. It does the
// jobs outside any transaction at once.
func (d *database) waiting(next job) (jobs []job) {
	for size, outside := 0, 0; ; {
		if next.outside {
			next.answered <- d.panics.try(next.do)
			outside++
		} else {
			jobs = append(jobs, next)
			size += next.size
		}
		if len(jobs) == maxAtOnce || size >= bytesAtOnce || outside == outsideAtOnce {
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
	err := d.panics.try(func() error {
		d.answer(jobs)
		return nil
	})
	if err == nil {
		return
	}
	d.note(err)
	for _, j := range jobs { // no caller waits forever
		select {
		case j.answered <- err:
		default: // it was answered
		}
	}
}

// answer does the jobs in one transaction and answers when the transaction is on the disk.
// If the transaction fails, answer does the jobs one by one, and only the culprit fails.
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
	err = d.panics.try(func() error {
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
	if err := d.disk.lost(jobs); err != nil {
		for i, j := range jobs {
			if j.size > 0 && answers[i] == nil {
				answers[i] = err // it was written to a file that nobody finds again
			}
		}
	}
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

// wrote schedules settle.
func (d *database) wrote() {
	d.busy = true
	if d.settled && d.settling != nil {
		d.settled = false
		d.settling.Reset(betweenSettles)
	}
}

// settle copies the write-ahead log into the file. It empties the log only when nobody has
// written for a while: a disk grows a file more slowly than it overwrites one.
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

// refusal reports whether an error answers a job that has changed nothing. Any other error
// fails the transaction. SQLite never commits a transaction after it has found the file
// corrupt.
func refusal(err error) bool {
	if code(err) != sqlite3.SQLITE_OK {
		return false
	}
	for _, answer := range []error{ErrBehind, ErrLost, ErrFull, ErrShare, ErrLong, ErrGone, ErrDamaged, errUnfit} {
		if errors.Is(err, answer) {
			return true
		}
	}
	return false
}

// sweep forgets some old logs and reports whether more may be left. If it fails, the next
// sweep tries again.
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

// remove deletes a forgotten log from the file. If damage prevents the deletion, the
// transaction fails, and the catalog never chooses that log again.
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

// A query ignores its job's context: other jobs may share the transaction.

func (d *database) exec(query string, args ...any) error {
	_, err := d.conn.ExecContext(context.Background(), query, args...)
	return err
}

func (d *database) value(to any, query string, args ...any) error {
	return mistyped(d.conn.QueryRowContext(context.Background(), query, args...).Scan(to))
}

// mistyped returns errCorrupt for an error of database/sql. Such an error means that a
// value is missing, or has a type that this program never writes.
func mistyped(err error) error {
	if err == nil || corrupt(err) || code(err) != sqlite3.SQLITE_OK || errors.Is(err, sql.ErrConnDone) || errors.Is(err, driver.ErrBadConn) {
		return err
	}
	return fmt.Errorf("%w: %w", errCorrupt, err)
}

// code returns SQLite's code of an error, or SQLITE_OK for an error from elsewhere.
func code(err error) int {
	if e, ok := errors.AsType[*sqlite.Error](err); ok {
		return e.Code() & 0xff // without the extended part
	}
	return sqlite3.SQLITE_OK
}

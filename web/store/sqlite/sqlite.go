package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"lockstep/web/store"
)

// File is the name of the file in a directory.
const File = "lockstep.db"

type database struct {
	store.Alone
	*store.Common
	path  string
	files map[string]os.FileInfo // the file and its write-ahead log as they were opened, by path
	turn  chan struct{}          // has room for the one who uses the file, and what is below
	stop  context.CancelFunc     // ends the sweeps
	swept sync.WaitGroup

	pool    *sql.DB
	conn    *sql.Conn // its only one; nil: the store is closed
	queries map[string]*sql.Stmt
	batch   *batch // nil: there is none
	shares  store.Shares
	graves  store.Graves
	opened  time.Time
	then    int64           // the store's time when it was opened, in ms
	taken   int64           // bytes of the file's pages that are in use, and an estimate of what the batch adds
	oldest  int64           // no log that may be forgotten is older, in ms of the store's time
	stuck   map[string]bool // logs that damage keeps from being forgotten

	failed   error // of the disk
	failedAt time.Time
	damage   error // the first that was met since the store was opened
}

// Open returns a store that keeps its logs in a file in a directory. It makes the directory if there is none.
func Open(dir string, o store.Options) (store.Store, error) {
	path, err := filepath.Abs(filepath.Join(dir, File))
	if err == nil && !o.MustExist {
		err = errors.Join(os.MkdirAll(dir, 0o700), create(path))
	}
	if err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	pool, err := sql.Open("sqlite", (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String())
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", path, err)
	}
	d := &database{pool: pool, Common: store.NewCommon(o, 2<<30), path: path, turn: make(chan struct{}, 1), graves: store.Graves{}, queries: map[string]*sql.Stmt{}, files: map[string]os.FileInfo{}, oldest: math.MinInt64, stuck: map[string]bool{}}
	if d.conn, err = pool.Conn(context.Background()); err != nil {
		return nil, fmt.Errorf("store: %s: %w", path, err)
	}
	if err := d.open(); err != nil {
		return nil, errors.Join(err, d.shut())
	}
	sweeping, stop := context.WithCancel(context.Background())
	d.stop = stop
	d.swept.Go(d.Survives(func() { d.sweeps(sweeping) }))
	return d, nil
}

// create makes an empty file that nobody else can read, as SQLite would not. SQLite gives its write-ahead log the
// same rights.
func create(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return nil
	}
	return errors.Join(err, file.Close())
}

// Remove deletes the file of a closed store, with its write-ahead log.
func Remove(dir string) error {
	files, err := os.ReadDir(dir)
	for _, file := range files {
		if strings.HasPrefix(file.Name(), File) {
			err = errors.Join(err, os.Remove(filepath.Join(dir, file.Name())))
		}
	}
	return err
}

func (d *database) Append(ctx context.Context, log string, n int, entry []byte) error {
	record, cost := store.Seal(log, n, entry), store.Cost(n, entry)
	return d.write(ctx, func() error {
		if d.graves.Has(log) {
			return store.ErrGone
		}
		r, err := d.row(log)
		if err != nil {
			return err
		}
		if r.entries == 0 {
			r.owner = store.OwnerIn(ctx)
		}
		if err := store.Admit(r.entries, n, r.bytes, cost); err != nil {
			return err
		}
		if err := d.shares.Admit(r.owner, d.MaxBytes, n, cost); err != nil {
			return err
		}
		if err := d.makeRoom(log, d.taken+cost-store.Most(d.MaxBytes, log, n)); err != nil {
			return err
		}
		err = d.exec(`INSERT INTO entries (log, n, record) VALUES (?, ?, ?)`, log, n, record)
		if err == nil {
			err = d.writeRow(log, row{r.owner, n + 1, r.bytes + cost, d.now()})
		}
		if err != nil {
			return d.notice(log, n, err)
		}
		d.taken += cost
		d.shares.Add(r.owner, cost) // if the transaction fails, the attempt counts
		return nil
	})
}

func (d *database) Read(ctx context.Context, log string, n int) (entries [][]byte, err error) {
	err = d.read(ctx, func() error {
		if d.graves.Has(log) {
			return store.ErrGone
		}
		r, err := d.row(log)
		if err != nil {
			return err
		}
		var records [][]byte
		err = d.each(`SELECT n, record FROM entries WHERE log = ? AND n >= ? ORDER BY n`, []any{log, n}, func(scan func(...any) error) error {
			var at int
			var record []byte
			if err := scan(&at, &record); err != nil || at != n+len(records) {
				return errors.Join(err, errMissing)
			}
			records = append(records, record)
			return nil
		})
		if err == nil && len(records) != max(0, r.entries-n) {
			err = errMissing
		}
		if err != nil {
			return d.notice(log, n+len(records), err)
		}
		entries, err = d.Unseal(log, n, records)
		d.damage = cmp.Or(d.damage, err)
		return err
	})
	return entries, err
}

func (d *database) Delete(ctx context.Context, log string) error {
	return d.write(ctx, func() error { return d.remove(log) })
}

// forgottenAtOnce is how many logs one transaction forgets for good: others do not wait long.
const forgottenAtOnce = 200

// Forget overwrites the entries, as secure_delete is on, and empties the write-ahead log, which has their pages.
func (d *database) Forget(ctx context.Context, logs []string) error {
	var failed error
	for some := range slices.Chunk(logs, forgottenAtOnce) {
		failed = errors.Join(failed, d.write(ctx, func() (err error) {
			for _, log := range some {
				d.graves.Bury(log) // it stays buried if the transaction fails, and the caller tries again
				err = errors.Join(err, d.remove(log))
			}
			return err
		}))
	}
	return errors.Join(failed, d.read(ctx, d.empty))
}

func (d *database) Names(ctx context.Context) (names []string, err error) {
	err = d.read(ctx, func() error {
		names, err = d.texts(`SELECT name FROM logs WHERE name NOT GLOB ?`, lasting)
		return err
	})
	return names, err
}

// Close waits for whoever uses the file.
func (d *database) Close() error {
	d.stop()
	d.swept.Wait()
	err := d.read(context.Background(), func() error {
		d.note(d.keepTime())
		return d.shut()
	})
	if errors.Is(err, errClosed) {
		return nil
	}
	return err
}

func (d *database) shut() (err error) {
	for _, s := range d.queries {
		err = errors.Join(err, s.Close())
	}
	err = errors.Join(err, d.conn.Close(), d.pool.Close())
	d.conn = nil
	return err
}

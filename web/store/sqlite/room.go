package sqlite

import (
	"context"
	"errors"
	"math"
	"time"

	sqlite3 "modernc.org/sqlite/lib"

	"lockstep/web/store"
)

const (
	idle          = 24 * time.Hour // after which the store may forget a log to make room
	betweenSweeps = time.Hour
	sweptAtOnce   = 100 // logs: others do not wait long

	lasting = store.Lasting + "*"
)

// sweeps writes the clock and forgets old logs, now and every hour.
func (d *database) sweeps(ctx context.Context) {
	for {
		var freed int64
		err := d.write(ctx, func() (err error) {
			if err = d.keepTime(); err == nil {
				freed, err = d.forgetIdle(d.Keep, "", math.MaxInt64)
			}
			return err
		})
		if err == nil && freed > 0 {
			continue
		}
		select {
		case <-time.After(betweenSweeps):
		case <-ctx.Done():
			return
		}
	}
}

// makeRoom forgets idle logs until a number of bytes is free, or returns ErrFull.
func (d *database) makeRoom(but string, bytes int64) error {
	for bytes > 0 {
		freed, err := d.forgetIdle(idle, but, bytes)
		switch {
		case err == nil && freed == 0, errors.Is(err, store.ErrDamaged):
			return store.ErrFull
		case err != nil:
			return err
		}
		bytes -= freed
	}
	return nil
}

// forgetIdle forgets logs other than one that have been idle for a time, the longest first, until it has freed enough
// bytes or sweptAtOnce logs are gone. It returns the bytes. A log whose row is damaged may be younger than it seems, and
// stays, as does a log that the damaged file does not let be removed.
func (d *database) forgetIdle(idle time.Duration, but string, enough int64) (freed int64, err error) {
	since := d.now() - idle.Milliseconds()
	if since < d.oldest {
		return 0, nil
	}
	names, err := d.texts(`SELECT name FROM logs WHERE added <= ? AND name <> ? AND name NOT GLOB ? ORDER BY added LIMIT ?`, since, but, lasting, sweptAtOnce+len(d.stuck))
	if err == nil && len(names) == 0 { // until then, nobody looks through all logs in vain
		err = d.get(`SELECT coalesce(min(added), ?) FROM logs WHERE name NOT GLOB ?`, []any{d.now(), lasting}, &d.oldest)
	}
	if err != nil {
		return 0, d.notice("(logs)", 0, err)
	}
	for _, name := range names {
		if d.stuck[name] || freed >= enough {
			continue
		}
		r, err := d.row(name)
		if err == nil {
			err = d.remove(name)
		}
		if err != nil {
			d.stuck[name] = errors.Is(err, store.ErrDamaged)
		}
		if code(err) != sqlite3.SQLITE_OK {
			return 0, err
		}
		freed += r.bytes
		d.taken -= r.bytes
	}
	return freed, nil
}

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"
)

// recently is the time for which a ping reports a failed job.
const recently = 10 * time.Second

// Ping writes a trial file, for which the disk must have room. Then it writes to the
// store's file and reads that back from the disk. It also reports damage that the
// verification found, and a job that failed within the last seconds.
func (d *database) Ping(ctx context.Context) error {
	select {
	case d.pinging <- struct{}{}:
	default:
		return &Failure{"it does not answer", errors.New("the last ping has not come back")}
	}
	done := make(chan error, 1)
	go d.panics.survives(func() { // if the disk hangs, only the next ping notices
		var err error
		for _, look := range []func() error{d.disk.writable, d.disk.try, d.disk.saved, func() error { return d.askPing(ctx) }} {
			if err == nil {
				err = d.panics.try(look)
			}
		}
		<-d.pinging
		done <- failure(err)
	})()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return failure(ctx.Err())
	}
}

func (d *database) askPing(ctx context.Context) error {
	j := newJob(d.ping)
	j.outside = true
	return d.ask(ctx, j)
}

func (d *database) ping() error {
	for _, look := range []func() error{d.disk.there, d.full, d.recent, d.write, d.disk.header, d.verified} {
		if err := look(); err != nil {
			return err
		}
	}
	return nil
}

// full returns a Failure if the reserve is used up.
func (d *database) full() error {
	d.catalog.advance(d.clock.now())
	if d.catalog.full() {
		return &Failure{"it is full", ErrFull}
	}
	return nil
}

// recent returns the failure of the last seconds, or nil.
func (d *database) recent() error {
	if time.Since(d.failedAt) < recently {
		return d.failed
	}
	return nil
}

// write writes the clock, empties the write-ahead log into the file, and reads the
// clock back from the disk.
func (d *database) write() error {
	d.beat++
	wrote := d.moment().record()
	if err := d.exec(`UPDATE clock SET record = ?`, wrote); err != nil {
		return err
	}
	d.wrote()
	if err := d.checkpoint("PASSIVE"); err != nil {
		return err
	}
	var read []byte
	if err := d.exec(`PRAGMA shrink_memory`); err != nil { // drop the page cache
		return err
	}
	if err := d.value(&read, `SELECT record FROM clock`); err != nil {
		return err
	}
	if !bytes.Equal(read, wrote) {
		return fmt.Errorf("%w: the clock is not what was written", ErrDamaged)
	}
	return nil
}

// verified returns ErrDamaged if the store refuses a log, or if the verification found
// damage in this pass or the last.
func (d *database) verified() error {
	if d.pass.found+d.pass.before+len(d.refused) > 0 {
		return fmt.Errorf("%w: the verification found damage", ErrDamaged)
	}
	return nil
}

// empty empties the write-ahead log into the file.
func (d *database) empty() error { return d.checkpoint("TRUNCATE") }

func (d *database) checkpoint(mode string) error {
	var busy, pages, done int
	err := d.conn.QueryRowContext(context.Background(), `PRAGMA wal_checkpoint(`+mode+`)`).Scan(&busy, &pages, &done)
	if err == nil && (busy != 0 || done < pages) {
		return fmt.Errorf("%d of the %d pages of the write-ahead log are in the file", done, pages)
	}
	return err
}

package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"
)

// recently is for how long a ping speaks of a job that has failed.
const recently = 10 * time.Second

// Ping writes a file beside the store's, for which the disk needs room; then it
// writes to the store's own file and reads that back from the disk. It tells what
// the verification has found, and what has failed just now.
func (d *database) Ping(ctx context.Context) error {
	select {
	case d.pinging <- struct{}{}:
	default:
		return &Failure{"it does not answer", errors.New("the last ping has not come back")}
	}
	done := make(chan error, 1)
	go func() { // a disk that hangs holds up nobody but the next ping
		var err error
		for _, look := range []func() error{d.disk.there, d.disk.writable, d.disk.try, func() error { return d.askPing(ctx) }} {
			if err == nil {
				err = look()
			}
		}
		<-d.pinging
		done <- failure(err)
	}()
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
	for _, look := range []func() error{d.full, d.recent, d.write, d.disk.header, d.verified} {
		if err := look(); err != nil {
			return err
		}
	}
	return nil
}

// full finds the bounds of the store.
func (d *database) full() error {
	d.catalog.advance(d.clock.now())
	if d.catalog.full() {
		return &Failure{"it is full", ErrFull}
	}
	return nil
}

// recent is what has failed just now.
func (d *database) recent() error {
	if time.Since(d.failedAt) < recently {
		return d.failed
	}
	return nil
}

// write writes the clock, lets it get through to the file, and reads it back.
func (d *database) write() error {
	d.beat++
	wrote := d.moment().record()
	if err := d.exec(`UPDATE clock SET record = ?`, wrote); err != nil {
		return err
	}
	if err := d.checkpoint("PASSIVE"); err != nil {
		return err
	}
	var read []byte
	if err := d.exec(`PRAGMA shrink_memory`); err != nil { // no page is in memory any more
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

// verified is what the verification has found.
func (d *database) verified() error {
	if d.pass.found+d.pass.before > 0 {
		return fmt.Errorf("%w: the verification has found something", ErrDamaged)
	}
	return nil
}

// empty empties the write-ahead log.
func (d *database) empty() error { return d.checkpoint("TRUNCATE") }

func (d *database) checkpoint(mode string) error {
	var busy, pages, done int
	err := d.conn.QueryRowContext(context.Background(), `PRAGMA wal_checkpoint(`+mode+`)`).Scan(&busy, &pages, &done)
	if err == nil && (busy != 0 || done < pages) {
		return fmt.Errorf("%d of the %d pages of the write-ahead log are in the file", done, pages)
	}
	return err
}

package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"
)

// A batch is a transaction that several writers share. The sync of the disk takes most of the time, and takes as long
// for one entry as for hundreds: who comes while the disk is busy joins the next batch.
type batch struct {
	ended chan struct{}
	kept  bool  // a writer has changed something
	err   error // after the end
}

var errClosed = errors.New("the store is closed")

// alone calls do while nobody else uses the file. If the context ends before, it does not.
func (d *database) alone(ctx context.Context, do func() error) error {
	err := ctx.Err()
	if err == nil {
		select {
		case d.turn <- struct{}{}:
			err = d.Try(func() error {
				if d.conn == nil {
					return errClosed
				}
				return do()
			})
			<-d.turn
		case <-ctx.Done():
			err = ctx.Err()
		}
	}
	return d.explain(err)
}

// read calls do after the writers before it.
func (d *database) read(ctx context.Context, do func() error) error {
	return d.alone(ctx, func() error {
		d.commit()
		return do()
	})
}

// write calls do in a batch, and returns when the batch is on the disk. The first writer of a batch commits it, after
// those who wait for their turn. If do fails, its changes are undone and nobody else's.
func (d *database) write(ctx context.Context, do func() error) error {
	var joined *batch
	first := false
	err := d.alone(ctx, func() error {
		if d.batch == nil {
			if err := d.inPlace(); err != nil {
				return err
			}
			if err := d.exec(`BEGIN`); err != nil {
				return err
			}
			d.batch, first = &batch{ended: make(chan struct{})}, true
		}
		joined = d.batch
		if err := d.exec(`SAVEPOINT one`); err != nil {
			return err
		}
		err := d.Try(do)
		if err == nil {
			joined.kept = true
			return d.exec(`RELEASE one`)
		}
		if d.exec(`ROLLBACK TO one; RELEASE one`) != nil { // on a full disk SQLite undoes all of it
			d.batch.err = err
			d.commit()
		}
		return err
	})
	if first {
		_ = d.read(context.Background(), func() error { return nil })
	}
	if err != nil {
		return err
	}
	<-joined.ended
	return d.explain(joined.err)
}

// commit ends the batch, if there is one. No entry is acknowledged while its file is not where the next server will
// look for it.
func (d *database) commit() {
	b := d.batch
	if b == nil {
		return
	}
	if b.err == nil {
		b.err = d.exec(`COMMIT`)
	}
	if b.err != nil {
		d.exec(`ROLLBACK`) // fails if SQLite has rolled back by itself
		d.note(b.err)
	} else {
		if b.kept {
			d.failedAt = time.Time{}
		}
		b.err = d.inPlace()
	}
	d.measure()
	d.batch = nil
	close(b.ended)
}

// empty copies the write-ahead log into the file and cuts it off.
func (d *database) empty() error {
	var busy, pages, copied int
	err := d.get(`PRAGMA wal_checkpoint(TRUNCATE)`, nil, &busy, &pages, &copied)
	if err == nil && busy != 0 {
		return errors.New("the write-ahead log is in use")
	}
	return err
}

// prepared returns a statement that SQLite parses once.
func (d *database) prepared(query string) (s *sql.Stmt, err error) {
	if s = d.queries[query]; s == nil {
		if s, err = d.conn.PrepareContext(context.Background(), query); err == nil {
			d.queries[query] = s
		}
	}
	return s, err
}

// A query ignores the context of who asks: others may share the batch.

func (d *database) exec(query string, args ...any) error {
	s, err := d.prepared(query)
	if err == nil {
		_, err = s.Exec(args...)
	}
	return err
}

// get reads the only row of a query.
func (d *database) get(query string, args []any, to ...any) error {
	s, err := d.prepared(query)
	if err == nil {
		err = s.QueryRow(args...).Scan(to...)
	}
	return err
}

// each calls do with each row of a query.
func (d *database) each(query string, args []any, do func(scan func(to ...any) error) error) error {
	s, err := d.prepared(query)
	if err != nil {
		return err
	}
	rows, err := s.Query(args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := do(rows.Scan); err != nil {
			return err
		}
	}
	return rows.Err()
}

// texts returns the texts of a query.
func (d *database) texts(query string, args ...any) (texts []string, err error) {
	err = d.each(query, args, func(scan func(...any) error) error {
		texts = append(texts, "")
		return scan(&texts[len(texts)-1])
	})
	return texts, err
}

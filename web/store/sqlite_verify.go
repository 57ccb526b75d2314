package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The goroutine verifies what is in the file, log by log, though nobody reads it: a
// dose now and then, for which nobody waits long, and in all at most a twentieth of
// its time.
const (
	doseTime     = 5 * time.Millisecond
	doseBytes    = 1 << 20
	betweenDoses = 100 * time.Millisecond

	betweenPasses = time.Minute // at least, from the beginning of one to that of the next
	passPart      = 20          // or until it has taken one part of so many of the time
)

// A pass is one verification of all logs.
type pass struct {
	began  time.Time
	spent  time.Duration
	logs   []*entryLog // that are left
	n      int         // entries of the first one of these that were verified
	found  int         // damaged logs, so far
	before int         // in the pass before
}

// verify verifies some, and returns when to go on.
func (d *database) verify() time.Duration {
	p, began := &d.pass, time.Now()
	if time.Since(d.kept) >= betweenClocks {
		d.note(d.keepTime())
	}
	if len(p.logs) == 0 {
		d.beginPass()
	}
	for size := 0; len(p.logs) > 0 && size < doseBytes && time.Since(began) < doseTime; {
		size += d.verifyLog(began, doseBytes-size)
	}
	p.spent += time.Since(began)
	if len(p.logs) > 0 {
		return betweenDoses
	}
	p.before, p.found = p.found, 0
	return max(betweenDoses, max(betweenPasses, passPart*p.spent)-time.Since(p.began))
}

// beginPass looks at what belongs to no log.
func (d *database) beginPass() {
	p := &d.pass
	p.began, p.spent, p.logs, p.n = time.Now(), 0, make([]*entryLog, 0, len(d.catalog.logs)), 0
	for l := range d.catalog.oldest() {
		p.logs = append(p.logs, l)
	}
	before, err := d.schema, d.exec(`PRAGMA shrink_memory`) // so that pages are read from the disk
	if err == nil {
		err = d.readSchema()
	}
	if err == nil && d.schema != before {
		d.schema = before
		err = fmt.Errorf("%w: the tables are described otherwise", ErrDamaged)
	}
	d.note(err)
}

// verifyLog verifies the next log, or as much of it as a dose has time and bytes
// for, and returns how many bytes that is.
func (d *database) verifyLog(began time.Time, most int) (size int) {
	p := &d.pass
	l := p.logs[0]
	next := func() { p.logs, p.n = p.logs[1:], 0 }
	if d.catalog.logs[l.name] != l {
		next() // it was forgotten
		return 0
	}
	size = logBytes
	var err error
	if p.n == 0 {
		err = d.verifyRow(l)
	}
	if err == nil {
		err = d.records(l, p.n, func(entry []byte) bool {
			p.n++
			size += len(entry) + entryBytes
			return size < most && time.Since(began) < doseTime
		})
	}
	switch {
	case err != nil && !errors.Is(err, ErrDamaged):
		p.found++
		d.damages.found(place{l.name, p.n}, err)
		fallthrough
	case err != nil, p.n >= l.entries:
		next()
	}
	return size
}

// verifyRow finds out whether the table of logs says of a log what the catalog does.
func (d *database) verifyRow(l *entryLog) error {
	var there entryLog
	err := d.conn.QueryRowContext(context.Background(), `SELECT name, owner, entries, bytes, added FROM logs WHERE id = ?`, l.id).
		Scan(&there.name, &there.owner, &there.entries, &there.bytes, &there.added)
	same := there.name == l.name && there.owner == l.owner && there.entries == l.entries && there.bytes == l.bytes && there.added == l.added
	if err == nil && same {
		return nil
	}
	if err == nil {
		err = errOtherwise
	}
	return d.broken(l, 0, damaged(l.name, 0, err))
}

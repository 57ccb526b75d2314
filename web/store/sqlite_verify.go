package store

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The store's goroutine verifies the file log by log, even if nobody reads it. It does
// so in doses, so that nobody waits long, and spends at most a twentieth of its time.
const (
	doseTime     = 5 * time.Millisecond
	doseBytes    = 1 << 20
	betweenDoses = 100 * time.Millisecond

	betweenPasses = time.Minute // at least, from the start of one pass to the start of the next
	passPart      = 20          // a pass takes at most one in so many parts of the time
)

// A pass verifies every log once.
type pass struct {
	began  time.Time
	spent  time.Duration
	logs   []*entryLog // still to verify
	n      int         // entries of the first of them that are verified
	found  int         // damaged records in this pass
	before int         // damaged records in the last pass
}

// verify verifies one dose and returns when the next is due.
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

// beginPass starts a pass. It verifies the schema, which belongs to no log.
func (d *database) beginPass() {
	p := &d.pass
	p.began, p.spent, p.logs, p.n = time.Now(), 0, make([]*entryLog, 0, len(d.catalog.logs)), 0
	for l := range d.catalog.oldest() {
		p.logs = append(p.logs, l)
	}
	before, err := d.schema, d.exec(`PRAGMA shrink_memory`) // drop the page cache: the pass reads the disk
	if err == nil {
		err = d.readSchema()
	}
	if err == nil && d.schema != before {
		d.schema = before
		err = fmt.Errorf("%w: the schema has changed", ErrDamaged)
	}
	d.note(err)
}

// verifyLog verifies the next log, as far as the dose allows, and returns how many
// bytes it read.
func (d *database) verifyLog(began time.Time, most int) (size int) {
	p := &d.pass
	l := p.logs[0]
	next := func() { p.logs, p.n = p.logs[1:], 0 }
	if d.catalog.logs[l.name] != l {
		next() // the log was forgotten meanwhile
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

// verifyRow compares the row of a log with the catalog.
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

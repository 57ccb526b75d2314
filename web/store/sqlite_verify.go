package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// The store's goroutine verifies the file log by log, even if nobody reads it. It works in
// doses, so other jobs do not wait long, and spends at most a twentieth of its time.
const (
	doseTime     = 5 * time.Millisecond
	doseBytes    = 1 << 20
	betweenDoses = 100 * time.Millisecond

	betweenPasses = time.Minute // at least, from the start of one pass to the start of the next
	passPart      = 20          // a pass takes at most 1/20 of the time
)

// A pass verifies every log once, in the order of their records.
type pass struct {
	running bool
	began   time.Time
	spent   time.Duration
	logs    []*entryLog // still to verify
	n       int         // entries of the first of them that are verified
	last    *entryLog   // the log before it; nil: none
	after   int64       // up to this id, every record belongs to a log or is already counted
	fresh   int64       // id of the first log that began during the pass
	found   int         // damaged records in this pass
	before  int         // damaged records in the last pass
}

// verify verifies one dose and returns the time until the next.
func (d *database) verify() time.Duration {
	p, began := &d.pass, time.Now()
	if time.Since(d.kept) >= betweenClocks {
		d.note(d.keepTime())
	}
	if !p.running {
		d.beginPass()
	}
	for size := 0; p.running && size < doseBytes && time.Since(began) < doseTime; {
		size += d.verifyNext(began, doseBytes-size)
	}
	p.spent += time.Since(began)
	if p.running {
		return betweenDoses
	}
	p.before, p.found = p.found, 0
	return max(betweenDoses, max(betweenPasses, passPart*p.spent)-time.Since(p.began))
}

// beginPass starts a pass. It verifies the schema, which belongs to no log.
func (d *database) beginPass() {
	p := &d.pass
	*p = pass{running: true, began: time.Now(), logs: make([]*entryLog, 0, len(d.catalog.logs)), after: math.MinInt64, fresh: d.lastID + 1, found: p.found, before: p.before}
	for l := range d.catalog.oldest() {
		p.logs = append(p.logs, l)
	}
	slices.SortFunc(p.logs, func(a, b *entryLog) int { return cmp.Compare(a.id, b.id) })
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

// verifyNext verifies the gap before the next log, and as much of the log as the dose
// allows. It returns the number of bytes that it read.
func (d *database) verifyNext(began time.Time, most int) (size int) {
	p := &d.pass
	for len(p.logs) > 0 && d.catalog.logs[p.logs[0].name] != p.logs[0] { // it was forgotten meanwhile
		p.logs, p.n = p.logs[1:], 0
	}
	if p.n == 0 && d.verifyGap() {
		return entryBytes
	}
	if len(p.logs) == 0 {
		p.running = false
		return 0
	}
	l := p.logs[0]
	size = logBytes
	err := d.panics.try(func() error {
		if p.n == 0 {
			if err := d.verifyRow(l); err != nil {
				return err
			}
		}
		return d.records(l, p.n, func(entry []byte) bool {
			p.n++
			size += len(entry) + entryBytes
			return size < most && time.Since(began) < doseTime
		})
	})
	switch {
	case err != nil && !errors.Is(err, ErrDamaged):
		_ = d.broken(l, p.n, err)
		fallthrough
	case err != nil, p.n >= l.entries:
		p.logs, p.n, p.last, p.after = p.logs[1:], 0, l, l.recordID(l.entries-1)
	}
	return size
}

// verifyGap looks for a stray record between the last verified log and the next one, or
// after all logs. It reports whether there may be more.
func (d *database) verifyGap() (more bool) {
	p := &d.pass
	end := int64(math.MaxInt64)
	switch {
	case len(p.logs) > 0:
		end = p.logs[0].recordID(0)
	case p.after < p.fresh<<entryBits-1:
		end = p.fresh << entryBits
	default: // the next pass verifies the logs that began meanwhile, and others begin between two doses of this one
		p.after = max(p.after, d.lastID<<entryBits|(1<<entryBits-1))
	}
	at := end
	err := d.value(&at, `SELECT coalesce(min(id), ?) FROM records WHERE id > ? AND id < ?`, end, p.after, end)
	if err == nil && at != end && (at < p.after || at > end) {
		err = errCorrupt // the ids of a damaged page are in no order
	}
	id, n := at>>entryBits, int(at&(1<<entryBits-1))
	_, told := d.lost[id]
	switch l := p.last; {
	case err != nil:
		_ = d.broken(&entryLog{name: "(records)"}, 0, err)
		at = end
	case at == end:
	case told: // when the file was opened
		p.found++
	case l == nil || l.id != id:
		name := fmt.Sprintf("(id %d)", id)
		_ = d.broken(&entryLog{name: name}, n, damaged(name, n, errNoRow))
	case n < l.entries: // it was added meanwhile
		p.after = l.recordID(l.entries - 1)
		return true
	default:
		_ = d.broken(l, n, damaged(l.name, n, errBeyond))
	}
	switch {
	case at < end:
		p.after = at | (1<<entryBits - 1)
	case len(p.logs) > 0:
		return false
	case end < math.MaxInt64:
		p.after = end - 1
	default:
		return false
	}
	return true
}

// verifyRow compares a log's row with the catalog.
func (d *database) verifyRow(l *entryLog) error {
	there, err := scanRow(d.conn.QueryRowContext(context.Background(), readRow+` WHERE id = ?`, l.id))
	same := there.name == l.name && there.owner == l.owner && there.entries == l.entries && there.bytes == l.bytes && there.added == l.added
	if err == nil && same {
		return nil
	}
	if err == nil {
		err = errOtherwise
	}
	return d.broken(l, 0, damaged(l.name, 0, err))
}

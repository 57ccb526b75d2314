package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"
)

// The file describes a log twice: in the row of the log, which has a checksum, and in its
// records. Without the row, or with fewer records, the log would look as if nobody had ever
// added to it. When the store opens the file, it compares the two. If they differ, it
// refuses the log, and nothing overwrites the log.

// A sampleRecord is a record of a log, with n entries before it.
type sampleRecord struct {
	n      int
	record []byte
}

const (
	maxLost      = 1000 // records that the store keeps, each of at most maxLostBytes
	maxLostBytes = 4 << 10
	maxLogID     = 1 << 30 // ids of logs; a greater id is damage
)

// sum returns the checksum of the log's row.
func (l *entryLog) sum() int64 {
	return int64(checksum(l.name, int(l.id), fmt.Appendf(nil, "%s %d %d %d", l.owner, l.entries, l.bytes, l.added)))
}

// writeRow writes the row of a log, and replaces any row in its place.
func (d *database) writeRow(l *entryLog) error {
	return d.exec(`INSERT OR REPLACE INTO logs (id, name, owner, entries, bytes, added, sum) VALUES (?, ?, ?, ?, ?, ?, ?)`,
		l.id, l.name, l.owner, l.entries, l.bytes, l.added, l.sum())
}

const readRow = `SELECT id, name, owner, entries, bytes, added, sum FROM logs`

// scanRow returns the log of a row. If it also returns an error, the id and the name may
// still be right.
func scanRow(row scanner) (l *entryLog, err error) {
	l = &entryLog{}
	var sum int64
	err = row.Scan(&l.id, &l.name, &l.owner, &l.entries, &l.bytes, &l.added, &sum)
	if err == nil && (sum != l.sum() || l.entries < 1) {
		err = errChecksum
	}
	return l, err
}

// addSums translates a file of schema 2, which has no checksums of rows.
func (d *database) addSums() error {
	return d.atOnce(func() error {
		if err := d.exec(`ALTER TABLE logs ADD COLUMN sum INTEGER NOT NULL DEFAULT 0`); err != nil {
			return err
		}
		var logs []*entryLog
		err := d.each(readRow, func(row scanner) error {
			l, err := scanRow(row)
			if errors.Is(err, errChecksum) { // otherwise no checksum will match
				logs = append(logs, l)
			}
			return nil
		})
		for _, l := range logs {
			if err == nil {
				err = d.exec(`UPDATE logs SET sum = ? WHERE id = ?`, l.sum(), l.id)
			}
		}
		if err != nil {
			return err
		}
		return d.exec(`PRAGMA user_version = 3`)
	})
}

// load reads the clock and the catalog.
func (d *database) load() error {
	logs, err := d.readRows()
	if err != nil {
		return err
	}
	newest := time.Duration(0)
	for _, l := range logs {
		newest = max(newest, l.added)
	}
	d.setClock(newest)
	slices.SortFunc(logs, func(a, b *entryLog) int { return cmp.Or(cmp.Compare(a.added, b.added), cmp.Compare(a.id, b.id)) })
	for _, l := range logs {
		l.added = min(l.added, d.catalog.now) // a crash may have lost some of the clock
		d.catalog.load(l)
	}
	return nil
}

// setClock starts the clock of a store. newest is the time of its newest entry.
func (d *database) setClock(newest time.Duration) {
	var record []byte
	_ = d.value(&record, `SELECT record FROM clock`) // no record is a damaged one
	last, err := readMoment(record)
	if err != nil {
		// Assume that no time has passed since the last entry.
		_ = d.broken(&entryLog{name: clockLog}, 0, err)
		last = moment{time: newest, wall: time.Now().UnixNano()}
	}
	d.beat = last.beat
	d.clock = reopenClock(last.time, time.Since(time.Unix(0, last.wall)))
	if ahead := newest - d.clock.now(); 0 < ahead && ahead <= maxAhead {
		d.clock.then += ahead // a crash came before the clock was written
	}
	d.catalog.advance(d.clock.now())
}

// readRows returns the logs about which the file does not contradict itself, and refuses
// the others.
func (d *database) readRows() (logs []*entryLog, err error) {
	d.refused, d.lost = map[string]error{}, map[int64]sampleRecord{}
	type row struct {
		*entryLog
		err error
	}
	var rows []row
	names := map[string]int{} // of unchanged rows
	err = d.each(readRow, func(from scanner) error {
		l, err := scanRow(from)
		rows = append(rows, row{l, err})
		if err == nil {
			names[l.name]++
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, r := range rows {
		switch {
		case r.err != nil && names[r.name] > 0:
			d.refuse(nil, r.id, r.err) // the name is another log's
		case r.err != nil:
			d.refuse(r.entryLog, r.id, r.err)
		case names[r.name] > 1:
			d.refuse(r.entryLog, r.id, errTwice)
		default:
			logs = append(logs, r.entryLog)
		}
	}
	return d.borneOut(logs)
}

// borneOut returns the logs whose last record agrees with their row, and refuses the
// others. It looks up one record for each log, from the last log to the first.
func (d *database) borneOut(logs []*entryLog) (same []*entryLog, err error) {
	slices.SortFunc(logs, func(a, b *entryLog) int { return cmp.Compare(b.id, a.id) })
	hurt := false // the store refused a log because it cannot read a page
	records := lastRecords{conn: d.conn}
	defer records.close()
	for end := int64(math.MaxInt64); ; {
		last, err := records.before(end)
		if err == nil && last.Valid && last.Int64 >= end {
			err = errCorrupt // the ids of a damaged page are in no order
		}
		if err != nil {
			records.close()
		}
		id, n := last.Int64>>entryBits, int(last.Int64&(1<<entryBits-1))+1
		if err != nil && (!corrupt(err) || len(logs) == 0 && end == math.MaxInt64) {
			return nil, err // the file may have logs that nothing here knows
		}
		if err != nil || !last.Valid {
			id = math.MinInt64
			if err != nil && len(logs) > 0 {
				id, n = logs[0].id, 0 // continue after the damage
			}
		}
		for len(logs) > 0 && logs[0].id > id {
			d.refuse(logs[0], logs[0].id, errNotThere)
			logs = logs[1:]
		}
		switch found := len(logs) > 0 && logs[0].id == id; {
		case id == math.MinInt64:
			if err != nil && !hurt {
				d.refuse(nil, 0, err)
			}
			return same, nil
		case found && err == nil && logs[0].entries == n:
			same = append(same, logs[0])
		case found && err == nil && logs[0].entries < n:
			d.refuse(logs[0], id, errBeyond)
		case found && err == nil:
			d.refuse(logs[0], id, errNotThere)
		case found:
			hurt = true
			d.refuse(logs[0], id, err)
		default:
			d.refuse(nil, id, errNoRow)
		}
		if len(logs) > 0 && logs[0].id == id {
			logs = logs[1:]
		}
		if id < maxLogID {
			d.lastID = max(d.lastID, id)
		}
		end = id << entryBits
	}
}

// lastRecords walks from the last record of each log to the last record of the log before it.
type lastRecords struct {
	conn *sql.Conn
	rows *sql.Rows
}

// One query for all logs takes much less time than one query for each.
const walkRecords = `
WITH RECURSIVE last(id) AS (
	SELECT max(id) FROM records WHERE id < ?
	UNION ALL SELECT (SELECT max(id) FROM records WHERE id < last.id >> 32 << 32) FROM last WHERE id IS NOT NULL
) SELECT id FROM last`

// before returns the id of the last record below end. end is the first id of the log that
// the last call returned; after an error, it may be any id.
func (r *lastRecords) before(end int64) (last sql.NullInt64, err error) {
	if r.rows == nil {
		if r.rows, err = r.conn.QueryContext(context.Background(), walkRecords, end); err != nil {
			return last, mistyped(err)
		}
	}
	if r.rows.Next() {
		err = r.rows.Scan(&last)
	} else if err = r.rows.Err(); err == nil {
		err = errCorrupt
	}
	if err != nil {
		r.close()
	}
	return last, mistyped(err)
}

func (r *lastRecords) close() {
	if r.rows != nil {
		r.rows.Close()
		r.rows = nil
	}
}

// refuse marks a log about which the file contradicts itself. id is the log's id in its
// records. If l is nil, the name of the log is not known.
func (d *database) refuse(l *entryLog, id int64, why error) {
	if _, ok := d.lost[id]; ok {
		return
	}
	one := sampleRecord{}
	if len(d.lost) < maxLost {
		one = d.sampleOf(id)
	}
	d.lost[id] = one
	if l == nil || l.name == "" {
		l = &entryLog{name: fmt.Sprintf("(id %d)", id)}
	}
	// A later transaction may return this error, and why must not look like a failure of that one.
	err := damaged(l.name, max(0, l.entries-1), errors.New(why.Error()))
	d.refused[l.name] = d.broken(l, max(0, l.entries-1), err)
}

// sampleOf returns a short record of the log with that id, if it finds a readable one.
func (d *database) sampleOf(id int64) (one sampleRecord) {
	l := entryLog{id: id}
	_ = d.each(`SELECT id, record FROM records WHERE id BETWEEN ? AND ? AND length(record) <= ? ORDER BY id LIMIT 1`, func(row scanner) error {
		var at int64
		err := row.Scan(&at, &one.record)
		one.n = int(at - l.recordID(0))
		return err
	}, l.recordID(0), l.lastID(), maxLostBytes)
	return one
}

// find returns the named log, nil if there is none, or ErrDamaged. It compares the name with
// records that have lost their log: their checksum covers the name.
func (d *database) find(name string) (*entryLog, error) {
	if err := d.refused[name]; err != nil {
		return nil, err
	}
	l := d.catalog.logs[name]
	if l != nil {
		return l, nil
	}
	for id, one := range d.lost {
		if len(one.record) == 0 || one.record[0] != recordEdition { // the first edition has no checksum
			continue
		}
		if _, err := unseal(name, one.n, one.record); err == nil {
			d.lost[id] = sampleRecord{}
			err := damaged(name, 0, errNoRow)
			d.refused[name] = d.broken(&entryLog{name: name}, 0, err)
			return nil, err
		}
	}
	return nil, nil
}
